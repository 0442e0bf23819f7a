package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Read reads a scenario file over the defaults. Errors call it name and give the line.
func Read(name string, text []byte) (*Scenario, error) {
	if line, ok := validText(text); !ok {
		return nil, fmt.Errorf("%s:%d: not UTF-8 text: save the file as UTF-8", name, line)
	}
	sc := Default()
	sc.file = name
	body, err := parseYAML(name, bytes.TrimPrefix(text, []byte(byteOrderMark)))
	if err != nil || body == nil {
		return sc, err
	}
	d := &decoder{name: name, sc: sc}
	if err := d.document(body); err != nil {
		return nil, err
	}
	return sc, nil
}

// placed is an error on a line of a file; a text without a name is no file's.
func placed(name string, line int, text string) error {
	if name == "" {
		return errors.New(text)
	}
	return fmt.Errorf("%s:%d: %s", name, line, text)
}

// notYAML puts the parser's message on one line, in which a tab is visible.
func notYAML(name string, line int, message string) error {
	message, _, _ = strings.Cut(message, "\n")
	message = strings.ReplaceAll(message, "\t", `\t`)
	if name == "" {
		return fmt.Errorf("not YAML: %s: write it as in a scenario file", message)
	}
	return placed(name, line, fmt.Sprintf("not a scenario in YAML: %s: write KEY: VALUE, and indent by spaces", message))
}

// parseYAML returns the only document of a text; nil if that is empty.
func parseYAML(name string, text []byte) (ast.Node, error) {
	if line := tooDeep(text); line > 0 {
		return nil, placed(name, line, "nested too deeply for a scenario")
	}
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey()) // of which pairs tells
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax):
		return nil, notYAML(name, lineOf(syntax.GetToken().Position.Line), syntax.GetMessage())
	case err != nil:
		return nil, notYAML(name, 1, err.Error())
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		return nil, nil
	case len(file.Docs) > 1 && file.Docs[1].Body != nil:
		return nil, placed(name, file.Docs[1].Body.GetToken().Position.Line, "a second document: a scenario has one")
	}
	return file.Docs[0].Body, nil
}

func lineOf(line int) int { return max(1, line) }

// decoder sets a scenario's fields to what a syntax tree holds and remembers where each key was.
type decoder struct {
	name string // of the file; empty: a command-line flag
	sc   *Scenario
}

func (d *decoder) fail(n ast.Node, format string, args ...any) error {
	return placed(d.name, lineOf(n.GetToken().Position.Line), fmt.Sprintf(format, args...))
}

// document reads a whole file. The profile comes first, because the other keys change it.
func (d *decoder) document(n ast.Node) error {
	pairs, err := d.pairs(n, "")
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if p.key != "profile" {
			continue
		}
		text, err := d.scalar(p.value, p.key)
		if err == nil {
			if err = d.sc.setProfile(text); err != nil {
				err = d.fail(p.value, "%v", err)
			}
		}
		if err != nil {
			return err
		}
	}
	return d.section(n, reflect.ValueOf(d.sc).Elem(), "")
}

// pair is a key and its value.
type pair struct {
	key   string
	value ast.Node
}

// pairs returns the keys of a mapping. Messages name the path.
func (d *decoder) pairs(n ast.Node, path string) ([]pair, error) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.NullNode:
	default:
		if path == "" {
			return nil, d.fail(n, "%q is not a key and a value, such as load: 0.5", n.GetToken().Value)
		}
		return nil, d.fail(n, "%s needs keys and values, not %q", path, n.GetToken().Value)
	}
	var list []pair
	seen := make(map[string]bool)
	for _, v := range values {
		key, err := d.scalar(v.Key, path)
		switch {
		case err != nil:
			return nil, err
		case seen[key]:
			return nil, d.fail(v.Key, "key %q is given twice", key)
		}
		seen[key] = true
		list = append(list, pair{key, v.Value})
	}
	return list, nil
}

