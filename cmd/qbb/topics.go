package main

import (
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/filter"
	"github.com/qbb-sim/qbb/workloads"
)

// topic is a help text that belongs to no single command.
type topic struct {
	name, brief string
	write       func(p *page)
	also        []string // other words for it
}

func topics() []topic {
	return []topic{
		{"topologies", "networks for --topology", helpTopologies, nil},
		{"workloads", "traffic: --workload, --incast, --pattern, --flows, --schedule", helpWorkloads, nil},
		{"scenario", "the keys of a scenario file and of --set", helpScenario, nil},
		{"expressions", "which packets: qbb inspect, --pcap-filter", helpExpressions, nil},
		{"inputs", "every file that qbb reads, with columns and units", helpInputs, nil},
		{"outputs", "every file that qbb writes, with columns and units", helpOutputs, nil},
		{"units", "how to write times, rates and sizes", helpUnits, nil},
		{"programs", "use from Python, C and ns-3", helpPrograms, []string{"python", "c", "c++", "ns-3", "ns3"}},
	}
}

func topicNames() []string {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return names
}

func helpTopologies(p *page) {
	p.paragraph(0, "A topology is written NAME:KEY=VALUE,KEY=VALUE or NAME:PRESET,KEY=VALUE, or is the name of a file in the format of topology.txt (qbb help inputs).")
	for _, b := range topo.Builders() {
		p.WriteString("\n" + b.Name + "\n")
		p.paragraph(2, b.Doc)
		for _, par := range b.Params {
			left := par.Name
			if par.Default != "" {
				left += "=" + par.Default
			}
			p.item("  "+left, 24, par.Doc)
		}
		for _, preset := range b.Presets {
			p.item("  "+b.Name+":"+preset.Name, 24, preset.Doc)
		}
	}
	p.WriteString("\n")
	p.paragraph(0, "Nodes are numbered from 0: hosts, then switches, those nearest to the hosts first. qbb gen topology SPEC -o - lists them and the links, for --link-down and others; the ports of a node are numbered in the order of its links. Where one link is slower than the others, or the network is none of these, the topology is a file: write a similar one with qbb gen topology, and change its lines.")
	p.WriteString("\n")
	p.paragraph(0, "A link has a rate of 1 kb/s to 1000 Tb/s and a delay of at most an hour, a node at most 65,535 ports. A round trip over all switches, which no path exceeds, takes at most 1000 hours, and the fastest link carries at most 4,000,000 TB in it.")
	p.WriteString("\n")
	p.paragraph(0, "Packets take a path of the fewest links. Among several such paths every switch, and a host with several ports, chooses by a hash of its own number, the addresses and the ports, so that a flow keeps to one. The hash includes the seed only if options.ecmp_seeded is true: otherwise the same flows meet on the same links under every seed, and take other links with another src_port (qbb help inputs).")
	p.WriteString("\n")
	p.paragraph(0, "--load-balance has switches choose otherwise: spray, drill and adaptive for every packet, flowlet and conga whenever a flow has paused for switch.flowlet_gap (qbb help scenario), conweave when its path is slow. conga is made for two tiers, leaf-spine: switches with hosts, of at most 16 links to others each, choose the least congested path, and those between them go by hash, so that with more tiers it knows less. A host with several ports keeps a flow on one of them. Where packets overtake each other, hosts take those left behind for lost: go-back-n sends everything again, selective recovery only what was overtaken, and nothing if host.reordering allows for it. Schemes that compare the INT records of successive packets, such as hpcc, need ecmp. Ideal times are those of one path, also where a flow uses several.")
	p.WriteString("\n")
	p.paragraph(0, "With conweave (Song et al., 2023) the switch of the sending host chooses a path end to end for every connection, and asks the switch of the receiving host for a reply. If none comes in time (conweave.reply), it sends the connection on another path, one of two random ones that has not marked packets lately. The other switch holds what overtakes the last packet on the old path, so hosts have packets in order, whatever their recovery; only if that packet does not come within conweave.resume of its estimated time is it overtaken. What is held takes buffer, and has neighbours paused, but is in no queue; of a lossy class every connection may hold as much as a queue may. A connection begins on a random path, so that even a slow one has its share of messages that have been sent before a reply could come. Without congestion control, or with a queue longer than conweave.reply allows for, connections keep moving; the end of a run tells how often they moved, and how often a last packet was not waited for to the end. Answers are packets of 64 bytes in class 0 between the two switches: kind conweave in qbb inspect. Hosts must have one link each; acknowledgements take the path of ecmp.")
	p.WriteString("\nExamples: star:n=9   fat-tree:thesis,delay=2us   dumbbell:n=4,bottleneck=40Gbps\nOversubscribed 2:1: fat-tree:k=8,hosts=8   leaf-spine:leaves=4,spines=2,hosts=4\nRails 4:1: rail-optimized:servers=32,spines=8\n")
}

