// Package timeline writes what happened in a run, as its files have it, in the Trace Event Format: JSON that viewers of
// timelines show, such as ui.perfetto.dev, and that was published for Chrome's ("Trace Event Format", Google, 2016). A node is a
// process, whose threads and counters are:
//
//	cpu 0, ...       the calcs of a schedule at the host
//	collectives      those of a schedule at the host, from their beginning there to their end there
//	TAG, or flows    the flows with this tag, or without one, that the host sends, from start to last acknowledgement; each
//	                 has the name of its operation in the schedule, if it has one
//	port 2 METRIC    time series of the node's ports: the means of their points, and of queues the largest values
//	flow 7 METRIC    time series of the flows that the host sends
//
// What overlaps is on several threads with one name. The time series of the network are a process of their own, with the
// number behind those of all nodes. Times are in us, with all digits of ps. What has not begun is left out, and what has not
// ended lasts until the end of the run.
package timeline
