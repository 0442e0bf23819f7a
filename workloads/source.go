package workloads

import (
	"errors"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Ends are the hosts between which generated flows run: all of them, if it is the zero value.
type Ends struct{ placement }

var endKeys = []string{"hosts", "to"}

// Source is the name of a distribution with the hosts between which its flows run, written as in
// websearch,hosts=0-7,to=8-15.
type Source struct {
	Name string
	Keys string // as they were written, with the comma before the first; empty: none
	Ends
}

// ParseSource reads a source, where known reports that a text is the path of a file: it may have any signs then.
func ParseSource(text string, known func(path string) bool) (Source, error) {
	name, words := cutKeys(text, known)
	p, err := parsePlacement(words, endKeys)
	if err == nil && name == "" {
		err = errors.New("there is no name: write that of a distribution first")
	}
	return Source{name, text[len(name):], Ends{p}}, err
}

// Check reports nodes that are no hosts of a network, and that no host has another one to send to.
func (e *Ends) Check(t *topo.Topology) error {
	_, _, err := e.list(t)
	return err
}

// list returns the hosts that send, and those that they send to. If there is one of the latter, it may be among several of
// the former, and then sends nothing.
func (e *Ends) list(t *topo.Topology) (senders, receivers []core.NodeID, err error) {
	if senders, err = e.senders(t); err != nil {
		return nil, nil, err
	}
	if receivers = senders; e.to != nil {
		if receivers, err = listHosts(e.to, t); err != nil {
			return nil, nil, fmt.Errorf("to: %w", err)
		}
	}
	switch {
	case len(senders) > 1:
	case e.to == nil:
		return nil, nil, twoHosts(len(senders))
	case slices.Equal(senders, receivers):
		return nil, nil, fmt.Errorf("to: node %d would send to itself alone", senders[0])
	}
	return senders, receivers, nil
}
