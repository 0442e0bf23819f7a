package main

import (
	"encoding/csv"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/traces/tables"
)

func csvCommand() command {
	return command{
		name: "csv", args: "FILE", brief: "print a Parquet file, such as fct.parquet, as CSV", maxArgs: 1,
		about: `FILE is a table that a run has written, or any other Parquet file with plain columns, or the folder of a run, whose fct.parquet is printed, or - for standard input. The first line names the columns; qbb help outputs explains them. Numbers have all their digits, and a missing value is an empty field.

Examples:

  qbb csv out > fct.csv
  qbb csv out/queue_cdf.parquet | grep '^-1,'`,
		define: func(*pflag.FlagSet) action { return printCSV },
	}
}

func printCSV(c *call) error {
	if len(c.args) == 0 {
		return mistakef("which table? give its file: qbb csv FILE")
	}
	path, err := tableOf(c.args[0])
	if err != nil {
		return mistake(err)
	}
	w := csv.NewWriter(c.stdout)
	err = tables.Text(path, func(cells []string) { w.Write(cells) }) // Error reports a failure
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	return mistake(err)
}
