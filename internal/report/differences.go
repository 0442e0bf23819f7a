package report

import (
	"strings"

	"github.com/qbb-sim/qbb/internal/results"
)

// differences lists the keys in which the scenarios differ: in the order of the first run, then
// those that only others have. The value is blank where a run does not have the key. Parameters of
// schemes are listed separately, as they mean little beside those of another scheme.
func differences(runs []*results.Run) (options, params []row) {
	var keys []string
	values := make([]map[string]string, len(runs))
	known := make(map[string]bool)
	for i, r := range runs {
		values[i] = make(map[string]string)
		for _, s := range r.Settings {
			values[i][s.Key] = s.Value
			if s.Key == "seed" {
				values[i][s.Key] = seedsText(r.Seeds())
			}
			if !known[s.Key] {
				known[s.Key] = true
				keys = append(keys, s.Key)
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
