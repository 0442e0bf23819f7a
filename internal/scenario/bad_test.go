package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// badScenarios are scenarios with one mistake each, and how its message must begin or what it must contain.
var badScenarios = []struct{ text, want string }{
	{"seed: 1\ncc.params.target: 0.9", `s.yaml:2: unknown key "cc.params.target": in a file, keys of a section are indented: write cc: and below it params: and below it target:`},
	{"cc:\n  params.target: 0.9", `s.yaml:2: unknown key "params.target": in a file, keys of a section are indented: write params: and below it target:`},
	{"a.b: 1", `s.yaml:1: unknown key "a.b": did you mean `},
	{"{.00\r\r0}", `s.yaml:1: unknown key ".00\n0": did you mean `},
	{"\"cc.\\n\": 1", `s.yaml:1: unknown key "cc.\n": in a file, keys of a section are indented: write cc: and below it \n:`},
	{"lod: 0.5", `s.yaml:1: unknown key "lod": did you mean load?`},
	{"seed: 1\ncc:\n  nam: hpcc", `s.yaml:3: unknown key "nam": did you mean name?`},
	{"seed: 1\nseed: 2", `s.yaml:2: `},
	{"seed: -1", `s.yaml:1: seed: "-1" is not a whole number from 0 to 18446744073709551615`},
	{"seed: 1.5", `s.yaml:1: seed: "1.5" is not a whole number`},
	{"seed: 1\nmtu: 1000.5", `s.yaml:2: mtu: "1000.5" is not a whole number of bytes (such as 1000, or 1.5KB)`},
	{"incast: 8x0.5", `s.yaml:1: incast "8x0.5": "0.5" is not a whole number of bytes`},
	{"patterns: ['permutation:1000.5']", `s.yaml:1: patterns.0: pattern "permutation:1000.5": "1000.5" is not a whole number of bytes`},
	{"ecn:\n  thresholds:\n    - {rate: 1G, kmin: 1.5B, kmax: 2, pmax: 1}", `s.yaml:3: ecn.thresholds.0.kmin: "1.5B" is not a whole number of bytes`},
	{"cc: {name: bolt, params: {threshold: 1.5}}", `s.yaml:1: cc.params.threshold: parameter threshold: "1.5" is not a whole number of bytes`},
	{"cc: {name: dctcp, params: {ai: 40}}", `s.yaml:1: cc.params.ai: parameter ai: "40" has no unit; write a rate such as 40Gbps, or 40bps if that is meant`},
	{"ecn: {thresholds: {rate: 25, kmin: 1KB, kmax: 2KB, pmax: 1}}", `s.yaml:1: ecn.thresholds.0.rate: "25" has no unit; write a rate such as 25Gbps`},
	{"seed: 99999999999999999999", `s.yaml:1: seed: "99999999999999999999" is not a whole number`},
	{"seed:", `s.yaml:1: seed has no value`},
	{"load: much", `s.yaml:1: load: "much" is not a number`},
	{"load: 0x1p-1", `s.yaml:1: load: "0x1p-1" is not a number of at least 0`},
	{"load: -0.5", `s.yaml:1: load: "-0.5" is not a number of at least 0`},
	{"load: .nan", `s.yaml:1: load: ".nan" is not a number`},
	{"series: {interval: 1us, ports: '3'}", `s.yaml:1: series.ports: "3" is no port`},
	{"series: {interval: 1us, ports: '99:0'}", `s.yaml:1: series.ports: "99:0": there is no node 99`},
	{"series: {interval: 1us, ports: '0:1'}", `s.yaml:1: series.ports: "0:1": node 0 has ports 0 to 0`},
	{"topology: star:n=4\nworkload: none\nseries: {interval: 1us, ports: '5:0'}", `s.yaml:3: series.ports: "5:0": there is no node 5; nodes are 0 to 4`},
	{"topology: star:n=4\nworkload: none\nseries: {interval: 1us, ports: '4:4'}", `s.yaml:3: series.ports: "4:4": node 4 has ports 0 to 3`},
	{"topology: star:n=4\nflows: good.csv\nseries: {interval: 1us, flows: 2}", `s.yaml:3: series.flows: there is no flow 2; flows are 0 to 1`},
	{"topology: star:n=4\nworkload: none\nseries: {interval: 1us, flows: 2}", `s.yaml:3: series.flows: there is no flow 2, or any`},
	{"series: {interval: 1us, flows: some}", `s.yaml:1: series.flows: "some" is no flow: write none`},
	{"series: {interval: 1us, flows: 123456}", `s.yaml:1: series.flows: there is no flow 123456`},
	{"series: {interval: 1us, flows: 'tag:incast'}", `s.yaml:1: series.flows: "tag:incast": no flow has this tag; there are background`},
	{"duration: 20ms\nseries: {interval: 1us, flows: all}", `s.yaml:2: series.flows: all means `},
	{"series: {points: 1}", `s.yaml:1: series.points: 1 must be 2 to 65536`},
	{"seed: 1\nstop: 0s", `s.yaml:2: stop: 0s would run nothing: write a time such as 5ms, or never`},
	{"load: 0", `s.yaml:1: load: 0 must be above 0`},
	{"load: 50", `s.yaml:1: load: 50 must be above 0 and at most 2, such as 0.5 for 50 %`},
	{"load: [1]", `s.yaml:1: load needs a single value`},
	{"duration: 5", `s.yaml:1: duration: "5" has no unit; write a duration such as 5us`},
	{"duration: -5us", `s.yaml:1: duration: "-5us" is negative`},
	{"duration: 9e30s", `s.yaml:1: duration: "9e30s" is out of range`},
	{"duration: 641h", `s.yaml:1: duration: 2307600s must be at most 640h`},
	{"lossy: 1,x", `s.yaml:1: lossy: "x" is not a class from 1 to 7: write a list such as 1,2`},
	{"lossy: 0", `s.yaml:1: lossy: "0" is not a class from 1 to 7: write a list such as 1,2`},
	{"topology: star:n=4\nflows: untagged.csv\ncc_by_tag: {y: dcqcn}", `s.yaml:3: cc_by_tag.y: no flow has this tag, or any: the column tag of a flow file gives flows tags`},
	{"topology: star:n=4\nflows: good.csv\nclass_by_tag: {y: 1}", `s.yaml:3: class_by_tag.y: no flow has this tag; there are x`},
	{"recovery_by_class: {0: selective}", `s.yaml:1: recovery_by_class.0: "0" is not a class from 1 to 7`},
	{"recovery_by_class: {01: selective}", `s.yaml:1: recovery_by_class.01: "01" is not a class from 1 to 7`},
	{"recovery_by_class: {11: selective}", `s.yaml:1: recovery_by_class.11: "11" is not a class from 1 to 7`},
	{"window_by_class: {8: on}", `s.yaml:1: window_by_class.8: "8" is not a class from 1 to 7`},
	{"switch: {load_balance: sprayed}", `s.yaml:1: switch.load_balance: "sprayed" is not known: use ecmp, spray, flowlet, drill, adaptive, conga or conweave`},
	{"switch: {sharing: static}", `s.yaml:1: switch.sharing: "static" is not known: use dynamic, complete or abm`},
	{"switch: {sharing: abm}", `s.yaml:1: switch.sharing: abm is for lossy classes, and none is: set lossy, or flow_control: none`},
	{"flow_control: credits\nswitch: {sharing: complete}", `s.yaml:2: switch.sharing: complete is for lossy classes, and none is: set lossy, or flow_control: none`},
	{"host: {reordering: 1000001}", `s.yaml:1: host.reordering: 1000001 must be at most 1000000`},
	{"topology: 'leaf-spine:leaves=2,spines=17,hosts=2'\nswitch: {load_balance: conga}", `s.yaml:2: switch.load_balance: switch 4 has hosts and 17 links to other switches, of which packets of conga can name 16: use another way, or fewer such links`},
	{"topology: 'rail-optimized:servers=4,spines=2'\nswitch: {load_balance: conga}", `s.yaml:2: switch.load_balance: host 0 has links to switches 32 and 36, but conga needs hosts at one leaf: use another way, or a network whose hosts have one switch each`},
	{"topology: 'rail-optimized:servers=2'\nswitch: {load_balance: conga}", `s.yaml:2: switch.load_balance: host`},
	{"host: {plb_threshold: 0}", `s.yaml:1: host.plb_threshold: 0 must be above 0 and at most 1, such as 0.5`},
	{"host: {plb_threshold: 1.1}", `s.yaml:1: host.plb_threshold: 1.1 must be above 0 and at most 1, such as 0.5`},
	{"host: {plb_rounds: 0}", `s.yaml:1: host.plb_rounds: 0 must be 1 to 1000000`},
	{"host: {entropy: label}", `s.yaml:1: host.entropy: "label" is not known: use flow, random, reps or plb`},
	{"host: {ack_every: 0}", `s.yaml:1: host.ack_every: 0 must be 1 to 1000000`},
	{"host: {ack_every: 2}\noptions: {rto: 0s}", `s.yaml:1: host.ack_every: 2 needs a time-out: set options.rto`},
	{"host: {ack_every: 2}\noptions: {ack_duplicates: false}", `s.yaml:1: host.ack_every: 2 needs options.ack_duplicates: true`},
	{"cc: bolt\nhost: {ack_every: 2}", `s.yaml:2: host.ack_every: bolt needs an acknowledgement of every packet`},
	{"switch: {weights: {0: 1}}", `s.yaml:1: switch.weights.0: "0" is not a class from 1 to 7`},
	{"switch:\n  weights: {1: 1,\n    3: 0}", `s.yaml:3: switch.weights.3: 0 must be 1 to 255`},
	{"pfc_watchdog: {detection: 2h}", `s.yaml:1: pfc_watchdog.detection: 7200s must be 100ns to 1h, or 0s`},
	{"pfc_watchdog: {detection: 99ns}", `s.yaml:1: pfc_watchdog.detection: 99ns must be 100ns to 1h, or 0s`},
	{"pfc_watchdog: {detection: 1ms,\n  restoration: 2h}", `s.yaml:2: pfc_watchdog.restoration: 7200s must be at most 1h`},
	{"pfc_watchdog: {detection: 1ms}\noptions: {pause_quanta: 0}", `s.yaml:1: pfc_watchdog.detection: 1ms needs pauses that expire unless they are repeated: options.pause_quanta above 0, as in profile native`},
	{"switch: {strict: 5;6}", `s.yaml:1: switch.strict: "5;6" is not a class from 1 to 7: write a list such as 1,2`},
	{"switch: {strict: '0'}", `s.yaml:1: switch.strict: "0" is not a class from 1 to 7: write a list such as 1,2`},
	{"switch:\n  strict: 3,5\n  weights: {3: 9}", `s.yaml:2: switch.strict: class 3 has a share in switch.weights: leave one of them out`},
	{"lossy: 3\nswitch: {strict: 5, sharing: abm}", `s.yaml:2: switch.strict: abm goes by shares of a port, which strict priority has not: use switch.weights, or another switch.sharing`},
	{"switch: {weights: {1: 256}}", `s.yaml:1: switch.weights.1: "256" is not a whole number from 0 to 255`},
	{"lossy: 1", `s.yaml:1: lossy: no flow is of such a class: give class_by_cc, such as {cubic: 1}, or class_by_tag`},
	{"flow_control: none\nlossy: 1", `s.yaml:2: lossy: all classes are lossy with flow_control: none: leave lossy out`},
	{"flow_control: credits\nlossy: 1", `s.yaml:2: lossy: no class is lossy with flow_control: credits: leave lossy out, or use pfc`},
	{"class_by_cc: {cubic: 1}", `s.yaml:1: class_by_cc.cubic: no flow of the run has this scheme: see cc and cc_by_tag`},
	{"class_by_cc: {hpcc: 8}", `s.yaml:1: class_by_cc.hpcc: 8 is not a class from 1 to 7`},
	{"class_by_cc: {hpcc: 0}", `s.yaml:1: class_by_cc.hpcc: 0 is not a class from 1 to 7`},
	{"class_by_tag: {background: 0}", `s.yaml:1: class_by_tag.background: 0 is not a class from 1 to 7`},
	{"class_by_tag: {x: 1}", `s.yaml:1: class_by_tag.x: no flow has this tag; there are background`},
	{"flow_control: ''", `s.yaml:1: flow_control: "" is not known: use pfc, credits or none`},
	{"'': 3", `s.yaml:1: a key without a name; known: profile, seed`},
	{"cc: {name: ''}", `s.yaml:1: cc: no scheme "": write none to do without congestion control`},
	{"flow_control: maybe", `s.yaml:1: flow_control: maybe is not known: use pfc, credits or none`},
	{"switch:\n  exact_headroom: 2", `s.yaml:2: switch.exact_headroom: "2" is neither true nor false`},
	{"profile: ns4", `s.yaml:1: profile "ns4" is not known: use native or ns3`},
	{"options:\n  order: random", `s.yaml:2: options.order: "random" is not known: use entity or schedule`},
	{"queue_sampling: {start: 5ms, end: 2ms}", `s.yaml:1: queue_sampling.end: 2ms is before queue_sampling.start, which is 5ms: no queue would be sampled`},
	{"series: {interval: 0s, flows: banana}", `s.yaml:1: series.flows: "banana" is no flow: write none, all, `},
	{"options:\n  ack_class: 8", `s.yaml:2: options.ack_class: 8 must be 0 to 7`},
	{"options:\n  pause_quanta: 65536", `s.yaml:2: options.pause_quanta: "65536" is not a whole number from 0 to 65535`},
	{"patterns: permutaton:1MB", `s.yaml:1: patterns.0: pattern "permutaton:1MB": unknown name`},
	{"patterns: [permutaton:1MB]", `s.yaml:1: patterns.0: pattern "permutaton:1MB": unknown name`},
	{"patterns:\n  - permutation:1MB\n  - ring-all-reduce:1MB,hosts=0-7, 12,group=4", `s.yaml:3: patterns.1: pattern "ring-all-reduce:1MB,hosts=0-7, 12,group=4": group: 9 hosts do not make groups of 4`},
	{"host: 5", `s.yaml:1: host needs keys and values, not "5"`},
	{"- 5", `s.yaml:1: `},
	{"just words", `s.yaml:1: `},
	{"a: [1", `s.yaml:1: not a scenario in YAML: `},
	{"load: \xff", `s.yaml:1: not UTF-8 text: save the file as UTF-8`},
	{"seed: 1\npcap: {file: a.pcapng, snap: 1B}", `s.yaml:2: pcap.snap: 1B cuts headers off, so that nothing can read the packets: keep 70B or more, or all with 0B`},
	{"load: 0.5\n---\nload: 0.6", `s.yaml:3: a second document`},
	{"{\"a\\nb\": 1}", `s.yaml:1: unknown key "a\nb": did you mean `},
	{"cc_by_tag: {\"a\\nb\": hpcc}", `s.yaml:1: cc_by_tag: the key "a\nb" has control characters: write letters and digits`},
	{"x: &a 1\nload: *a", `s.yaml:1: unknown key "x"`},
	{"load: &a 1", `s.yaml:1: anchors, aliases, tags and merge keys are not understood`},
	{"", `s.yaml:1: the file is empty`},
	{"seed: 1\nload: " + strings.Repeat("[", 1<<20), `s.yaml:2: nested too deeply`},
	{strings.Repeat("- ", 1<<20), `s.yaml:1: nested too deeply`},
	{strings.Repeat("#", 5<<20), `s.yaml: more than 4 MiB`},
	{"topology: fat-tre:k=4", `s.yaml:1: topology "fat-tre:k=4": unknown builder "fat-tre"; did you mean "fat-tree"?`},
	{"topology: fat-tree:k=5", `s.yaml:1: topology "fat-tree:k=5": `},
	{"topology: missing.txt", `s.yaml:1: topology "missing.txt": there is no such file, and it is no builder`},
	{"topology: .", `s.yaml:1: topology ".": a folder, not a file, and it is no builder`},
	{"topology: island.txt", `island.txt: host 0 cannot reach host 3`},
	{"topology: topology.txt\necn: {scale: false, thresholds: [{rate: 25Gbps, kmin: 1KB, kmax: 2KB, pmax: 1}]}", `topology.txt:3: link rate 100Gbps has no ECN thresholds: add it to KMIN_MAP, KMAX_MAP and PMAX_MAP, or ecn.thresholds in s.yaml`},
	{"seed: 1\necn: {scale: false}", `s.yaml:2: ecn.thresholds: the link rate 100Gbps has none`},
	{"ecn: {thresholds: [{rate: 25Gbps, kmin: 3KB, kmax: 2KB, pmax: 1}]}", `s.yaml:1: ecn.thresholds.0: kmin 3KB exceeds kmax 2KB`},
	{"ecn: {thresholds: [{rate: 25Gbps, kmin: 1KB, kmax: 2KB, pmax: 1.5}]}", `s.yaml:1: ecn.thresholds.0: pmax 1.5 is not a probability`},
	{"ecn: {thresholds: [{rate: 25Gbps, kmin: 1KB, kmax: 2KB}]}", `s.yaml:1: ecn.thresholds.0: pmax is missing: probability of a mark at kmax`},
	{"ecn:\n  thresholds:\n    - {rate: 25Gbps, kmin: 1KB, kmax: 2KB, pmax: 1}\n    - {rate: 1Gbps, kmax: 2KB, pmax: 1}", `s.yaml:4: ecn.thresholds.1: kmin is missing: no marks up to this queue`},
	{"ecn: {thresholds: {rate: 25Gbps, kmin: 1KB, pmax: 1}}", `s.yaml:1: ecn.thresholds`},
	{"link_loss: [{link: 0-16}]", `s.yaml:1: link_loss.0: loss is missing: probability that a packet is lost, each way`},
	{"link_loss: [0-16]", `s.yaml:1: link_loss.0: loss is missing: probability that a packet is lost, each way`},
	{"ecn: {thresholds: [{kmin: 1KB, kmax: 2KB, pmax: 1}]}", `s.yaml:1: ecn.thresholds.0: needs a rate above 0`},
	{"ecn:\n  thresholds:\n    - {rate: 25Gbps, kmin: 1KB, kmax: 2KB, pmax: 1}\n    - {rate: 25Gbps, kmin: 2KB, kmax: 3KB, pmax: 1}",
		`s.yaml:4: ecn.thresholds.1: the rate 25Gbps is given twice`},
	{"seed: 1\ncc: 'dcqcn:g=0.5'", `s.yaml:2: cc: no scheme "dcqcn:g=0.5"; did you mean dcqcn, dcqcn-paper, dcqcn-plus? (parameters belong in cc.params)`},
	{"ecn: sometimes", `s.yaml:1: ecn.mark: "sometimes" is not known: use dequeue, enqueue or off`},
	{"workload: websurch", `s.yaml:1: workload: there is no size distribution "websurch"; did you mean "WebSearch"? known: WebSearch, FbHadoop, GoogleRPC2008, DataMining, none, or a file`},
	{"workload: bad.cdf", `bad.cdf:2: the size 500 is below`},
	{"workload: 'bad.cdf,to=0'", `bad.cdf:2: the size 500 is below`},
	{"seed: 1\nworkload: websearch,hosts=0-99", `s.yaml:2: workload: hosts: there is no node 99: the network has 16 hosts, the first is 0, the last 15`},
	{"workload: websearch,start=1ms", `s.yaml:1: workload: unknown key "start"; known: hosts, to`},
	{"workload: websearch,hosts=1,to=1", `s.yaml:1: workload: to: node 1 would send to itself alone`},
	{"options: {rto: 100h}", `s.yaml:1: options.rto: 360000s must be at most 1h`},
	{"host: {delay: 61min}", `s.yaml:1: host.delay: 3660s must be at most 1h`},
	{"topology: 'star:n=3,delay=2000h'", `s.yaml:1: topology "star:n=3,delay=2000h": delay="2000h" is above 3600s: write a duration such as 1us`},
	{"topology: 'star:n=3,rate=9000000Tbps,delay=1h'", `s.yaml:1: topology "star:n=3,rate=9000000Tbps,delay=1h": rate="9000000Tbps" is above 1000Tbps: write a rate such as 100Gbps`},
	{"incast: 8", `s.yaml:1: incast "8": there is no x`},
	{"incast: 4x1KB,hosts=0-3", `s.yaml:1: incast of 4 senders and a receiver: hosts= has 3 that are not the receiver`},
	{"incast: 4x1KB,to=16", `s.yaml:1: incast: to: node 16 is a switch`},
	{"incast: 16x1KB", `s.yaml:1: incast of 16 senders and a receiver: the topology has 16 hosts`},
	{"flows: missing.csv", `s.yaml:1: flows: missing.csv: no such file`},
	{"topology: star:n=4\nflows: switch.csv", `switch.csv:2: flow end is a switch: "4"`},
	{"topology: star:n=4\nflows: scheme.csv", `scheme.csv:4: no scheme "hpc"; did you mean hpcc`},
	{"cc: hpc", `s.yaml:1: cc: no scheme "hpc"; did you mean hpcc`},
	{"cc:\n  name: hpcc\n  params:\n    targt: 1", `s.yaml:4: cc.params.targt: no parameter "targt"`},
	{"cc:\n  name: hpcc\n  params:\n    target: 7", `s.yaml:4: cc.params.target: hpcc: target is 7`},
	{"cc:\n  name: timely\n  params:\n    t_low: 1ms", `s.yaml:4: cc.params.t_high: timely: t_high is 500us; it must not be below t_low, 1ms`},
	{"cc_by_tag:\n  incst: dcqcn", `s.yaml:2: cc_by_tag.incst: no flow has this tag; there are background`},
	{"mtu: 0B", `s.yaml:1: mtu: 0B must be 1B to 64KiB`},
	{"topology: star:n=2\nbuffer: 5GB", `s.yaml:2: buffer: 5GB is too large: switch 2 can use `},
	{"switch:\n  reserve: 5GB", `s.yaml:2: switch.reserve: 5GB must be at most 4294967295B`},
	{"buffer: 1KB", `s.yaml:1: buffer: 1KB is too small: switch`},
	{"topology: star:n=9\nbuffer: 640350B", `s.yaml:2: buffer: 640350B is too small: switch 9 promises its ports 640350B of reserve and headroom: write more than that, or 0B for the default`},
	{"mtu: 64KiB\npcap: {file: x.pcapng}", `s.yaml:2: pcap.file: x.pcapng holds packets of at most 65100B, without what a scheme adds: mtu with host.header, host.ack_header or host.min_packet is more`},
	{"host: {header: 100B}\nmtu: 65001B\nfiles: {events: mix.tr}", `s.yaml:3: files.events: mix.tr holds packets of at most 65100B`},
	{"host: {ack_header: 65101B}\nfiles: {events: mix.tr}", `s.yaml:2: files.events: mix.tr holds packets of at most 65100B`},
	{"host: {min_packet: 65101B}\npcap: {file: x.pcapng}", `s.yaml:2: pcap.file: x.pcapng holds packets of at most 65100B`},
	{"loss: 1.5", `s.yaml:1: loss: 1.5 must be 0 to 1`},
	{"links:\n  - at: 1ms\n    down: 0-1", `s.yaml:2: links.0: no link joins nodes 0 and 1`},
	{"links:\n  - {at: 1ms, down: 0-16}\n  - {at: 0s, up: 0-16}", `s.yaml:3: links.1: 0s comes before the change above it`},
	{"links: [{at: 1ms}]", `s.yaml:1: links.0: give one of down and up`},
	{"links: [{at: 1ms, down: x}]", `s.yaml:1: links.0: "x" does not name a link`},
	{"link_loss: [{link: 0-16/2, loss: 0.1}]", `s.yaml:1: link_loss.0: "0-16/2": nodes 0 and 16 have 1 link`},
	{"topology: parallel.txt\nlink_loss: [{link: 0-1, loss: 0.1}]", `s.yaml:2: link_loss.0: nodes 0 and 1 have 2 links: write 0-1/1 to 0-1/2`},
	{"link_loss: [{link: 0-16, loss: 1.5}]", `s.yaml:1: link_loss.0: the loss 1.5 is not a probability`},
	{"seed: 1\nmtu: 1KB\nseed: 2", `s.yaml:3: key "seed" is given twice`},
	{"trace: 0,99", `s.yaml:1: trace: "99" is neither a node (0 to 25) nor a file`},
	{"trace: trace.txt", `trace.txt:2: `},
	{"files: {queues: q.txt}", `s.yaml:1: files.queues: q.txt needs queue_sampling`},
}

