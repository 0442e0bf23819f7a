// Package nic is the host's RDMA network interface: queue pairs, pacing, windows, reliable
// transport, the receiving side, and the reaction to priority flow control.
//
// A flow is a message with a queue pair of its own, bound to one port, or one of a connection that carries several in turn.
// A port serves, in this order: packets of credit flow
// control, the lowest lane first; notifications, whatever class is paused; its queue of acknowledgements; then datagrams of
// other protocols and its queue pairs in turn, skipping pairs that have nothing to send, whose class is
// paused, whose window is full, or whose next packet is not due yet. When nothing may be sent it asks to
// be woken when the first is due. Under credit flow control a pair waits until its class has credits for
// a full packet.
//
// After a packet of a flow leaves at t, the flow's next one leaves no earlier than
// t + TxTime(size, rate) + gap, where rate and gap are the answer of the flow's congestion
// control (algorithms.Control).
//
// Files: config.go the parameters; host.go the node; port.go scheduling, tournament.go that of many
// queue pairs; open.go where queue pairs begin, sender.go what they send and acknowledgements, connection.go
// those of several messages, ackreq.go which packets have one; receiver.go the receiving
// side, answers.go what a port is to send for it; notify.go notification points, which send CNPs and grants and may hold
// ACKs back; recovery.go time-outs; selective.go recovery that sends only what was lost, bits.go its bitmaps, trim.go
// packets that switches have trimmed; entropy.go the choice of source ports, by which packets take one path or many, plb.go
// flows that leave congested paths; timers.go the timers of a port's flows; shared.go machines that flows share; credit.go
// credit flow control; inbox.go what a slow host has not processed yet; datagram.go other protocols; gauge.go what time
// series show, inspect.go what explains a stalled network; drain.go for how long flows are sure to last; reroute.go what
// happens when routes change.
package nic
