//go:build cgo

package main

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite layout.c")

// rewriting is the command that makes layout.c again: the present file does not compile with other
// structs.
const rewriting = "CGO_CFLAGS=-DQBB_UNCHECKED go test ./cgo -run TestLayout -rewrite"

// TestLayout requires that layout.c, which the C compiler checks whenever the library is built,
// agrees with what Go sees of every struct: its size, and the offset of every field.
func TestLayout(t *testing.T) {
	want := layoutSource()
	if *rewrite {
		if err := os.WriteFile("layout.c", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("layout.c")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("layout.c is not what Go sees: a change of a struct is a new QBB_ABI_VERSION; then run " + rewriting)
	}
}

func layoutSource() string {
	var b strings.Builder
	b.WriteString("//go:build cgo\n\n/* Sizes and offsets as Go sees them. Made by\n * " + rewriting + " */\n")
	b.WriteString("#include \"qbb.h\"\n\n#ifdef QBB_UNCHECKED\n#define ASSERT(x) extern int unchecked\n#elif defined __cplusplus\n#define ASSERT(x) static_assert(x, #x)\n#else\n#define ASSERT(x) _Static_assert(x, #x)\n#endif\n")
	for _, s := range structs() {
		name := structName(s)
		fmt.Fprintf(&b, "\nASSERT(sizeof(%s) == %d);\n", name, s.Size())
		for i := range s.NumField() {
			if f := s.Field(i); !strings.HasPrefix(f.Name, "_") {
				fmt.Fprintf(&b, "ASSERT(offsetof(%s, %s) == %d);\n", name, f.Name, f.Offset)
			}
		}
	}
	return b.String()
}

// structName is the name of a struct in C.
func structName(s reflect.Type) string {
	return strings.TrimPrefix(strings.TrimPrefix(s.Name(), "_Ctype_"), "struct_")
}

// TestStructsComplete requires that no struct of qbb.h is left out.
func TestStructsComplete(t *testing.T) {
	header, err := os.ReadFile("qbb.h")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range structs() {
		names = append(names, structName(s))
	}
	for _, m := range regexp.MustCompile(`typedef struct (\w+)`).FindAllSubmatch(header, -1) {
		if !slices.Contains(names, string(m[1])) {
			t.Errorf("layout.go does not list %s", m[1])
		}
	}
}
