// Package workloads makes flows: sizes from published distributions, Poisson arrivals,
// incast, and regular patterns.
//
// A generator is a plain struct. Its Flows method takes a topology and a seed and returns
// the same flows for the same arguments, in order of start, then source, then generation.
// Background traffic and incasts run between all hosts, or between those of [Ends].
// Every host draws arrivals, sizes and destinations from three streams of its own, named by
// its id. So a change of one host, of the load or of the distribution leaves all other draws as
// they were, except that an additional host is one more destination for the others.
//
//	background, err := (&workloads.Poisson{Sizes: web, Load: 0.5, To: until}).Flows(net, seed)
//	incast, err := (&workloads.Incast{Fan: 8, Size: 300_000, To: until}).Flows(net, seed)
//	flows := workloads.Merge(background, incast)
//
// Load is measured in message bytes: headers and acknowledgements come on top of it.
package workloads
