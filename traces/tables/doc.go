// Package tables reads and writes the Parquet files of qbb: the tables of a run, whose rows are
// types of package traces, and flow files. Where a text file may stand for a table, the two are
// told apart by content.
//
// A [Table] takes any number of rows and holds back at most 131072. Files are read as they are,
// damaged ones included: a mistake is one line that names the file ([traces.SyntaxError]). Columns may have other
// types than a Table gives them, as where a program has written a file again: a value must say what the column can hold.
package tables
