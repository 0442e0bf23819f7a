// Package reproduce holds the experiments of the papers whose systems qbb implements, and the
// values that they published: qbb reproduce runs it.
//
//	Experiment   name, source, and what follows
//	   |  Cases     simulations, each a scenario that anyone can change and rerun
//	   v  track     what was sampled while one ran
//	Result       measures next to the published values, and figures in the paper's axes
//	   |
//	Write        results.parquet, series.parquet, results.txt, figures, the scenarios
//
// # Published values
//
// published.yaml holds every published value with its tolerance and the reason for that. It was
// written before the results; a measure outside its tolerance differs, and docs/reproduce.md
// says what was tried and what it depends on. An experiment may be run quick: a scaled version
// in seconds. Claims that it does not measure are then shown but not judged.
//
// # Files
//
// Each paper has a file, or several, with its name first: mpcc_*.go is Zheng, University of
// Alberta, 2024; dcqcn_*.go is Yang, Nanjing University, 2018, on DCQCN+; qcn_*.go is Shu et al.,
// Computer Networks 2017; netgauge.go is the chapter on Netgauge; dcms*.go is Mizero et al.,
// Supercomputing Frontiers and Innovations, 2016; hpcc.go is the results page of HPCC.
package reproduce
