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
		if t.name == name {
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
	if words[0] == "gen" && len(words) == 1 {
		return helpAll(w)
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

// speakOf names the topics and commands, three at most, whose help has most words that begin with the given one.
func speakOf(word string) []string {
	said := make(map[string]int)
	names := topicNames()
	for _, t := range topics() {
		var p page
		t.write(&p)
		said[t.name] = begins(p.String(), word)
	}
	for _, c := range commands() {
		var text strings.Builder
		c.help(&text)
		said[c.name] = begins(text.String(), word)
		names = append(names, c.name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return said[name] == 0 })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(said[b], said[a]) })
	return names[:min(len(names), 3)]
}

// begins counts the words of a text that begin with the given one, in whatever case.
func begins(text, word string) (times int) {
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), apart) {
		if strings.HasPrefix(w, strings.ToLower(word)) {
			times++
		}
	}
	return times
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
