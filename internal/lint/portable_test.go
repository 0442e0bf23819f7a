package lint

import (
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// computing are the packages on whose arithmetic results depend, without their tests.
var computing = []string{
	"core", "core/*", "algorithms", "algorithms/*", "devices/*", "workloads", "traces",
	"internal/dcms", "internal/refrand", "internal/series", "internal/slowdown", "internal/sim", "internal/scenario",
	"internal/driver", "internal/compare", "internal/reproduce",
}

// exact are the functions of package math whose results its documentation or IEEE 754 fix to the bit.
var exact = []string{
	"Abs", "Ceil", "Copysign", "FMA", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Frexp",
	"Inf", "IsInf", "IsNaN", "Ldexp", "Max", "Min", "Modf", "NaN", "Nextafter", "Pow10", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
}

func TestElementaryFunctions(t *testing.T) { check(t, eachFile(elementary)) }

// elementary is the rule that elementary functions are taken from core/portable.
func elementary(s *source) (found []finding) {
	if s.isTest() || !slices.ContainsFunc(computing, func(dir string) bool { return matches(dir, s.dir()) }) {
		return nil
	}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if pkg, name := selector(c.Fun); pkg == "math" && !slices.Contains(exact, name) {
				found = append(found, s.at(c.Pos(), "take it from core/portable", "the bits of math.%s depend on the processor", name))
			}
		}
		return true
	})
	return found
}

// TestNoProductIsFused makes the compiler list where it fuses x*y + z into one operation for arm64, which has such an
// operation: amd64 without GOAMD64=v3 has not, and so gets other bits. With the profile that the program is built with,
// the compiler inlines more functions, and so finds more sums of products.
func TestNoProductIsFused(t *testing.T) {
	var packages []string
	for _, dir := range computing {
		packages = append(packages, "./"+strings.ReplaceAll(dir, "*", "..."))
	}
	for _, without := range [][]string{nil, {noProfile}} {
		if fused := fusedIn(t, root, without, append([]string{profiled}, packages...)...); len(fused) > 0 {
			t.Errorf("arm64, %s %q, fuses products with sums; write float64(x*y) + z at\n%s", profiled, without, strings.Join(fused, "\n"))
		}
	}
}

const (
	profiled  = "-pgo=cmd/qbb/default.pgo"
	noProfile = "-pgoprofile=" // in these packages: what they import is compiled with it once
)

// fusedIn returns the places, as file:line:column, at which the compiler, with some flags, fuses in packages of a module,
// which are the last arguments of go build.
func fusedIn(t *testing.T, module string, flags []string, args ...string) (places []string) {
	t.Helper()
	flags = append([]string{"-gcflags=-d=fmahash=vy"}, flags...)
	cmd := exec.Command("go", append([]string{"build", strings.Join(flags, " ")}, args...)...)
	cmd.Dir, cmd.Env = module, append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if place, ok := strings.CutPrefix(line, "fmahash triggered "); ok {
			places = append(places, place[:strings.LastIndexByte(place, ' ')])
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func TestPlainColumns(t *testing.T) { check(t, eachFile(plainColumns)) }

// plainColumns is the rule that columns of Parquet are written in plain encoding. How the library packs indices of a
// dictionary depends on the processor, and after compression little is gained: fct.parquet of 3,862 flows is 0.3 %
// smaller with dictionaries and differences.
func plainColumns(s *source) (found []finding) {
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		f, ok := n.(*ast.Field)
		if !ok || f.Tag == nil {
			return true
		}
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("parquet")
		if name, encoding, ok := strings.Cut(tag, ","); ok {
			found = append(found, s.at(f.Pos(), "leave that out", "column %s is encoded by %s", name, encoding))
		}
		return true
	})
	return found
}

func TestPortableNotices(t *testing.T) {
	s := example(t, "algorithms/x/x.go", strings.TrimSpace(`
package x
func a(x float64) float64 { return math.Sqrt(math.Exp(x)) }
`))
	expect(t, elementary(s), "2 math.Exp")
	s = example(t, "traces/x.go", "package traces\ntype row struct {\n\tTag string `parquet:\"tag,dict\"`\n\tSize int `parquet:\"size\"`\n}\n")
	expect(t, plainColumns(s), "3 column tag is encoded by dict")
	module := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module x\n",
		"x.go":   "package x\n\nfunc A(x, y, z float64) float64 { return x*y + z }\nfunc B(x, y, z float64) float64 { return float64(x*y) + z }\n",
	} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if fused := fusedIn(t, module, nil, "."); len(fused) != 1 || !strings.Contains(fused[0], "x.go:3:") {
		t.Errorf("of two products one is fused, not %q", fused)
	}
}
