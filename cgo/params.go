//go:build cgo

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// parseParams reads "name=value,name=value", or a JSON object of texts, numbers and truths.
func parseParams(text string) (map[string]string, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		return parseJSON(text)
	}
	values := make(map[string]string)
	if text == "" {
		return values, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("parameters: %q is not name=value", part)
		}
		if err := put(values, name, strings.TrimSpace(value)); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func put(values map[string]string, name, value string) error {
	if _, twice := values[name]; twice {
		return fmt.Errorf("parameters: %s is given twice", name)
	}
	values[name] = value
	return nil
}

// parseJSON reads a flat object. Numbers keep the digits that they are written with.
func parseJSON(text string) (map[string]string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	values := make(map[string]string)
	if _, err := d.Token(); err != nil { // the brace
		return nil, inJSON(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, inJSON(err)
		}
		value, err := d.Token()
		if err != nil {
			return nil, inJSON(err)
		}
		switch value.(type) {
		case string, json.Number, bool:
		default:
			return nil, fmt.Errorf("parameters: the value of %v is not a text, a number or a truth", name)
		}
		if err := put(values, fmt.Sprint(name), fmt.Sprint(value)); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return nil, inJSON(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("parameters: there is text after the JSON object")
	}
	return values, nil
}

func inJSON(err error) error { return fmt.Errorf("parameters: not a JSON object: %w", err) }
