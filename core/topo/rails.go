package topo

import "github.com/qbb-sim/qbb/core"

func railOptimized() Builder {
	return Builder{
		Name: "rail-optimized",
		Doc: "servers of GPUs, each of which is a host with two ports: one to its server's NVLink switch, one to the leaf switch " +
			"of its rail, which joins GPU g of every server; every leaf switch has a link to every spine switch (NVIDIA DGX SuperPOD " +
			"reference architecture)",
		Params: []Param{
			{"servers", "", "servers"},
			{"gpus", "8", "GPUs of a server, and so rails"},
			{"spines", "servers", "spine switches; as many as servers: a leaf switch has as many links to them as to GPUs"},
			{"rate", "400Gbps", "rate of the links of GPUs to leaf switches"},
			fabricParam,
			{"delay", "1us", "propagation delay of all links but NVLinks, one way"},
			{"nvlink", "3600Gbps", "rate of the links between a GPU and its server's switch, each way (NVLink 4); none: no such links"},
			{"nvlink_delay", "100ns", "their propagation delay, one way"},
		},
		build: buildRails,
	}
}

// rails are servers whose GPUs are joined inside them, and across them by rail.
type rails struct {
	servers, gpus, spines int
	rate, fabric, nvlink  core.Rate // nvlink is 0 without
	delay, inside         core.Duration
}

func buildRails(v *values) *Topology {
	servers, gpus, rate := v.int("servers", 1, 1<<16), v.int("gpus", 1, 4096), v.rate("rate")
	n := rails{
		servers: servers,
		gpus:    gpus,
		spines:  v.intOr("spines", "servers", servers, 1, 1<<16),
		rate:    rate,
		fabric:  v.rateOr("fabric", "rate", rate),
		nvlink:  v.rateOr("nvlink", "none", 0),
		delay:   v.delay("delay"),
		inside:  v.delay("nvlink_delay"),
	}
	if !v.fits(n.servers*n.gpus, n.servers+n.gpus+n.spines) {
		return nil
	}
	return n.build()
}

func (n *rails) build() *Topology {
	hosts, inside := n.servers*n.gpus, n.servers
	if n.nvlink == 0 {
		inside = 0
	}
	firstLeaf := hosts + inside
	t := newTopology(hosts, inside+n.gpus+n.spines)
	for h := range hosts {
		if inside > 0 {
			t.connect(h, hosts+h/n.gpus, n.nvlink, n.inside)
		}
		t.connect(h, firstLeaf+h%n.gpus, n.rate, n.delay)
	}
	for leaf := range n.gpus {
		for s := range n.spines {
			t.connect(firstLeaf+leaf, firstLeaf+n.gpus+s, n.fabric, n.delay)
		}
	}
	return t
}
