//go:build cgo

package main

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

func TestParams(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"":                             {},
		"a=1":                          {"a": "1"},
		" a = 1 ,b=x=y":                {"a": "1", "b": "x=y"},
		"{}":                           {},
		` {"a": 0.10, "b": true} `:     {"a": "0.10", "b": "true"},
		`{"a": "5us", "b": 100000000}`: {"a": "5us", "b": "100000000"},
	} {
		got, err := parseParams(text)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"a":             `"a" is not name=value`,
		"a=1,a=2":       "a is given twice",
		`{"a":1,"a":1}`: "a is given twice",
		`{"a":[]}`:      "the value of a is not",
		`{"a":null}`:    "the value of a is not",
		`{"a":1}{`:      "after the JSON object",
		`{"a"`:          "not a JSON object",
		`{"a":1`:        "not a JSON object",
	} {
		if _, err := parseParams(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzParams: whatever encoding/json reads as an object of strings is read alike.
func FuzzParams(f *testing.F) {
	f.Add("a=1,b=2")
	f.Add(`{"a": "1"}`)
	f.Add(`{"a": 1e3, "b": false}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseParams(text)
		if err != nil {
			return
		}
		var want map[string]string
		if strings.HasPrefix(strings.TrimSpace(text), "{") && json.Unmarshal([]byte(text), &want) == nil && !maps.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}
