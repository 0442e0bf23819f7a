package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// member is a run of a sweep.
type member struct {
	name    string   // of its folder
	dir     string   // that folder
	options *choices // of its command line
}

// axis is what --vary says: an option or key, and its values.
type axis struct {
	key    string
	values []string
}

// members are all combinations, the last --vary changing fastest.
func (s *sweep) members() ([]member, error) {
	axes, err := s.axes()
	if err != nil {
		return nil, err
	}
	members := []member{{options: s.options}}
	for _, a := range axes {
		if len(members)*len(a.values) > mostMembers {
			return nil, fmt.Errorf("more than %d runs", mostMembers)
		}
		var finer []member
		for _, m := range members {
			for _, v := range a.values {
				finer = append(finer, member{name: strings.TrimPrefix(m.name+"-"+label(a.key, v), "-"), options: m.options.vary(a.key, v)})
			}
		}
		members = finer
	}
	root := sweepOut
	if s.options.given("out") {
		root = (*s.options.values["out"])[0]
	}
	seen := make(map[string]bool)
	for i := range members {
		m := &members[i]
		if seen[m.name] {
			return nil, fmt.Errorf("two runs would be called %s, by their values", m.name)
		}
		seen[m.name] = true
		m.dir = filepath.Join(root, m.name)
		m.options = m.options.instead("out", m.dir)
	}
	return members, nil
}

// axes reads what is varied, each key once.
func (s *sweep) axes() (axes []axis, err error) {
	if len(s.vary) == 0 {
		return nil, errors.New("what changes from run to run? give --vary KEY=VALUES, such as --vary seed=1..5")
	}
	for _, text := range s.vary {
		a, err := parseAxis(text)
		switch {
		case err != nil:
			return nil, err
		case s.options.given(a.key):
			return nil, fmt.Errorf("%s: there is --%s %s too", a.key, a.key, (*s.options.values[a.key])[0])
		case slices.ContainsFunc(axes, func(o axis) bool { return o.key == a.key }):
			return nil, fmt.Errorf("%s: it is given twice: put all values into one --vary", a.key)
		}
		if err := s.checkKey(a.key); err != nil {
			return nil, err
		}
		axes = append(axes, a)
	}
	return axes, nil
}

// checkKey finds what is neither an option nor, with its section if it has one, a key of a scenario.
func (s *sweep) checkKey(key string) error {
	names := slices.Sorted(maps.Keys(s.options.values))
	for _, k := range scenario.Keys() {
		names = append(names, k.Name)
	}
	if section, _, _ := strings.Cut(key, "."); slices.Contains(names, section) {
		return nil
	}
	return fmt.Errorf("%s: no option of qbb run and no key of a scenario has this name: did you mean %s?", key, scenario.NearestKey(key, names))
}

