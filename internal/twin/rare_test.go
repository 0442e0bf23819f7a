package twin

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// rarity makes a random case an unusual one. A nil rarity leaves it as it is.
type rarity struct {
	rng    *rand.Rand
	far    bool // delays of many milliseconds: little else happens
	crowd  bool // very many flows between one pair of hosts
	slow   bool // links are slower than MIN_RATE
	spines bool // more than two paths of equal cost, some hosts with a port on every leaf
	early  bool // a link fails when, or just after, the flows start
	even   bool // an ACK arrives as long after it has been sent as alpha of DCQCN lasts: events fall on its ticks
	fast   bool // at 800 Gb/s
	lossy  bool // packets are lost, also the first of flows, and from trains that last longer than the time without a second NACK
	near   bool // links are short
	tiers  bool // three tiers of switches with small buffers; the timers of DCQCN tick together
}

func newRarity(seed uint64) *rarity {
	rng := rand.New(rand.NewPCG(seed, 24))
	kind := rng.IntN(12)
	return &rarity{rng: rng, far: kind < 2, crowd: kind == 2, slow: kind == 3, spines: kind == 4 || kind == 5, early: kind == 5 || kind == 6}
}

// newEven is the rarity of even times, on links at 100 or 800 Gb/s.
func newEven(seed uint64) *rarity {
	return &rarity{rng: rand.New(rand.NewPCG(seed, 26)), even: true, fast: seed%2 == 0}
}

// newLossy is the rarity of losses.
func newLossy(seed uint64) *rarity {
	return &rarity{rng: rand.New(rand.NewPCG(seed, 27)), lossy: true, near: seed%2 == 0}
}

// newTiered is the rarity of networks of three tiers.
func newTiered(seed uint64) *rarity {
	return &rarity{rng: rand.New(rand.NewPCG(seed, 28)), tiers: true}
}

func (r *rarity) evenRate() int {
	if r.fast {
		return 800_000
	}
	return 100_000
}

// oneIn reports a chance of one in n.
func (r *rarity) oneIn(n int) bool { return r != nil && r.rng.IntN(n) == 0 }

// count records that a case is of one of the kinds that a test should include.
func (r *rarity) count(w *world, seen map[string]int) {
	for what, is := range map[string]bool{
		"far": r.far, "crowd": r.crowd, "spines": r.spines, "early": r.early && w.seen["failure"] > 0, "no flows": w.flows == 0,
		"no switches": !slices.ContainsFunc(w.nodes, func(n *node) bool { return !n.isHost }), "over 256 nodes": len(w.nodes) > 256,
	} {
		if is {
			seen[what]++
		}
	}
}

// payload may be at either end of its range.
func (r *rarity) payload(usual int) int {
	if r != nil && r.lossy {
		return 1000
	}
	if r.oneIn(2) {
		return pick(r.rng, 1, 7, 1460, 65000)
	}
	return usual
}

// shape may replace a network by two hosts only, by more hosts than a byte of an address can count, or by spines and
// leaves.
func (r *rarity) shape(s *sketch) {
	if r != nil && r.spines {
		r.leafSpine(s)
		return
	}
	if r != nil && r.tiers {
		r.fatTree(s)
		return
	}
	if !r.oneIn(12) {
		return
	}
	s.switches, s.hosts, s.links = 0, nil, nil
	if r.oneIn(2) {
		s.hosts = []int{0, 1}
		s.join(0, 1)
		return
	}
	s.switches = 2
	s.join(0, 1)
	for i := range 300 {
		s.host(i % 2)
	}
}

func (r *rarity) leafSpine(s *sketch) {
	spines, leaves := 3+r.rng.IntN(5), 2+r.rng.IntN(3)
	*s = sketch{rng: s.rng, rare: r, rates: s.rates, switches: spines + leaves}
	var all []int
	for leaf := spines; leaf < s.switches; leaf++ {
		for spine := range spines {
			s.join(spine, leaf)
		}
		all = append(all, leaf)
	}
	for i := range 2 * leaves {
		if r.oneIn(4) {
			s.host(all...)
		} else {
			s.host(all[i%leaves])
		}
	}
}

