package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Values are separated by spaces, unless they are in brackets or quotes; only whole numbers with two dots between them
// are a range.
func TestSweepAxis(t *testing.T) {
	for text, want := range map[string][]string{
		"seed=9..11": {"9", "10", "11"}, "seed=3..3": {"3"}, "x=-1..1": {"-1", "0", "1"}, " seed = 1..2 7 ": {"1", "2", "7"},
		"x=a..5": {"a..5"}, "x=1..b": {"1..b"}, "flows=../a .. 5": {"../a", "..", "5"},
		"x=[a b] c [d]": {"[a b]", "c", "[d]"}, "x={a: 1, b: [2 3]} 4": {"{a: 1, b: [2 3]}", "4"}, "x=[a,\n\t b] \n c": {"[a, b]", "c"},
		`x="a  [b.txt" c "1..2"`: {"a  [b.txt", "c", "1..2"}, `x=[{"a b": c d}] "e`: {`[{"a b": c d}]`, `"e`}, `x="" b`: {`""`, "b"},
		`a+b=1..2+x [y+z]+"q w"`: {"1..2 | x", "[y+z] | q w"}, "a+b=1": nil, "a+b=1+2+3": nil, "a+b=1+": nil, "x=1e+3 +": {"1e+3", "+"},
		"seed=18446744073709551614..18446744073709551615": {"18446744073709551614", "18446744073709551615"}, "x=9223372036854775807..9223372036854775808": {"9223372036854775807", "9223372036854775808"},
		"load=0.1..3": nil, "load=1..2.5": nil, "out=a b": nil, "no-pfc=true": nil, "seed": nil,
	} {
		a, err := parseAxis(text, nil)
		var values []string
		for _, v := range a.values {
			values = append(values, strings.Join(v, " | "))
		}
		if key, _, _ := strings.Cut(text, "="); !slices.Equal(values, want) || (err != nil) != (want == nil) || err == nil && strings.Join(a.keys, "+") != strings.TrimSpace(key) {
			t.Errorf("%q: keys %q, values %q, %v; want %q", text, a.keys, values, err, want)
		}
	}
}

// What a tag is given has no equals sign; the tag may have some.
func TestSweepOfTags(t *testing.T) {
	s := sweep{options: addChoices(pflag.NewFlagSet("", pflag.ContinueOnError), false)}
	for text, want := range map[string]string{
		"class_by_tag.=x=1 2": "class_by_tag.=x [[1] [2]]", "cc_by_tag.a=b=hpcc dctcp": "cc_by_tag.a=b [[hpcc] [dctcp]]", "class_by_tag.a=1": "class_by_tag.a [[1]]",
		"cc_by_tag.a={name: swift, params: {b: c=d}}": "cc_by_tag.a [[{name: swift, params: {b: c=d}}]]", "pattern=one-one:1KB,tag=class_by_tag.x": "pattern [[one-one:1KB,tag=class_by_tag.x]]",
		"class_by_tag.a+pattern=1+one-one:1KB,tag=a": "class_by_tag.a+pattern [[1 one-one:1KB,tag=a]]",
		"class_by_tag.a=1+seed=1+2 2+3":              "class_by_tag.a=1+seed [[1 2] [2 3]]",
		"seed+class_by_tag.a=b=c=1+1":                "seed+class_by_tag.a=b=c [[1 1]]",
		"class_by_tag.=a+cc_by_tag.b==1+hpcc":        "class_by_tag.=a+cc_by_tag.b= [[1 hpcc]]",
		"cc+class_by_tag.a=hpcc:ai=10Mbps+1":         "cc+class_by_tag.a [[hpcc:ai=10Mbps 1]]",
		"cc_by_tag.a=b+seed=swift+1 dctcp+2":         "cc_by_tag.a=b+seed [[swift 1] [dctcp 2]]",
		"class+seed=a=1=1+1 b=2+2":                   "class+seed [[a=1=1 1] [b=2 2]]",
	} {
		a, err := parseAxis(text, s.fits)
		if got := fmt.Sprint(strings.Join(a.keys, "+"), " ", a.values); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
}
