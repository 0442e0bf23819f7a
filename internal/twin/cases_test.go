package twin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// rates are those of the links, Mb/s; HPCC's record knows only the first forHPCC.
var rates = []int{25_000, 50_000, 100_000, 200_000, 400_000, 1_000, 10_000, 40_000, 800_000, 1_600_000}

const forHPCC = 5

// sketch is a network under construction: switches are numbered from 0, hosts after them.
type sketch struct {
	rng      *rand.Rand
	rare     *rarity
	rates    []int // Mb/s, that its links may have
	switches int
	hosts    []int
	links    [][2]int
}

func (s *sketch) join(a, b int) { s.links = append(s.links, [2]int{a, b}) }

// host adds a host to some switches.
func (s *sketch) host(at ...int) {
	id := s.switches + len(s.hosts)
	s.hosts = append(s.hosts, id)
	for _, x := range at {
		s.join(id, x)
	}
}

// network draws one of several shapes.
func network(rng *rand.Rand, rare *rarity, mode int) *sketch {
	s := &sketch{rng: rng, rare: rare, rates: rates[:forHPCC], switches: pick(rng, 1, 2, 3, 4, 5, 5, 8)}
	if mode != 3 && rng.IntN(4) == 0 {
		s.rates = rates
	}
	shape := pick(rng, 0, 1, 1, 1, 2, 3)
	for i := 1; i < s.switches; i++ {
		switch shape {
		case 0, 1:
			s.join(i-1, i) // a chain or a ring
		case 2:
			s.join(rng.IntN(i), i)
		case 3:
			s.join(0, i)
			if i > 2 {
				s.join(1, i)
			}
		}
	}
	if shape == 1 && s.switches > 2 {
		s.join(s.switches-1, 0)
	}
	for i := range s.switches {
		for range rng.IntN(5) {
			at := []int{i}
			for len(at) < 3 && rng.IntN(6) == 0 {
				if other := rng.IntN(s.switches); !slices.Contains(at, other) {
					at = append(at, other)
				}
			}
			s.host(at...)
		}
	}
	for len(s.hosts) < 2 {
		s.host(rng.IntN(s.switches))
	}
	if rng.IntN(8) == 0 {
		s.join(s.switches, s.switches+1) // two hosts directly
	}
	rare.shape(s)
	s.rates = rare.rateList(s.rates, mode)
	return s
}

