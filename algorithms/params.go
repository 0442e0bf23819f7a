package algorithms

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// Param describes one parameter of a scheme.
type Param struct {
	Name    string // as on the command line
	Unit    string // "rate", "duration", "bytes", "bool", "choice: a|b", or "" for a number
	Default string
	Doc     string
	Source  string // paper, standard or program that the default comes from
}

// Params lists the parameters of a params struct, in the order of its fields.
//
// A params struct is a flat struct whose fields are float64, int, bool, string, core.Rate,
// core.Duration or core.Bytes, tagged
//
//	`qbb:"name" doc:"what it does" source:"where the default is from" choice:"a|b" zero:"meaning of 0"`
//
// A string without choices is any text.
//
// p is a pointer to it, holding the values to be listed.
func Params(p any) []Param {
	v := reflect.ValueOf(p).Elem()
	var list []Param
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, ok := f.Tag.Lookup("qbb")
		if !ok {
			continue
		}
		def := format(v.Field(i))
		if z := f.Tag.Get("zero"); z != "" && v.Field(i).IsZero() {
			def = z
		}
		list = append(list, Param{Name: name, Unit: unitOf(f), Default: def, Doc: f.Tag.Get("doc"), Source: f.Tag.Get("source")})
	}
	return list
}

// Presetter is a params struct that has named sets of values: a parameter called preset,
// of kind choice. UsePreset gives all parameters that the chosen set speaks of its values.
type Presetter interface{ UsePreset() }

const presetName = "preset"

// SetParam sets the parameter called name in the params struct that p points to. The error
// names the known parameters if there is no such one, or says what the value should be.
// Setting the preset of a [Presetter] changes its other parameters too.
func SetParam(p any, name, value string) error {
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("qbb") != name {
			continue
		}
		if err := set(v.Field(i), f, strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
		if ps, ok := p.(Presetter); ok && name == presetName {
			ps.UsePreset()
		}
		return nil
	}
	return fmt.Errorf("no parameter %q; known: %s", name, strings.Join(paramNames(v), ", "))
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
	sort.Slice(names, func(i, j int) bool {
		if first := names[i] == presetName; first || names[j] == presetName {
			return first
		}
		return names[i] < names[j]
	})
	return names
}

// ParamValues returns the parameters as text, by name, so that SetParam gives them back.
func ParamValues(p any) map[string]string {
	v := reflect.ValueOf(p).Elem()
	m := make(map[string]string)
	for i := range v.NumField() {
		if name, ok := v.Type().Field(i).Tag.Lookup("qbb"); ok {
			m[name] = format(v.Field(i))
		}
	}
	return m
}

func paramNames(v reflect.Value) []string {
	var names []string
	for i := range v.NumField() {
		if name, ok := v.Type().Field(i).Tag.Lookup("qbb"); ok {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
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

func format(v reflect.Value) string {
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
		x, err := strconv.ParseFloat(s, 64)
		v.SetFloat(x)
		return wrong(err, s, "number")
	case int:
		n, err := strconv.Atoi(s)
		v.SetInt(int64(n))
		return wrong(err, s, "whole number")
	case bool:
		b, err := strconv.ParseBool(s)
		v.SetBool(b)
		return wrong(err, s, "true or false")
	case string:
		if f.Tag.Get("choice") == "" {
			v.SetString(s)
			return nil
		}
		for _, c := range strings.Split(f.Tag.Get("choice"), "|") {
			if c == s {
				v.SetString(s)
				return nil
			}
		}
		return fmt.Errorf("%q is none of %s", s, f.Tag.Get("choice"))
	}
	panic("algorithms: parameter of unsupported type " + f.Type.String())
}

func wrong(err error, s, what string) error {
	if err != nil {
		return fmt.Errorf("%q is not a %s", s, what)
	}
	return nil
}
