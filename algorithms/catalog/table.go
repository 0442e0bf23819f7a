package catalog

import (
	"github.com/qbb-sim/qbb/algorithms/bolt"
	"github.com/qbb-sim/qbb/algorithms/dcqcn"
	"github.com/qbb-sim/qbb/algorithms/dcqcnpaper"
	"github.com/qbb-sim/qbb/algorithms/dcqcnplus"
	"github.com/qbb-sim/qbb/algorithms/dctcp"
	"github.com/qbb-sim/qbb/algorithms/hpcc"
	"github.com/qbb-sim/qbb/algorithms/hpccpint"
	"github.com/qbb-sim/qbb/algorithms/ibcc"
	"github.com/qbb-sim/qbb/algorithms/mpcc"
	"github.com/qbb-sim/qbb/algorithms/ndp"
	"github.com/qbb-sim/qbb/algorithms/none"
	"github.com/qbb-sim/qbb/algorithms/nscc"
	"github.com/qbb-sim/qbb/algorithms/powertcp"
	"github.com/qbb-sim/qbb/algorithms/qcn"
	"github.com/qbb-sim/qbb/algorithms/rcc"
	"github.com/qbb-sim/qbb/algorithms/rcp"
	"github.com/qbb-sim/qbb/algorithms/rocc"
	"github.com/qbb-sim/qbb/algorithms/swift"
	"github.com/qbb-sim/qbb/algorithms/tcp"
	"github.com/qbb-sim/qbb/algorithms/timely"
	"github.com/qbb-sim/qbb/algorithms/timelypaper"
	"github.com/qbb-sim/qbb/algorithms/xcp"
)

// table is the catalog: a row per scheme.
func table() []Entry {
	return []Entry{
		row("none", "line rate, held back by priority flow control alone",
			"IEEE 802.1Qbb", none.Defaults, none.New, "pfc"),
		row("hpcc", "in-band telemetry of every hop",
			"Li et al., SIGCOMM 2019", hpcc.Defaults, hpcc.New),
		row("hpcc-pint", "HPCC on a digest of one or two bytes",
			"Ben Basat et al., SIGCOMM 2020", hpccpint.Defaults, hpccpint.New, "pint", "hpccpint"),
		row("dcqcn", "ECN and rate timers, as in ConnectX firmware",
			"Zhu et al., SIGCOMM 2015", dcqcn.Defaults, dcqcn.New),
		row("dcqcn-paper", "ECN and paced CNPs, rate timers and a byte counter, as published",
			"Zhu et al., SIGCOMM 2015", dcqcnpaper.Defaults, dcqcnpaper.New, "dcqcnpaper"),
		row("dcqcn-plus", "DCQCN with timers and steps adapted to the size of an incast",
			"Gao et al., ICNP 2018", dcqcnplus.Defaults, dcqcnplus.New, "dcqcn+", "dcqcnplus"),
		row("timely", "RTT gradient, once a round trip",
			"Mittal et al., SIGCOMM 2015", timely.Defaults, timely.New),
		row("timely-paper", "RTT gradient, per segment, as its authors released it",
			"Mittal et al., SIGCOMM 2015", timelypaper.Defaults, timelypaper.New),
		row("timely-patched", "RTT gradient and the absolute RTT, with one fair fixed point",
			"Zhu et al., CoNEXT 2016", timelypaper.PatchedDefaults, timelypaper.NewPatched),
		row("dctcp", "share of ECN marks, as a rate",
			"Alizadeh et al., SIGCOMM 2010; RFC 8257", dctcp.Defaults, dctcp.New),
		row("qcn", "switches sample their queue and notify the sources",
			"IEEE 802.1Qau", qcn.Defaults, qcn.New, "802.1qau"),
		row("af-qcn", "QCN whose feedback counts a flow's share",
			"Kabbani et al., HotI 2010", qcn.AFDefaults, qcn.New),
		row("fqcn", "QCN that notifies all flows with an equal share or more",
			"Zhang and Ansari, INFOCOM 2011", qcn.FQCNDefaults, qcn.New),
		row("qcn-abc", "QCN with byte cycles in proportion to the rate",
			"Hayashi et al., ICDCSW 2011", qcn.AdaptiveDefaults, qcn.New),
		row("qcn-t", "QCN with a timer and no byte counter; our reconstruction",
			"Shu et al., Computer Networks 2017", qcn.TimerDefaults, qcn.New, "qcn-t-recon"),
		row("mpcc", "model prediction: a quadratic program over queue and window at every ACK",
			"Zheng, University of Alberta, 2024", mpcc.Defaults, mpcc.New),
		row("swift", "delay of fabric and endpoint against targets that grow for small windows",
			"Kumar et al., SIGCOMM 2020", swift.Defaults, swift.New),
		row("powertcp", "power of the bottleneck: queue times arrivals, by in-band telemetry",
			"Addanki et al., NSDI 2022", powertcp.Defaults, powertcp.New),
		row("theta-powertcp", "power of the bottleneck by the RTT and its growth",
			"Addanki et al., NSDI 2022", powertcp.Defaults, powertcp.NewTheta),
		row("dctcp-window", "share of ECN marks, as a window; the receiver echoes each mark exactly",
			"Alizadeh et al., SIGCOMM 2010; RFC 8257", tcp.DCTCPDefaults, tcp.NewDCTCP),
		row("reno", "TCP: additive increase, half the window at a loss; for a lossy class, with host.recovery selective and host.window off",
			"RFC 5681", tcp.RenoDefaults, tcp.NewReno, "newreno"),
		row("cubic", "TCP: a cubic of the time since the last loss; for a lossy class, as reno",
			"RFC 9438", tcp.CubicDefaults, tcp.NewCubic),
		row("vegas", "TCP: a few packets of its own in the queue, by delay",
			"Brakmo et al., SIGCOMM 1994", tcp.VegasDefaults, tcp.NewVegas),
		row("hpcc-window", "in-band telemetry of every hop, as the paper prints it: a window",
			"Li et al., SIGCOMM 2019", hpcc.WindowDefaults, hpcc.NewWindow),
		row("ib-cc", "InfiniBand: FECN at the root of congestion, BECN, gaps from a table; for credit flow control",
			"IBTA annex A10", ibcc.Defaults, ibcc.New, "infiniband", "ibcc", "ib"),
		row("rocc", "switches compute the fair rate of each queue and send it to its flows",
			"Taheri et al., CoNEXT 2020", rocc.Defaults, rocc.New),
		row("rcp", "switches have one rate for all flows of a link and write it into every packet",
			"Dukkipati et al., IWQoS 2005", rcp.Defaults, rcp.New),
		row("xcp", "packets carry window and round trip; switches write the change of the window into them",
			"Katabi et al., SIGCOMM 2002", xcp.Defaults, xcp.New),
		row("bolt", "switches notify sources at once and hand out spare capacity packet by packet",
			"Arslan et al., NSDI 2023", bolt.Defaults, bolt.New),
		row("nscc", "Ultra Ethernet: a window by marks and delay together, for packets that take many paths",
			"Ultra Ethernet Specification 1.0, section 3.6.13", nscc.Defaults, nscc.New),
		row("ndp", "receivers pull packets at their line rate after a first window; for switch.trim, with host.window off",
			"Handley et al., SIGCOMM 2017", ndp.Defaults, ndp.New),
		row("rcc-recon", "receivers assign windows, or adjust them by delay: a reconstruction of RCC",
			"Zhang et al., ICNP 2021; gains and thresholds are ours", rcc.Defaults, rcc.New, "rcc"),
	}
}