func helpWorkloads(p *page) {
	const column = 22
	p.paragraph(0, "Background traffic (--workload NAME or FILE, --load, --duration): flows start at every host as a Poisson process, to destinations drawn uniformly, whatever their rates. Each line of a file has a size in bytes and the percentage of messages that are not larger. Load counts message bytes, as a share of a host's rate; headers come on top. A host's rate is that of all its links but those faster than its slowest, such as NVLinks.")
	p.WriteString("\n")
	for _, name := range workloads.Sizes() {
		sizes, err := workloads.NamedSizes(name)
		if err != nil {
			panic(err)
		}
		p.item(name, column, "mean "+figure.ThreeDigits(sizes.Mean()/1e3)+" KB")
	}
	p.WriteString("\n")
	p.paragraph(0, "Incast (--incast): in every round N random hosts send a flow each to one random host, all at once.")
	p.WriteString("\n")
	p.item("8x300KB", column, "8 senders of 300 KB, in all 2 % of the hosts' capacity")
	p.item("8x300KB@5%", column, "5 % of the hosts' capacity")
	p.item("8x300KB@1ms", column, "a round every millisecond")
	p.WriteString("\n")
	p.paragraph(0, "Both may run between some hosts: behind the name, the file or the numbers are hosts=, those that send, and to=, those that they send to, otherwise each other; written as for patterns, below.")
	p.WriteString("\n")
	p.item("fbhadoop,hosts=0-7", column, "among 8 hosts; the others send and receive nothing")
	p.item("websearch,to=0,8", column, "from all hosts to two, from these to each other")
	p.item("8x300KB@5%,to=0", column, "always to host 0; its load is 5 % of the rates of those that receive: here of that host's")
	p.WriteString("\n")
	p.paragraph(0, "Patterns (--pattern NAME:SIZE, NAME:SIZES,ROUNDS or NAME:SIZES,ROUNDS,PAUSE): all flows start together, except those of later steps, rounds and phases (after=, below). With rounds, every message is answered by one byte, whose arrival starts the pair's next message; one-many:1KB-1MB,10 makes ten rounds of every size from 1 KB, doubling, up to 1 MB. Answers have their own tag, such as one-many-answer. Collectives (rings, halving-doubling) have none: a host begins the next one when it has received the last flow of the one before. Every message is a queue pair of its own, with a source port and so, by hash, a path of its own: with --set host.connections=1 all messages from one host to another are sent one after another on a single queue pair, and so on one path. That is also how libraries of collectives send, and matters without a choice of paths: messages to the next host of a ring that share the link each take longer, and a ring that has once fallen out of step stays so. 20 rounds of ring-all-reduce:8MB on star:n=16,rate=400Gbps with dcqcn and mtu 4KB take 7.42 ms, and beside a single message of 1 MB at their start 9.20 ms, with one connection 7.46 ms. With a pause, as in ring-all-reduce:64MB,10,2ms, that much time passes before every round but the first, as for computing.")
	p.WriteString("\n")
	for _, pattern := range workloads.Patterns() {
		p.item(pattern.Name, column, pattern.Doc)
	}
	p.item("long-and-short", column, "long-and-short:100MB,1MB,1ms: the first host sends a long flow to the last one; each host between them joins with a short flow, one after another")
	p.WriteString("\n")
	p.paragraph(0, "Groups of hosts and phases: behind all of that a pattern takes keys, as in ring-all-reduce:64MB,10,2ms,group=8. It then runs in each group as otherwise in all hosts. All groups start together unless they wait, and have random pairs of their own.")
	p.WriteString("\n")
	p.item("hosts=0-7,12-60:8", column, "these nodes, in this order, which is that of a ring; 12-60:8 is every eighth from 12 to 60. Otherwise all hosts")
	p.item("group=8", column, "groups of 8 hosts: of that list the first 8, the next 8, and so on")
	p.item("stride=8", column, "8 groups of every eighth host: 0, 8, 16, ...; 1, 9, 17, ...; up to 7, 15, 23, ...")
	p.item("group=4,stride=8", column, "groups of 4 hosts that are 8 apart: 0, 8, 16, 24; 1, 9, 17, 25; up to 7, 15, 23, 31; then 32, 40, 48, 56 and so on")
	p.item("tag=tp{group}", column, "tag of the flows, otherwise the name of the pattern; {group} and {round} become their numbers, from 0")
	p.item("start=5ms", column, "when the pattern starts, otherwise at 0")
	p.item("after=tp{group}", column, "each host begins when it has done its part in the pattern before that has this tag=, or this name and no tag, written in the same way; if several have it, in all of them")
	p.WriteString("\n")
	p.paragraph(0, "A host has done its part when all flows from and to it have ended, and in collectives, as between their rounds, when it has received its last flow. Hosts do not wait for each other, and one that has no part begins at once. A start counts from there: it is the pause before the phase. So a reduction over servers of 8 hosts and then between these, 2 ms later, is --pattern ring-all-reduce:64MB,group=8,tag=tp{group} --pattern ring-all-reduce:64MB,stride=8,tag=dp,after=tp{group},start=2ms.")
	p.WriteString("\n")
	p.paragraph(0, "Several jobs are several patterns: --pattern ring-all-reduce:64MB,5,hosts=0-15,tag=a --pattern all-to-all:1MB,hosts=16-31,tag=b,start=5ms. Their tags tell jobs, or with the numbers groups and rounds, apart in the summary, in qbb table, and for --tag and the keys of flows with a tag. Where several groups have one tag, its time ends when the last group does; the summary has that of the fastest group, too. Several patterns are one value of qbb sweep as a list, in which commas need quotes: --vary pattern=\"['A,tag=a', 'B,after=a'] C\".")
	p.WriteString("\n")
	p.paragraph(0, "Recorded traffic (--flows FILE): flow.txt, CSV or Parquet. In CSV and Parquet a flow may wait for others to end and, with the start that it has, for some time more, as in training; so any collective can be written, in groups of hosts or along trees. See qbb help inputs.")
	p.WriteString("\n")
	p.paragraph(0, "A schedule (--schedule PATH) says what every host sends, receives and computes, and what waits for what. Messages leave when the simulated network and the computing before them let them; the summary says when all hosts were done, for how long they computed, and how much communication was exposed, not hidden behind computing; schedule.parquet says when every operation began and ended. The flows have the name of the file, up to a dot, as their tag. There are two formats (qbb help inputs), and several schedules may run, each on hosts of its own, as jobs do: --schedule job.goal --schedule other.goal,hosts=8-15,start=5ms,tag=b. Without hosts= the ranks are the first hosts in their order, otherwise those of the list, which is written as that of a pattern. The summary then tells of each.")
	p.WriteString("\n")
	p.item("job.goal", column, "GOAL, the language of LogGOPSim and ATLAHS, into which their tools turn traces of training (NCCL), HPC (MPI) and storage jobs")
	p.item("job", column, "Chakra execution traces of MLCommons, the input of ASTRA-sim: job.0.et, job.1.et and so on, one for each rank, or those in the folder job; also as job.0.et.gz. Collectives become messages, in rings, all to all or along trees, among the ranks whose traces have the same pg_name")
}