// fatTree has pods of as many switches as there are pods, half of them at the edge, each with some hosts.
func (r *rarity) fatTree(s *sketch) {
	pods := pick(r.rng, 2, 4, 4)
	half := pods / 2
	cores := half * half
	*s = sketch{rng: s.rng, rare: r, rates: s.rates, switches: cores + pods*pods}
	for pod := range pods {
		first := cores + pod*pods
		for i := range half {
			for j := range half {
				s.join(i*half+j, first+i)
				s.join(first+i, first+half+j)
			}
			for range 1 + r.rng.IntN(3) {
				s.host(first + half + i)
			}
		}
	}
}

// rateList and delayList may replace the rates in Mb/s and delays in ns that links can have.
func (r *rarity) rateList(usual []int, mode int) []int {
	if r != nil && r.even {
		return []int{r.evenRate()}
	}
	if r != nil && r.lossy {
		return []int{100_000}
	}
	if mode != 3 && r != nil && r.slow {
		return []int{100, 1_000}
	}
	if mode != 3 && r.oneIn(2) {
		return []int{100, 2500, 9_999, 33_333, 1_000}
	}
	return usual
}

func (r *rarity) delayList(usual []float64) []float64 {
	if r != nil && r.even {
		return []float64{float64(1000 - txTime(60, uint64(r.evenRate())*1e6))}
	}
	if r != nil && r.near {
		return []float64{1000}
	}
	if r != nil && r.lossy {
		return []float64{300_000}
	}
	if r != nil && r.far {
		return []float64{10e6, 30e6, 90e6, 200e6, 1000}
	}
	return usual
}

// flows may replace the number of flows and make all of them run between one pair of hosts.
func (r *rarity) flows(usual int) (n int, onePair bool) {
	switch {
	case r == nil:
		return usual, false
	case r.far:
		return min(usual, 5), false
	case r.lossy:
		return 150, false
	case r.oneIn(20):
		return 0, false
	case r.crowd:
		return 1500, true
	}
	return usual, r.oneIn(8)
}

// size may replace the size of a flow: where packets are lost, the first flow is long.
func (r *rarity) size(flow, usual int) int {
	if r != nil && r.lossy && flow == 0 {
		return 8_000_000
	}
	return usual
}

// second is the second in which flows start and the run ends.
func (r *rarity) second() string {
	if r.oneIn(6) {
		return pick(r.rng, "0", "1", "4", "19")
	}
	return "2"
}

// unusual are values of keys at the ends of their ranges, and others that the reference's settings lack.
var unusual = []struct {
	key    string
	values []string
}{
	{"MIN_RATE", []string{"1Mbps", "100Kbps", "30Gbps"}},
	{"RATE_AI", []string{"0Mb/s", "1bps", "100Gb/s", "8000Gbps"}},
	{"RATE_HAI", []string{"0", "1bps", "100Gb/s", "8000Gbps"}},
	{"DCTCP_RATE_AI", []string{"0Mb/s", "1bps", "100Gb/s"}},
	{"EWMA_GAIN", []string{"0", "0.000000001", "0.5", "0.999"}},
	{"FAST_RECOVERY_TIMES", []string{"2", "4000000000"}},
	{"RP_TIMER", []string{"1", "5000"}},
	{"U_TARGET", []string{"1", "1.3", "2", "0.001", "0.3"}},
	{"MI_THRESH", []string{"1", "2", "4000000000"}},
	{"INT_MULTI", []string{"2", "7", "1000", "1048576"}},
	{"PINT_LOG_BASE", []string{"1.0003", "1.2", "1.049", "1.5"}},
	{"PINT_PROB", []string{"0", "0.5", "0.00001", "0.99999"}},
	{"L2_ACK_INTERVAL", []string{"0", "2", "100"}},
	{"L2_CHUNK_SIZE", []string{"7", "1000000", "4294967295"}},
	{"BUFFER_SIZE", []string{"4095", "3", "16"}},
	{"ERROR_RATE_PER_LINK", []string{"1", "0.3", "1e-300"}},
	{"SIMULATOR_STOP_TIME", []string{"2", "2.0000001", "1", "2.00005"}},
}

