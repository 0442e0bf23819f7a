package topo

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Param describes a parameter of a builder.
type Param struct {
	Name    string
	Default string // empty: must be given
	Doc     string
}

// Builder makes a family of topologies. In all of them hosts have the lowest ids.
type Builder struct {
	Name    string
	Doc     string
	Params  []Param
	Presets []Preset
	build   func(v *values) *Topology
}

// Preset is a named choice of parameters, written before any others: fat-tree:thesis,delay=2us.
type Preset struct {
	Name string
	Doc  string
	spec string
}

// Builders lists all builders, for help texts.
func Builders() []Builder {
	return []Builder{fatTree(), leafSpine(), railOptimized(), dumbbell(), star()}
}

// The parameters that most builders share.
var (
	rateParam   = Param{"rate", "100Gbps", "rate of the links of hosts"}
	fabricParam = Param{"fabric", "rate", "rate of the links between switches; the word rate: that of the hosts"}
	delayParam  = Param{"delay", "1us", "propagation delay of every link, one way"}
)

// Parse builds the topology that a text describes: name:key=value,key=value or
// name:preset,key=value.
func Parse(spec string) (*Topology, error) {
	name, rest, more := strings.Cut(strings.TrimSpace(spec), ":")
	var names []string
	for _, b := range Builders() {
		if b.Name == name {
			return b.parse(spec, rest, more)
		}
		names = append(names, b.Name)
	}
	return nil, fmt.Errorf("topology %q: unknown builder %q%s", spec, name, spelling.Suggest(name, names))
}

// parse reads what follows the name and a colon, if there is more than the name.
func (b *Builder) parse(spec, rest string, more bool) (*Topology, error) {
	v := newValues(b)
	first, others, parameters := strings.Cut(rest, ",")
	for _, p := range b.Presets {
		if strings.TrimSpace(first) == p.Name {
			v.parse(b, p.spec)
			rest, more = others, parameters
		}
	}
	if more {
		v.parse(b, rest)
	}
	v.complete(b)
	if v.err != nil {
		return nil, fmt.Errorf("topology %q: %w", spec, v.err)
	}
	t := b.build(v)
	if v.err == nil {
		t.Name = spec
		v.err = t.Validate()
	}
	if v.err != nil {
		return nil, fmt.Errorf("topology %q: %w", spec, v.err)
	}
	return t, nil
}

// newTopology returns a topology of hosts, then switches, without links.
func newTopology(hosts, switches int) *Topology {
	t := &Topology{Kinds: make([]Kind, hosts+switches)}
	for i := range switches {
		t.Kinds[hosts+i] = Switch
	}
	return t
}

// connect adds a link.
func (t *Topology) connect(a, b int, r core.Rate, d core.Duration) {
	t.Links = append(t.Links, Link{A: core.NodeID(a), B: core.NodeID(b), Rate: r, Delay: d})
}
