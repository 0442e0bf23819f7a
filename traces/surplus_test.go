package traces

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Text after the number of entries that the count announces changes nothing; what looks like one more entry is
// reported.
func TestSurplus(t *testing.T) {
	const link = " 100Gbps 1us 0\n"
	for _, test := range []struct {
		name       string
		read       func(name string, r io.Reader) (any, error)
		whole, had string
		want       string
	}{
		{
			"flows", func(name string, r io.Reader) (any, error) { return ReadFlows(name, r) },
			"1\n0 1 3 100 5 2.0\n", "0 1 3 100 6 2.0\n",
			`f:3: more flows than the 1 that the count announces "0": correct the count, if the rest is to be read too`,
		},
		{
			"links", func(name string, r io.Reader) (any, error) {
				net, lines, err := ReadTopology(name, r, core.Exact)
				return []any{net, lines}, err
			},
			"3 1 2\n2\n0 2" + link + "1 2" + link, "0 1" + link,
			`f:5: more links than the 2 that the count announces "0": correct the count, if the rest is to be read too`,
		},
		{
			"nodes", func(name string, r io.Reader) (any, error) { return ReadNodes(name, r, 9) },
			"2 0 1\n", "9 2\n",
			`f:2: more traced nodes than the 2 that the count announces "9": correct the count, if the rest is to be read too`,
		},
	} {
		want, err := test.read("f", strings.NewReader(test.whole))
		if err != nil {
			t.Fatal(err)
		}
		for _, rest := range []string{test.had, "remarks follow, such as 7 and 8\n"} {
			got, err := test.read("f", strings.NewReader(test.whole+rest))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s before %q: %+v, want %+v", test.name, rest, got, want)
			}
			var surplus *SurplusError
			switch more := rest == test.had; {
			case errors.As(err, &surplus) != more || !more && err != nil:
				t.Errorf("%s before %q: error %v", test.name, rest, err)
			case more:
				checkError(t, err, test.want)
			}
		}
	}
}