// windows are times in ns between which queues are sampled.
var windows = [][2]string{
	{"0", "0"}, {"1999999000", "2000012345"}, {"2000000001", "2000000001"}, {"2000000000", "1999999999"}, {"2099999900", "2100000000"}, {"2100000000", "2100000100"},
}

// config may replace values in the text of a config.txt, and the order of its lines.
func (r *rarity) config(text, second string) string {
	if r == nil {
		return text
	}
	set := func(key, value string) {
		text = regexp.MustCompile(`(?m)(^|\s)`+key+` \S+`).ReplaceAllString(text, "${1}"+key+" "+value)
	}
	for _, u := range unusual {
		if r.oneIn(4) {
			set(u.key, pick(r.rng, u.values...))
		}
	}
	if r.slow {
		set("MIN_RATE", "3000Mb/s")
		set("HAS_WIN", "1")
		set("VAR_WIN", "1")
		set("ALPHA_RESUME_INTERVAL", "50")
	}
	if r.oneIn(4) {
		w := pick(r.rng, windows...)
		set("QLEN_MON_START", w[0])
		set("QLEN_MON_END", w[1])
	}
	if r.even {
		set("CC_MODE", "1")
		set("HAS_WIN", "0")
		set("ALPHA_RESUME_INTERVAL", "1")
		set("RATE_DECREASE_INTERVAL", pick(r.rng, "4", "50"))
		set("RP_TIMER", "300")
	}
	if second != "2" {
		set("SIMULATOR_STOP_TIME", second+".001")
	}
	if r.slow {
		set("SIMULATOR_STOP_TIME", second+".01")
	}
	if r.lossy {
		set("ERROR_RATE_PER_LINK", "0.002")
		if r.near {
			set("ERROR_RATE_PER_LINK", "0.01")
		}
		set("FAST_REACT", "1")
		set("LINK_DOWN", "60000000")
		set("ENABLE_TRACE", "0")
		set("ALPHA_RESUME_INTERVAL", "50")
		set("SIMULATOR_STOP_TIME", second+".02")
	}
	if r.early {
		set("LINK_DOWN", pick(r.rng, "0", "0.2", "0.999", "12.3"))
	}
	if r.tiers {
		r.configTiers(set)
	}
	if r.crowd {
		set("SIMULATOR_STOP_TIME", second+".0015")
		set("ALPHA_RESUME_INTERVAL", "50")
	}
	if r.far {
		set("SIMULATOR_STOP_TIME", second+".7")
		set("ALPHA_RESUME_INTERVAL", "50")
		set("RP_TIMER", "300")
		set("QLEN_MON_START", "2099990000")
		set("QLEN_MON_END", "2100020000")
	}
	lines := strings.SplitAfter(text, "\n")
	r.rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return strings.Join(lines, "")
}

func (r *rarity) configTiers(set func(key, value string)) {
	together := pick(r.rng, "1", "4", "50")
	for _, timer := range []string{"ALPHA_RESUME_INTERVAL", "RATE_DECREASE_INTERVAL", "RP_TIMER"} {
		set(timer, together)
	}
	set("BUFFER_SIZE", pick(r.rng, "1", "2"))
	set("INT_MULTI", pick(r.rng, "1", "16", "64"))
	set("SAMPLE_FEEDBACK", pick(r.rng, "0", "1"))
}

// thresholds may replace those of a link rate: KMIN and KMAX in KB, which may be the lower one, PMAX.
func (r *rarity) thresholds(low, high int, most float64) (int, int, float64) {
	if r != nil && r.even {
		return 5, 50, 0.5
	}
	if !r.oneIn(6) {
		return low, high, most
	}
	low = pick(r.rng, 0, low, 4_000_000)
	return low, pick(r.rng, 0, high, 4_294_967), pick(r.rng, 0, 1e-9, 0.999)
}
