//go:build cgo

package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
)

// Test files cannot name C types. These functions make the arguments for methods.

func stepArguments[A, B, R any](func(*sender, *A, *B) R) (*A, *B) { return new(A), new(B) }

func startArguments[N, A, B, R any](func(*sender, N, *A, *B) R) (*A, *B) { return new(A), new(B) }

// assign sets a number whose type is C's.
func assign[T ~uint32](to *T, n uintptr) { *to = T(n) }

// cSignal is a qbb_signal.
type cSignal struct {
	now, born     core.Time
	kind          int32
	flags         uint32
	bytes, marked core.Bytes
	acked, next   int64
	inFlight      core.Bytes
	sentAt        core.Time
	rtt, hostTime core.Duration
	aux           uint64
	feedback      int32
	nHops         uint32
	hops          *core.Hop
}

func signalOf(s *algorithms.Signal) cSignal {
	return cSignal{
		s.Now, s.Born, int32(s.Kind), uint32(s.Flags), s.Bytes, s.Marked, s.Acked, s.Next, s.InFlight,
		s.SentAt, s.RTT, s.HostTime, s.Aux, s.Feedback, uint32(len(s.Hops)), unsafe.SliceData(s.Hops),
	}
}

// twins are a sender used as from C, and the same machine without the library.
type twins struct {
	inC    *sender
	inGo   algorithms.Sender
	answer algorithms.Control
}

func newTwins(t testing.TB, name string) *twins {
	t.Helper()
	s, f := newScheme(name, "")
	if f != nil {
		t.Fatal(f.text)
	}
	w := &twins{inC: &sender{scheme: s, machine: s.NewSender()}, inGo: s.NewSender()}
	flow, out := startArguments((*sender).start)
	assign(&flow.size, unsafe.Sizeof(*flow))
	flow.line, flow.base_rtt, flow.mtu, flow.hops, flow.seed = 100e9, 8e6, 1000, 2, 3
	format := core.FullINT(2)
	writeFormat(&flow.format, format)
	if f := w.inC.start(0, flow, out); f != nil {
		t.Fatal(f.text)
	}
	stream := core.NewStream(3, core.StreamFlow, 0)
	w.inGo.Start(0, &algorithms.Flow{
		Line: 100 * core.Gbps, BaseRTT: 8 * core.Microsecond, MTU: 1000, Hops: 2, INT: format, Random: stream, Shared: stream,
	}, &w.answer)
	if want := controlOf(&w.answer); *out != want {
		t.Errorf("%s: started with %+v, want %+v", name, *out, want)
	}
	w.answer.Do = 0
	return w
}

// TestParity steps every scheme through a random tape of signals with C's structs and without: the
// answers are equal.
func TestParity(t *testing.T) {
	for _, e := range catalog.All() {
		t.Run(e.Name, func(t *testing.T) {
			w := newTwins(t, e.Name)
			r := rand.New(rand.NewPCG(1, 2))
			sig := algorithms.Signal{Instant: core.Instant{Now: 1e8}, Hops: make([]core.Hop, 2)}
			in, out := stepArguments((*sender).step)
			for i := range 2000 {
				next(r, &sig)
				if !w.inC.scheme.traits.Hears.Has(sig.Kind) {
					continue
				}
				*(*cSignal)(unsafe.Pointer(in)) = signalOf(&sig)
				if f := w.inC.step(in, out); f != nil {
					t.Fatal(f.text)
				}
				w.inGo.Step(&sig, &w.answer)
				if want := controlOf(&w.answer); *out != want {
					t.Fatalf("step %d of %+v: got %+v, want %+v", i, sig, *out, want)
				}
				w.answer.Do = 0
			}
		})
	}
}

// next makes the next signal of a tape.
func next(r *rand.Rand, s *algorithms.Signal) {
	s.Now += core.Time(r.Int64N(2e6))
	s.Born = s.Now - core.Time(r.Int64N(1e6))
	s.Kind, s.Flags = algorithms.SignalKind(r.IntN(8)), algorithms.SignalFlags(r.IntN(8))
	s.Bytes = core.Bytes(r.Int64N(2000))
	s.Marked = core.Bytes(r.Int64N(int64(s.Bytes) + 1))
	s.Acked += int64(s.Bytes)
	s.InFlight = core.Bytes(r.Int64N(1e5))
	s.Next = s.Acked + int64(s.InFlight)
	s.RTT = core.Duration(8e6 + r.Int64N(4e7))
	s.SentAt, s.HostTime = s.Now.Add(-s.RTT), core.Duration(r.Int64N(1e6))
	s.Feedback, s.Aux = int32(r.IntN(64)), r.Uint64N(1<<16)
	for i := range s.Hops {
		h := &s.Hops[i]
		h.Line, h.At, h.Queue, h.Flows = 100*core.Gbps, uint64(s.Now), r.Uint64N(1e5), r.Uint32N(9)
		h.Tx += uint64(s.Bytes)
	}
}

// TestStepAllocates requires that a step allocates nothing.
func TestStepAllocates(t *testing.T) {
	w := newTwins(t, "hpcc")
	sig := algorithms.Signal{Instant: core.Instant{Now: 1e8, Born: core.Never}, Kind: algorithms.Ack, Bytes: 1000, RTT: 8e6, Hops: make([]core.Hop, 2)}
	in, out := stepArguments((*sender).step)
	*(*cSignal)(unsafe.Pointer(in)) = signalOf(&sig)
	if n := testing.AllocsPerRun(100, func() {
		in.now++
		if f := w.inC.step(in, out); f != nil {
			t.Fatal(f.text)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// bomb is a machine that panics when it is stepped.
type bomb struct{ algorithms.Sender }

func (bomb) Step(*algorithms.Signal, *algorithms.Control) { panic("boom") }

// TestPanic requires that a panic becomes a failure, after which the sender can only be freed.
func TestPanic(t *testing.T) {
	w := newTwins(t, "timely")
	w.inC.machine = bomb{w.inC.machine}
	handle := objects.add(w.inC)
	in, out := stepArguments((*sender).step)
	in.kind, in.now = 2, 1
	const internal = -13
	if code := guarded(guard, func() { w.inC.step(in, out) }); code != internal {
		t.Errorf("a panic gave %d, want QBB_E_INTERNAL", code)
	}
	if f := w.inC.step(in, out); f == nil || !strings.Contains(f.text, "has failed before; free it") {
		t.Errorf("the sender works on: %+v", f)
	}
	if !objects.remove(handle) {
		t.Error("a broken sender cannot be freed")
	}
}

// guarded does some work in the way an export does.
func guarded[C ~int32](guard func(*C), work func()) (code C) {
	defer guard(&code)
	work()
	return 0
}
