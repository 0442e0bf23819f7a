package main

import (
	"reflect"
	"strings"

	"github.com/qbb-sim/qbb/internal/driver"
)

// helpSummary describes summary.json by the tags of its type.
func helpSummary(p *page) {
	p.WriteString("\nsummary.json\n")
	p.paragraph(2, "The results of the run; qbb run --json prints it.")
	summaryKeys(p, "", reflect.TypeFor[driver.Summary]())
}

// summaryKeys lists the keys of an object; prefix names those around it.
func summaryKeys(p *page, prefix string, t reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		kind, list, suffix := f.Type, "", ""
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if kind.Kind() == reflect.Slice {
			kind, list, suffix = kind.Elem(), "list of ", "[]"
		}
		what := list + jsonType(kind)
		if unit := f.Tag.Get("unit"); unit != "" {
			what += ", " + unit
		}
		p.item("  "+prefix+name, 32, "["+what+"] "+f.Tag.Get("doc"))
		if kind.Kind() == reflect.Struct {
			summaryKeys(p, prefix+name+suffix+".", kind)
		}
	}
}

func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "object"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	}
	return "number"
}