// check finds mistakes in all runs, and what makes some of them worthless: two that are the same, or
// write the same file.
func (s *sweep) check(members []member) error {
	same, writes := make(map[[sha256.Size]byte]string), make(map[string]string) // names of runs, by record and by file
	for i := range members {
		m := &members[i]
		sc, err := s.scenario(*m)
		if err == nil {
			m.gather(sc)
			_, err = driver.Setup(sc)
		}
		if err == nil {
			err = driver.CheckOutputs(sc, m.dir)
		}
		switch {
		case err != nil && strings.Contains(m.name, ","):
			return fmt.Errorf("%s: %w (values of --vary have spaces between them)", m.name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", m.name, err)
		}
		record := sha256.Sum256([]byte(sc.Record()))
		if other, ok := same[record]; ok {
			return fmt.Errorf("--vary: %s and %s are the same run: their values mean the same, or another flag sets what they vary", other, m.name)
		}
		same[record] = m.name
		if err := m.claim(sc, writes); err != nil {
			return err
		}
	}
	return nil
}

// claim notes the run as the one that writes its outputs.
func (m *member) claim(sc *scenario.Scenario, writes map[string]string) error {
	for _, path := range driver.Outputs(sc, m.dir) {
		place, err := traces.Resolve(path)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if other, ok := writes[place]; ok {
			return fmt.Errorf("%s and %s would both write %s: names without a folder are in the run's", other, m.name, path)
		}
		writes[place] = m.name
	}
	return nil
}

// gather moves fct.txt, which the tables go with, into the run's own folder.
func (m *member) gather(sc *scenario.Scenario) {
	if sc.Files.FCT == "" || sc.Files.FCT == os.DevNull {
		return
	}
	if name := filepath.Base(sc.Files.FCT); name != sc.Files.FCT {
		sc.Files.FCT = name
		m.options = m.options.with("files.fct", name)
	}
}

// scenario returns that of a run.
func (s *sweep) scenario(m member) (*scenario.Scenario, error) { return m.options.scenario(s.config) }

// mostMembers is a bound on what a wrong range can ask for.
const mostMembers = 10_000

// parseAxis reads KEY=VALUES: values with spaces between them, of which 1..5 is all from 1 to 5. What stands in
// brackets or double quotes is one value.
func parseAxis(text string) (axis, error) {
	key, list, err := keyValue(text)
	if name, _, _ := strings.Cut(text, "="); strings.TrimSpace(name) == "no-pfc" {
		return axis{}, errors.New("no-pfc has no values: vary flow-control='pfc none' instead")
	}
	if err != nil {
		return axis{}, fmt.Errorf("%q is not KEY=VALUES, such as load='0.3 0.5' or seed=1..5", text)
	}
	if key == "out" {
		return axis{}, errors.New("out: every run has a folder of its own below --out")
	}
	var values []string
	for _, value := range words(list) {
		if last := len(value) - 1; last > 1 && value[0] == '"' && value[last] == '"' {
			values = append(values, value[1:last])
			continue
		}
		first, last, isRange := strings.Cut(value, "..")
		from, err1 := strconv.ParseInt(first, 10, 64)
		to, err2 := strconv.ParseInt(last, 10, 64)
		switch {
		case isRange && isNumber(first) && isNumber(last) && (err1 != nil || err2 != nil):
			return axis{}, fmt.Errorf("%s: %s is a range of numbers with a fraction: write each of them, with spaces between", key, value)
		case !isRange || err1 != nil || err2 != nil:
			values = append(values, strings.Join(strings.Fields(value), " ")) // on one line
			continue
		case from > to || uint64(to)-uint64(from) >= mostMembers:
			return axis{}, fmt.Errorf("%s: %s is not a range of at most %d numbers", key, value, mostMembers)
		}
		for n := range to - from + 1 {
			values = append(values, strconv.FormatInt(from+n, 10))
		}
	}
	return axis{key, values}, nil
}

// words splits a text at its spaces outside of brackets and double quotes.
func words(text string) []string {
	depth, quoted := 0, false
	return strings.FieldsFunc(text, func(r rune) bool {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '[' || r == '{':
			depth++
		case r == ']' || r == '}':
			depth--
		}
		return depth <= 0 && !quoted && unicode.IsSpace(r)
	})
}

func isNumber(text string) bool {
	_, err := core.ParseFloat(text)
	return err == nil
}

// perSecond matches a rate that is written as 50Mb/s, not 50Mbps, which would look like a path.
var perSecond = regexp.MustCompile(`(\d[kKMGT]?[bB])/s(,|$)`)

// numbered matches a number that is the key of an entry, and its colon.
var numbered = regexp.MustCompile(`(\d): *`)

// brackets are what the name of a folder leaves out of a value in brackets.
var brackets = strings.NewReplacer("[", "", "]", "", "{", "", "}", "", ":", "", " ", "")

// lastWord is that of a key, and of an entry with a number, such as switch.weights.3, the two last and a sign.
func lastWord(key string) string {
	words := strings.Split(key, ".")
	last := len(words) - 1
	if last > 0 && isNumber(words[last]) {
		return words[last-1] + "." + words[last] + "="
	}
	return words[last]
}

// label is a value in the name of a folder: a number, what would be hidden, or what stands in brackets, with the
// last word of its key before it, of a path its last element, and nothing that a file system or a shell might not take.
func label(key, value string) string {
	name, word := perSecond.ReplaceAllString(value, "${1}ps$2"), lastWord(key)
	if name[0] == '[' || name[0] == '{' {
		name = word + "_" + brackets.Replace(numbered.ReplaceAllString(name, "$1="))
	} else if name = filepath.Base(name); name[0] >= '0' && name[0] <= '9' || name[0] == '.' {
		name = word + name
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.=,+@%", r) {
			return r
		}
		return '_'
	}, name)
}
