package laws

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Lossy classes get what their way of sharing the buffer allows, and no more: a switch that shares it in another way, or drops
// a packet for which there is room, is found out.
func TestSharingIsChecked(t *testing.T) {
	for _, c := range []struct {
		does, says switching.Sharing
		shift      uint8 // that is said
		drop       bool  // a packet that was admitted
		want       string
	}{
		{switching.Dynamic, switching.Dynamic, 2, false, ""},
		{switching.Complete, switching.Complete, 2, false, ""},
		{switching.ABM, switching.ABM, 2, false, ""},
		{switching.Dynamic, switching.Dynamic, 3, false, "where"},
		{switching.Dynamic, switching.Dynamic, 1, false, "though"},
		{switching.Dynamic, switching.Complete, 2, false, "though"},
		{switching.Complete, switching.Dynamic, 2, false, "where"},
		{switching.Complete, switching.ABM, 2, false, "where"},
		{switching.ABM, switching.Complete, 2, false, "though"},
		{switching.Dynamic, switching.Dynamic, 2, true, "though"},
		{switching.Complete, switching.Complete, 2, true, "though"},
		{switching.ABM, switching.ABM, 2, true, "though"},
	} {
		s := crowd(t)
		s.NoPFC, s.Lossy, s.LossyShift, s.Sharing, s.FirstAlpha, s.Stop = true, 1<<3, 2, c.does, 1, core.Time(core.Millisecond)
		l, dropped := newLaws(s), 0
		err := l.run(&liar{laws: l, lie: func(r *core.Record) bool {
			s.Sharing, s.LossyShift = c.says, c.shift
			if r.Event == core.EventDrop {
				dropped++
			}
			if !c.drop || !inSwitch(r, core.EventEnqueue, core.Data) || dropped > 0 {
				return false
			}
			r.Event = core.EventDrop
			return true
		}})
		if text := strings.Join(l.broken, "\n"); err != nil || (c.want == "") != (text == "") || !strings.Contains(text, c.want) || c.want == "" && dropped == 0 {
			t.Errorf("%+v: %v, %d drops, got %.400q", c, err, dropped, text)
		}
	}
}