// text writes topology.txt, in which the nodes may be renumbered.
func (s *sketch) text(lossy bool) string {
	rng, n := s.rng, s.switches+len(s.hosts)
	number := rng.Perm(n)
	if rng.IntN(2) == 0 {
		slices.Sort(number)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %d\n", n, s.switches, len(s.links))
	for i := range s.switches {
		fmt.Fprintln(&b, number[i])
	}
	rng.Shuffle(len(s.links), func(i, j int) { s.links[i], s.links[j] = s.links[j], s.links[i] })
	same, delays := rng.IntN(2) == 0, [][]float64{{1000}, {0, 1000, 100}, {1.7, 7000, 500.3}, {100_000, 1000}}[rng.IntN(4)]
	delays = s.rare.delayList(delays)
	usual := pick(rng, s.rates...)
	for i := range s.links {
		l, rate := &s.links[i], usual
		l[0], l[1] = number[l[0]], number[l[1]]
		if !same {
			rate = pick(rng, s.rates...)
		}
		loss := 0.0
		if lossy && rng.IntN(3) == 0 {
			loss = pick(rng, 0.001, 0.01)
		}
		fmt.Fprintf(&b, "%d %d %dMbps %gns %g\n", l[0], l[1], rate, pick(rng, delays...), loss)
	}
	for i, h := range s.hosts {
		s.hosts[i] = number[h]
	}
	return b.String()
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// traced writes trace.txt.
func (s *sketch) traced() string {
	n := s.switches + len(s.hosts)
	ids := s.rng.Perm(n)[:1+s.rng.IntN(n)]
	return fmt.Sprintln(len(ids), strings.Trim(fmt.Sprint(ids), "[]"))
}

// traffic writes flow.txt.
func (s *sketch) traffic(payload int, second string) string {
	rng := s.rng
	n := pick(rng, 1, 5, 20, 60, 60, 200)
	classes := pick(rng, []int{3}, []int{3}, []int{1, 3}, []int{1, 2, 3, 4, 5, 6, 7})
	spread, crowd, victim := pick(rng, 1, 1000, 20_000, 200_000), rng.IntN(2) == 0, pick(rng, s.hosts...)
	n, onePair := s.rare.flows(n)
	source := s.hosts[0]
	if source == victim {
		source = s.hosts[1]
	}
	starts := make([]int, n)
	for i := range starts {
		starts[i] = rng.IntN(spread)
		if i > 0 && rng.IntN(3) == 0 {
			starts[i] = starts[i-1]
		}
	}
	slices.Sort(starts)
	var b strings.Builder
	fmt.Fprintln(&b, n)
	for i, start := range starts {
		to := pick(rng, s.hosts...)
		if crowd && rng.IntN(5) > 0 {
			to = victim
		}
		from := to
		for from == to {
			from = pick(rng, s.hosts...)
		}
		if onePair {
			from, to = source, victim
		}
		size := pick(rng, 1, payload-1, payload, payload+1, 1+rng.IntN(10*payload), 100*payload, 1+rng.IntN(300*payload))
		fmt.Fprintf(&b, "%d %d %d %d %d %s.%09d\n", from, to, pick(rng, classes...), pick(rng, 100, rng.IntN(65536)), s.rare.size(i, max(1, min(size, 8_000_000/n, 100_000*payload/n))), second, start)
	}
	return b.String()
}

// config writes config.txt for files of the given folder.
func (s *sketch) config(mode, payload int, second string) string {
	rng := s.rng
	low := pick(rng, 1, 5, 20, 100)
	maps := [3]string{}
	all := rates
	for _, r := range s.rates {
		if !slices.Contains(all, r) {
			all = append(slices.Clip(all), r)
		}
	}
	for _, r := range all {
		least := (low*r + 24_999) / 25_000
		least, most, probability := s.rare.thresholds(least, least*pick(rng, 1, 4), pick(rng, 0.2, 1))
		maps[0] += fmt.Sprintf(" %d000000 %d", r, least)
		maps[1] += fmt.Sprintf(" %d000000 %d", r, most)
		maps[2] += fmt.Sprintf(" %d000000 %g", r, probability)
	}
	rate := func() string { return pick(rng, "5Mb/s", "40Mb/s", "1000Mb/s", "50.5Mbps") }
	bit := func() int { return rng.IntN(2) }
	marks, failed := min(1, rng.IntN(6)), ""
	ecn := fmt.Sprintln("ENABLE_QCN", marks)
	if marks == 1 || bit() == 0 {
		ecn += fmt.Sprintln("KMIN_MAP", len(all), maps[0], "KMAX_MAP", len(all), maps[1], "PMAX_MAP", len(all), maps[2])
	}
	if rng.IntN(2) == 0 {
		l := pick(rng, s.links...)
		failed = fmt.Sprintf("LINK_DOWN %d %d %d\n", pick(rng, 1, 3, 7, 50), l[0], l[1])
	}
	loss := 0.0
	if rng.IntN(3) == 0 {
		loss = pick(rng, 0.0005, 0.01)
	}
	from, samples := pick(rng, 2_000_000_000, 1_999_999_950), pick(rng, 0, 100_000)
	stop := pick(rng, "2.0003", "2.002", "2.01")
	if rng.IntN(5) == 0 || failed != "" && rng.IntN(2) == 0 { // what a failure leaves of queues is visible
		from, samples, stop = 2_099_990_000, 20_000, pick(rng, "2.1", "2.100000001")
	}
	return s.rare.config(fmt.Sprintf(`CC_MODE %d
PACKET_PAYLOAD_SIZE %d
TOPOLOGY_FILE topology.txt
FLOW_FILE flow.txt
FCT_OUTPUT_FILE fct.txt
PFC_OUTPUT_FILE pfc.txt
QLEN_MON_FILE qlen.txt
TRACE_FILE trace.txt
TRACE_OUTPUT_FILE mix.tr
`, mode, payload)+failed+ecn+fmt.Sprintln("SIMULATOR_STOP_TIME", stop, "QLEN_MON_START", from, "QLEN_MON_END", from+samples,
		"BUFFER_SIZE", pick(rng, 1, 1, 2, 32), "ERROR_RATE_PER_LINK", loss,
		"HAS_WIN", min(1, rng.IntN(4)), "GLOBAL_T", bit(), "VAR_WIN", bit(), "RATE_BOUND", min(1, rng.IntN(5)), "ACK_HIGH_PRIO", bit(),
		"L2_BACK_TO_ZERO", rng.IntN(5)/4, "L2_CHUNK_SIZE", pick(rng, 4000, 1500, 1), "L2_ACK_INTERVAL", 1,
		"RATE_AI", rate(), "RATE_HAI", rate(), "DCTCP_RATE_AI", rate(), "MIN_RATE", pick(rng, "100Mb/s", "1000Mb/s"),
		"EWMA_GAIN", pick(rng, "0.00390625", "0.0625", "1"), "ALPHA_RESUME_INTERVAL", pick(rng, 1, 50, 1.0007), "RATE_DECREASE_INTERVAL", pick(rng, 4, 50, 4.0017),
		"CLAMP_TARGET_RATE", bit(), "RP_TIMER", pick(rng, 300, 10, 10.0009), "FAST_RECOVERY_TIMES", pick(rng, 1, 0, 5),
		"U_TARGET", pick(rng, 0.95, 0.5), "MI_THRESH", pick(rng, 0, 5), "INT_MULTI", pick(rng, 1, 4, 16), "FAST_REACT", bit(),
		"ENABLE_TRACE", rng.IntN(8)/7, "MULTI_RATE", rng.IntN(3)/2, "SAMPLE_FEEDBACK", rng.IntN(3)/2, "PINT_LOG_BASE", pick(rng, 1.05, 1.01, 2), "PINT_PROB", pick(rng, 1, 0.1)), second)
}
