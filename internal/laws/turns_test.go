package laws

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// The highest class of strict priority goes first: a switch that serves classes in turn, or others first, is found out.
func TestStrictPriorityIsChecked(t *testing.T) {
	for _, c := range []struct {
		does, says uint8
		want       string
	}{
		{0, 0, ""},
		{1 << 1, 1 << 1, ""},
		{1<<1 | 1<<5, 1<<1 | 1<<5, ""},
		{0, 1 << 1, "while class 1 of strict priority waits"},
		{1 << 5, 1<<1 | 1<<3, "while class 3 of strict priority waits"},
		{1 << 1, 1<<1 | 1<<5, "sends class 1 while class 5 of strict priority waits"},
		{1 << 3, 0, "sends class 3 twice while class"},
	} {
		s := crowd(t)
		for i := range s.Flows {
			s.Flows[i].Prio = []uint8{1, 3, 5}[i%3]
		}
		s.Strict = c.does
		l := newLaws(s)
		err := l.run(&liar{laws: l, lie: func(*core.Record) bool {
			s.Strict = c.says
			return true
		}})
		if text := strings.Join(l.broken, "\n"); err != nil || (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("does %08b, says %08b: %v, got %.400q, want %q", c.does, c.says, err, text, c.want)
		}
	}
}
