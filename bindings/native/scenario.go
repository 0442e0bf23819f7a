package native

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// Scenario holds a user's options.
type Scenario struct {
	mu sync.Mutex
	sc *scenario.Scenario
}

// NewScenario returns the built-in scenario.
func NewScenario() *Scenario { return &Scenario{sc: scenario.Default()} }

// LoadScenario reads a scenario in YAML, or the config.txt of the reference.
func LoadScenario(path string) (s *Scenario, err error) {
	defer guard(&err)
	sc, err := scenario.Load(path)
	if err != nil {
		return nil, err
	}
	return &Scenario{sc: sc}, nil
}

// ReadScenario reads a scenario from a text in YAML.
func ReadScenario(text string) (s *Scenario, err error) {
	defer guard(&err)
	sc, err := scenario.Read("scenario", []byte(text))
	if err != nil {
		return nil, err
	}
	return &Scenario{sc: sc}, nil
}

// Apply changes keys as a JSON object says.
func (s *Scenario) Apply(text string) (err error) {
	defer guard(&err)
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := s.sc.Clone()
	if err := changed.Apply([]byte(text)); err != nil {
		return err
	}
	s.sc = changed
	return nil
}

// SetFlows gives the flows that are added to those of the scenario: a table in CSV, such as
// traces.ReadFlowTable reads; empty: none. Errors name a flow by its number, from 0.
func (s *Scenario) SetFlows(csv string) (err error) {
	defer guard(&err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if csv == "" {
		s.sc.Added = nil
		return nil
	}
	flows, err := readFlows(csv, scenario.NameOfAdded)
	if err == nil {
		s.sc.Added = append([]traces.Flow{}, flows...)
	}
	return err
}

// readFlows reads a table of flows. Errors call a flow by the name of its number, from 0.
func readFlows(csv string, name func(i int) string) ([]traces.Flow, error) {
	flows, err := traces.ReadFlowTable("added flows", strings.NewReader(csv))
	if wrong, ok := errors.AsType[*traces.SyntaxError](err); ok {
		if wrong.Line > 1 { // below the names of the columns
			wrong.File = name(wrong.Line - 2)
		}
		wrong.Line = 0
	}
	return flows, err
}

// Text returns the scenario in force, completed, in YAML.
func (s *Scenario) Text() (text string, err error) {
	defer guard(&err)
	var b bytes.Buffer
	err = s.copy().Print(&b)
	return b.String(), err
}

// copy returns a copy of the scenario for a run, which may complete it.
func (s *Scenario) copy() *scenario.Scenario {
	s.mu.Lock()
	defer s.mu.Unlock()
	sc := s.sc.Clone()
	sc.ReadFlows = tables.LoadFlows
	return sc
}

// Copy returns an independent scenario.
func (s *Scenario) Copy() (c *Scenario, err error) {
	defer guard(&err)
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Scenario{sc: s.sc.Clone()}, nil
}

// Portable returns the scenario in YAML, completed except for the flows that SetFlows has given:
// another process that adds these runs the same.
func (s *Scenario) Portable() (text string, err error) {
	defer guard(&err)
	whole := s.copy()
	if err := whole.Complete(); err != nil {
		return "", err
	}
	whole.Added = nil
	return whole.Record(), nil
}

// Start begins a run, on a number of threads, that writes its files to a folder; empty: none. Flows may be added to a
// closed loop.
func (s *Scenario) Start(dir string, threads int, closedLoop bool) (m *Simulation, err error) {
	defer guard(&err)
	sc := s.copy()
	sc.Out, sc.ClosedLoop = dir, closedLoop
	setup, err := sc.Setup()
	if err != nil {
		return nil, err
	}
	if setup.Threads, err = driver.Threads(threads); err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	setup.Threads = setup.UsefulThreads(setup.Threads)
	m = &Simulation{sc: sc, rec: newRecorder(setup)}
	if m.run, err = driver.Start(sc, setup, dir, m.rec); err != nil {
		return nil, err
	}
	return m, nil
}
