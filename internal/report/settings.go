package report

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// setting is a key of a scenario, dotted, and its value as text.
type setting struct{ key, value string }

// settingsOf flattens a scenario file. Lists are one value.
func settingsOf(text string) ([]setting, error) {
	var sections yaml.MapSlice
	if err := yaml.UnmarshalWithOptions([]byte(text), &sections, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("not a scenario: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	return flatten(nil, "", sections), nil
}

func flatten(to []setting, prefix string, section yaml.MapSlice) []setting {
	for _, item := range section {
		key := prefix + fmt.Sprint(item.Key)
		if deeper, ok := item.Value.(yaml.MapSlice); ok && len(deeper) > 0 {
			to = flatten(to, key+".", deeper)
			continue
		}
		to = append(to, setting{key, valueText(item.Value)})
	}
	return to
}

// valueText writes a value on one line: 25Gbps; [a, b]; rate 25Gbps, kmin 100KB.
func valueText(v any) string {
	var parts []string
	switch v := v.(type) {
	case nil:
		return ""
	case yaml.MapSlice:
		for _, item := range v {
			parts = append(parts, fmt.Sprint(item.Key)+" "+valueText(item.Value))
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

// differences lists the keys in which the scenarios differ: in the order of the first run, then
// those that only others have. The value is blank where a run does not have the key. Parameters
// of schemes come apart, as they mean little beside those of another scheme.
func differences(runs []*Run) (options, params []row) {
	var keys []string
	values := make([]map[string]string, len(runs))
	known := make(map[string]bool)
	for i, r := range runs {
		values[i] = make(map[string]string)
		for _, s := range r.settings {
			values[i][s.key] = s.value
			if !known[s.key] {
				known[s.key] = true
				keys = append(keys, s.key)
			}
		}
	}
	for _, key := range keys {
		d := row{Name: key}
		same := true
		for i := range runs {
			v := values[i][key]
			d.Values = append(d.Values, v)
			same = same && v == d.Values[0]
		}
		switch {
		case same:
		case strings.HasPrefix(key, "cc.params."):
			params = append(params, d)
		default:
			options = append(options, d)
		}
	}
	return options, params
}

// setting returns the value of a key, empty if the run has none.
func (r *Run) setting(key string) string {
	for _, s := range r.settings {
		if s.key == key {
			return s.value
		}
	}
	return ""
}
