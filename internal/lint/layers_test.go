package lint

import "path"

// layer is a row of the import table: a package and what it may import.
type layer struct {
	dir     string   // a folder, or a pattern of folders (path.Match)
	own     []string // folders or patterns of ours
	std     []string // of the standard library; nil: anything but unsafe and C
	modules []string // of others
	c       bool     // may import "C" and unsafe
}

// pure is the standard library as a state machine may see it: computation and text, nothing that
// knows of time, files, threads or the operating system.
var pure = []string{
	"cmp", "encoding/binary", "errors", "fmt", "iter", "math", "math/bits", "math/rand/v2",
	"slices", "strconv", "strings",
}

// reflective packages read parameters by the tags of their fields.
var reflective = append([]string{"reflect"}, pure...)

// threaded packages run several threads.
var threaded = append([]string{"runtime", "sync", "sync/atomic"}, pure...)

// layers is the import table; the first row that matches a folder holds. The order is that of
// the architecture: no row names one below it.
var layers = []layer{
	{dir: "internal/spelling", std: pure},
	{dir: "internal/waitlist", std: pure},
	{dir: "core/portable", std: pure},
	{dir: "core", own: []string{"core/portable"}, std: append([]string{"container/heap"}, pure...)},
	{dir: "core/engine/barrier", std: append([]string{"time"}, threaded...)},
	{dir: "core/engine", own: []string{"core", "core/engine/barrier"}, std: append([]string{"runtime/debug"}, threaded...)},
	{dir: "core/topo", own: []string{"core", "internal/spelling"}, std: pure},
	{dir: "algorithms", own: []string{"core", "internal/spelling"}, std: reflective},
	{dir: "algorithms/catalog", own: []string{"core", "algorithms", "algorithms/*", "internal/spelling"}, std: pure},
	{dir: "algorithms/algotest", own: []string{"core", "algorithms"}},
	{dir: "algorithms/*", own: []string{"core", "core/portable", "algorithms"}, std: pure},
	{dir: "devices/devicetest", own: []string{"core"}},
	{dir: "devices/*", own: []string{"core", "algorithms"}, std: pure},
	{dir: "traces", own: []string{"core", "core/topo", "internal/spelling"}, modules: []string{compress}},
	{dir: "traces/filter", own: []string{"core", "traces", "internal/spelling"}, std: pure},
	{dir: "traces/capture", own: []string{"core", "core/topo", "traces"}},
	{dir: "traces/tables", own: []string{"core", "traces"}, modules: []string{parquet}},
	{dir: "workloads", own: []string{"core", "core/topo", "internal/spelling", "internal/waitlist"}},
	{dir: "workloads/goal", own: []string{"core"}},
	{dir: "workloads/chakra", own: []string{"core", "workloads", "workloads/goal"}, modules: []string{protobuf}},
	{dir: "workloads/chakra/chakratest", modules: []string{protobuf}},
	{dir: "internal/series", std: pure},
	{dir: "internal/refrand", own: []string{"core"}, std: pure},
	{dir: "internal/slowdown", own: []string{"core", "traces"}},
	{dir: "internal/compare", own: []string{"core", "internal/slowdown", "traces"}},
	{dir: "internal/lint"},
	{dir: "internal/figure", std: pure},
	{dir: "internal/figure/render", own: []string{"internal/figure"}, modules: []string{gonumPlot, liberation, image}},
	{dir: "internal/dcms", std: pure},
	{dir: "internal/sim", own: []string{
		"core", "core/engine", "core/topo", "algorithms", "devices/*", "internal/dcms", "internal/refrand", "internal/series",
	}},
	{dir: "internal/scenario", own: []string{
		"core", "core/engine", "core/topo", "algorithms", "algorithms/*", "devices/*",
		"traces", "traces/capture", "traces/filter", "workloads", "workloads/chakra", "workloads/goal", "internal/dcms", "internal/sim", "internal/spelling", "internal/waitlist",
	}, modules: []string{yaml}},
	{dir: "internal/stall", own: []string{"core", "internal/sim", "internal/spelling"}, std: pure},
	{dir: "internal/laws", own: []string{"core", "core/engine", "core/topo", "devices/*", "internal/sim", "internal/stall"}, std: pure},
	{dir: "cgo", own: []string{
		"core", "core/topo", "algorithms", "algorithms/*", "devices/*",
		"traces", "internal/refrand", "internal/scenario", "internal/sim", "internal/spelling", "internal/stall",
	}, c: true},
	{dir: "internal/driver", own: []string{
		"core", "core/topo", "algorithms", "traces", "traces/capture", "traces/filter", "traces/tables",
		"internal/dcms", "internal/scenario", "internal/sim", "internal/slowdown", "internal/spelling", "internal/stall",
	}},
	{dir: "internal/twin", own: []string{"core", "core/topo", "traces", "internal/driver", "internal/refrand", "internal/scenario"}},
	{dir: "internal/results", own: []string{"core", "core/topo", "traces", "traces/tables", "internal/driver", "internal/figure", "internal/slowdown", "internal/spelling"}, modules: []string{yaml}},
	{dir: "internal/results/sample", own: []string{"core", "internal/driver", "internal/scenario"}},
	{dir: "internal/timeline", own: []string{"core", "traces", "traces/tables"}},
	{dir: "internal/inspect", own: []string{"core", "traces", "traces/capture", "internal/spelling"}},
	{dir: "internal/report", own: []string{"internal/driver", "internal/figure", "internal/results", "internal/scenario", "internal/slowdown", "internal/spelling"}},
	{dir: "internal/reproduce", own: []string{
		"core", "core/topo", "algorithms", "algorithms/catalog", "devices/*", "traces", "traces/tables",
		"internal/figure", "internal/figure/render", "internal/scenario", "internal/sim", "internal/slowdown", "internal/spelling",
	}, modules: []string{yaml, parquet, errgroup}},
	{dir: "cmd/*", own: []string{
		"core", "core/topo", "algorithms", "algorithms/catalog", "traces", "traces/filter", "traces/tables", "workloads",
		"internal/compare", "internal/driver", "internal/inspect", "internal/figure", "internal/figure/render",
		"internal/report", "internal/reproduce", "internal/results", "internal/scenario", "internal/sim", "internal/slowdown", "internal/spelling", "internal/timeline",
	}, modules: []string{parquet, compress, cobra, errgroup, pflag, term}},
	{dir: "bindings/native", own: []string{
		"core", "core/topo", "algorithms", "algorithms/catalog", "traces", "traces/tables", "workloads",
		"internal/compare", "internal/driver", "internal/scenario", "internal/sim", "internal/slowdown",
	}, c: true},
}

// Modules of others that rows name.
const (
	parquet  = "github.com/parquet-go/parquet-go"
	compress = "github.com/klauspost/compress"
	yaml     = "github.com/goccy/go-yaml"
	protobuf = "google.golang.org/protobuf"
	cobra    = "github.com/spf13/cobra"
	pflag    = "github.com/spf13/pflag"
	term     = "golang.org/x/term"
	errgroup = "golang.org/x/sync/errgroup"

	gonumPlot  = "gonum.org/v1/plot"
	liberation = "codeberg.org/go-fonts/liberation"
	image      = "golang.org/x/image"
)

// layerOf returns the row of a folder.
func layerOf(dir string) (layer, bool) {
	for _, l := range layers {
		if matches(l.dir, dir) {
			return l, true
		}
	}
	return layer{}, false
}

// matches reports whether a folder is the one that a row's pattern means.
func matches(pattern, dir string) bool {
	ok, err := path.Match(pattern, dir)
	if err != nil {
		panic(err)
	}
	return ok
}
