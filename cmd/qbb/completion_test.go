package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		words string // the last one, after a bar, is incomplete
		want  []string
	}{
		{"|", []string{"run", "sweep", "report", "plot", "table", "reproduce", "compare", "inspect", "gen", "schemes", "help", "completion", "version"}},
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

// A shell that is there takes its script.
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

// Bash completes with its own words.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	script := mustQBB(t, "completion", "bash") + `
qbb() { printf '%s\n' dcqcn "$#" "${@: -1}"; }
COMP_WORDS=(qbb run --cc d) COMP_CWORD=3
_qbb
printf '%s ' "${COMPREPLY[@]}"
`
	out, err := exec.Command(bash, "--norc", "-c", script).CombinedOutput()
	if got, want := string(out), "dcqcn 4 d "; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
