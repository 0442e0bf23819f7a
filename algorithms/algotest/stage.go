package algotest

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// stage is the state of a script that is being run.
type stage struct {
	factory Factory
	scheme  algorithms.Scheme
	rig     *rig
	signal  algorithms.Signal
	out     *strings.Builder
}

// command runs one line of a script.
func (st *stage) command(line string, out *strings.Builder) error {
	st.out = out
	fields := strings.Fields(line)
	verb, args := fields[0], fields[1:]
	if st.scheme == nil || verb == "params" {
		if err := st.params(verb, args); err != nil || verb == "params" {
			return err
		}
	}
	switch verb {
	case "start":
		return st.start(args)
	case "run":
		return st.run(args)
	}
	for kind, name := range signalNames {
		if name == verb {
			return st.step(algorithms.SignalKind(kind), args)
		}
	}
	return fmt.Errorf("unknown command; known: params, start, run, %s", strings.Join(signalNames[:], ", "))
}

var signalNames = [...]string{
	algorithms.Timer: "timer", algorithms.Sent: "sent", algorithms.Ack: "ack", algorithms.Notify: "notify",
	algorithms.Switch: "switch", algorithms.Grant: "grant", algorithms.Loss: "loss", algorithms.Path: "path",
}

func (st *stage) params(verb string, args []string) error {
	params := make(map[string]string)
	if verb == "params" {
		for _, arg := range args {
			name, value, ok := strings.Cut(arg, "=")
			if !ok {
				return fmt.Errorf("%q is not name=value", arg)
			}
			params[name] = value
		}
		fmt.Fprintln(st.out, "ok")
	}
	s, err := st.factory(params)
	st.scheme = s
	return err
}

func (st *stage) start(args []string) error {
	f := NewFlow(1)
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		var err error
		switch name {
		case "line":
			f.Line, err = core.ParseRate(value)
		case "rtt":
			f.BaseRTT, err = core.ParseDuration(value)
		case "mtu":
			f.MTU, err = core.ParseBytes(value)
		case "window":
			f.Window, err = core.ParseBytes(value)
		case "min":
			f.MinRate, err = core.ParseRate(value)
		case "int":
			f.INT, err = parseINT(value)
		default:
			err = fmt.Errorf("unknown argument %q", arg)
		}
		if err != nil {
			return err
		}
	}
	st.rig = newRig(st.scheme, f, 0)
	return st.show("start")
}

func parseINT(s string) (core.INTFormat, error) {
	switch s {
	case "full":
		return core.FullINT(5), nil
	case "quantised":
		return core.QuantisedINT(4), nil
	}
	return core.INTFormat{}, fmt.Errorf("int=%s: it is full or quantised", s)
}

// show writes the answer after what.
func (st *stage) show(what string) error {
	answer := st.rig.answer
	answer.Do = st.rig.orders
	st.rig.orders = 0
	fmt.Fprintf(st.out, "%s: %s\n", what, formatControl(&answer))
	return st.rig.err
}

// step sends the timers that are due and then one signal.
func (st *stage) step(kind algorithms.SignalKind, args []string) error {
	if st.rig == nil {
		return fmt.Errorf("no flow; begin with start")
	}
	s := algorithms.Signal{Kind: kind, Acked: st.signal.Acked, Next: st.signal.Next}
	s.Born = core.Never
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		if err := st.argument(&s, name, value); err != nil {
			return err
		}
	}
	if s.RTT == 0 {
		s.RTT = st.rig.flow.BaseRTT
	}
	s.SentAt, s.InFlight = s.Now-core.Time(s.RTT), core.Bytes(s.Next-s.Acked)
	for st.rig.answer.Wake <= s.Now && st.rig.err == nil {
		due := st.rig.answer.Wake
		st.rig.tick(due)
		if err := st.show("  timer " + due.String()); err != nil {
			return err
		}
	}
	st.signal = s
	st.rig.step(&s)
	return st.show(signalNames[kind] + " " + s.Now.String())
}

