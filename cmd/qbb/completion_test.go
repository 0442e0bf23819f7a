package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		words string // the last one, after a bar, is incomplete
		want  []string
	}{
		{"|", []string{"run", "sweep", "report", "plot", "table", "timeline", "reproduce", "compare", "csv", "inspect", "gen", "schemes", "help", "completion", "version"}},
		{"|com", []string{"compare", "completion"}},
		{"gen |", []string{"topology", "traffic"}},
		{"gen t|", nil},
		{"gen |tr", []string{"traffic"}},
		{"run --cc |non", []string{"none"}},
		{"run --topology |fat", []string{"fat-tree:", "fat-tree:thesis", "fat-tree:hpcc"}},
		{"run --load 0.5 |--top", []string{"--topology"}},
		{"run --quiet |--link-d", []string{"--link-down"}},
		{"run |conf", nil},
		{"compare |--t", []string{"--tolerance"}},
		{"completion |", []string{"bash", "zsh", "fish"}},
		{"schemes hpcc |no", []string{"none"}},
		{"help |out", []string{"outputs"}},
		{"help |g", []string{"gen"}},
		{"help gen |", []string{"topology", "traffic"}},
		{"plot |t", []string{"throughput", "trend"}},
		{"plot trend |t", nil},
		{"run --ecn |", []string{"dequeue", "enqueue", "off"}},
		{"run |--ecn=", []string{"--ecn=dequeue", "--ecn=enqueue", "--ecn=off"}},
		{"run |--topology=fat-tree:t", []string{"--topology=fat-tree:thesis"}},
		{"run |--quiet=", nil},
		{"run |--no-such=d", nil},
		{"run |cc=d", nil},
		{"run --recovery |s", []string{"selective"}},
		{"run --profile |", []string{"native", "ns3"}},
		{"run --buffer |", nil},
		{"run --flow-control |", []string{"pfc", "credits", "none"}},
		{"reproduce --quick |netg", []string{"netgauge"}},
	} {
		before, last, _ := strings.Cut(c.words, "|")
		got := strings.Fields(mustQBB(t, append(append([]string{completeWord}, strings.Fields(before)...), last)...))
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.words, got, c.want)
		}
	}
}

// Every shell that is installed accepts its script.
func TestScriptsParse(t *testing.T) {
	for _, shell := range shells {
		script := mustQBB(t, "completion", shell)
		if !strings.Contains(script, completeWord) {
			t.Errorf("%s: the script does not ask qbb", shell)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("no %s here", shell)
			continue
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = strings.NewReader(script)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", shell, err, out)
		}
	}
}

// lineTests are command lines and the words that a shell offers for them, in a folder with the files a.csv and qbb.
var lineTests = []struct{ line, want string }{
	{"qbb comp", "compare completion"},
	{"qbb gen ", "topology traffic"},
	{"./qbb run --cc dcqcn-", "dcqcn-paper dcqcn-plus"},
	{"qbb run --topology d", "dumbbell:"},
	{"qbb run --topology fat-tree:th", "fat-tree:thesis"},
	{"qbb run --topology fat-tree:", "fat-tree: fat-tree:hpcc fat-tree:thesis"},
	{"qbb run --ecn=d", "--ecn=dequeue"},
	{"qbb run --flows a", "a.csv"},
}

// offers runs the completion script of a shell, and then one that prints a line for each of lineTests.
func offers(t *testing.T, shell, script string) (lines []string) {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("no %s here: on Debian, apt-get install %s", shell, shell)
	}
	test, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, "a.csv", "")
	write(t, dir, "qbb", "#!/bin/sh\n"+asCommand+"=1 exec '"+test+"' \"$@\"\n")
	if err := os.Chmod(filepath.Join(dir, "qbb"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines = strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(lineTests) {
		t.Fatalf("%d lines:\n%s", len(lines), out)
	}
	return lines
}

// checkOffer compares words in any order.
func checkOffer(t *testing.T, line, got, want string) {
	t.Helper()
	words := strings.Fields(got)
	slices.Sort(words)
	if got := strings.Join(words, " "); got != want {
		t.Errorf("%q: offers %q, want %q", line, got, want)
	}
}

// Bash passes words cut at colons and equals signs, and inserts the answer after the last cut.
func TestBashCompletes(t *testing.T) {
	cut := regexp.MustCompile("[^ :=]+|[:=]")
	script := mustQBB(t, "completion", "bash") + `
compopt() { spaced=; }
try() {
	COMP_LINE=$1 COMP_POINT=${#1} spaced=SPACED
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_qbb "$1"
	if ((${#COMPREPLY[@]} != 1)) || [[ ${COMPREPLY[0]} != *: ]]; then spaced=; fi
	if ((${#COMPREPLY[@]} == 0)); then COMPREPLY=(a.csv); fi
	printf '%s ' "${COMPREPLY[@]}" "$spaced"
	echo
}
`
	for _, c := range lineTests {
		words := cut.FindAllString(c.line, -1)
		if strings.HasSuffix(c.line, " ") {
			words = append(words, "")
		}
		script += "try '" + c.line + "' '" + strings.Join(words, "' '") + "'\n"
	}
	for i, got := range offers(t, "bash", script) {
		c := lineTests[i]
		last := c.line[strings.LastIndexByte(c.line, ' ')+1:]
		behind := strings.ReplaceAll(c.want, last[:strings.LastIndexAny(last, ":=")+1], "")
		checkOffer(t, c.line, got, strings.TrimSpace(behind))
	}
}

func TestZshCompletes(t *testing.T) {
	script := `
compdef() {}
compadd() {
	local spaced=SPACED
	if [[ $1 == -S ]]; then spaced=; shift 2; fi
	shift
	for word in "$@"; do if [[ $word == *: ]]; then print -nr -- "$word$spaced "; else print -nr -- "$word "; fi; done
}
_files() { print -n a.csv }
try() { words=("$@") CURRENT=$#; _qbb; print }
` + mustQBB(t, "completion", "zsh")
	for _, c := range lineTests {
		script += "try '" + strings.ReplaceAll(c.line, " ", "' '") + "'\n"
	}
	for i, got := range offers(t, "zsh", script) {
		checkOffer(t, lineTests[i].line, got, lineTests[i].want)
	}
}

func TestFishCompletes(t *testing.T) {
	script := mustQBB(t, "completion", "fish")
	for _, c := range lineTests {
		script += "echo (complete -C '" + c.line + "')\n"
	}
	for i, got := range offers(t, "fish", script) {
		checkOffer(t, lineTests[i].line, got, lineTests[i].want)
	}
}
