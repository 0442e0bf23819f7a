package scenario

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads"
)

// noWorkload is the workload that makes no flows.
const noWorkload = "none"

// findWorkload completes the path of the file of sizes, as those of other inputs.
func (sc *Scenario) findWorkload() error {
	if sc.Workload == noWorkload {
		return nil
	}
	there := func(path string) bool { return isFile(findInput(sc.file, path, isFile)) }
	from, err := workloads.ParseSource(sc.Workload, there)
	if err != nil {
		return sc.wrong("workload", err)
	}
	sc.Workload = findInput(sc.file, from.Name, isFile) + from.Keys
	return nil
}

// sizesFile returns the path of the file of sizes, if the workload is one.
func (sc *Scenario) sizesFile() string {
	from, err := workloads.ParseSource(sc.Workload, isFile)
	if err != nil {
		return ""
	}
	return from.Name
}

// background makes the flows of the workload.
func (sc *Scenario) background(s *sim.Setup, until core.Time) ([]workloads.Flow, error) {
	from, err := workloads.ParseSource(sc.Workload, isFile)
	if err == nil {
		err = from.Check(s.Topology)
	}
	if err != nil {
		return nil, sc.wrong("workload", err)
	}
	sizes, err := sizesOf(from.Name)
	if err != nil {
		return nil, sc.blame("workload", from.Name, err)
	}
	p := &workloads.Poisson{Sizes: sizes, Ends: from.Ends, Load: sc.Load, To: until, Prio: traces.DefaultPrio}
	flows, err := p.Flows(s.Topology, sc.Seed)
	if err != nil {
		return nil, sc.wrong("load", err)
	}
	sc.noteBackground(s, p, len(flows))
	return flows, nil
}

// noteBackground makes notes of background traffic that is not what its load suggests.
func (sc *Scenario) noteBackground(s *sim.Setup, p *workloads.Poisson, flows int) {
	if host, share := p.MostOffered(s.Topology); share > 1 && share > sc.Load*(1+1e-9) {
		s.Notes = append(s.Notes, fmt.Sprintf("background flows offer host %d %.3g times its rate at a load of %v: destinations are drawn uniformly, whatever their rates", host, share, sc.Load))
	}
	if mean := p.Sizes.Mean(); flows > 0 && mean < float64(s.Header) { // every message has a packet
		s.Notes = append(s.Notes, fmt.Sprintf("background flows put more headers than message bytes on the wire: sizes average %.3g B, packets have headers of %v, and load counts message bytes alone", mean, s.Header))
	}
	if flows == 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("no background flow arrives within %v at a load of %v: on average %.2g would; lengthen duration, or raise load", sc.Duration, sc.Load, p.Expected(s.Topology)))
	}
}

// sizesOf returns the named distribution, or that of a file.
func sizesOf(name string) (*workloads.CDF, error) {
	if isFile(name) {
		f, err := traces.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return workloads.ReadCDF(name, f)
	}
	sizes, err := workloads.NamedSizes(name)
	if err != nil {
		return nil, fmt.Errorf("%w, %s, or a file", err, noWorkload)
	}
	return sizes, nil
}
