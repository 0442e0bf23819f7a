// Package topo describes networks as plain data: nodes, links, ports, routes, and the
// figures of a path that everything else is measured against.
//
// # Topologies
//
// A [Topology] is a list of nodes, each a host or a switch, and a list of full-duplex links. Nodes are numbered from
// 0; the ports of a node are numbered from 0 in the order of its links ([Topology.Ports]). There may be several links
// between two nodes, and hosts may have several ports, or a cable to another host.
//
// A topology comes from a builder or from a file. [Parse] builds what a text such as fat-tree:k=4 or
// fat-tree:thesis,delay=2us describes; [Builders] lists the families with their parameters and presets. The reference's
// topology.txt is read and written by package traces.
//
// [Topology.Validate] checks what the rest of the program relies on: two hosts or more, all joined over switches, rates
// and delays whose sums and products fit a clock and a count of bytes. Builders and readers have called it; whoever
// fills in a Topology by hand calls it.
//
// # Routes
//
// [NewRoutes] finds the shortest paths, in hops, to every host over the links that are up. Hosts never forward.
// [Routes.Next] is the set of equal-cost ports of a node towards a host; their order ([Order]) decides which of them a
// hash picks. Routes do not change: when a link fails or returns, new ones are made.
//
// # Paths and ideal times
//
// [NewPaths] measures routes for given packet sizes ([Sizes]) and arithmetic of time. [Paths.Pair] has hops,
// bottleneck, delay, base round trip and bandwidth-delay product of the path between two hosts, which takes the first
// of the equal-cost ports everywhere; [Paths.Max] has the largest of all pairs. [Paths.Uneven] finds two hosts whose
// equal-cost paths differ in their figures.
//
// [IdealFCT] is how long a flow takes that is alone in the network, to the acknowledgement of its last packet: a
// slowdown is a completion time over it. Where equal-cost paths differ, it takes those of a flow, as a [Choice] finds
// them ([Paths.Line]). In profile ns3 it is [StandaloneFCT], the reference's formula.
//
// Files: topo.go topologies; builders.go and spec.go the texts of builders, fattree.go, leafspine.go, dumbbell.go and
// star.go the families; validate.go mistakes; routes.go routes; paths.go the figures of a path, most.go the largest of
// them, classes.go hosts that are attached alike, uneven.go equal-cost paths that differ; ideal.go ideal times.
package topo
