package reproduce

import (
	"math"
	"math/rand/v2"
)

// qcnModel is a numerical model of QCN's third stage: rates, a fluid queue, and feedback to a
// sender that is drawn by its share of the link. There are no packets and no delays. Constants are
// those of the standard at 1 Gb/s; rates are in bit/s, bytes in B, times in s. Products that are
// added are rounded first: random draws would amplify a difference in the last digit.
type qcnModel struct {
	random  *rand.Rand
	senders []qcnSender
	ai      float64 // added to the target in a cycle of active increase
	queue   float64
	old     float64 // queue at the last sample
	toNext  float64 // bytes to the next sample
	now     float64
}

// qcnSender is a reaction point whose byte counter ends its cycles.
type qcnSender struct {
	rate, target float64
	cycles       int
	left         float64 // bytes of the cycle
}

const (
	modelLine   = 1e9
	modelBase   = 150e3 // bytes of a cycle of fast recovery, and between samples without congestion
	modelFast   = 5     // cycles of fast recovery
	usualStep   = 5e6   // of the target in a cycle of active increase
	modelWeight = 2     // of the queue's growth in the feedback
	modelGain   = 1.0 / 128
	modelStride = 100e-6
)

// newQCNModel begins with rates, the queue at its set point.
func newQCNModel(seed uint64, ai float64, rates []float64) *qcnModel {
	m := &qcnModel{random: rand.New(rand.NewPCG(seed, 1)), ai: ai, queue: setPoint, old: setPoint, toNext: modelBase}
	for _, r := range rates {
		m.senders = append(m.senders, qcnSender{rate: r, target: r, left: modelBase})
	}
	return m
}

// window moves on by fairWindow and returns the fairness of what the senders have sent in it.
func (m *qcnModel) window() float64 {
	sent := make([]float64, len(m.senders))
	for range int(fairWindow * 1e-3 / modelStride) {
		for i := range m.senders {
			sent[i] += float64(m.senders[i].rate * modelStride / 8)
		}
		m.step()
	}
	return jain(sent)
}

// run returns the time until the shares are fair as in timeToFairness, ns; infinite if that takes
// more than a minute.
func (m *qcnModel) run() float64 {
	const windows = 60 * 1000 / fairWindow
	run := 0
	for k := range windows {
		if m.window() < fairEnough {
			run = 0
			continue
		}
		if run++; run == lasting {
			return float64(k+1-lasting+1) * fairWindow * 1e6
		}
	}
	return math.Inf(1)
}

// step advances by the stride: the queue by eq. 3.2 of any fluid, the byte counters, a sample.
func (m *qcnModel) step() {
	total := 0.0
	for i := range m.senders {
		s := &m.senders[i]
		total += s.rate
		if s.left -= float64(s.rate * modelStride / 8); s.left <= 0 {
			s.increase(m.ai, m.jitter())
		}
	}
	m.now += modelStride
	m.queue = max(0, m.queue+float64((total-modelLine)*modelStride/8))
	if m.toNext -= float64(min(total, modelLine) * modelStride / 8); m.toNext <= 0 {
		m.sample(total)
	}
}

func (m *qcnModel) jitter() float64 { return 0.85 + float64(0.3*m.random.Float64()) }

// increase ends a byte cycle: section 2.2, eqs. 3 and 4.
func (s *qcnSender) increase(ai, jitter float64) {
	s.cycles++
	length := modelBase
	if s.cycles > modelFast {
		s.target += ai
	}
	if s.cycles >= modelFast {
		length /= 2
	}
	s.target = min(s.target, modelLine)
	s.rate = min((s.rate+s.target)/2, modelLine)
	s.left = length * jitter
}

// sample takes a sample at the congestion point: eq. 1, and the rate decrease of eq. 2 at the sender of the sampled
// packet.
func (m *qcnModel) sample(total float64) {
	fb := setPoint - m.queue - float64(modelWeight*(m.queue-m.old))
	m.old = m.queue
	level := 0.0
	if fb < 0 {
		level = min(63, math.Floor(-fb*63/(setPoint*(2*modelWeight+1))))
	}
	m.toNext = modelBase / (1 + math.Floor(level/8)) * m.jitter()
	if level == 0 {
		return
	}
	draw := m.random.Float64() * total
	for i := range m.senders {
		s := &m.senders[i]
		if draw -= s.rate; draw > 0 && i < len(m.senders)-1 {
			continue
		}
		s.target = s.rate
		s.rate = max(s.rate*(1-float64(modelGain*level)), s.rate/2, 5e6)
		s.cycles, s.left = 0, modelBase
		return
	}
}
