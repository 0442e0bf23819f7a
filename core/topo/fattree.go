package topo

import "github.com/qbb-sim/qbb/core"

func fatTree() Builder {
	return Builder{
		Name: "fat-tree",
		Doc: "three tiers: k pods of k/2 edge and k/2 aggregation switches, k*k/4 core switches " +
			"(Al-Fares, Loukissas and Vahdat, SIGCOMM 2008)",
		Params: []Param{
			{"k", "", "ports of a switch, even"},
			{"hosts", "k/2", "hosts of an edge switch"},
			rateParam, fabricParam, delayParam,
			{"pods", "k", "pods"},
			{"edges", "k/2", "edge switches of a pod"},
			{"aggs", "k/2", "aggregation switches of a pod"},
			{"cores", "k*k/4", "core switches"},
			{"uplinks", "k/2", "links of an aggregation switch to the core"},
		},
		Presets: []Preset{
			{"thesis", "16 hosts, 4 edge, 4 aggregation and 2 core switches, 100/400 Gb/s (MPCC thesis, figure 5.5)",
				"k=4,hosts=4,rate=100Gbps,fabric=400Gbps,delay=1us,pods=2,edges=2,aggs=2,cores=2,uplinks=2"},
			{"hpcc", "320 hosts, 20 edge, 20 aggregation and 16 core switches, 100/400 Gb/s (Li et al., HPCC, SIGCOMM 2019)",
				"k=8,hosts=16,rate=100Gbps,fabric=400Gbps,delay=1us,pods=5,edges=4,aggs=4,cores=16,uplinks=4"},
		},
		build: buildFatTree,
	}
}

// threeTier is a folded Clos network: every edge switch of a pod has a link to every
// aggregation switch of the pod. Uplink i of aggregation switch j of a pod leads to core
// switch j*uplinks+i, modulo the number of core switches.
type threeTier struct {
	pods, edges, aggs, cores int // edges and aggs of one pod
	hosts                    int // of one edge switch
	uplinks                  int // of one aggregation switch
	rate, fabric             core.Rate
	delay                    core.Duration
}

func buildFatTree(v *values) *Topology {
	k := v.int("k", 2, 256)
	if k%2 != 0 {
		v.fail("k=%d must be even", k)
	}
	rate := v.rate("rate")
	n := threeTier{
		pods:    v.intOr("pods", "k", k, 1, 4096),
		edges:   v.intOr("edges", "k/2", k/2, 1, 4096),
		aggs:    v.intOr("aggs", "k/2", k/2, 1, 4096),
		cores:   v.intOr("cores", "k*k/4", k*k/4, 1, 1<<16),
		hosts:   v.intOr("hosts", "k/2", k/2, 1, 4096),
		uplinks: v.intOr("uplinks", "k/2", k/2, 1, 4096),
		rate:    rate,
		fabric:  v.rateOr("fabric", "rate", rate),
		delay:   v.delay("delay"),
	}
	if n.uplinks > n.cores {
		v.fail("uplinks=%d is above cores=%d: an aggregation switch has one link to a core switch at most", n.uplinks, n.cores)
	}
	if !v.fits(n.pods*n.edges*n.hosts, n.pods*(n.edges+n.aggs)+n.cores) {
		return nil
	}
	return n.build()
}

func (n *threeTier) build() *Topology {
	edges, aggs := n.pods*n.edges, n.pods*n.aggs
	hosts := edges * n.hosts
	firstAgg := hosts + edges
	firstCore := firstAgg + aggs
	t := newTopology(hosts, edges+aggs+n.cores)
	for h := range hosts {
		t.connect(h, hosts+h/n.hosts, n.rate, n.delay)
	}
	for e := range edges {
		for j := range n.aggs {
			t.connect(hosts+e, firstAgg+e/n.edges*n.aggs+j, n.fabric, n.delay)
		}
	}
	for a := range aggs {
		for i := range n.uplinks {
			t.connect(firstAgg+a, firstCore+(a%n.aggs*n.uplinks+i)%n.cores, n.fabric, n.delay)
		}
	}
	return t
}
