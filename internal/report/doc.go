// Package report makes a page of one or several finished runs: what differs between them, their
// figures in tables, and charts. The page is a single HTML file that loads nothing from anywhere.
//
//	runs, err := results.Load([]string{"hpcc", "dcqcn"}) // folders of runs
//	err = report.Write(w, runs)
//
// results.Load reads what qbb run has written: summary.json, fct.parquet, ports.parquet, pfc.parquet
// and, if the run has them, queue_cdf.parquet and series.parquet. Memory is bounded by the flows, the
// ports and the points of the series, not by the PFC frames.
//
// A page is made in two steps. The Go side decides what is shown: tables are HTML, and charts
// are data ([figure.Figure]), reduced to at most 500 points a curve. The script of the page
// (assets/charts.js) knows how to draw a chart, and nothing about runs. Equal runs give equal bytes.
package report