// Every mistake is one line that names file and line, the offending text, and what to do.
func TestBadScenarios(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.yaml")
	write(t, filepath.Join(dir, "untagged.csv"), "src,dst,bytes,start_ns\n0,1,1000,0\n")
	write(t, filepath.Join(dir, "good.csv"), "src,dst,bytes,start_ns,scheme,tag\n0,1,1000,0,hpcc,x\n1,0,1000,0,hpcc,\n")
	write(t, filepath.Join(dir, "switch.csv"), "src,dst,bytes,start_ns\n0,4,1000,0\n")
	write(t, filepath.Join(dir, "scheme.csv"), "src,dst,bytes,start_ns,scheme\n\n0,1,1000,0,\n0,1,1000,0,hpc\n")
	write(t, filepath.Join(dir, "bad.cdf"), "1000 50\n500 100\n")
	write(t, filepath.Join(dir, "topology.txt"), "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 25Gbps 1us 0\n")
	write(t, filepath.Join(dir, "island.txt"), "4 1 2\n2\n0 2 100Gbps 1us 0\n1 2 25Gbps 1us 0\n")
	write(t, filepath.Join(dir, "parallel.txt"), "3 1 3\n1\n0 1 100Gbps 1us 0\n0 1 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
	write(t, filepath.Join(dir, "trace.txt"), "1\n99\n")
	for _, c := range badScenarios {
		write(t, file, c.text)
		sc, err := Load(file)
		if err == nil {
			_, err = sc.Setup()
		}
		if err == nil {
			t.Errorf("%q: no error, want %s", c.text, c.want)
			continue
		}
		got := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
		if !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// Errors of a config.txt name its lines.
func TestBadConfigs(t *testing.T) {
	dir := t.TempDir()
	base, err := os.ReadFile(filepath.Join(baselines, "dumbbell4-hpcc", "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"topology.txt", "flow.txt", "trace.txt"} {
		b, err := os.ReadFile(filepath.Join(baselines, "dumbbell4-hpcc", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(b))
	}
	file := filepath.Join(dir, "config.txt")
	for _, c := range []struct{ old, with, want string }{
		{"CC_MODE 3", "CC_MOD 3", `config.txt:11: unknown key "CC_MOD": did you mean CC_MODE?`},
		{"CC_MODE 3", "CC_MODE 2", `config.txt:11: CC_MODE has no such value "2": write one of`},
		{"CC_MODE 3\n", "", `config.txt: no key "CC_MODE": add a line`},
		{"FLOW_FILE flow.txt", "FLOW_FILE flw.txt", `config.txt:5: flows: flw.txt: no such file`},
		{"TOPOLOGY_FILE topology.txt", "TOPOLOGY_FILE tplgy.txt", `config.txt:4: topology "tplgy.txt": there is no such file`},
		{"LINK_DOWN 0 0 0", "LINK_DOWN 1 0 1", `config.txt:39: links.0: no link joins nodes 0 and 1`},
		{"U_TARGET 0.95", "U_TARGET 2.01", `config.txt:`},
		{"BUFFER_SIZE 32", "BUFFER_SIZE -1", `config.txt:`},
		{"KMIN_MAP 2 100000000000 400", "KMIN_MAP 2 100000000001 400", `config.txt:`},
	} {
		if !strings.Contains(string(base), c.old) {
			t.Errorf("the baseline has no %q", c.old)
			continue
		}
		write(t, file, strings.Replace(string(base), c.old, c.with, 1))
		sc, err := Load(file)
		if err == nil {
			_, err = sc.Setup()
		}
		if err == nil {
			t.Errorf("%q: no error, want %s", c.with, c.want)
			continue
		}
		got := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
		if !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%q:\n got %s\nwant %s", c.with, got, c.want)
		}
	}
}

// A fraction where bytes, or things, are counted is a mistake, not a number to be rounded.
func TestWholeNumbers(t *testing.T) {
	for _, k := range Keys() {
		if k.Type != "size" && k.Type != "whole number" {
			continue
		}
		if err := Default().Set(k.Name, "1000.5"); err == nil || !strings.HasPrefix(err.Error(), k.Name+`: "1000.5" is not a whole number`) {
			t.Errorf("%s=1000.5: %v", k.Name, err)
		}
	}
}

func TestKeysAreDocumented(t *testing.T) {
	for _, k := range Keys() {
		if k.Doc == "" || k.Type == "" {
			t.Errorf("key %s: type %q, doc %q", k.Name, k.Type, k.Doc)
		}
	}
}

// sections cuts a scenario into its keys on the outermost level.
func sections(text []byte) (all [][]byte) {
	for line := range bytes.Lines(text) {
		if line[0] != ' ' {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], line...)
	}
	return all
}

// The default scenario is split: when a long seed adds coverage, go test takes a minute to find the part that does.
func FuzzRead(f *testing.F) {
	for _, section := range sections(Default().text()) {
		f.Add(section)
	}
	f.Add([]byte("cc: dcqcn\nlinks: [{at: 1ms, down: 16-20}]\npatterns:\n  - \"a\\x41\"\n"))
	f.Add([]byte("{,\r\r\x1e\r]}\n"))
	f.Add([]byte("cc_by_tag: {\"a\\nb\": hpcc}\n"))
	f.Add([]byte("profile: ns3\necn: {mark: enqueue, thresholds: [{rate: 1G}]}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		sc, err := Read("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is not one line about f: %q", err)
			}
			return
		}
		var once strings.Builder
		if err := sc.Print(&once); err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error is not one line: %q", err)
			}
			return
		}
		again, err := Read("again", []byte(once.String()))
		if err != nil {
			t.Fatalf("printed scenario is not read: %v\n%s", err, once.String())
		}
		var twice strings.Builder
		if err := again.Print(&twice); err != nil || once.String() != twice.String() {
			t.Errorf("printed again: %v\n%s\nwant\n%s", err, twice.String(), once.String())
		}
	})
}
