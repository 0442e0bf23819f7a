package scenario

import (
	"bytes"
	"cmp"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Print writes the scenario in force, completed, as a scenario file. Read gives it back, and
// the same run, unless a program has added what no file holds: a network, or flows.
func (sc *Scenario) Print(w io.Writer) error {
	if err := sc.Complete(); err != nil {
		return err
	}
	_, err := w.Write(sc.text())
	return err
}

// text returns the scenario as YAML.
func (sc *Scenario) text() []byte {
	c := *sc
	if sc.Added != nil {
		c.Flows = ownFlows
	}
	var b bytes.Buffer
	writeSection(&b, reflect.ValueOf(&c).Elem(), "")
	return b.Bytes()
}

// Record returns the scenario as the outputs record it, without the folder that they were written to,
// so that a run gives the same bytes in every folder.
func (sc *Scenario) Record() string {
	c := *sc
	c.Out = Default().Out
	return string(c.text())
}

// writeSection writes the keys of a struct, each on lines that begin with the indent.
func writeSection(b *bytes.Buffer, v reflect.Value, indent string) {
	for f := range v.Type().Fields() {
		if name := f.Tag.Get("yaml"); name != "" {
			b.WriteString(indent + name + ":")
			writeValue(b, v.FieldByIndex(f.Index), indent)
		}
	}
}

// writeValue writes what follows a key and its colon.
func writeValue(b *bytes.Buffer, v reflect.Value, indent string) {
	const deeper = "  "
	switch v.Kind() {
	case reflect.Struct:
		b.WriteByte('\n')
		writeSection(b, v, indent+deeper)
	case reflect.Slice:
		if v.Len() == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteByte('\n')
		for i := range v.Len() {
			writeItem(b, v.Index(i), indent+deeper)
		}
	case reflect.Map:
		if v.Len() == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteByte('\n')
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range keys {
			b.WriteString(indent + deeper + quoted(key.String()) + ":")
			writeValue(b, v.MapIndex(key), indent+deeper)
		}
	default:
		b.WriteString(" " + scalarText(v) + "\n")
	}
}

// writeItem writes an item of a list: a scalar, or a section whose first key follows the dash.
func writeItem(b *bytes.Buffer, v reflect.Value, indent string) {
	if v.Kind() != reflect.Struct {
		b.WriteString(indent + "- " + scalarText(v) + "\n")
		return
	}
	var item bytes.Buffer
	writeSection(&item, v, indent+"  ")
	b.WriteString(indent + "- " + strings.TrimPrefix(item.String(), indent+"  "))
}

func scalarText(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return quoted(v.String())
	}
	return formatScalar(v)
}

// quoted returns a text as YAML, in quotes where it needs them.
func quoted(s string) string {
	if plain(s) {
		return s
	}
	return strconv.Quote(s)
}

// plain reports whether a text means itself in YAML without quotes.
func plain(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/"
	switch {
	case s == "" || strings.EqualFold(s, "null") || s[len(s)-1] == ':':
		return false
	case strings.Trim(s[:1], letters) != "":
		return false
	}
	return strings.Trim(s, letters+"._-+:=,@%") == ""
}
