package results

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// Setting is a key of a scenario, dotted, and its value as text.
type Setting struct{ Key, Value string }

// SettingsOf flattens a scenario file. A list is one value.
func SettingsOf(text string) ([]Setting, error) {
	var sections yaml.MapSlice
	if err := yaml.UnmarshalWithOptions([]byte(text), &sections, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("not a scenario: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	return flatten(nil, "", sections), nil
}

func flatten(to []Setting, prefix string, section yaml.MapSlice) []Setting {
	for _, item := range section {
		key := prefix + fmt.Sprint(item.Key)
		if deeper, ok := item.Value.(yaml.MapSlice); ok && len(deeper) > 0 {
			to = flatten(to, key+".", deeper)
			continue
		}
		to = append(to, Setting{visible(key), visible(valueText(item.Value))})
	}
	return to
}

// valueText writes a value on one line: 25Gbps; rate 25Gbps, kmin 100KB. Of a list's items, keys that are empty are left out.
func valueText(v any) string {
	var parts []string
	switch v := v.(type) {
	case nil:
		return ""
	case yaml.MapSlice:
		for _, item := range v {
			if text := valueText(item.Value); text != "" {
				parts = append(parts, fmt.Sprint(item.Key)+" "+text)
			}
		}
		return strings.Join(parts, ", ")
	case []any:
		for _, item := range v {
			parts = append(parts, valueText(item))
		}
		return strings.Join(parts, "; ")
	}
	return fmt.Sprint(v)
}

// Setting returns the value of a key, empty if the run has none.
func (r *Run) Setting(key string) string {
	for _, s := range r.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
