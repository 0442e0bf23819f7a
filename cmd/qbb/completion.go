package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/reproduce"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/workloads"
)

// completeWord is the hidden command by which shells ask what may follow. Its arguments are
// the words of the command line after qbb, the last of which is incomplete; it prints one
// candidate a line, and nothing where files are meant.
const completeWord = "__complete"

var shells = []string{"bash", "zsh", "fish"}

// completionScripts call the program as it was called. Where it knows no candidates they offer files, and no
// space follows one that ends with a colon. Bash takes words apart at colons and equals signs.
var completionScripts = map[string]string{
	"bash": `_qbb() {
	local IFS=$'\n' i word last rest=${COMP_LINE#*"${COMP_WORDS[0]}"}
	local -a words
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $i == 1 || $rest == [[:space:]]* ]]; then words+=("$word"); else words[${#words[@]}-1]+=$word; fi
		rest=${rest#*"$word"}
	done
	last=${words[${#words[@]}-1]}
	[[ $word == [:=] ]] && word=
	COMPREPLY=($("$1" __complete "${words[@]}" 2>/dev/null))
	COMPREPLY=($(printf '%s\n' "${COMPREPLY[@]#"${last%"$word"}"}"))
	if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace; fi
}
complete -o default -F _qbb qbb
`,
	"zsh": `#compdef qbb
_qbb() {
	local -a found
	found=("${(@f)$(${(Q)~words[1]} __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -z "${found[1]}" ]]; then
		_files
		return
	fi
	compadd -S '' -- "${(@M)found:#*:}"
	compadd -- "${(@)found:#*:}"
	return 0
}
compdef _qbb qbb
`,
	"fish": `function __qbb_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l found ($words[1] __complete $words[2..-1] 2>/dev/null)
	if set -q found[1]
		printf '%s\n' $found
	else
		__fish_complete_path $words[-1]
	end
end
complete -c qbb -f -a '(__qbb_complete)'
`,
}

func completionCommand() command {
	return command{
		name: "completion", args: "SHELL", brief: "print a completion script for bash, zsh or fish", maxArgs: 1,
		about: `Prints a script that completes commands, flags and names.

  bash   source <(qbb completion bash)
  zsh    source <(qbb completion zsh)
  fish   qbb completion fish | source`,
		define: func(*pflag.FlagSet) action { return completion },
	}
}

func completion(c *call) error {
	if len(c.args) == 0 {
		return mistakef("which shell? %s", strings.Join(shells, ", "))
	}
	script, ok := completionScripts[c.args[0]]
	if !ok {
		return mistakef("no script for %q: did you mean %s?", c.args[0], spelling.Nearest(c.args[0], shells))
	}
	_, err := io.WriteString(c.stdout, script)
	return err
}

// complete prints what the last word may become.
func complete(w io.Writer, words []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	for _, candidate := range candidates(words[:len(words)-1], last) {
		if strings.HasPrefix(candidate, last) {
			fmt.Fprintln(w, candidate)
		}
	}
}

// candidates returns the words that may follow others.
func candidates(before []string, last string) []string {
	cmd, rest, err := find(append(before, "")) // the empty word matches no command
	if err != nil {
		return commandWords(before)
	}
	fs, _ := cmd.flags()
	if n := len(rest) - 2; n >= 0 {
		if values, ok := valuesOf(fs, rest[n]); ok {
			return values
		}
	}
	if flag, _, ok := strings.Cut(last, "="); ok {
		values, _ := valuesOf(fs, flag)
		for i := range values {
			values[i] = flag + "=" + values[i]
		}
		return values
	}
	if strings.HasPrefix(last, "-") {
		var flags []string
		for _, name := range append(flagNames(fs), "help") {
			flags = append(flags, "--"+name)
		}
		return flags
	}
	return argumentValues(cmd.name, rest[:len(rest)-1])
}

// valuesOf returns the names that may follow a word, if it is a flag that takes a value.
func valuesOf(fs *pflag.FlagSet, word string) (values []string, ok bool) {
	name, ok := strings.CutPrefix(word, "--")
	f := fs.Lookup(name)
	if !ok || f == nil || f.NoOptDefVal != "" {
		return nil, false
	}
	return slices.Clone(flagValues(name)), true
}

// commandWords returns the words of commands that may follow.
func commandWords(before []string) []string {
	var words []string
	seen := ""
	for _, c := range commands() {
		w := strings.Fields(c.name)
		if len(w) > len(before) && strings.Join(w[:len(before)], " ") == strings.Join(before, " ") && w[len(before)] != seen {
			seen = w[len(before)]
			words = append(words, seen)
		}
	}
	return words
}

// flagValues returns the names that a flag takes.
func flagValues(flag string) []string {
	switch flag {
	case "cc":
		return canonicalSchemes()
	case "topology":
		return topologyNames()
	case "workload":
		var names []string
		for _, name := range workloads.Sizes() {
			names = append(names, strings.ToLower(name))
		}
		return names
	case "pattern":
		var names []string
		for _, p := range workloads.Patterns() {
			names = append(names, p.Name+":")
		}
		return names
	}
	options := []option{profileOption}
	for _, s := range sections() {
		options = append(options, s.options...)
	}
	if i := slices.IndexFunc(options, func(o option) bool { return o.flag == flag }); i >= 0 {
		return scenario.Choices(options[i].key)
	}
	return nil
}

func canonicalSchemes() []string {
	var names []string
	for _, e := range catalog.All() {
		names = append(names, e.Name)
	}
	return names
}

func topologyNames() []string {
	var names []string
	for _, b := range topo.Builders() {
		names = append(names, b.Name+":")
		for _, preset := range b.Presets {
			names = append(names, b.Name+":"+preset.Name)
		}
	}
	return names
}

// argumentValues returns the names that a command takes after other arguments and flags.
func argumentValues(cmd string, before []string) []string {
	switch cmd {
	case "plot":
		if kinds := plotKinds(); !slices.ContainsFunc(before, func(w string) bool { return slices.Contains(kinds, w) }) {
			return kinds
		}
	case "schemes":
		return canonicalSchemes()
	case "completion":
		return shells
	case "reproduce":
		var names []string
		for _, e := range reproduce.Experiments() {
			names = append(names, e.Name)
		}
		return names
	case "gen topology":
		return topologyNames()
	case "help":
		if len(before) > 0 {
			return commandWords(before)
		}
		return append(topicNames(), commandWords(nil)...)
	}
	return nil
}