func helpScenario(p *page) {
	p.paragraph(0, "A scenario is a YAML file; unknown keys are errors. Keys of sections are dotted here and in --set, and indented in a file; of a list, a single item may stand alone. qbb run --print-scenario prints the scenario in force, as a file that qbb run accepts.")
	p.WriteByte('\n')
	for _, k := range scenario.Keys() {
		left := k.Name
		if k.Default != "" {
			left += "=" + k.Default
		}
		kind := k.Type
		if k.Range != "" {
			kind += ": " + k.Range
		}
		p.item(left, 34, "["+kind+"] "+k.Doc)
	}
}

func helpExpressions(p *page) {
	const column = 12
	p.paragraph(0, "An expression compares fields with values or with other fields of the same sort, by == != < <= > >=, and joins comparisons with && (and), || (or), ! (not) and parentheses. Times and sizes take units (qbb help units). On a command line put it in quotes.")
	p.WriteByte('\n')
	for _, f := range filter.Fields() {
		text := f.Doc
		switch f.Sort {
		case filter.Choice:
			text += ": " + strings.Join(f.Words(), ", ")
		case filter.Flag:
			text += "; stands alone, without a comparison"
		case filter.Time:
			text += ", with a unit"
		}
		p.item(f.Name, column, text)
	}
	p.WriteString(`
Examples:
  qbb inspect out/p.pcapng 'node==5 && time>2us && kind==pfc'
  qbb inspect out/mix.tr 'flow==3 && (ce || rtx) && event==recv && node==dst'
  qbb run --pcap p.pcapng --pcap-filter 'kind!=data' --pcap-ring 1000
`)
}

