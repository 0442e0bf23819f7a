package laws

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// liar changes one record before the laws hear of it.
type liar struct {
	*laws
	lie  func(r *core.Record) (done bool)
	done bool
}

// gone is the event of a record that is left out.
const gone core.Event = 99

// Records implements sim.Observer.
func (l *liar) Records(records []core.Record) {
	for _, r := range records {
		l.done = l.done || l.lie(&r)
		if r.Event != gone {
			l.laws.Records([]core.Record{r})
		}
	}
}

// crowd is a network of hosts 0 to 7 and switches 8 and 9 in which queues mark and pause.
func crowd(t *testing.T) *sim.Setup {
	t.Helper()
	sc := scenario.Default()
	for _, kv := range [][2]string{
		{"topology", "dumbbell:n=4,bottleneck=40Gbps,delay=1us"}, {"cc", "dctcp"}, {"workload", "none"},
		{"patterns", "permutation:200KB"}, {"patterns", "one-many:200KB"}, {"buffer", "330KB"}, {"switch.alpha_shift", "6"},
		{"ecn.thresholds", "{rate: 100Gbps, kmin: 10KB, kmax: 20KB, pmax: 1}"}, {"ecn.scale", "true"}, {"options.rto", "0s"},
	} {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// without leaves a record out if a condition holds.
func without(holds bool, r *core.Record) (done bool) {
	if holds {
		r.Event = gone
	}
	return holds
}

// inSwitch reports whether a record is of an event at a switch and a kind of packet.
func inSwitch(r *core.Record, ev core.Event, kind core.Kind) bool {
	return r.Event == ev && r.Packet.Kind == kind && r.Node >= 8
}

// lies are records that lie, and what the laws say.
var lies = []struct {
	name, want string
	lie        func(r *core.Record) (done bool)
}{
	{"nothing", "", func(*core.Record) bool { return false }},
	{"arrival too soon", "has not sent what arrives from it", func(r *core.Record) bool {
		if r.Event != core.EventRecv {
			return false
		}
		r.At--
		return true
	}},
	{"departure too soon", "sends before the end of the last transmission", func(r *core.Record) bool {
		if r.Event != core.EventDequeue || r.Packet.Seq != 3000 {
			return false
		}
		r.At--
		return true
	}},
	{"lost arrival", "which has not arrived", func(r *core.Record) bool { return without(inSwitch(r, core.EventRecv, core.Data), r) }},
	{"lost in a switch", "which is not the first of its queue", func(r *core.Record) bool { return without(inSwitch(r, core.EventEnqueue, core.Data), r) }},
	{"wrong depth", "reported are", func(r *core.Record) bool { r.Depth++; return inSwitch(r, core.EventEnqueue, core.Data) }},
	{"missing mark", "does not mark", func(r *core.Record) bool {
		marked := inSwitch(r, core.EventDequeue, core.Data) && r.Depth > 20_000 && r.Packet.Flags&core.CE != 0
		if marked {
			r.Packet.Flags &^= core.CE
		}
		return marked
	}},
	{"needless mark", "marks with", func(r *core.Record) bool {
		first := inSwitch(r, core.EventDequeue, core.Data)
		if first {
			r.Packet.Flags |= core.CE
		}
		return first
	}},
	{"end of a pause that nobody sent", "is paused until", func(r *core.Record) bool {
		return without(r.Event == core.EventRecv && r.Packet.Kind == core.Pause && core.PauseWord(r.Packet.Aux).Resume(), r)
	}},
	{"lost departure", "has been free since", func(r *core.Record) bool { return without(inSwitch(r, core.EventDequeue, core.Ack), r) }},
	{"bytes beyond the message", "sends 1000 bytes from 200001 on", func(r *core.Record) bool {
		sent := r.Event == core.EventDequeue && r.Packet.Kind == core.Data && r.Node < 8
		if sent {
			r.Packet.Seq = 200_001
		}
		return sent
	}},
	{"no wish for an answer", "does not ask for an acknowledgement", func(r *core.Record) bool {
		r.Packet.Flags |= core.NoAckReq
		return r.Packet.Kind == core.Data && r.Event == core.EventDequeue && r.Node == r.Packet.Src
	}},
	{"a drop", "has no room", func(r *core.Record) bool {
		if !inSwitch(r, core.EventEnqueue, core.Data) {
			return false
		}
		r.Event = core.EventDrop
		return true
	}},
	{"a negative acknowledgement", "but nothing was lost", func(r *core.Record) bool {
		if r.Event != core.EventRecv || r.Packet.Kind != core.Ack {
			return false
		}
		r.Packet.Kind = core.Nack
		return true
	}},
}

// A network that obeys the laws passes, and one that breaks a law is found: here its records lie.
func TestLawsAreBroken(t *testing.T) {
	for _, c := range lies {
		l := newLaws(crowd(t))
		if err := l.run(&liar{laws: l, lie: c.lie}); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(l.broken, "\n"); (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %.400q, want %q", c.name, text, c.want)
		}
	}
}

// A flow with a window of 0 waits for a grant or a time-out; here a grant seems not to come.
func TestGrantsEndWaits(t *testing.T) {
	for _, lies := range []bool{false, true} {
		sc := scenario.Default()
		for _, kv := range [][2]string{
			{"topology", "star:n=9"}, {"cc", "ndp"}, {"workload", "none"}, {"patterns", "one-many:200KB"}, {"flow_control", "none"}, {"buffer", "100KB"},
			{"switch.trim", "true"}, {"host.recovery", "selective"}, {"loss", "0.001"},
		} {
			if err := sc.Set(kv[0], kv[1]); err != nil {
				t.Fatal(err)
			}
		}
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		l := newLaws(s)
		err = l.run(&liar{laws: l, lie: func(r *core.Record) bool {
			return without(lies && r.Event == core.EventRecv && r.Packet.Kind == core.Grant && r.Node < 9 && r.At > core.Time(50*core.Microsecond), r)
		}})
		if text := strings.Join(l.broken, "\n"); err != nil || strings.Contains(text, "without a grant") != lies || !lies && text != "" {
			t.Errorf("lies %v: %v, %.400q", lies, err, text)
		}
	}
}

// A flow that waits for ever for what was lost must have no timer; here it only seems to have one.
func TestTimersEndWaits(t *testing.T) {
	s := crowd(t)
	s.LossPerLink = 0.1
	l := newLaws(s)
	err := l.run(&liar{laws: l, lie: func(*core.Record) bool {
		s.Profile.RTO = sim.Timeout(core.Millisecond)
		return true
	}})
	if text := strings.Join(l.broken, "\n"); err != nil || !strings.Contains(text, ", with a timer of 1ms: waits for packets that were lost") {
		t.Errorf("%v, %.400q", err, text)
	}
}

// A flow whose last acknowledgement alone would wait for the one before it, on a slower link, can take less if that is lost.
func TestLostAcknowledgement(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(file, []byte("4 2 3\n2 3\n0 2 100Gbps 1us 0\n2 3 10Gbps 1us 0\n3 1 40Gbps 1us 0.05\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sc := scenario.Default()
	for _, kv := range [][2]string{{"topology", file}, {"cc", "none"}, {"workload", "none"}, {"mtu", "256B"}} {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	sooner, whole := 0, 0 // flows whose acknowledgements have all come
	for seed := range uint64(40) {
		sc.Seed = seed
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		s.Flows = []sim.Flow{{Src: 0, Dst: 1, Bytes: 2858, Prio: 3, DstPort: 100}}
		l := newLaws(s)
		if err := l.run(l); err != nil || l.broken != nil {
			t.Errorf("seed %d: %q, %v", seed, l.broken, err)
		}
		if r := l.n.Record(0); r.Finished && r.FCT < r.Ideal {
			sooner++
		}
		if l.flows[0].due == 0 {
			whole++
		}
	}
	if sooner == 0 || whole < 5 {
		t.Errorf("%d flows take less than alone, %d have lost no acknowledgement: this tests too little", sooner, whole)
	}
}

// A host binds a flow to one of its ports whatever source ports its packets have: two flows between the same hosts may draw
// the same one, and have it on different ports.
func TestEntropyOfHostsWithSeveralPorts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(file, []byte("4 2 4\n2 3\n0 2 100Gbps 1us 0\n0 3 100Gbps 1us 0\n1 2 100Gbps 1us 0\n1 3 100Gbps 1us 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sc := scenario.Default()
	for _, kv := range [][2]string{
		{"topology", file}, {"cc", "swift"}, {"workload", "none"}, {"patterns", "one-one:500KB,10"}, {"host.entropy", "random"},
		{"host.recovery", "selective"}, {"host.reordering", "100"},
	} {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	if broken, err := Run(s); err != nil || broken != nil {
		t.Errorf("%q, %v", broken, err)
	}
}
