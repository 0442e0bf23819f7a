package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// writeFile writes a file, which appears when it is complete. That it cannot be made is the user's mistake;
// that it cannot be completed, on a full disk, is not.
func writeFile(path string, content []byte) error {
	return writeWith(path, func(w io.Writer) error {
		w.Write(content) // Commit reports a failure
		return nil
	})
}

// writeWith does so for a file that a function writes.
func writeWith(path string, write func(w io.Writer) error) error {
	out, name, err := traces.NewOutputOf(path)
	if err != nil {
		return mistake(err)
	}
	defer out.Abort()
	file, err := out.Create(name)
	if err != nil {
		return mistake(err)
	}
	if err := write(file); err != nil {
		return err
	}
	return out.Commit()
}

// spares reports a file to be written that leads to one of those that are read of the runs in some folders.
func spares(path string, dirs []string) error {
	if results.Reads(dirs, path) {
		return mistakef("%s: this output would replace an input: give it another name", path)
	}
	return nil
}

// inputOf returns the path of a file that is read: standard input for -.
func inputOf(name string) string {
	if name == "-" {
		return os.Stdin.Name()
	}
	return name
}

// input is a file that a scenario names. Behind the names of some may be a comma, and which hosts it is for.
type input struct {
	key  string
	name *string
}

// is reports whether an input is the file with a name.
func (in *input) is(name string) bool {
	return *in.name == name || (in.key == "schedule" || in.key == "workload") && strings.HasPrefix(*in.name, name+",")
}

func inputsOf(sc *scenario.Scenario) []input {
	list := []input{{"topology", &sc.Topology}, {"workload", &sc.Workload}, {"flows", &sc.Flows}, {"trace", &sc.Trace}}
	for i := range sc.Schedule {
		list = append(list, input{"schedule", &sc.Schedule[i]})
	}
	return list
}

// usePipe puts standard input in the place of the input that is called -. There is one at most, since it can be read once.
func usePipe(config []string, sc *scenario.Scenario) error {
	taken := ""
	if slices.Contains(config, "-") {
		taken = "CONFIG"
	}
	for _, in := range inputsOf(sc) {
		switch {
		case !in.is("-"):
			continue
		case taken != "":
			return fmt.Errorf("%s: -, standard input, is %s already: write one of them to a file", in.key, taken)
		}
		*in.name, taken = os.Stdin.Name()+(*in.name)[len("-"):], in.key
	}
	return nil
}

// tableOf returns the path of a table: the given file, or fct.parquet in the folder of a run.
func tableOf(path string) (string, error) {
	path = inputOf(path)
	if !isFolder(path) {
		return path, nil
	}
	table := filepath.Join(path, "fct.parquet")
	if _, err := os.Stat(table); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: no fct.parquet: give the folder of a finished run, or a file", path)
	}
	return table, nil
}

// isFolder reports whether there is a folder of this name.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
