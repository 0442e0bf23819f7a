package reproduce

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed published.yaml
var publishedText []byte

// claim is one published value, and the values that agree with it.
type claim struct {
	Measure   string    `yaml:"measure"`
	What      string    `yaml:"what"`
	Published float64   `yaml:"published"`
	Unit      string    `yaml:"unit"`
	Is        relation  `yaml:"is"`
	Within    tolerance `yaml:"within"`
	Where     string    `yaml:"where"`
	Why       string    `yaml:"why"`
	Eye       bool      `yaml:"eye"`
	Quick     *bool     `yaml:"quick"`
}

// relation says how our value must relate to the published one.
type relation string

// Relations.
const (
	about    relation = "about"
	atMost   relation = "at most"
	atLeast  relation = "at least"
	moreThan relation = "more than" // the bound itself is not enough; there is no tolerance
)

// tolerance is a share, such as 20%, or a number in the unit of the value.
type tolerance string

// of returns the tolerance of a value in its unit.
func (t tolerance) of(v float64) (float64, error) {
	if share, ok := strings.CutSuffix(string(t), "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		return math.Abs(v) * p / 100, err
	}
	return strconv.ParseFloat(string(t), 64)
}

// published returns the claims by experiment.
var published = sync.OnceValues(readPublished)

func readPublished() (map[string][]claim, error) {
	var list []struct {
		Experiment string  `yaml:"experiment"`
		Claims     []claim `yaml:"claims"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(publishedText), yaml.Strict()).Decode(&list); err != nil {
		return nil, fmt.Errorf("published.yaml: %w", err)
	}
	claims := make(map[string][]claim)
	for _, e := range list {
		claims[e.Experiment] = e.Claims
	}
	return claims, nil
}

// agrees reports whether a value fulfils the claim.
func (c *claim) agrees(ours float64) bool {
	tolerance, err := c.Within.of(c.Published)
	if err != nil {
		panic("reproduce: published.yaml: " + c.Measure + ": " + err.Error())
	}
	// The rounding of a decimal fraction must not decide.
	tolerance += float64(1e-9 * math.Abs(c.Published))
	switch c.Is {
	case atMost:
		return ours <= c.Published+tolerance
	case atLeast:
		return ours >= c.Published-tolerance
	case moreThan:
		return ours > c.Published+tolerance
	}
	return math.Abs(ours-c.Published) <= tolerance
}
