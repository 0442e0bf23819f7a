// Package stall sees to it that every run ends, and says why. A run without an end of its own ([core.Never]) ends with
// its last flow; one that makes no progress is ended here:
//
//	no packet crosses a link or is lost there, no flow starts or ends, and nothing else is still to come
//	packets move in vain: none brings a flow any further, for a long time
//	events go on without a packet, or without progress of time
//
// It is apart from package driver for the C library, which does not contain that.
package stall
