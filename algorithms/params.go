package algorithms

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Param describes one parameter of a scheme.
type Param struct {
	Name    string // as on the command line
	Unit    string // "rate", "duration", "bytes", "bool", "choice: a|b", or "" for a number
	Range   string // what a number must be, such as "above 0 and at most 1" or "0 or more, 0 for the default"; "": not negative, or no number
	Default string
	Doc     string
	Source  string // paper, standard or program that the default comes from
}

// Params lists the parameters of a params struct, in the order of its fields.
//
// A params struct is a flat struct whose fields are float64, int, bool, string, core.Rate,
// core.Duration or core.Bytes, tagged
//
//	`qbb:"name" doc:"what it does" source:"where the default is from" choice:"a|b" range:"(0,1]" zero:"meaning of 0"`
//
// A string without choices is any text. A range is an interval: a square bracket takes its end in,
// a round one does not, and the upper end may be left out. Ends are written as values are: "[1ns,)".
// A number without a range must not be negative; a rate whose range has no upper end must be at most
// 1000Tbps. 0 is always in the range if it has a meaning of its own. Where that meaning leaves no way
// to say 0, the tag none:"meaning of 0" gives one: what is written 0 is [None] then, and the zero
// value is written auto.
//
// p is a pointer to it, holding the values to be listed.
func Params(p any) []Param {
	var list []Param
	for f, v := range fields(p) {
		def, zero := format(v, f), f.Tag.Get("zero")
		if zero != "" && v.IsZero() {
			def, zero = zero, "the default"
		}
		par := Param{Name: f.Tag.Get("qbb"), Unit: unitOf(f), Default: def, Doc: f.Tag.Get("doc"), Source: f.Tag.Get("source")}
		if f.Tag.Get("range") != "" || zero != "" {
			par.Range = rangeOf(f).full(zero)
		}
		list = append(list, par)
	}
	return list
}

// fields yields those fields of the params struct that p points to which are parameters.
func fields(p any) iter.Seq2[reflect.StructField, reflect.Value] {
	return func(yield func(reflect.StructField, reflect.Value) bool) {
		for f, v := range reflect.ValueOf(p).Elem().Fields() {
			if f.Tag.Get("qbb") != "" && !yield(f, v) {
				return
			}
		}
	}
}

// Presetter is a params struct that has named sets of values: a parameter called preset,
// of kind choice. UsePreset gives all parameters that the chosen set speaks of its values.
type Presetter interface{ UsePreset() }

const presetName = "preset"

// Windowed is a params struct with a parameter that adds to the scheme's rate a window of its own. Where
// hosts have windows instead (profile ns3), it is switched off unless the user says otherwise.
type Windowed interface{ OwnWindow() *bool }

// SetParam sets the parameter called name in the params struct that p points to. The error
// names the known parameters if there is no such one, or says what the value should be.
// Setting the preset of a [Presetter] changes its other parameters too.
func SetParam(p any, name, value string) error {
	var known []string
	for f, v := range fields(p) {
		if f.Tag.Get("qbb") != name {
			known = append(known, f.Tag.Get("qbb"))
			continue
		}
		if err := set(v, f, strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
		if ps, ok := p.(Presetter); ok && name == presetName {
			ps.UsePreset()
		}
		return nil
	}
	slices.Sort(known)
	return fmt.Errorf("no parameter %q%s", name, spelling.Suggest(name, known))
}

// SetParams sets several parameters, in the order of [ParamOrder], up to the first error.
func SetParams(p any, values map[string]string) error {
	for _, name := range ParamOrder(values) {
		if err := SetParam(p, name, values[name]); err != nil {
			return err
		}
	}
	return nil
}

// ParamOrder returns the names in the order in which they are set: the preset, which changes
// the others, then the rest by name.
func ParamOrder(values map[string]string) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	if i, ok := slices.BinarySearch(names, presetName); ok {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, presetName)
	}
	return names
}

// ParamValues returns the parameters as text, by name, so that SetParam gives them back.
func ParamValues(p any) map[string]string {
	m := make(map[string]string)
	for f, v := range fields(p) {
		m[f.Tag.Get("qbb")] = format(v, f)
	}
	return m
}

func unitOf(f reflect.StructField) string {
	if c := f.Tag.Get("choice"); c != "" {
		return "choice: " + c
	}
	switch reflect.Zero(f.Type).Interface().(type) {
	case core.Rate:
		return "rate"
	case core.Duration:
		return "duration"
	case core.Bytes:
		return "bytes"
	case bool:
		return "bool"
	case string:
		return "text"
	}
	return f.Tag.Get("unit")
}

func format(v reflect.Value, f reflect.StructField) string {
	if hasNone(f) {
		switch {
		case v.IsZero():
			return auto
		case v.Int() == None:
			v = reflect.Zero(f.Type)
		}
	}
	switch x := v.Interface().(type) {
	case fmt.Stringer:
		return x.String()
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	default:
		return fmt.Sprint(x)
	}
}

func set(v reflect.Value, f reflect.StructField, s string) error {
	if hasNone(f) {
		return setOrNone(v, f, s)
	}
	return setValue(v, f, s)
}

func setValue(v reflect.Value, f reflect.StructField, s string) error {
	switch v.Interface().(type) {
	case core.Rate:
		r, err := core.ParseRate(s)
		v.SetInt(int64(r))
		return err
	case core.Duration:
		d, err := core.ParseDuration(s)
		v.SetInt(int64(d))
		return err
	case core.Bytes:
		b, err := core.ParseBytes(s)
		v.SetInt(int64(b))
		return err
	case float64:
		x, err := core.ParseFloat(s)
		v.SetFloat(x)
		return wrong(err, s, "not a number")
	case int:
		n, err := strconv.Atoi(s)
		v.SetInt(int64(n))
		return wrong(err, s, "not a whole number")
	case bool:
		b, err := strconv.ParseBool(s)
		v.SetBool(b)
		return wrong(err, s, "neither true nor false")
	case string:
		if choices := choicesOf(f); choices != nil && !slices.Contains(choices, s) {
			return fmt.Errorf("%q is none of %s", s, f.Tag.Get("choice"))
		}
		v.SetString(s)
		return nil
	}
	panic("algorithms: parameter of unsupported type " + f.Type.String())
}

func wrong(err error, s, what string) error {
	if err != nil {
		return fmt.Errorf("%q is %s", s, what)
	}
	return nil
}
