package workloads

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/internal/spelling"
)

//go:embed cdf/*.txt
var library embed.FS

// Sizes lists the names of the published distributions that come with the program. The
// files name their sources.
func Sizes() []string {
	return []string{"WebSearch", "FbHadoop", "GoogleRPC2008", "DataMining"}
}

// NamedSizes returns a published distribution, whatever the case of its name.
func NamedSizes(name string) (*CDF, error) {
	for _, known := range Sizes() {
		if strings.EqualFold(known, name) {
			text, err := library.ReadFile("cdf/" + known + ".txt")
			if err != nil {
				panic(err)
			}
			return ReadCDF(known, bytes.NewReader(text))
		}
	}
	return nil, fmt.Errorf("there is no size distribution %q%s", name, spelling.Suggest(name, Sizes()))
}
