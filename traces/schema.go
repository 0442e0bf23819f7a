package traces

import (
	"reflect"
	"strings"
)

// Schema describes a file format.
type Schema struct {
	File    string // usual name
	Doc     string
	Columns []Column
}

// Column is a column of a table, a word of a line, or a key.
type Column struct {
	Name string
	Type string
	Unit string // empty for none
	Doc  string
}

// Schemas returns the description of every file that qbb reads or writes, inputs first.
// Tables are described by the very types that are read and written.
func Schemas() []Schema {
	return []Schema{
		{"config.txt", "Input. KEY VALUE pairs separated by white space. No comments.", configColumns()},
		topologySchema,
		flowSchema,
		{"flow.csv, flow.parquet", "Input. One row per flow, sorted by start, those that wait for others anywhere behind these; columns in any order; a CSV file names them in its first line. Starts in Parquet may be durations of Arrow (timedelta64 in pandas), of any unit, but not dates.", flowTableColumns()},
		scheduleSchema,
		chakraSchema,
		nodesSchema,
		fctTextSchema,
		pfcTextSchema,
		queueTextSchema,
		eventSchema,
		eventTextSchema,
		captureSchema,
		{"fct.parquet", "Output. One row per flow: those that finished in order of completion, then, with finished false, the others by number.", ColumnsOf[FCTRow]()},
		{"queue_cdf.parquet", "Output. Distribution of the sampled egress queue length of every switch port, and of all ports together; empty bins are left out.", ColumnsOf[QueueCDFRow]()},
		{"pfc.parquet", "Output. One row for every PFC frame received, in order of time.", ColumnsOf[PFCRow]()},
		{"ports.parquet", "Output. The counters of every port at the end of the run.", ColumnsOf[PortRow]()},
		{"dcms.parquet", "Output. The marking rates that the congestion manager has set, if the key dcms.sweep is set.", ColumnsOf[ManagerRow]()},
		{"dcms_counters.parquet", "Output. What the congestion manager found at the ports of switches in every sweep, if the key dcms.sweep is set; ports where nothing happened are left out.", ColumnsOf[SweepRow]()},
		{"schedule.parquet", "Output. What every host did for the schedule, and when, if there is one: a row per operation, host after host, in the order of the input; the messages of a host's collectives follow.", ColumnsOf[ScheduleRow]()},
		{"series.parquet", "Output. Time series of ports, flows and the network, if series.interval is not 0s (--series), from the first flow's start until nothing but PFC frames and credits is sent any more, or up to as long again: one row per point, series after series. The interval in which the run or a flow ends is whole, so that goodput adds up to the flow's size and throughput to tx_bytes, less the PFC frames and credits that are still sent after the last point; an interval that --stop or Ctrl-C cuts off is left out, since rates over a part of it would not compare. A packet counts as sent, with all its bytes, in the interval in which its transmission begins, so that throughput can be above a slow link's rate. Of a queue, a rate, the number of flows and the like, a sample is the value at the end of its interval, before what happens at that very moment. A point stands for one or more samples, so that their number is bounded; a metric that was always zero is left out.", seriesColumns()},
	}
}

// ColumnsOf describes the row type of a Parquet table.
func ColumnsOf[T any]() []Column {
	var columns []Column
	for f := range reflect.TypeFor[T]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		columns = append(columns, Column{name, columnType(f.Type.Kind()), f.Tag.Get("unit"), f.Tag.Get("doc")})
	}
	return columns
}

func columnType(k reflect.Kind) string {
	switch k {
	case reflect.Float64:
		return "double"
	case reflect.Bool:
		return "boolean"
	}
	return k.String()
}

// configColumns describes the keys of config.txt.
func configColumns() []Column {
	var columns []Column
	for _, f := range configFields {
		kind := "words"
		switch f.Type.Kind() {
		case reflect.Bool:
			kind = "0 or 1"
		case reflect.Int64:
			kind = "number"
		case reflect.Float64:
			kind = "decimal"
		case reflect.String:
			kind = "file"
		}
		columns = append(columns, Column{f.Tag.Get("key"), kind, f.Tag.Get("unit"), f.Tag.Get("doc")})
	}
	return columns
}

func flowTableColumns() []Column {
	var columns []Column
	for _, c := range flowColumns {
		columns = append(columns, c.Column)
	}
	return columns
}
