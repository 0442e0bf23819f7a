package native

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Sender is the reaction point of one flow, driven by hand.
type Sender struct {
	mu      sync.Mutex
	machine algorithms.Sender
	traits  algorithms.Traits
	control algorithms.Control
	now     core.Time
	hops    int
	broken  error // the machine has panicked
}

// flow is the information on its flow that a sender needs.
type flow struct {
	Line    core.Rate
	RTT     core.Duration
	MTU     core.Bytes
	Size    core.Bytes
	Hops    int
	MinRate core.Rate
	Window  core.Bytes
	Seed    uint64
}

// Limits on what a caller may pass; a product of two stays below 2^63.
const (
	maxRate = topo.MaxRate
	maxTime = core.Duration(1e15)
	maxHops = 256
)

// NewSender makes the sender of a scheme. Params is a JSON object of strings, described one with
// the fields of flow.
func NewSender(scheme, params, described string) (s *Sender, err error) {
	defer guard(&err)
	values := make(map[string]string)
	if err := json.Unmarshal([]byte(params), &values); err != nil {
		return nil, err
	}
	made, err := catalog.New(scheme, values)
	if err != nil {
		return nil, err
	}
	var f flow
	if err := decode(described, &f); err != nil {
		return nil, err
	}
	switch {
	case f.Line < 1 || f.Line > maxRate:
		return nil, fmt.Errorf("line_rate is %d bit/s; it must be 1 to %d", f.Line, maxRate)
	case f.RTT < 1 || f.RTT > maxTime:
		return nil, fmt.Errorf("base_rtt is %d ps; it must be 1 to %d", f.RTT, maxTime)
	case f.MTU < 1 || f.MTU > 1<<16:
		return nil, fmt.Errorf("mtu is %d bytes; it must be 1 to 65536", f.MTU)
	case f.Hops < 0 || f.Hops > maxHops:
		return nil, fmt.Errorf("hops is %d; it must be 0 to %d", f.Hops, maxHops)
	case f.Size < 0 || f.Window < 0 || f.MinRate < 0:
		return nil, errors.New("size, window and min_rate must not be negative")
	}
	s = &Sender{machine: made.NewSender(), traits: made.Traits(), hops: max(1, f.Hops)}
	stream := core.NewStream(f.Seed, core.StreamFlow, 0)
	s.machine.Start(0, &algorithms.Flow{
		Line: f.Line, MinRate: f.MinRate, BaseRTT: f.RTT, Window: f.Window, MTU: f.MTU, Size: f.Size,
		Hops: s.hops, INT: core.FullINT(s.hops), Timing: core.Exact, Random: stream, Shared: stream,
	}, &s.control)
	return s, nil
}

