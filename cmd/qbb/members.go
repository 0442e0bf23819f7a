package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

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

// members are all combinations, the last --vary changing fastest, with folders in a root.
func (s *sweep) members(root string) ([]member, error) {
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
				finer = append(finer, m.vary(a.keys, v))
			}
		}
		members = finer
	}
	seen := make(map[string]bool)
	for i := range members {
		m := &members[i]
		m.name = folderName(m.name)
		if seen[m.name] {
			return nil, fmt.Errorf("two runs would be called %s, by their values", m.name)
		}
		seen[m.name] = true
		m.dir = filepath.Join(root, m.name)
		m.options = m.options.instead("out", m.dir)
	}
	return members, nil
}

// vary returns a finer member, in which keys have some values.
func (m member) vary(keys, values []string) member {
	for i, key := range keys {
		m.name, m.options = strings.TrimPrefix(m.name+"-"+label(key, values[i]), "-"), m.options.vary(key, values[i])
	}
	return m
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

// readAgain is what to say of an input of a sweep that can be read once.
const readAgain = "-, standard input, cannot be read for every run: write it to a file"

// scenario returns that of a run.
func (s *sweep) scenario(m member) (*scenario.Scenario, error) {
	sc, err := m.options.scenario(s.config)
	if err != nil {
		return nil, err
	}
	for _, in := range inputsOf(sc) {
		if in.is(os.Stdin.Name()) {
			return nil, fmt.Errorf("%s: %s", in.key, readAgain)
		}
	}
	return sc, nil
}

// folderName is a name that file systems take: of one that is too long the beginning, and a number that stands for the rest.
func folderName(name string) string {
	const most, kept = 255, 200 // bytes
	if len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s-%x", strings.ToValidUTF8(name[:kept], ""), sum[:4])
}

// mostMembers is a bound on what a wrong range can ask for.
const mostMembers = 10_000

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