// argument sets one field of a signal.
func (st *stage) argument(s *algorithms.Signal, name, value string) (err error) {
	switch name {
	case "t":
		var d core.Duration
		d, err = core.ParseDuration(value)
		s.Now = core.Time(d)
	case "rtt":
		s.RTT, err = core.ParseDuration(value)
	case "host":
		s.HostTime, err = core.ParseDuration(value)
	case "bytes":
		s.Bytes, err = core.ParseBytes(value)
	case "marked":
		s.Marked, err = core.ParseBytes(value)
	case "acked":
		s.Acked, err = strconv.ParseInt(value, 10, 64)
	case "next":
		s.Next, err = strconv.ParseInt(value, 10, 64)
	case "aux":
		s.Aux, err = strconv.ParseUint(value, 0, 64)
	case "feedback":
		var v int64
		v, err = strconv.ParseInt(value, 10, 32)
		s.Feedback = int32(v)
	case "hop":
		err = st.hop(s, value)
	case "ece":
		s.Flags |= algorithms.ECE
	case "nack":
		s.Flags |= algorithms.IsNack
	case "timeout":
		s.Flags |= algorithms.Timeout
	default:
		err = fmt.Errorf("unknown argument %q", name)
	}
	return err
}

// hop appends a record written line/time/sent/queue, or line/time/sent/queue/flows.
func (st *stage) hop(s *algorithms.Signal, value string) error {
	p := strings.Split(value, "/")
	flows := uint64(0)
	var err5 error
	if len(p) == 5 {
		flows, err5 = strconv.ParseUint(p[4], 10, 16)
	} else if len(p) != 4 {
		return fmt.Errorf("hop=%s is not line/time/sent/queue or line/time/sent/queue/flows", value)
	}
	line, err1 := core.ParseRate(p[0])
	at, err2 := core.ParseDuration(p[1])
	tx, err3 := core.ParseBytes(p[2])
	queue, err4 := core.ParseBytes(p[3])
	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
		return err
	}
	h := st.rig.flow.INT.Record(core.Time(at), line, tx, queue)
	h.Flows = uint32(flows)
	s.Hops = append(s.Hops, h)
	return nil
}

// run runs flows over a bottleneck and draws them.
func (st *stage) run(args []string) error {
	b := NewBottleneck(1, core.Millisecond)
	from, to := "", ""
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		var err error
		switch name {
		case "flows":
			var n int
			n, err = strconv.Atoi(value)
			b.Flows = NewBottleneck(n, 0).Flows
		case "for":
			b.For, err = core.ParseDuration(value)
		case "line":
			b.Line, err = core.ParseRate(value)
		case "rtt":
			b.BaseRTT, err = core.ParseDuration(value)
		case "mtu":
			b.MTU, err = core.ParseBytes(value)
		case "kmin":
			b.KMin, err = core.ParseBytes(value)
		case "kmax":
			b.KMax, err = core.ParseBytes(value)
		case "buffer":
			b.Buffer, err = core.ParseBytes(value)
		case "pmax":
			b.PMax, err = core.ParseFloat(value)
		case "int":
			b.INT, err = parseINT(value)
		case "from":
			from = value
		case "to":
			to = value
		default:
			err = fmt.Errorf("unknown argument %q", arg)
		}
		if err != nil {
			return err
		}
	}
	if err := b.spans(from, to); err != nil {
		return err
	}
	st.out.WriteString(b.Run(st.scheme).Plot())
	return nil
}

// spans sets when the first flows begin and end, from lists of times such as 0,300us.
func (b *Bottleneck) spans(from, to string) error {
	for i, list := range []string{from, to} {
		if list == "" {
			continue
		}
		times := strings.Split(list, ",")
		if len(times) > len(b.Flows) {
			return fmt.Errorf("%d times for %d flows", len(times), len(b.Flows))
		}
		for k, text := range times {
			t := core.Never
			if text != "never" {
				d, err := core.ParseDuration(text)
				if err != nil {
					return err
				}
				t = core.Time(d)
			}
			if i == 0 {
				b.Flows[k].From = t
			} else {
				b.Flows[k].To = t
			}
		}
	}
	return nil
}
