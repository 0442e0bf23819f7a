package report

import (
	"strings"

	"github.com/qbb-sim/qbb/internal/results"
)

// differences lists the version of qbb, if the runs differ in it, and the keys in which the scenarios differ: in the
// order of the first run, then those that only others have. The value is blank where a run does not have the key. Parameters of
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
	if versionOf(runs) == severalVersions {
		d := row{Name: "version of qbb"}
		for _, r := range runs {
			d.Values = append(d.Values, r.Summary.Version)
		}
		options = append(options, d)
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

const severalVersions = "several versions of qbb"

// versionOf says which version of qbb has made the runs.
func versionOf(runs []*results.Run) string {
	for _, r := range runs[1:] {
		if r.Summary.Version != runs[0].Summary.Version {
			return severalVersions
		}
	}
	return "qbb " + runs[0].Summary.Version
}