func helpInputs(p *page) {
	p.paragraph(0, "Files may be compressed with gzip or zstd, whatever their name. The name - is standard input, for one file of a command, but not in qbb sweep, which reads its files for every run. Names in files are relative to the working folder; those in a config.txt or a scenario may be relative to its own.")
	writeSchemas(p, "Input. ")
}

func helpOutputs(p *page) {
	p.paragraph(0, "Files of a run appear under their names once all are complete; optional tables of an earlier run in the folder that this run does not write, and report.html if it is about that run alone, are removed then. Tables are Parquet, which qbb csv prints as CSV; their metadata hold scenario, seed and version. qbb also reads them as other programs, such as pandas, write them: with columns in any order, with further columns, and of any type that holds the same values; but not in LZ4, nor with Booleans in runs (RLE).")
	writeSchemas(p, "Output. ")
	helpSummary(p)
	p.WriteString("\n" + reportFile + "\n")
	p.paragraph(2, "Charts and tables of the files above: qbb run --report, qbb report.")
}

// writeSchemas writes the formats whose description begins with a word.
func writeSchemas(p *page, kind string) {
	for _, s := range traces.Schemas() {
		doc, ok := strings.CutPrefix(s.Doc, kind)
		if !ok {
			continue
		}
		p.WriteString("\n" + s.File + "\n")
		p.paragraph(2, doc)
		for _, c := range s.Columns {
			unit := slices.DeleteFunc([]string{c.Type, c.Unit}, func(s string) bool { return s == "" })
			p.item("  "+c.Name, 26, "["+strings.Join(unit, ", ")+"] "+c.Doc)
		}
	}
}

func helpUnits(p *page) {
	const column = 12
	p.item("time", column, "ps, ns, us, ms, s, min, h: 1.5ms; to the picosecond")
	p.item("rate", column, "bps, Kbps, Mbps, Gbps, Tbps, or b/s and B/s with the same letters: 100Gbps, 12.5GB/s; a bare number is bit/s, and is taken for a mistake between 0 and 1000, except in config.txt; to the bit/s")
	p.item("size", column, "B, KB (1000), KiB (1024), MB, MiB, GB, GiB, TB, TiB: 300KB; a bare number is bytes. Bytes are whole; other units may have fractions, which are rounded to whole bytes: 1.5KB, but not 1000.5")
	p.item("share", column, "a fraction or a percentage: 0.5, 50%")
}

func helpPrograms(p *page) {
	const column = 12
	p.paragraph(0, "Programs use the simulator in other ways than by this command. What they need, and the pages that explain it, is in the source tree.")
	p.WriteByte('\n')
	p.item("Python", column, "the package qbb runs scenarios, whole, in steps or in closed loops, to which a program adds flows as others end, hands over results as NumPy arrays and DataFrames, and drives single schemes by hand. import qbb; help(qbb) explains what is in it, qbb.keys() the keys of a scenario, qbb.schemas() all tables; bindings/README.md how to install it: pip install ./bindings")
	p.item("C, C++", column, "the library libqbb has single schemes, network interfaces and switches, and whole runs. cgo/qbb.h explains every call; cmake -S . -B build && cmake --build build makes it")
	p.item("ns-3", column, "the module ns3bridge has hosts, switches and links as ns-3 objects. ns3bridge/doc/qbb.rst says how to install it, and how to migrate a script of the HPCC simulator")
}
