// The C library: schemes, NICs, switches and scenarios behind the interface of qbb.h, which is written by
// hand and is the manual. It is built by CMake as libqbb.so and libqbb.a, or directly:
//
//	go build -buildmode=c-shared -o libqbb.so ./cgo
//
// Every export looks its handle up, takes the lock of the object, checks what it was given,
// and copies between the structs of qbb.h and ours. It holds no rule of any scheme or device.
// A failure is a code and a line of text that is kept for the thread; a panic is a failure
// too, after which the object can only be freed.
//
// Files: handles.go the table of handles; failure.go and failure.c errors; scheme.go, params.go and sender.go level 1;
// format.go what levels 1 and 2 say of telemetry; net.go, node.go, events.go, nic.go, switch.go, packet.go, datagram.go,
// counters.go and topology.go level 2; scenario.go, run.go, adding.go, records.go and results.go level 3, and hosted.go
// what hosts of a run need; defaults.go the profiles; layout.go and layout.c the sizes and offsets of the structs;
// signatures.c the types of the functions. The headers are beside the Go files, since the go command's cache does not
// see others.
package main

func main() {}
