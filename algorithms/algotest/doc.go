// Package algotest tests congestion-control schemes: what all schemes owe their hosts, and
// what a single one does, in scripts that a person can read.
//
//	var factory = algotest.NewFactory(hpcc.Defaults, hpcc.New)
//
//	func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }
//	func TestScripts(t *testing.T)     { algotest.RunScripts(t, factory) }
//	func FuzzSender(f *testing.F)      { algotest.FuzzSender(f, factory) }
//
// [Scheme] is the conformance suite. [RunScript] runs a golden file; a script steps a
// sender by hand, or runs senders over the one link of [Bottleneck] and plots their rates.
// Run the tests with -rewrite to rewrite the files, and commit the difference only when
// it is understood.
package algotest
