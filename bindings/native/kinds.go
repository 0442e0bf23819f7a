package native

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// kind is a table of results that has a file.
type kind struct {
	make func() *Table
	load func(path string) (*Table, error)
	save func(o *traces.Output, name string, t *Table, meta []tables.Meta) error
}

// kindOf makes the kind of a row type.
func kindOf[T any](name string, load func(string) ([]T, error)) kind {
	return kind{
		make: func() *Table { return tableOf[T](name) },
		load: func(path string) (*Table, error) {
			rows, err := load(path)
			t := tableOf[T](name)
			add(t, rows)
			return t, err
		},
		save: func(o *traces.Output, file string, t *Table, meta []tables.Meta) error {
			rows, err := rowsOf[T](t, name)
			if err != nil {
				return err
			}
			to, err := tables.Create[T](o, file, meta)
			if err != nil {
				return err
			}
			return to.Write(rows)
		},
	}
}

// scan reads a Parquet table whole.
func scan[T any](path string) (all []T, err error) {
	err = tables.Scan(path, func(rows []T) { all = append(all, rows...) })
	return all, err
}

// kinds are the tables of a run by name.
func kinds() map[string]kind {
	return map[string]kind{
		"fct":           kindOf("fct", tables.LoadFCT),
		"dcms":          kindOf("dcms", scan[traces.ManagerRow]),
		"dcms_counters": kindOf("dcms_counters", scan[traces.SweepRow]),
		"queue_cdf":     kindOf("queue_cdf", scan[traces.QueueCDFRow]),
		"pfc":           kindOf("pfc", scan[traces.PFCRow]),
		"ports":         kindOf("ports", scan[traces.PortRow]),
		"schedule":      kindOf("schedule", scan[traces.ScheduleRow]),
		"series":        kindOf("series", scan[traces.SeriesRow]),
	}
}

func findKind(name string) (kind, error) {
	all := kinds()
	k, ok := all[name]
	if !ok {
		return k, fmt.Errorf("no table %q: there are %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	return k, nil
}

// Kinds lists the tables of a run as JSON.
func Kinds() string { return asJSON(slices.Sorted(maps.Keys(kinds()))) }

// NewTable returns an empty table of a kind, to be filled.
func NewTable(name string) (t *Table, err error) {
	defer guard(&err)
	k, err := findKind(name)
	if err != nil {
		return nil, err
	}
	return k.make(), nil
}

// LoadTable reads a table from the file of an earlier run: Parquet, or fct.txt.
func LoadTable(name, path string) (t *Table, err error) {
	defer guard(&err)
	k, err := findKind(name)
	if err != nil {
		return nil, err
	}
	return k.load(path)
}

// ScenarioOf returns the scenario that a Parquet table of a run names in its metadata; empty if it names none.
func ScenarioOf(path string) (text string, err error) {
	defer guard(&err)
	return tables.Value(path, "scenario")
}

// RemoveOutdated removes tables of scenarios other than the given one ([driver.RemoveOutdated]).
func RemoveOutdated(folder, scenario string) (err error) {
	defer guard(&err)
	return driver.RemoveOutdated(folder, scenario)
}

// Fill sets a column to values in the machine's byte order. Labels, as JSON, are those of a
// column of text.
func (t *Table) Fill(name string, values []byte, labels string) (err error) {
	defer guard(&err)
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.column(name)
	if c == nil {
		return fmt.Errorf("table %s has no column %q", t.kind, name)
	}
	if c.text {
		if err := c.setLabels(values, labels); err != nil {
			return err
		}
	}
	c.data, t.rows = slices.Clone(values), len(values)/int(c.size)
	return nil
}

// setLabels sets the labels of a column, of which all codes must have one, in memory of their own: snapshots share the
// old ones.
func (c *column) setLabels(values []byte, labels string) error {
	var list []string
	if err := json.Unmarshal([]byte(labels), &list); err != nil {
		return err
	}
	for i := 0; i+int(c.size) <= len(values); i += int(c.size) {
		if code := *(*int32)(unsafe.Pointer(&values[i])); code < 0 || int(code) >= len(list) {
			return fmt.Errorf("column %s: %d is no label", c.Name, code)
		}
	}
	c.Labels = list
	return nil
}

// Save writes the table as Parquet, with the scenario, as text, and the seed beside it.
func (t *Table) Save(path, text, seed string) (err error) {
	defer guard(&err)
	k, err := findKind(t.kind)
	if err != nil {
		return err
	}
	meta := []tables.Meta{{Key: "scenario", Value: text}, {Key: "seed", Value: seed}, {Key: "version", Value: scenario.Version()}}
	return whole(path, func(out *traces.Output, name string) error { return k.save(out, name, t, meta) })
}

// WriteWhole writes a file of which there never is a part.
func WriteWhole(path, text string) (err error) {
	defer guard(&err)
	return whole(path, func(out *traces.Output, name string) error {
		file, err := out.Create(name)
		if err == nil {
			file.Write([]byte(text)) // Commit reports a failure
		}
		return err
	})
}

// whole gives a file its name once it is complete.
func whole(path string, write func(out *traces.Output, name string) error) error {
	out, name, err := traces.NewOutputOf(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := write(out, name); err != nil {
		return err
	}
	return out.Commit()
}
