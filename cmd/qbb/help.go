package main

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/internal/spelling"
)

func helpCommand() command {
	return command{
		name: "help", args: "[COMMAND|TOPIC]", brief: "explain a command or a topic", maxArgs: 2,
		about: "Topics: " + strings.Join(topicNames(), ", ") + ".",
		define: func(*pflag.FlagSet) action {
			return func(c *call) error { return help(c.stdout, c.args) }
		},
	}
}

// help explains the program, a command, or a topic.
func help(w io.Writer, words []string) error {
	if len(words) == 0 {
		return helpAll(w)
	}
	name := strings.Join(words, " ")
	known := topicNames()
	for _, t := range topics() {
		if t.name == name || slices.Contains(t.also, strings.ToLower(name)) {
			var p page
			t.write(&p)
			return p.print(w)
		}
	}
	for _, c := range commands() {
		if c.name == name {
			return c.help(w)
		}
		known = append(known, c.name)
	}
	if parts := commandsOf(name); len(parts) > 0 {
		return helpEach(w, parts)
	}
	if len(words) > 1 && slices.Contains(known, words[0]) {
		return mistakef("one command or topic at a time: see qbb help %s", words[0])
	}
	if _, ok := catalog.Find(name); ok {
		return mistakef("%q is a scheme: see qbb schemes %s", name, name)
	}
	near := spelling.Nearest(name, known)
	if pages := speakOf(name); 2*spelling.Distance(name, near) >= len(name) && len(pages) > 0 {
		return mistakef("nothing is called %q: see qbb help %s", name, strings.Join(pages, ", qbb help "))
	}
	return mistakef("nothing is called %q: did you mean qbb help %s?", name, near)
}

// commandsOf returns the commands whose names begin with the given word, such as gen.
func commandsOf(word string) (parts []command) {
	for _, c := range commands() {
		if strings.HasPrefix(c.name, word+" ") {
			parts = append(parts, c)
		}
	}
	return parts
}

// helpEach explains commands one after the other.
func helpEach(w io.Writer, list []command) error {
	for i, c := range list {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := c.help(w); err != nil {
			return err
		}
	}
	return nil
}

// speakOf names the topics and commands, three at most, whose help has a section called like the word or, else, most
// words that begin with it, whether it is a plural or not.
func speakOf(word string) []string {
	word = strings.TrimSuffix(strings.ToLower(word), "s")
	type mention struct {
		page            string
		sections, words int
	}
	var said []mention
	look := func(name, text string) {
		if words := begins(text, word); words > 0 {
			said = append(said, mention{name, begins(headings(text), word), words})
		}
	}
	for _, t := range topics() {
		var p page
		t.write(&p)
		look(t.name, p.String())
	}
	for _, c := range commands() {
		var text strings.Builder
		c.help(&text)
		look(c.name, text.String())
	}
	slices.SortStableFunc(said, func(a, b mention) int {
		return cmp.Or(cmp.Compare(b.sections, a.sections), cmp.Compare(b.words, a.words))
	})
	var pages []string
	for _, m := range said[:min(len(said), 3)] {
		pages = append(pages, m.page)
	}
	return pages
}

// headings returns the lines of a page that stand above indented ones after an empty line.
func headings(text string) string {
	var heads []string
	lines := strings.Split(text, "\n")
	for i := 1; i+1 < len(lines); i++ {
		if lines[i-1] == "" && !strings.HasPrefix(lines[i], " ") && strings.HasPrefix(lines[i+1], " ") {
			heads = append(heads, lines[i])
		}
	}
	return strings.Join(heads, "\n")
}

// begins counts the places of a text where words begin like the given ones: fat-tree, as switch.reserve, is two.
func begins(text, words string) (times int) {
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	spaced := func(s string) string { return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), apart), " ") }
	sought := spaced(words)
	if sought == " " {
		return 0
	}
	return strings.Count(spaced(text), sought)
}

func helpAll(w io.Writer) error {
	const column = 26
	var p page
	p.paragraph(0, "qbb simulates RDMA data-center networks packet by packet.")
	p.WriteString("\nUsage: qbb COMMAND [FLAGS] [ARGUMENTS]\n\nCommands:\n")
	for _, c := range commands() {
		p.item(strings.TrimSpace(c.name+" "+c.args), column, c.brief)
	}
	p.WriteString("\nTopics of qbb help:\n")
	for _, t := range topics() {
		p.item(t.name, column, t.brief)
	}
	p.WriteString(`
Examples:
  qbb run                              a built-in scenario
  qbb run config.txt                   a case of the reference simulator
  qbb run --cc dcqcn --topology fat-tree:k=8 --workload fbhadoop --load 0.6
  qbb compare a/fct.txt b/fct.parquet
  qbb report hpcc dcqcn                a page with charts of two runs
`)
	return p.print(w)
}

// help writes the help text of a command: usage, what it does, its flags.
func (cmd *command) help(w io.Writer) error {
	var p page
	fs, _ := cmd.flags()
	usage := []string{"Usage: qbb", cmd.name}
	if fs.HasFlags() {
		usage = append(usage, "[FLAGS]")
	}
	if cmd.args != "" {
		usage = append(usage, cmd.args)
	}
	p.WriteString(strings.Join(usage, " ") + "\n\n")
	for i, text := range strings.Split(cmd.about, "\n\n") {
		if i > 0 {
			p.WriteByte('\n')
		}
		if strings.HasPrefix(text, " ") { // laid out by hand
			p.WriteString(text + "\n")
			continue
		}
		p.paragraph(0, text)
	}
	helpFlags(&p, fs)
	return p.print(w)
}

// usage makes the help text of a flag: what its value is called, and what it does.
func usage(value, doc string) string { return value + "\t" + doc }

// splitUsage takes it apart. A switch has no value.
func splitUsage(f *pflag.Flag) (value, doc string) {
	value, doc, ok := strings.Cut(f.Usage, "\t")
	if !ok {
		return "", f.Usage
	}
	return value, doc
}

// groupKey is the annotation of a flag that names its group.
const groupKey = "group"

// group puts all flags that have none yet into a group of the help text.
func group(fs *pflag.FlagSet, title string) {
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{groupKey: {title}}
		}
	})
}

func helpFlags(p *page, fs *pflag.FlagSet) {
	const column = 26
	title := ""
	fs.VisitAll(func(f *pflag.Flag) {
		t := "Flags"
		if g := f.Annotations[groupKey]; len(g) > 0 {
			t = g[0]
		}
		if t != title {
			p.WriteString("\n" + t + ":\n")
			title = t
		}
		value, text := splitUsage(f)
		left := "--" + f.Name + " " + value
		if f.Shorthand != "" {
			left = "-" + f.Shorthand + ", " + left
		}
		p.item(strings.TrimSpace(left), column, text)
	})
}