func decode(text string, v any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// signal is the input of a sender. Kind is one of [SignalKinds].
type signal struct {
	Kind     string
	Now      core.Time
	Bytes    core.Bytes
	Marked   core.Bytes
	Acked    int64
	Next     int64
	InFlight core.Bytes
	RTT      core.Duration
	HostTime core.Duration
	Feedback int32
	Aux      uint64
	ECE      bool
	Nack     bool
	Timeout  bool
	Hops     []hop
}

// hop is an in-band telemetry record.
type hop struct {
	Line  core.Rate
	At    core.Time
	Tx    core.Bytes
	Queue core.Bytes
	Flows uint32
}

var signalKinds = []string{
	algorithms.Timer: "timer", algorithms.Sent: "sent", algorithms.Ack: "ack", algorithms.Notify: "notify",
	algorithms.Switch: "switch", algorithms.Grant: "grant", algorithms.Loss: "loss", algorithms.Path: "path",
}

// SignalKinds lists the kinds of signal as JSON.
func SignalKinds() string { return asJSON(signalKinds) }

// answerRow is a sender's answer.
type answerRow struct {
	TimeNs      float64 `parquet:"time_ns" unit:"ns" doc:"when the signal came"`
	RateBps     int64   `parquet:"rate_bps" unit:"bit/s" doc:"how fast the flow may send"`
	WindowBytes int64   `parquet:"window_bytes" unit:"B" doc:"bytes in flight that the flow may have; -1: any number"`
	GapNs       float64 `parquet:"gap_ns" unit:"ns" doc:"delay added after every packet"`
	WakeNs      float64 `parquet:"wake_ns" unit:"ns" doc:"when the sender wants a timer; -1: never"`
	Stamp       uint64  `parquet:"stamp" doc:"what a data packet carries when it is made"`
	TimeoutNs   float64 `parquet:"timeout_ns" unit:"ns" doc:"least time without progress after which packets count as lost; 0: the host's own"`
}

// Feed passes signals, a JSON list in the order of time, and returns the answer to each. Timers
// that fall due between them are served.
func (s *Sender) Feed(signals string) (t *Table, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer guardState(&err, &s.broken)
	if s.broken != nil {
		return nil, s.broken
	}
	var list []signal
	if err := decode(signals, &list); err != nil {
		return nil, err
	}
	rows := make([]answerRow, 0, len(list))
	for i := range list {
		if err := s.hear(&list[i]); err != nil {
			return nil, fmt.Errorf("signal %d: %w", i, err)
		}
		rows = append(rows, s.answer())
	}
	t = tableOf[answerRow]("answers")
	add(t, rows)
	return t, nil
}

// Answer returns the sender's current answer.
func (s *Sender) Answer() (t *Table, err error) {
	defer guard(&err)
	s.mu.Lock()
	defer s.mu.Unlock()
	t = tableOf[answerRow]("answers")
	add(t, []answerRow{s.answer()})
	return t, nil
}

func (s *Sender) answer() answerRow {
	c := &s.control
	a := answerRow{
		TimeNs: core.Duration(s.now).Nanos(), RateBps: int64(c.Rate), WindowBytes: window(c.Window),
		GapNs: c.Gap.Nanos(), WakeNs: -1, Stamp: c.Stamp, TimeoutNs: c.Timeout.Nanos(),
	}
	if c.Wake != core.Never {
		a.WakeNs = core.Duration(c.Wake).Nanos()
	}
	return a
}

// hear checks a signal, serves the timers that are due before it, and steps the sender.
func (s *Sender) hear(in *signal) error {
	sig, err := s.read(in)
	if err != nil {
		return err
	}
	for s.control.Wake < sig.Now {
		s.step(&algorithms.Signal{Kind: algorithms.Timer, Instant: core.Instant{Now: max(s.now, s.control.Wake), Born: core.Never}})
	}
	s.step(sig)
	return nil
}

func (s *Sender) step(sig *algorithms.Signal) {
	s.now = sig.Now
	if s.traits.Hears.Has(sig.Kind) {
		s.machine.Step(sig, &s.control)
		s.control.Do = 0
	}
}

func (s *Sender) read(in *signal) (*algorithms.Signal, error) {
	kind := slices.Index(signalKinds, in.Kind)
	switch {
	case kind < 0:
		return nil, fmt.Errorf("no kind %q: there are %s", in.Kind, strings.Join(signalKinds, ", "))
	case in.Now < s.now || in.Now > core.Time(maxTime):
		return nil, fmt.Errorf("now is %v; it must be %v to %v", in.Now, s.now, maxTime)
	case in.RTT < 0 || in.RTT > core.Duration(in.Now) || in.HostTime < 0 || in.HostTime > core.Duration(in.Now):
		return nil, fmt.Errorf("rtt is %v and host_time %v; they must be 0 to now, %v", in.RTT, in.HostTime, in.Now)
	case in.Bytes < 0 || in.Marked < 0 || in.Acked < 0 || in.Next < 0 || in.InFlight < 0:
		return nil, errors.New("bytes, marked, acked, next and in_flight must not be negative")
	case len(in.Hops) > s.hops:
		return nil, fmt.Errorf("%d hops; the flow has %d", len(in.Hops), s.hops)
	}
	sig := &algorithms.Signal{
		Instant: core.Instant{Now: in.Now, Born: core.Never}, Kind: algorithms.SignalKind(kind), Flags: in.flags(), Bytes: in.Bytes, Marked: in.Marked,
		Acked: in.Acked, Next: in.Next, InFlight: in.InFlight, SentAt: in.Now.Add(-in.RTT), RTT: in.RTT,
		HostTime: in.HostTime, Feedback: in.Feedback, Aux: in.Aux,
	}
	for i, h := range in.Hops {
		if h.Line < 1 || h.Line > maxRate || h.At < 0 || h.At > in.Now || h.Tx < 0 || h.Queue < 0 {
			return nil, fmt.Errorf("hop %d: line must be 1 to %v, time 0 to now, tx and queue not negative", i, maxRate)
		}
		sig.Hops = append(sig.Hops, core.Hop{Line: h.Line, At: uint64(h.At), Tx: uint64(h.Tx), Queue: uint64(h.Queue), Flows: h.Flows})
	}
	return sig, nil
}

func (in *signal) flags() (f algorithms.SignalFlags) {
	for _, b := range [...]struct {
		set  bool
		flag algorithms.SignalFlags
	}{{in.ECE, algorithms.ECE}, {in.Nack, algorithms.IsNack}, {in.Timeout, algorithms.Timeout}} {
		if b.set {
			f |= b.flag
		}
	}
	return f
}