// scalar returns the text of a plain value.
func (d *decoder) scalar(n ast.Node, path string) (string, error) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, nil
	case *ast.NullNode:
		return "", d.fail(n, "%s has no value", path)
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return "", d.fail(n, "anchors, aliases, tags and merge keys are not understood: write the value out")
	}
	return "", d.fail(n, "%s needs a single value", path)
}

// section reads the keys of a struct. A bare value stands for the first key.
func (d *decoder) section(n ast.Node, v reflect.Value, path string) error {
	if s, ok := n.(ast.ScalarNode); ok && path != "" {
		if _, null := n.(*ast.NullNode); !null && v.Field(0).Kind() == reflect.String {
			return d.value(s, v.Field(0), join(path, keyNames(v.Type())[0]))
		}
	}
	pairs, err := d.pairs(n, path)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		field, ok := fieldOf(v, p.key)
		if !ok {
			return d.fail(p.value, "%s", unknownKey(p.key, v.Type()))
		}
		if err := d.value(p.value, field, join(path, p.key)); err != nil {
			return err
		}
	}
	return nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// value reads any value.
func (d *decoder) value(n ast.Node, v reflect.Value, path string) error {
	d.sc.setOrigin(path, d.name, lineOf(n.GetToken().Position.Line))
	switch v.Kind() {
	case reflect.Struct:
		return d.section(n, v, path)
	case reflect.Slice:
		return d.list(n, v, path)
	case reflect.Map:
		return d.table(n, v, path)
	}
	text, err := d.scalar(n, path)
	if err != nil {
		return err
	}
	if err := setScalar(v, text); err != nil {
		return d.fail(n, "%s: %v", path, err)
	}
	return nil
}

// list reads a list. Its only item may stand alone.
func (d *decoder) list(n ast.Node, v reflect.Value, path string) error {
	v.SetZero()
	items := []ast.Node{n}
	switch n := n.(type) {
	case *ast.NullNode:
		items = nil
	case *ast.SequenceNode:
		items = n.Values
	}
	for i, item := range items {
		if err := d.item(item, v, fmt.Sprintf("%s.%d", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// item appends to a list.
func (d *decoder) item(n ast.Node, list reflect.Value, path string) error {
	e := reflect.New(list.Type().Elem()).Elem()
	if err := d.value(n, e, path); err != nil {
		return err
	}
	if err := d.checkNeeded(n, e.Type(), path); err != nil {
		return err
	}
	list.Set(reflect.Append(list, e))
	return nil
}

// checkNeeded finds a key that an item of a list lacks and must have, since zero is a choice as well.
func (d *decoder) checkNeeded(n ast.Node, t reflect.Type, path string) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	given, _ := d.pairs(n, path) // none if a bare value stands for the first key
	for i := range t.NumField() {
		tags := t.Field(i).Tag
		key := tags.Get("yaml")
		if tags.Get("needed") != "" && !slices.ContainsFunc(given, func(p pair) bool { return p.key == key }) {
			return d.fail(n, "%s: %s is missing: %s", path, key, tags.Get("doc"))
		}
	}
	return nil
}

func (d *decoder) table(n ast.Node, v reflect.Value, path string) error {
	pairs, err := d.pairs(n, path)
	if err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, p := range pairs {
		if err := d.entry(p.value, v, path, p.key); err != nil {
			return err
		}
	}
	return nil
}

// entry sets one entry of a map.
func (d *decoder) entry(n ast.Node, table reflect.Value, path, key string) error {
	if strings.ContainsFunc(key, unicode.IsControl) {
		return d.fail(n, "%s: the key %q has control characters: write letters and digits", path, key)
	}
	e := reflect.New(table.Type().Elem()).Elem()
	if err := d.value(n, e, join(path, key)); err != nil {
		return err
	}
	if table.IsNil() {
		table.Set(reflect.MakeMap(table.Type()))
	}
	table.SetMapIndex(reflect.ValueOf(key), e)
	return nil
}
