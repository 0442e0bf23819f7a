package native

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// added stands for the file of flows in a scenario whose flows come from Python.
const added = "flows added in Python"

// firstAdded is the line number of the first of them: higher than in any file of flows, so that errors tell the two
// apart.
const firstAdded = 1 << 29

// Scenario holds a user's options.
type Scenario struct {
	mu    sync.Mutex
	sc    *scenario.Scenario
	flows string // in CSV, added to those of a file
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
// traces.ReadFlowTable reads; empty: none.
func (s *Scenario) SetFlows(csv string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flows = csv
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
	if s.flows == "" {
		sc.ReadFlows = tables.LoadFlows
		return sc
	}
	csv, file := s.flows, sc.Flows
	sc.Flows = added
	sc.ReadFlows = func(string) ([]traces.Flow, error) { return readFlows(file, csv) }
	return sc
}

// readFlows reads the flows of a file, if one is named, and those added in Python, whose lines are numbered from
// firstAdded on.
func readFlows(file, csv string) (flows []traces.Flow, err error) {
	var surplus *traces.SurplusError
	if file != "" {
		if flows, err = tables.LoadFlows(file); err != nil && !errors.As(err, &surplus) {
			return nil, err
		}
	}
	const toAdded = firstAdded - 2 // from the lines of the table, the first of which names the columns
	more, err := traces.ReadFlowTable(added, strings.NewReader(csv))
	var wrong *traces.SyntaxError
	switch {
	case errors.As(err, &wrong):
		if wrong.Line += toAdded; wrong.Line < firstAdded { // the names of the columns
			wrong.Line = 0
		}
	case err == nil && surplus != nil:
		err = surplus
	}
	before := int32(len(flows))
	for _, f := range more {
		f.Line += toAdded
		for k := range f.After { // are numbers of added flows
			f.After[k] += before
		}
		flows = append(flows, f)
	}
	return flows, err
}

// lineOfFlow begins an error of a line of the flows of a scenario with added ones.
var lineOfFlow = regexp.MustCompile("^" + added + `:(\d+): `)

// setup makes the run of a copy of the scenario. Errors name an added flow by its number, from 0, and any other flow by
// its file and line.
func (s *Scenario) setup(c *scenario.Scenario) (*sim.Setup, error) {
	setup, err := c.Setup()
	if err == nil {
		return setup, nil
	}
	at := lineOfFlow.FindStringSubmatch(err.Error())
	if at == nil {
		return nil, err
	}
	line, _ := strconv.Atoi(at[1]) // digits
	place := fmt.Sprintf("flow %d added in Python", line-firstAdded)
	if line < firstAdded {
		s.mu.Lock()
		defer s.mu.Unlock()
		place = fmt.Sprintf("%s:%d", s.sc.Flows, line)
	}
	return nil, errors.New(place + ": " + strings.TrimPrefix(err.Error(), at[0]))
}

// Copy returns an independent scenario.
func (s *Scenario) Copy() (c *Scenario, err error) {
	defer guard(&err)
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Scenario{sc: s.sc.Clone(), flows: s.flows}, nil
}

// Portable returns the scenario in YAML, completed except for the flows that SetFlows has given:
// another process that adds these runs the same.
func (s *Scenario) Portable() (text string, err error) {
	defer guard(&err)
	whole := s.copy()
	if err := whole.Complete(); err != nil {
		return "", err
	}
	s.mu.Lock()
	named := s.sc.Clone()
	s.mu.Unlock()
	if err := named.Complete(); err != nil { // finds the file
		return "", err
	}
	whole.Flows = named.Flows
	return whole.Record(), nil
}

// Start begins a run, on a number of threads, that writes its files to a folder; empty: none.
func (s *Scenario) Start(dir string, threads int) (m *Simulation, err error) {
	defer guard(&err)
	sc := s.copy()
	sc.Out = dir
	setup, err := s.setup(sc)
	if err != nil {
		return nil, err
	}
	if setup.Threads, err = driver.Threads(threads); err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	setup.Threads = setup.UsefulThreads(setup.Threads)
	m = &Simulation{rec: newRecorder(setup)}
	if m.run, err = driver.Start(sc, setup, dir, m.rec); err != nil {
		return nil, err
	}
	return m, nil
}
