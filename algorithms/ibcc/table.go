package ibcc

import (
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// entry is an entry of the congestion control table: bits 15-14 shift, 13-0 multiplier.
type entry uint16

const maxMult = 1<<14 - 1

func newEntry(shift, mult int) entry { return entry(shift<<14 | mult) }

// delay is the gap after a packet that takes tp to send.
func (e entry) delay(tp core.Duration) core.Duration {
	return tp >> (e >> 14) * core.Duration(e&maxMult)
}

// table gives the entries for packets of one size on one link.
type table struct {
	rule  string
	limit int
	shift int
	most  int     // multiplier of the last entry
	list  []entry // rule list
}

// newTable fills the table for packets that take tp > 0 to send.
func newTable(p *Params, list []entry, tp core.Duration) table {
	t := table{rule: p.Table, limit: p.limit(), list: list, shift: 3}
	most := func() core.Duration { return (p.MaxDelay << t.shift) / tp }
	for t.shift > 0 && most() > maxMult {
		t.shift--
	}
	t.most = int(min(most(), maxMult))
	return t
}

// entry returns entry i, 0 <= i <= limit.
func (t *table) entry(i int) entry {
	switch t.rule {
	case "list":
		return t.list[min(i, len(t.list)-1)]
	case "quadratic":
		k, limit := int64(i), int64(t.limit)
		return newEntry(t.shift, int(int64(t.most)*k*k/(limit*limit)))
	}
	return newEntry(t.shift, t.most*i/t.limit)
}

// parseEntries reads pairs such as "0:0 3:100".
func parseEntries(text string) (list []entry, err error) {
	for word := range strings.FieldsSeq(text) {
		a, b, _ := strings.Cut(word, ":")
		shift, err1 := strconv.Atoi(a)
		mult, err2 := strconv.Atoi(b)
		if err1 != nil || err2 != nil || shift < 0 || shift > 3 || mult < 0 || mult > maxMult {
			return nil, algorithms.WrongParam("ib-cc", "entries", text, "%s is not shift:mult, with a shift of 0 to 3 and a multiplier of 0 to %d", word, maxMult)
		}
		list = append(list, newEntry(shift, mult))
	}
	if len(list) == 0 {
		return nil, algorithms.WrongParam("ib-cc", "entries", text, "cct=list needs pairs such as 0:0 3:100")
	}
	return list, nil
}
