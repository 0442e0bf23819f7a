package scenario

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/qbb-sim/qbb/internal/sim"
)

// Set sets the key, whose sections are dotted, to what a text says: Set("load", "0.6"),
// Set("cc.params.target", "0.9"), Set("options.rto", "1ms"). A list gets one more item, or is a new list: Set("links", "[{at: 1ms, down: 0-1}]"). A new
// profile resets the sections that it stands for (useProfile), and a new scheme forgets the parameters.
func (sc *Scenario) Set(key, text string) error {
	if key == "profile" {
		return sc.setProfile(text)
	}
	section, path, rest := reflect.ValueOf(sc).Elem(), "", key
	for {
		name, after, more := strings.Cut(rest, ".")
		field, ok := fieldOf(section, name)
		if !ok {
			return errors.New(unknownKey(name, section.Type()))
		}
		path, rest = join(path, name), after
		switch {
		case !more:
			return sc.set(field, path, text)
		case field.Kind() == reflect.Struct:
			section = field
		case field.Kind() == reflect.Map:
			return sc.setEntry(field, path, rest, text)
		default:
			return fmt.Errorf("%s is not a section: it has no key %q", path, rest)
		}
	}
}

// Clone returns a copy that shares no mutable state: of Added, both may append to what there is.
func (sc *Scenario) Clone() *Scenario {
	c := *sc
	c.CC.Params, c.CCByTag, c.origin = maps.Clone(sc.CC.Params), maps.Clone(sc.CCByTag), maps.Clone(sc.origin)
	c.tagged, c.places, c.reset = maps.Clone(sc.tagged), slices.Clone(sc.places), slices.Clone(sc.reset)
	c.Added = slices.Clip(sc.Added) // there may be millions
	c.ClassByCC, c.ClassByTag = maps.Clone(sc.ClassByCC), maps.Clone(sc.ClassByTag)
	c.RecoveryByClass, c.WindowByClass = maps.Clone(sc.RecoveryByClass), maps.Clone(sc.WindowByClass)
	c.Switch.Weights = maps.Clone(sc.Switch.Weights)
	c.Patterns, c.Schedule = slices.Clone(sc.Patterns), slices.Clone(sc.Schedule)
	c.Links, c.LinkLoss = slices.Clone(sc.Links), slices.Clone(sc.LinkLoss)
	c.ECN.Thresholds = slices.Clone(sc.ECN.Thresholds)
	return &c
}

// Apply sets the keys of a text in YAML, of which JSON is a part, as those of a file change the
// defaults: lists and the parameters of schemes are replaced. Errors name no file.
func (sc *Scenario) Apply(text []byte) error {
	body, err := parseYAML("", text)
	if err != nil || body == nil {
		return err
	}
	d := &decoder{sc: sc}
	pairs, err := d.pairs(body, "")
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if p.key != "cc" {
			continue
		}
		if _, null := p.value.(*ast.NullNode); null {
			return errors.New("cc has no value: write none to do without congestion control")
		}
		sc.CC.Params = nil
	}
	return d.document(body)
}

func (sc *Scenario) set(v reflect.Value, path, text string) error {
	sc.forgetOrigin(path)
	d := &decoder{sc: sc}
	if isScalar(v.Type()) {
		if path == "cc.name" {
			sc.CC.Params = nil
			sc.forgetOrigin("cc")
		}
		if err := setScalar(v, text); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		v.Set(reflect.Append(v, reflect.ValueOf(text)))
		return nil
	}
	n, err := parseFlag(path, text)
	if err != nil {
		return err
	}
	if path == "cc" {
		sc.CC.Params = nil
	}
	if _, list := n.(*ast.SequenceNode); v.Kind() == reflect.Slice && !list {
		return d.item(n, v, path)
	}
	return d.value(n, v, path)
}

// setEntry sets an entry of a map, such as a parameter of a scheme or the class of a tag. Whatever
// follows the map's name is the entry's.
func (sc *Scenario) setEntry(table reflect.Value, path, key, text string) error {
	sc.forgetOrigin(join(path, key))
	if table.Type().Elem().Kind() == reflect.String {
		if table.IsNil() {
			table.Set(reflect.MakeMap(table.Type()))
		}
		table.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(text))
		return nil
	}
	n, err := parseFlag(join(path, key), text)
	if err != nil {
		return err
	}
	d := &decoder{sc: sc}
	return d.entry(n, table, path, key)
}

func parseFlag(path, text string) (ast.Node, error) {
	n, err := parseYAML("", []byte(text))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %.60q: %w", path, text, err)
	case n == nil:
		return nil, fmt.Errorf("%s has no value", path)
	}
	return n, nil
}

// setOrigin remembers where a key was set.
func (sc *Scenario) setOrigin(key, file string, line int) {
	if file == "" {
		sc.forgetOrigin(key)
		return
	}
	if sc.origin == nil {
		sc.origin = make(map[string]string)
	}
	sc.origin[key] = fmt.Sprintf("%s:%d", file, line)
}

// forgetOrigin says that no file has set a key, though one may have set the section around it.
func (sc *Scenario) forgetOrigin(key string) {
	for k := range sc.origin {
		if strings.HasPrefix(k, key+".") {
			delete(sc.origin, k)
		}
	}
	if sc.origin != nil {
		sc.origin[key] = ""
	}
}

// forgetSections says that the sections of a profile are reset, before they are. Keys of a file count as lost if they are other
// than the profile has them.
func (sc *Scenario) forgetSections(usual *Scenario) {
	for _, key := range slices.Sorted(maps.Keys(sc.origin)) {
		section, _, _ := strings.Cut(key, ".")
		if !slices.Contains([]string{"host", "switch", "series", "options"}, section) {
			continue
		}
		if sc.origin[key] != "" && sc.valueText(key) != usual.valueText(key) {
			sc.reset = append(sc.reset, key)
		}
		delete(sc.origin, key)
	}
}

// valueText returns the value of a key, whose section is dotted; empty: there is none of this name, or it is a section.
func (sc *Scenario) valueText(key string) string {
	v, ok := keyOf(reflect.ValueOf(sc).Elem(), key)
	if !ok || v.Kind() == reflect.Struct {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// noteReset makes a note of keys of a file that a profile after it has reset, and nothing has set again.
func (sc *Scenario) noteReset(s *sim.Setup) {
	lost := slices.DeleteFunc(slices.Clone(sc.reset), func(key string) bool {
		_, again := sc.origin[key]
		return again
	})
	if len(lost) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("profile %s resets keys of %s: %s: set them beside it if they are meant", sc.Profile, sc.file, strings.Join(lost, ", ")))
	}
}

// overridden reports whether something other than a file has set a key.
func (sc *Scenario) overridden(key string) bool {
	where, known := sc.origin[key]
	return known && where == ""
}

// wrong says that the value of a key is wrong, and where that was set, as exactly as is known.
func (sc *Scenario) wrong(key string, err error) error {
	if key != "" && !strings.HasPrefix(err.Error(), key+" ") {
		err = fmt.Errorf("%s: %w", key, err)
	}
	for ; key != ""; key = key[:max(0, strings.LastIndexByte(key, '.'))] {
		if where, ok := sc.origin[key]; ok && where != "" {
			return fmt.Errorf("%s: %w", where, err)
		} else if ok {
			break
		}
	}
	return err
}
