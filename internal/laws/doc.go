// Package laws watches a run of a network for tests: a bystander knows the scenario and sees every packet at every device,
// and checks what must hold in any network, whatever the scheme. It keeps its own account of queues, links and pauses, with
// transmission times, units and sums of counters from package core; the network tells it which flow a packet belongs to, and
// the windows.
//
//	links      no two transmissions at once; all that is sent arrives in its order and time, or is lost
//	queues     first in, first out; class 0 first, the others in turn; trimmed packets after all else of class 0, and one
//	           of another class before them at most after ten; no port is idle that may send
//	pauses     a class that is paused is not sent
//	memory     no switch holds more than it has; none drops a packet of a lossless class, and in lossy classes each admits
//	           and drops packets as its way of sharing the memory has it (switching.Sharing)
//	marks      not up to Kmin, always above Kmax; telemetry and histograms show the queues
//	routes     every hop leads nearer to the destination, and by ECMP always on the same path
//	flows      start in their time, keep to their window (if it is 0 until a grant or a time-out), end once all has arrived,
//	           and not sooner than alone; with a timer none waits for ever
//	counters   and time series are what the packets show
package laws
