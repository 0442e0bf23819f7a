package lint

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// licences lists every module that go.mod requires, with the licence in its LICENSE file.
var licences = map[string]string{
	"codeberg.org/go-fonts/liberation": "BSD-3-Clause", // the fonts themselves: OFL-1.1
	"codeberg.org/go-latex/latex":      "BSD-3-Clause",
	"codeberg.org/go-pdf/fpdf":         "MIT",
	"git.sr.ht/~sbinet/gg":             "MIT",
	"github.com/ajstarks/svgo":         "CC-BY-4.0",
	"github.com/andybalholm/brotli":    "MIT",
	"github.com/goccy/go-yaml":         "MIT",
	"github.com/golang/freetype":       "FTL or GPL-2.0-or-later",
	"github.com/google/uuid":           "BSD-3-Clause",
	"github.com/klauspost/compress":    "BSD-3-Clause", // gzhttp, which we do not use, is Apache-2.0
	"github.com/parquet-go/bitpack":    "Apache-2.0",
	"github.com/parquet-go/jsonlite":   "MIT",
	"github.com/parquet-go/parquet-go": "Apache-2.0",
	"github.com/pierrec/lz4/v4":        "BSD-3-Clause",
	"github.com/spf13/pflag":           "BSD-3-Clause",
	"github.com/twpayne/go-geom":       "BSD-2-Clause",
	"golang.org/x/image":               "BSD-3-Clause",
	"golang.org/x/sync":                "BSD-3-Clause",
	"golang.org/x/sys":                 "BSD-3-Clause",
	"golang.org/x/text":                "BSD-3-Clause",
	"gonum.org/v1/plot":                "BSD-3-Clause",
	"google.golang.org/protobuf":       "BSD-3-Clause",
}

// permissive are the licences that a GPL-2.0-only program, such as one linked with ns-3, may
// contain. Apache-2.0 is not one of them.
var permissive = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause"}

// linkable are the modules that the C library may contain.
var linkable = []string{compress, yaml, protobuf}

// phrases distinguish licences: the phrase that comes first in a text decides, since the licences
// that follow a module's own are those of parts of it.
var phrases = []struct{ phrase, licence string }{
	{"Use of the Freetype-Go software is subject to your choice of exactly one of", "FTL or GPL-2.0-or-later"},
	{"Creative Commons Attribution 4.0", "CC-BY-4.0"},
	{"GNU GENERAL PUBLIC LICENSE", "GPL"},
	{"GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"},
	{"Mozilla Public License", "MPL-2.0"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Apache License", "Apache-2.0"},
}

// TestRequirements requires that go.mod and the table name the same modules.
func TestRequirements(t *testing.T) {
	var mod struct{ Require []struct{ Path string } }
	if err := json.Unmarshal(run(t, "mod", "edit", "-json"), &mod); err != nil {
		t.Fatal(err)
	}
	stale := maps.Clone(licences)
	for _, r := range mod.Require {
		if licences[r.Path] == "" {
			t.Errorf("go.mod:1: %s has no licence in the table; read its LICENSE and add it to internal/lint/licences_test.go, or do without it", r.Path)
		}
		delete(stale, r.Path)
	}
	for _, path := range slices.Sorted(maps.Keys(stale)) {
		t.Errorf("internal/lint/licences_test.go:1: go.mod does not require %s; delete its row", path)
	}
}

// TestLicences compares the table with the LICENSE files of the modules from which our packages are
// built.
func TestLicences(t *testing.T) {
	for path, dir := range modules(t, "./...") {
		if got := licenceIn(t, dir); got != licences[path] {
			t.Errorf("internal/lint/licences_test.go:1: %s is under %s, the table says %q; correct it, and see whether we may use it", path, got, licences[path])
		}
	}
}

// TestLinkable requires that the C library contains only modules that a GPL-2.0-only program may
// link.
func TestLinkable(t *testing.T) {
	if _, err := os.Stat(root + "/cgo"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no C library: no folder cgo")
	}
	for path := range modules(t, "./cgo/...") {
		if !slices.Contains(linkable, path) {
			t.Errorf("cgo:1: the C library contains %s (%s); import less", path, licences[path])
		}
	}
}

// TestLinkableIsPermissive checks that the list of such modules is right.
func TestLinkableIsPermissive(t *testing.T) {
	for _, path := range linkable {
		if !slices.Contains(permissive, licences[path]) {
			t.Errorf("internal/lint/licences_test.go:1: %s is under %q; it may not be linked into a GPL-2.0-only program", path, licences[path])
		}
	}
}

// TestOwnLicence requires that our own licence is the MIT licence.
func TestOwnLicence(t *testing.T) {
	if got := licenceIn(t, root); got != "MIT" {
		t.Errorf("LICENSE:1: it is %s; the project is under MIT", got)
	}
}

// run runs the go command in the module and returns what it prints.
func run(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// modules returns the folders of external modules from which packages are built.
func modules(t *testing.T, pattern string) map[string]string {
	t.Helper()
	m := make(map[string]string)
	out := run(t, "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}", pattern)
	for line := range strings.Lines(string(out)) {
		path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && path != modulePath {
			m[path] = dir
		}
	}
	return m
}

// licenceIn names the licence in a folder's LICENSE file.
func licenceIn(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "LICENSE*"))
	if err != nil || len(files) == 0 {
		return "no LICENSE file"
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return licenceOf(string(text))
}

func licenceOf(text string) string {
	first, licence := len(text), "a licence not known here"
	for _, p := range phrases {
		if i := strings.Index(text, p.phrase); i >= 0 && i < first {
			first, licence = i, p.licence
		}
	}
	if licence == "BSD-2-Clause" && strings.Contains(text, "Neither the name") {
		return "BSD-3-Clause"
	}
	return licence
}

func TestLicenceOf(t *testing.T) {
	for text, want := range map[string]string{
		"": "a licence not known here",
		"Redistribution and use in source and binary forms ... Apache License":                "BSD-2-Clause",
		"Redistribution and use in source and binary forms ... Neither the name of X ... MIT": "BSD-3-Clause",
		"Apache License ... Permission is hereby granted, free of charge":                     "Apache-2.0",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
