package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/internal/spelling"
)

func schemesCommand() command {
	return command{
		name: "schemes", args: "[NAME...]", brief: "list congestion-control schemes and their parameters", maxArgs: -1,
		about: "Lists schemes with their parameters, units, defaults and the sources of these. In scenarios a default that is not a plain value, such as line/100, is written 0, or auto where the range says so. Set parameters with qbb run --cc NAME:KEY=VALUE,KEY=VALUE or --param KEY=VALUE.",
		define: func(fs *pflag.FlagSet) action {
			names := fs.Bool("names", false, "list only names and descriptions")
			return func(c *call) error { return schemes(c, *names) }
		},
	}
}

func schemes(c *call, brief bool) error {
	entries := catalog.All()
	if len(c.args) > 0 {
		entries = nil
		for _, name := range c.args {
			e, ok := catalog.Find(name)
			if !ok {
				return mistakef("no scheme %q: %sqbb schemes lists all", name, meant(name, schemeNames()))
			}
			entries = append(entries, e)
		}
	}
	var p page
	for i := range entries {
		if brief {
			p.item(entries[i].Name, 20, entries[i].Doc)
			continue
		}
		if i > 0 {
			p.WriteByte('\n')
		}
		writeScheme(&p, &entries[i])
	}
	return p.print(c.stdout)
}

// meant asks whether the known word that is nearest to another was meant, if it is near; otherwise it is empty.
func meant(word string, known []string) string {
	if near := spelling.Nearest(word, known); spelling.Near(word, near) {
		return "did you mean " + near + "? "
	}
	return ""
}

func schemeNames() []string {
	var names []string
	for _, e := range catalog.All() {
		names = append(append(names, e.Name), e.Aliases...)
	}
	return names
}

// traitsOf returns the traits of a scheme with its default parameters.
func traitsOf(e *catalog.Entry) algorithms.Traits {
	s, err := e.New(nil)
	if err != nil {
		panic(err) // the defaults are ours
	}
	return s.Traits()
}

func writeScheme(p *page, e *catalog.Entry) {
	title := e.Name
	if len(e.Aliases) > 0 {
		title += " (also " + strings.Join(e.Aliases, ", ") + ")"
	}
	p.WriteString(title + "\n")
	p.paragraph(2, e.Doc+" ["+e.Source+"]")
	for _, par := range e.Params() {
		text := par.Doc
		if kind := strings.Join(slices.DeleteFunc([]string{par.Unit, par.Range}, func(s string) bool { return s == "" }), ": "); kind != "" {
			text += " (" + kind + ")"
		}
		p.item("  "+par.Name+"="+par.Default, 28, text+" ["+par.Source+"]")
	}
	if t := traitsOf(e); t.Needs&algorithms.ECN != 0 {
		m := t.Marking()
		p.item("  (marks)", 28, fmt.Sprintf("where switches mark packets: Kmin %v, Kmax %v, Pmax %v at %v, in proportion to the rate; the key ecn.thresholds overrides them (qbb help scenario)",
			m.KMin, m.KMax, m.PMax, m.Rate))
	}
}
