//go:build cgo

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// library is a folder with libqbb.so, built once for all tests.
type library struct {
	once sync.Once
	dir  string
	err  error
}

var built library

// folder builds the library if that has not been done, and returns its folder.
func (l *library) folder(t *testing.T) string {
	t.Helper()
	l.once.Do(func() {
		if l.dir, l.err = os.MkdirTemp("", "qbb"); l.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-buildmode=c-shared", "-o", filepath.Join(l.dir, "libqbb.so"), ".").CombinedOutput()
		if err != nil {
			l.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	if l.err != nil {
		t.Fatal(l.err)
	}
	return l.dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// strict are the options with which every C file is compiled, and strictCC those for C++.
var (
	strict   = []string{"-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I."}
	strictCC = []string{"-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I."}
)

// compile builds a program from a file in C or C++ and returns its path.
func compile(t *testing.T, file string, more ...string) string {
	t.Helper()
	lib := built.folder(t)
	compiler, options := "gcc", strict
	if strings.HasSuffix(file, ".cc") {
		compiler, options = "g++", strictCC
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("%s is missing; on Debian: apt-get install build-essential", compiler)
	}
	for _, name := range []string{file, "qbb.h", "layout.c", "tests/check.h", "tests/noise.h"} {
		if _, err := os.ReadFile(name); err != nil { // the go command's test cache tracks the files that tests read
			t.Fatal(err)
		}
	}
	program := filepath.Join(t.TempDir(), "program")
	args := append(slices.Concat(options, more), file, "-o", program, "-L"+lib, "-lqbb", "-pthread", "-Wl,-rpath,"+lib)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	return program
}

// execute runs a program and returns what it prints.
func execute(t *testing.T, program string, args ...string) string {
	t.Helper()
	command := exec.Command(program, args...)
	command.Dir = t.TempDir()                   // for the files that it leaves
	command.Env = append(os.Environ(), "GOGC=") // the default: leak.c measures memory
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// TestC runs the tests and examples that are written in C and C++.
func TestC(t *testing.T) {
	files, err := filepath.Glob("tests/*.c")
	if err != nil {
		t.Fatal(err)
	}
	args := map[string][]string{"tests/fuzz.c": {"300000"}, "tests/fuzz_runs.c": {"100000"}, "examples/bench.c": {"100"}}
	for _, file := range append(files, "tests/cplusplus.cc", "examples/scheme.c", "examples/scenario.c", "examples/bench.c") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			execute(t, compile(t, file), args[file]...)
		})
	}
}

// TestHeader compiles the header by itself, under the standards that programs may use.
func TestHeader(t *testing.T) {
	for _, standard := range []string{"c99", "c11", "c17", "c++11", "c++17", "c++20"} {
		compiler, language := "gcc", "c"
		if strings.HasPrefix(standard, "c++") {
			compiler, language = "g++", "c++"
		}
		if _, err := exec.LookPath(compiler); err != nil {
			t.Skipf("%s is missing; on Debian: apt-get install build-essential", compiler)
		}
		args := []string{"-I.", "-fsyntax-only", "-x", language, "-std=" + standard, "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-"}
		command := exec.Command(compiler, args...)
		command.Stdin = strings.NewReader("#include \"qbb.h\"\nint main(void);\nint main(void) { return qbb_open(QBB_ABI_VERSION); }\n")
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", standard, err, out)
		}
	}
}

// TestExports requires that the library has every function that the header declares: a program that
// takes the addresses of all of them can be linked, in C and in C++.
func TestExports(t *testing.T) {
	header, err := os.ReadFile("qbb.h")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^(?:int|int64_t|const char \*) ?\*?(qbb_\w+)\(`).FindAllSubmatch(header, -1)
	if len(declared) < 30 {
		t.Fatalf("found %d functions in qbb.h", len(declared))
	}
	var b strings.Builder
	b.WriteString("#include \"qbb.h\"\ntypedef void (*any)(void);\nint main(void)\n{\n\tany all[] = {\n")
	for _, m := range declared {
		fmt.Fprintf(&b, "\t\t(any)%s,\n", m[1])
	}
	b.WriteString("\t};\n\tfor (unsigned i = 0; i < sizeof all / sizeof *all; i++)\n\t\tif (!all[i])\n\t\t\treturn 1;\n\treturn 0;\n}\n")
	for _, name := range []string{"all.c", "all.cc"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		execute(t, compile(t, file, "-Wno-cast-function-type"))
	}
}
