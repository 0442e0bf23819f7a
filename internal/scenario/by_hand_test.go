package scenario

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// byHand is a case whose files are computed by hand, from the reference's rules alone.
type byHand struct {
	scheme, topology, flows string
	sampled                 int64 // last sample of queues, ns; the first is at 2 s
	fct, pfc, qlen          string
}

const (
	hpccByHand = `CC_MODE 3
U_TARGET 0.95
RATE_AI 40Mb/s
MIN_RATE 1000Mb/s
INT_MULTI 4`
	dcqcnByHand = `CC_MODE 1
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
RP_TIMER 300
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 20Mb/s
RATE_HAI 200Mb/s
MIN_RATE 1000Mb/s`
)

// casesByHand has times in its comments in ns after 2 s. Times of transmission are truncated: 1048 B take 20 at 400 Gb/s
// and 83 at 100 Gb/s, 60 B take 1 and 4, and a PFC frame none at 400 Gb/s.
func casesByHand() map[string]byHand {
	return map[string]byHand{
		// Packets of 1090 B and 590 B leave at 0 and 87. They reach the slow link at 2174 and 2181, which is busy with the first
		// up to 2522 and with the second from then on for 188. The last acknowledgement, of 88 B, begins at 3710 and takes 28, 7 and 7.
		"mixed rates": {
			scheme:   hpccByHand,
			topology: "4 2 3\n2 3\n0 2 100Gbps 1000ns 0\n2 3 100Gbps 0.001ms 0\n3 1 25Gbps 1us 0\n",
			flows:    "2\n0 1 3 100 1500 2\n1 0 3 100 1 2\n",
			fct: "0b000101 0b000001 10000 100 1 2000000000 6085 6495\n" +
				"0b000001 0b000101 10000 100 1500 2000000000 6752 6990\n",
		},
		// A packet of the first flow begins at 0, one of the second at 83, another of the first at 166.
		"turns": {
			scheme:   dcqcnByHand,
			topology: "4 1 3\n3\n0 3 100Gbps 1000ns 0\n1 3 100Gbps 1000ns 0\n2 3 100Gbps 1000ns 0\n",
			flows:    "2\n0 1 3 100 2000 2\n0 2 3 100 1000 2\n",
			fct: "0b000001 0b000201 10000 100 1000 2000000000 4257 4243\n" +
				"0b000001 0b000101 10000 100 2000 2000000000 4340 4327\n",
		},
		// Headroom of 822000 and 205500 B and two reserves leave 12884 B to share, of which a port may have an eighth. Packets
		// arrive every 20 from 5500 on and leave every 83. The eighth, at 5640, finds 1144 B shared and would be beyond the
		// threshold of 1467: it goes to the headroom, and a pause is sent. The headroom is empty from 5998 on, when the seventh
		// leaves; with the ninth, at 6164, nothing is shared any more, and the pause ends. Samples from 5600 to 6400 see
		// 4, 8, 8, 7, 5, 4, 3, 2 and 1 packets: that of 5600 and that of 5700 what arrives in that nanosecond.
		"pause": {
			scheme:   dcqcnByHand,
			topology: "3 1 2\n2\n0 2 400Gbps 5480ns 0\n2 1 100Gbps 5480ns 0\n",
			flows:    "1\n0 1 3 100 12000 2\n",
			sampled:  2_100_000_000,
			fct:      "0b000001 0b000101 10000 100 12000 2000000000 22941 23026\n",
			pfc:      "2000011120 0 0 1 1\n2000011644 0 0 1 0\n",
			qlen:     "time: 2000000000\n2 1 1\n2 2 1\ntime: 2100000000\n2 1 1000001\n2 2 999992 1 1 1 2 1 0 1 2\n",
		},
		// No headroom, and a threshold of 1141 B, or of 1129 while 96 B are shared: of packets that arrive at 20, 40, ..., 240
		// those of 140, 160, 180, 220 and 240 find no room. The tenth is received at 28101 and answered by a NACK, which
		// arrives at 55606. The seventh to the twelfth are sent again; the last leaves the switch at 56124.
		"drops": {
			scheme:   dcqcnByHand,
			topology: "3 1 2\n2\n0 2 400Gbps 0ns 0\n2 1 100Gbps 27500ns 0\n",
			flows:    "1\n0 1 3 100 12000 2\n",
			fct:      "0b000001 0b000101 10000 100 12000 2000000000 111129 56106\n",
		},
		// At 3000 the eleventh packet, which has reached switch 3 at 2996, is on its way to switch 5: all up to it are lost. The
		// twelfth to the twenty-fourth turn back to switch 2. The twenty-fifth, at 3075 the first one there after the failure, takes
		// the longer way and comes first: its NACK for byte 0 leaves at 7491 and arrives at 12516. All are sent again and pass
		// the slow link from 14682 on, each in 167; the last acknowledgement takes 9 there. The standalone time has the old round
		// trip, 8320, and the new slowest link.
		"failure": {
			scheme: dcqcnByHand + "\nLINK_DOWN 3 5 3",
			topology: "7 5 7\n2 3 4 5 6\n0 2 100Gbps 1000ns 0\n2 3 100Gbps 1000ns 0\n3 5 100Gbps 1000ns 0\n5 1 100Gbps 1000ns 0\n" +
				"2 4 100Gbps 1000ns 0\n4 6 50Gbps 1000ns 0\n6 5 100Gbps 1000ns 0\n",
			flows: "1\n0 1 3 100 40000 2\n",
			fct:   "0b000001 0b000101 10000 100 40000 2000000000 29553 15027\n",
		},
	}
}

// Profile ns3 gives what the reference's rules give by hand.
func TestByHand(t *testing.T) {
	for name, c := range casesByHand() {
		t.Run(name, func(t *testing.T) {
			fct, pfc, qlen := c.run(t)
			for _, file := range []struct{ name, got, want string }{{"fct", fct, c.fct}, {"pfc", pfc, c.pfc}, {"qlen", qlen, c.qlen}} {
				if file.got != file.want {
					t.Errorf("%s.txt:\n got %q\nwant %q", file.name, file.got, file.want)
				}
			}
		})
	}
}

// run returns fct.txt, pfc.txt and qlen.txt.
func (c *byHand) run(t *testing.T) (fct, pfc, qlen string) {
	t.Helper()
	dir := t.TempDir()
	flows, topology, config := filepath.Join(dir, "flow.txt"), filepath.Join(dir, "topology.txt"), filepath.Join(dir, "config.txt")
	write(t, flows, c.flows)
	write(t, topology, c.topology)
	write(t, config, fmt.Sprintf("ENABLE_QCN 0\nPACKET_PAYLOAD_SIZE 1000\nBUFFER_SIZE 1\nHAS_WIN 1\nGLOBAL_T 1\nSIMULATOR_STOP_TIME 4\n"+
		"FLOW_FILE %s\nTOPOLOGY_FILE %s\nQLEN_MON_START 2000000000\nQLEN_MON_END %d\n%s\n", flows, topology, c.sampled, c.scheme))
	sc, err := Load(config)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	var files [3]bytes.Buffer
	n, err := sim.Build(s, &TextWriter{FCT: &files[0], PFC: &files[1], Queues: &files[2]})
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1<<20) {
	}
	return files[0].String(), files[1].String(), files[2].String()
}
