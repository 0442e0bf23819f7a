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

// Claim is one published value, and the values that agree with it.
type Claim struct {
	Measure   string    `yaml:"measure"`
	What      string    `yaml:"what"`
	Published float64   `yaml:"published"`
	Unit      string    `yaml:"unit"`
	Is        Relation  `yaml:"is"`
	Within    Tolerance `yaml:"within"`
	Where     string    `yaml:"where"`
	Why       string    `yaml:"why"`
	Eye       bool      `yaml:"eye"`
	Quick     *bool     `yaml:"quick"`
}

// Relation says how our value must relate to the published one.
type Relation string

// Relations.
const (
	About    Relation = "about"
	AtMost   Relation = "at most"
	AtLeast  Relation = "at least"
	MoreThan Relation = "more than" // the bound itself is not enough; there is no tolerance
)

// Tolerance is a share, such as 20%, or a number in the unit of the value.
type Tolerance string

// of returns the tolerance of a value in its unit.
func (t Tolerance) of(v float64) (float64, error) {
	if share, ok := strings.CutSuffix(string(t), "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		return math.Abs(v) * p / 100, err
	}
	return strconv.ParseFloat(string(t), 64)
}

// published returns the claims by experiment.
var published = sync.OnceValues(readPublished)

func readPublished() (map[string][]Claim, error) {
	var list []struct {
		Experiment string  `yaml:"experiment"`
		Claims     []Claim `yaml:"claims"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(publishedText), yaml.Strict()).Decode(&list); err != nil {
		return nil, fmt.Errorf("published.yaml: %w", err)
	}
	claims := make(map[string][]Claim)
	for _, e := range list {
		claims[e.Experiment] = e.Claims
	}
	return claims, nil
}

// agrees reports whether a value fulfils the claim.
func (c *Claim) agrees(ours float64) bool {
	tolerance, err := c.Within.of(c.Published)
	if err != nil {
		panic("reproduce: published.yaml: " + c.Measure + ": " + err.Error())
	}
	// The rounding of a decimal fraction must not decide.
	tolerance += float64(1e-9 * math.Abs(c.Published))
	switch c.Is {
	case AtMost:
		return ours <= c.Published+tolerance
	case AtLeast:
		return ours >= c.Published-tolerance
	case MoreThan:
		return ours > c.Published+tolerance
	}
	return math.Abs(ours-c.Published) <= tolerance
}
