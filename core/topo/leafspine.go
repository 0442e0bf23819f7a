package topo

func leafSpine() Builder {
	return Builder{
		Name: "leaf-spine",
		Doc:  "two tiers: every leaf switch has a link to every spine switch",
		Params: []Param{
			{"leaves", "", "leaf switches"},
			{"spines", "", "spine switches"},
			{"hosts", "", "hosts of a leaf switch"},
			rateParam, fabricParam, delayParam,
		},
		build: buildLeafSpine,
	}
}

func buildLeafSpine(v *values) *Topology {
	leaves, spines := v.int("leaves", 1, 4096), v.int("spines", 1, 4096)
	perLeaf := v.int("hosts", 1, 4096)
	rate, delay := v.rate("rate"), v.delay("delay")
	fabric := v.rateOr("fabric", "rate", rate)
	hosts := leaves * perLeaf
	if !v.fits(hosts, leaves+spines) {
		return nil
	}
	t := newTopology(hosts, leaves+spines)
	for h := range hosts {
		t.connect(h, hosts+h/perLeaf, rate, delay)
	}
	for l := range leaves {
		for s := range spines {
			t.connect(hosts+l, hosts+leaves+s, fabric, delay)
		}
	}
	return t
}
