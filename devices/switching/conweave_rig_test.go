package switching

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/devicetest"
)

// plain is a network in which a switch has so many paths to a ToR, 200, whatever the host.
type plain int

func (plain) ToR(core.NodeID) core.NodeID  { return 200 }
func (n plain) Paths(_, _ core.NodeID) int { return int(n) }

// twoSided routes hosts below 10 to port 0, and all others to a set of ports.
type twoSided []uint16

var portOfHosts = []uint16{0}

func (u twoSided) Next(_, dst core.NodeID) []uint16 {
	if dst < 10 {
		return portOfHosts
	}
	return u
}

// weave drives a ToR, 100, with hosts behind port 0 alone, and writes down what it sends.
type weave struct {
	*devicetest.Rig
	sw   *Switch
	sent []string
}

// newWeave is a ToR with ports of 8 Gb/s, on which a byte takes a nanosecond, and the times 5, 8, 20 and 50 us.
func newWeave(t *testing.T, paths int, change func(*Config)) *weave {
	cfg := Config{
		ID: 100, Pool: core.NewPool(1), Router: twoSided{1, 2}, Timing: core.Exact, MTU: 1000, NoticeLen: 64,
		Buffer: BufferConfig{Total: 1_000_000, Reserve: 4096, Resume: 3072}, Pause: PauseConfig{FrameLen: 64}, INT: core.FullINT(1),
		Balance: BalanceConfig{Way: ConWeave, Random: &script{}, ConWeave: ConWeaveConfig{
			Reply: 5 * core.Microsecond, Busy: 8 * core.Microsecond, Resume: 20 * core.Microsecond, Inactive: 50 * core.Microsecond, Fabric: plain(paths),
		}},
	}
	for i := range 3 {
		cfg.Ports = append(cfg.Ports, PortConfig{Rate: 8 * core.Gbps, Headroom: 100_000, ToHost: i == 0, KMin: core.Unlimited, KMax: core.Unlimited})
	}
	if change != nil {
		change(&cfg)
	}
	w := &weave{sw: New(cfg)}
	w.Rig = devicetest.New(t, cfg.Pool, w.sw, len(cfg.Ports), func(port int, p *core.Packet) { w.sent = append(w.sent, w.text(port, p)) })
	return w
}

// draws are the next indices of a choice between two.
func (w *weave) draws(list ...uint32) { *w.sw.cfg.Balance.Random.(*script) = twice(list) }

// twice makes indices below 2 those below 4 with which a script begins.
func twice(list []uint32) (s script) {
	for _, i := range list {
		s = append(s, 2*i)
	}
	return s
}

// text describes a packet that a port sends: when it begins, in nanoseconds, the port, and its label.
func (w *weave) text(port int, p *core.Packet) string {
	at := fmt.Sprintf("%d:%d ", w.Turn.Now.Nanos(), port)
	switch p.Kind {
	case core.Data:
		return at + fmt.Sprint(p.Seq) + labelText(label(p.Sack), p.HostNanos, []string{"REQUEST", "TAIL", "REROUTED"})
	case core.ConWeave:
		return at + strings.TrimSpace(labelText(label(p.Aux), 0, []string{"REPLY", "CLEAR", "NOTIFY"})) + fmt.Sprintf(" to %d.%d", p.Dst, p.DstQP)
	case core.Pause:
		if core.PauseWord(p.Aux).Resume() {
			return at + "resume"
		}
		return at + "pause"
	}
	return at + p.Kind.String()
}

func labelText(l label, stamp uint32, names []string) (text string) {
	if l == 0 {
		return ""
	}
	for i, name := range names {
		if l>>(i+1)&1 != 0 {
			text += " " + name
		}
	}
	text += fmt.Sprintf(" path %d epoch %d", l.path(), l.epoch())
	if stamp != 0 {
		text += fmt.Sprintf(" at %d", stamp)
	}
	return text
}

// data has a data packet of 1000 bytes arrive, with its number as offset.
func (w *weave) data(nanos int64, in int, src, dst core.NodeID, number int64, change func(*core.Packet)) {
	p := w.Pool.New()
	p.Src, p.Dst, p.SrcQP, p.SrcPort, p.DstPort, p.Size, p.Payload, p.Prio, p.Seq = src, dst, 7, 1000, 100, 1000, 952, 3, number
	if change != nil {
		change(p)
	}
	w.arrive(nanos, in, p)
}

func (w *weave) arrive(nanos int64, in int, p *core.Packet) {
	w.At(nanos)
	w.sw.Receive(&w.Turn, in, p)
	w.CarryOut()
	w.At(nanos)
}

// want compares what has been sent since the last time, and what is left in the pool.
func (w *weave) want(list ...string) {
	w.T.Helper()
	if got, want := strings.Join(w.sent, "\n"), strings.Join(list, "\n"); got != want {
		w.T.Errorf("sent\n%s\nwant\n%s", got, want)
	}
	w.sent = nil
}
