package scenario

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Key describes one key of a scenario file; the keys of sections are dotted, as in
// [Scenario.Set].
type Key struct {
	Name    string
	Type    string
	Default string // of the native profile
	Range   string // what its value must be, such as "1B to 64KiB"; empty: what its type and Doc say
	Doc     string
}

// Keys lists the keys of a scenario file in its order.
func Keys() []Key {
	sc := Default()
	keys, ranges := keysOf("", reflect.ValueOf(sc).Elem()), make(map[string]string)
	for _, r := range sc.ranges() {
		ranges[r.key] = strings.TrimPrefix(r.want, "must be ")
	}
	for i := range keys {
		keys[i].Range = ranges[keys[i].Name]
	}
	return keys
}

func keysOf(prefix string, v reflect.Value) []Key {
	var keys []Key
	for f := range v.Type().Fields() {
		name := f.Tag.Get("yaml")
		if name == "" {
			continue
		}
		value := v.FieldByIndex(f.Index)
		k := Key{Name: prefix + name, Type: typeName(f.Type), Doc: f.Tag.Get("doc")}
		if isScalar(f.Type) {
			k.Default = formatScalar(value)
		}
		keys = append(keys, k)
		if f.Type.Kind() == reflect.Struct {
			keys = append(keys, keysOf(k.Name+".", value)...)
		}
	}
	return keys
}

// typeName names the kind of value that a key takes.
func typeName(t reflect.Type) string {
	if name, ok := unitNames[t]; ok {
		return name
	}
	if names, ok := choiceNames[t]; ok {
		return oneOf(names)
	}
	switch t.Kind() {
	case reflect.Slice:
		return "list of " + typeName(t.Elem())
	case reflect.Map, reflect.Struct:
		return "section"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text"
	case reflect.Float64:
		return "number"
	}
	return "whole number"
}

// fieldOf returns the field of a section that a key names.
func fieldOf(section reflect.Value, key string) (reflect.Value, bool) {
	for f := range section.Type().Fields() {
		if key != "" && f.Tag.Get("yaml") == key {
			return section.FieldByIndex(f.Index), true
		}
	}
	return reflect.Value{}, false
}

// keyOf returns the field of a scenario that a key names, whose sections are dotted.
func keyOf(scenario reflect.Value, key string) (field reflect.Value, ok bool) {
	field = scenario
	for name := range strings.SplitSeq(key, ".") {
		if field.Kind() != reflect.Struct {
			return reflect.Value{}, false
		}
		if field, ok = fieldOf(field, name); !ok {
			return reflect.Value{}, false
		}
	}
	return field, true
}

// keyNames lists the keys of a section.
func keyNames(t reflect.Type) []string {
	var names []string
	for f := range t.Fields() {
		if name := f.Tag.Get("yaml"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// unknownKey ends a message about a key: the nearest known ones.
func unknownKey(key string, t reflect.Type) string {
	names := keyNames(t)
	if first, rest, _ := strings.Cut(key, "."); rest != "" && slices.Contains(names, first) {
		quoted := strconv.Quote(key)
		return "unknown key " + quoted + ": in a file, keys of a section are indented: write " + strings.ReplaceAll(strings.Trim(quoted, `"`), ".", ": and below it ") + ":"
	}
	if key == "" {
		return "a key without a name; known: " + strings.Join(names, ", ")
	}
	nearest := NearestKey(key, names)
	if nearest == key {
		nearest += " (of no section)"
	}
	return "unknown key " + strconv.Quote(key) + ": did you mean " + nearest + "? known: " + strings.Join(names, ", ")
}

// otherNames are what options of the command or their parts are called, where the key has another name.
var otherNames = map[string]string{
	"link_down": "links", "link_up": "links", "pfc": "flow_control", "no_pfc": "flow_control", "class": "class_by_tag", "class_weight": "switch.weights",
	"class_recovery": "recovery_by_class", "param": "cc.params", "trace_nodes": "trace", "kmin": "ecn.thresholds", "kmax": "ecn.thresholds", "pmax": "ecn.thresholds",
}

// NearestKey returns the key that somebody may have meant: one of that name outside the section or in another one, one
// that has another name, one of the given ones that begins with it, a scheme's parameter of that name, or else the nearest
// of the given ones.
func NearestKey(key string, names []string) string {
	for _, k := range Keys() {
		if k.Name == key {
			return key
		}
	}
	if other, ok := otherNames[strings.ReplaceAll(key, "-", "_")]; ok {
		return other
	}
	for _, k := range Keys() {
		if strings.HasSuffix(k.Name, "."+key) {
			return k.Name
		}
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, key+"_") }); i >= 0 {
		return names[i]
	}
	for _, e := range catalog.All() {
		for _, p := range algorithms.Params(e.NewParams()) {
			if p.Name == key {
				return "cc.params." + key
			}
		}
	}
	return spelling.Nearest(key, names)
}
