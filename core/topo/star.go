package topo

func star() Builder {
	return Builder{
		Name:   "star",
		Doc:    "hosts around one switch",
		Params: []Param{{"n", "", "hosts"}, rateParam, delayParam},
		build:  buildStar,
	}
}

func buildStar(v *values) *Topology {
	n := v.int("n", 2, MaxPorts)
	rate, delay := v.rate("rate"), v.delay("delay")
	t := newTopology(n, 1)
	for h := range n {
		t.connect(h, n, rate, delay)
	}
	return t
}
