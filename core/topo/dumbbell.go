package topo

func dumbbell() Builder {
	return Builder{
		Name: "dumbbell",
		Doc:  "hosts on the left and on the right of two switches with one link between them",
		Params: []Param{
			{"n", "", "hosts on the left"},
			{"right", "n", "hosts on the right"},
			rateParam,
			{"bottleneck", "rate", "rate of the link between the switches; the word rate: that of the hosts"},
			delayParam,
		},
		build: buildDumbbell,
	}
}

func buildDumbbell(v *values) *Topology {
	n := v.int("n", 1, MaxPorts-1)
	right := v.intOr("right", "n", n, 1, MaxPorts-1)
	rate, delay := v.rate("rate"), v.delay("delay")
	bottleneck := v.rateOr("bottleneck", "rate", rate)
	hosts := n + right
	t := newTopology(hosts, 2)
	for h := range n {
		t.connect(h, hosts, rate, delay)
	}
	t.connect(hosts, hosts+1, bottleneck, delay)
	for h := n; h < hosts; h++ {
		t.connect(hosts+1, h, rate, delay)
	}
	return t
}
