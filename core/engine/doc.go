// Package engine is the event loop of the standalone simulator: it moves packets over
// links and calls nodes at the right times in the right order. It knows nothing of a
// device but core.Node.
//
// # Order
//
// Events run in the order of (time, key). What a key is depends on the [Order]:
//
//   - [BySchedule]: one counter for the whole run, as in NS-3. Every shortcut below keeps the
//     order by taking the counter's value where NS-3 would have scheduled the event, even if
//     the event is put in the queue later, or never. This also decides whether a transmission that
//     ends at the time of an event ended before it (core.Turn.Ended).
//   - [ByEntity]: what the event is and where it happens. Nothing in it is global, so the
//     order of a port's events does not depend on what the rest of the network does.
//
// # Shortcuts
//
// Packets in flight are linked through themselves into the queue. Each port's end of transmission
// and each port's timer has at most one event in the queue and a fixed slot for it, so nothing is
// allocated and a deadline can be moved in place:
//
//   - the end of a transmission becomes an event only if the node has something to send behind
//     it; otherwise the port remembers until when it is busy;
//   - a periodic process (Engine.Beat) is compared with the next event instead of being one;
//     so is one that only looks (Engine.Watch).
//
// The queue itself is a ring of buckets about a nanosecond wide; see queue.go.
//
// # Threads
//
// A [Group] cuts a network into parts, each with an [Engine] and a pool. All parts may run through a window of time
// that is no longer than the shortest delay of a link between two of them; then they meet (package barrier). A packet
// that crosses changes its owner, and its arrival has the same place in the order as in a single engine:
//
//	part 0   window | meet | take in, window | meet | ...
//	part 1   window | meet | take in, window | meet | ...
//
// If there are more parts than threads, a thread that has finished its own parts runs others'. Where windows hold few
// events, or other programs have the processors, one thread runs all parts (barrier.Choice).
//
// The order ByEntity has nothing global. That of BySchedule is one counter, which every part continues for itself
// in a window, on a page; where they meet, the pages are merged, which tells what each of them scheduled its place in
// the counting of the whole run (page.go, merger.go). Windows are no longer than the delay of any link then: so
// nothing that was sent in a window, or decided by chance in it (core.Draw), is seen by another node before it is
// merged. Processes, which may act on all parts, run while no part does:
//
//	part 0   window | meet | merge | meet | settle, take in, window | ...
//	part 1   window | meet | merge | meet | settle, take in, window | ...
//
// In the order ByEntity that is so at the times that Group.Solo names, such as those of link failures.
//
// Watchers look, and the run ends, when all parts have met: shortly before a run can be over, the events of all parts run
// one by one, so that the last one is the same however the network is cut.
package engine
