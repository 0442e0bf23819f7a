//go:build cgo

package main

import (
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// hostedRun is a hosted run with our engine's links and events: it does what a host has to do.
type hostedRun struct {
	*hosted
	run     uint64
	setup   *sim.Setup // of the same scenario: what the host reads by qbb_run_links and similar calls
	changed int        // link changes that have been made
}

// runDevice is a node of it; a core.Node.
type runDevice struct {
	device
	id core.NodeID
}

// Receive implements core.Node: the run decides what its links lose.
func (d runDevice) Receive(t *core.Turn, port int, p *core.Packet) {
	if callLost(qbb_node_lost, d.n, t.Now, port) != 0 {
		d.h.pool.pool.Free(p)
		return
	}
	d.device.Receive(t, port, p)
}

func callLost[H ~uint64, T ~int64, U ~uint32, R ~int32](f func(H, T, U) R, node uint64, now core.Time, port int) int {
	return int(f(H(node), T(now), U(port)))
}

// SetLink implements core.Node.
func (d runDevice) SetLink(t *core.Turn, port int, up bool) {
	callSetLink(qbb_node_set_link, d.device, t, port, one(up, 1), room)
}

func callSetLink[H ~uint64, T ~int64, U ~uint32, L ~int32, A any, R ~int32](f func(H, T, T, U, L, *A, U) R, d device, t *core.Turn, port int, up uint32, out []A) {
	d.obey(t, int(f(H(d.n), T(t.Now), T(t.Born), U(port), L(up), &out[0], U(len(out)))))
}

// task is a function as a process.
type task struct {
	id engine.ProcessID
	do func(now core.Time)
}

// Run implements engine.Process.
func (k *task) Run(now core.Time) { k.do(now) }

// at makes a task run at a time.
func (h *hostedRun) at(at core.Time, k *task) {
	if k.id == 0 {
		k.id = 1 + h.engine.AddProcess(k)
	}
	h.engine.ScheduleProcess(k.id-1, at)
}

// newHostedRun makes a hosted run of a scenario, and its devices' links.
func newHostedRun(t *testing.T, sc *scenario.Scenario) *hostedRun {
	t.Helper()
	qbb_open(abiVersion)
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	h := &hostedRun{hosted: &hosted{t: t, nodes: make([]uint64, len(s.Topology.Kinds))}, setup: s}
	h.run = makeRun(t, qbb_run_new, objects.add(&options{Scenario: sc}), 3) // QBB_RUN_HOSTED | QBB_RUN_KEEP_PFC
	r := objects.find(h.run).(*run)
	h.pool = &network{pool: core.NewPool(r.format.MaxHops), format: r.format}
	ports := s.Topology.Ports()
	counts := make([]int, len(ports))
	for id, p := range ports {
		counts[id] = len(p)
	}
	h.engine = engine.New(s.Profile.Order, h.pool.pool, counts)
	h.engine.Actions = h.done
	for id, p := range ports {
		h.nodes[id] = nodeOf(t, qbb_run_node, h.run, id)
		h.engine.Attach(core.NodeID(id), h.device(core.NodeID(id)))
		for i, at := range p {
			if l := &s.Topology.Links[at.Link]; l.A == core.NodeID(id) {
				h.engine.Connect(h.engine.Port(l.A, i), h.engine.Port(at.Peer, at.PeerPort), s.Delay(l))
			}
		}
	}
	return h
}

func (h *hostedRun) device(id core.NodeID) runDevice {
	return runDevice{device{h.hosted, h.nodes[id]}, id}
}

func makeRun[H ~uint64, O ~uint32, R ~uint64, E ~int32](t *testing.T, f func(H, O, *R) E, scenario uint64, options uint32) uint64 {
	t.Helper()
	var out R
	if code := f(H(scenario), O(options), &out); code != 0 {
		t.Fatalf("code %d", code)
	}
	return uint64(out)
}

func nodeOf[H ~uint64, I ~int32, N ~uint64, R ~int32](t *testing.T, f func(H, I, *N) R, run uint64, id int) uint64 {
	t.Helper()
	var out N
	if code := f(H(run), I(id), &out); code != 0 {
		t.Fatalf("node %d: code %d", id, code)
	}
	return uint64(out)
}

// write opens the run's files in a folder.
func (h *hostedRun) write(dir string, files ...string) {
	h.t.Helper()
	for i, name := range files {
		writeTo(h.t, qbb_run_write, h.run, i, filepath.Join(dir, name))
	}
}

func writeTo[H ~uint64, F ~int32, C ~int8, R ~int32](t *testing.T, f func(H, F, *C) R, run uint64, file int, path string) {
	t.Helper()
	text := append([]byte(path), 0)
	if code := f(H(run), F(file), (*C)(unsafe.Pointer(&text[0]))); code != 0 {
		t.Fatalf("%s: code %d", path, code)
	}
}

// play starts flows, changes links, takes samples, and runs all to the end.
func (h *hostedRun) play() {
	s := h.setup
	if len(s.Flows) > 0 {
		starter := &task{}
		starter.do = func(now core.Time) { h.start(starter, now) }
		h.at(s.Flows[0].Start, starter)
	}
	if len(s.Links) > 0 {
		changer := &task{}
		changer.do = func(now core.Time) { h.change(changer, now) }
		h.at(s.Links[0].At, changer)
	}
	if q := &s.Sampling; q.Interval > 0 && q.Events {
		h.engine.Beat(&task{do: func(now core.Time) { tell(h.t, qbb_run_sample, h.run, now) }}, q.Start, q.Interval, q.End)
	}
	if every := s.Manager.Sweep; every > 0 {
		sweeper := &task{}
		sweeper.do = func(now core.Time) {
			tell(h.t, qbb_run_sweep, h.run, now)
			if !h.engine.Idle() {
				h.at(now.Add(every), sweeper)
			}
		}
		h.at(core.Time(every), sweeper)
	}
	for h.engine.Run(s.Stop, 1<<20) == 1<<20 {
	}
}

func tell[H ~uint64, T ~int64, R ~int32](t *testing.T, f func(H, T) R, run uint64, now core.Time) {
	t.Helper()
	if code := f(H(run), T(now)); code < 0 {
		t.Fatalf("code %d", code)
	}
}

// start starts the flows that are due: by two further events each, if the run asks for it.
func (h *hostedRun) start(k *task, now core.Time) {
	flows := h.setup.Flows
	for ; h.next < len(flows); h.next++ {
		flow := h.next
		open := func(core.Time) { h.open(flow) }
		switch f := &flows[flow]; {
		case len(f.After) > 0:
		case f.Start > now:
			h.at(f.Start, k)
			return
		case h.setup.Profile.StartChain:
			h.at(now, &task{do: func(now core.Time) { h.at(now, &task{do: open}) }})
		default:
			open(now)
		}
	}
}

func (h *hostedRun) open(flow int) {
	src := h.setup.Flows[flow].Src
	openRun(qbb_run_open, h.device(src).device, h.engine.Turn(), h.run, flow, room)
	h.engine.CarryOut(src)
}

func openRun[H ~uint64, T ~int64, F ~uint32, A any, R ~int32](f func(H, T, T, F, *A, F) R, d device, t *core.Turn, run uint64, flow int, out []A) {
	d.obey(t, int(f(H(run), T(t.Now), T(t.Born), F(flow), &out[0], F(len(out)))))
}

// change takes links down and up and binds flows again.
func (h *hostedRun) change(k *task, now core.Time) {
	links := h.setup.Links
	for ; h.changed < len(links) && links[h.changed].At <= now; h.changed++ {
		ev := links[h.changed]
		l := &h.setup.Topology.Links[ev.Link]
		for _, id := range [...]core.NodeID{l.A, l.B} {
			for port, p := range h.setup.Topology.Ports()[id] {
				if p.Link == ev.Link {
					h.device(id).SetLink(h.engine.Turn(), port, ev.Up)
					h.engine.CarryOut(id)
				}
			}
		}
	}
	tell(h.t, qbb_run_reroute, h.run, now)
	for _, id := range h.setup.Topology.Hosts() {
		rerouteNIC(qbb_nic_reroute, h.device(id).device, h.engine.Turn(), room)
		h.engine.CarryOut(id)
	}
	if h.changed < len(links) {
		h.at(links[h.changed].At, k)
	}
}

func rerouteNIC[H ~uint64, T ~int64, A any, U ~uint32, R ~int32](f func(H, T, T, *A, U) R, d device, t *core.Turn, out []A) {
	d.obey(t, int(f(H(d.n), T(t.Now), T(t.Born), &out[0], U(len(out)))))
}

// done opens flows that have waited for others.
func (h *hostedRun) done(_ core.NodeID, a *core.Action) {
	if a.Kind == flowReady {
		flow := int(a.Flow)
		h.at(a.At, &task{do: func(core.Time) { h.open(flow) }})
	}
}

// finish completes the files and frees the run.
func (h *hostedRun) finish() {
	h.t.Helper()
	if finishRun(qbb_run_finish, h.run) != 0 || finishRun(qbb_run_free, h.run) != 0 {
		h.t.Error("not finished")
	}
}

func finishRun[H ~uint64, R ~int32](f func(H) R, run uint64) int { return int(f(H(run))) }
