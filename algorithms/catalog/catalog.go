// Package catalog lists the congestion-control schemes by name: one table, in table.go.
package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/algorithms"
)

// Entry is one scheme of the catalog.
type Entry struct {
	Name    string
	Aliases []string
	Doc     string // one line
	Source  string // paper or standard
	// NewParams returns a pointer to the default parameters, of the scheme's own type.
	NewParams func() any
	// Build makes the scheme from such a pointer, or says which parameter is wrong.
	Build func(params any) (algorithms.Scheme, error)
}

// row makes an entry of a scheme's Defaults and New.
func row[P any](name, doc, source string, defaults func() P, build func(P) (algorithms.Scheme, error), aliases ...string) Entry {
	return Entry{
		Name: name, Aliases: aliases, Doc: doc, Source: source,
		NewParams: func() any { p := defaults(); return &p },
		Build:     func(params any) (algorithms.Scheme, error) { return build(*params.(*P)) },
	}
}

// All returns the entries in the order of the table.
func All() []Entry { return table() }

// Find returns the entry with a name or alias; case, and - against _, do not matter.
func Find(name string) (Entry, bool) {
	key := normal(name)
	for _, e := range table() {
		if normal(e.Name) == key || slices.ContainsFunc(e.Aliases, func(a string) bool { return normal(a) == key }) {
			return e, true
		}
	}
	return Entry{}, false
}

func normal(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", "-")
}

// New makes the scheme called name from its default parameters and the given changes. The
// error names the nearest schemes if there is no such one, or the parameter that is wrong.
func New(name string, params map[string]string) (algorithms.Scheme, error) {
	if name == "" {
		return nil, errors.New(`no scheme "": write none to do without congestion control`)
	}
	e, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("no scheme %q; did you mean %s?", name, strings.Join(nearest(name, 3), ", "))
	}
	return e.New(params)
}

// New makes the scheme from its default parameters and the given changes.
func (e *Entry) New(params map[string]string) (algorithms.Scheme, error) {
	p := e.NewParams()
	if err := algorithms.SetParams(p, params); err != nil {
		return nil, fmt.Errorf("scheme %s: %w", e.Name, err)
	}
	return e.Build(p)
}

// Params lists the parameters with their defaults.
func (e *Entry) Params() []algorithms.Param { return algorithms.Params(e.NewParams()) }
