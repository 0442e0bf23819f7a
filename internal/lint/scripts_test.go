package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Where CMake or ns-3 is missing and cannot be installed, the scripts that need it say so and end with the exit code of a
// skipped test; scripts/test.sh then succeeds, and says which steps were skipped. What it cannot do without is missing.
func TestScriptsSkip(t *testing.T) {
	const skipped = 77
	took := regexp.MustCompile(`\(\d+ s\)`)
	for _, c := range []struct {
		command, stub, want string
		code                int
	}{
		{"test-ns3.sh", "#!/bin/sh\nexit 1\n", "skipped: the ns-3 module is not tested without libns3-dev ns3 ", skipped},
		{"test-ns3.sh", "", "skipped: the ns-3 module is not tested without cmake ", skipped},
		{"test-c.sh", "", "skipped: the C library is not tested without cmake ", skipped},
		{"test.sh c", "", "\nc SKIPPED (time)\n0 steps passed, 1 skipped, 0 not run, 0 failed\n", 0},
		{"test.sh c portable", "", "\nportable NOT RUN: something is missing (time)\n0 steps passed, 1 skipped, 1 not run, 0 failed\n", 2},
		{"test.sh portable format", "", " FAILED (time)\n0 steps passed, 0 skipped, 1 not run, 1 failed\n", 1}, // there is no gofmt
	} {
		bin := t.TempDir()
		for _, tool := range []string{"bash", "env", "dirname", "mktemp", "id", "rm", "gcc", "g++", "make", "go"} {
			path, err := exec.LookPath(tool)
			if err != nil {
				t.Skip("no ", tool)
			}
			if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
				t.Fatal(err)
			}
		}
		if c.stub != "" {
			if err := os.WriteFile(filepath.Join(bin, "cmake"), []byte(c.stub), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		words := strings.Fields(c.command)
		cmd := exec.Command(filepath.Join("..", "..", "scripts", words[0]), words[1:]...)
		cmd.Env = []string{"PATH=" + bin, "HOME=" + home(t)}
		printed, err := cmd.CombinedOutput()
		out := took.ReplaceAllString(string(printed), "(time)")
		if !strings.Contains(out, c.want) || cmd.ProcessState.ExitCode() != c.code {
			t.Errorf("%s: %v, want exit code %d\n%swant %s", c.command, err, c.code, out, c.want)
		}
	}
}

// Every script prints what it is for when asked, and does nothing else.
func TestScriptsHelp(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "..", "scripts", "*.sh"))
	if err != nil || len(scripts) < 10 {
		t.Fatal(scripts, err)
	}
	for _, s := range scripts {
		if filepath.Base(s) == "lib.sh" {
			continue
		}
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		top, _, _ := strings.Cut(string(text), "\nset -")
		_, top, _ = strings.Cut(top, "\n")
		want := strings.ReplaceAll(strings.TrimPrefix(top, "# "), "\n# ", "\n") + "\n"
		if out, err := exec.Command(s, "--help").CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("%s: %v, it prints\n%s", s, err, out)
		}
	}
	out, err := exec.Command(filepath.Join("..", "..", "scripts", "test-ns3.sh"), "al").CombinedOutput()
	if err == nil || !strings.HasSuffix(string(out), "test-ns3.sh: al: it takes all, in-tree or pypi\n") {
		t.Errorf("%v, it prints\n%s", err, out)
	}
}

// home returns a new home directory, in which the go command counts nothing: it goes on writing its counts after it has
// ended, while the test's folders are removed.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	telemetry := filepath.Join(dir, ".config", "go", "telemetry")
	if err := os.MkdirAll(telemetry, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// compared is what scripts/compare-baselines.sh prints for a folder with this config.txt, called from the top of the
// tree with these variables, where qbb writes the same as the reference.
func compared(t *testing.T, config string, env ...string) string {
	t.Helper()
	bin, folder := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(folder, "config.txt"): config,
		filepath.Join(folder, "fct.txt"):    "a line\n",
		filepath.Join(bin, "qbb"): `#!/bin/sh
mkdir "$5/results" && cp "$(dirname "$2")/fct.txt" "$5/results/" && echo '"hops_per_second": 1' >"$5/results/summary.json"
`,
		filepath.Join(bin, "go"): `#!/bin/sh
case $1 in
env) echo somewhere ;;
build) cp "$(dirname "$0")/qbb" "$3" ;;
esac
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("scripts/compare-baselines.sh", folder)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(env, "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+bin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%q, %q: %v\n%s", config, env, err, out)
	}
	return string(out)
}

// A user's folder may come from Windows, or have several keys on a line.
func TestComparisonReadsConfigs(t *testing.T) {
	for _, config := range []string{
		"CC_MODE 3\nFCT_OUTPUT_FILE results/fct.txt\n",
		"CC_MODE 3\r\nFCT_OUTPUT_FILE results/fct.txt\r\n",
		"CC_MODE 3 FCT_OUTPUT_FILE\tresults/fct.txt PFC_OUTPUT_FILE results/pfc.txt",
	} {
		if out := compared(t, config); !strings.HasSuffix(out, "1 of 1 cases are identical\n") {
			t.Errorf("%q:\n%s", config, out)
		}
	}
}

// With CDPATH the shell's cd prints the folder, which must not become part of the tree's name.
func TestScriptsWithCDPATH(t *testing.T) {
	if out := compared(t, "FCT_OUTPUT_FILE results/fct.txt", "CDPATH=."); !strings.HasSuffix(out, "1 of 1 cases are identical\n") {
		t.Error(out)
	}
}

// Without HOME the go command has no place for its build cache, which counts as something missing.
func TestScriptsWithoutHome(t *testing.T) {
	cmd := exec.Command("../../scripts/test.sh", "vet")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if want := "../../scripts/test.sh: go has no folder for what it builds and fetches: set HOME\n"; string(out) != want || cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("%v\n%swant %s", err, out, want)
	}
}

// A folder or a Python given by the caller is relative to the caller's folder. The wheel's path is all that is printed
// for the shell to use, whichever wheels are there and whatever the build has to say.
func TestWheelFolder(t *testing.T) {
	script, err := filepath.Abs("../../scripts/build-wheel.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	stub := `#!/bin/sh
case $* in
*sysconfig*) echo "$0" ;;
*--wheel-dir*)
	while [ "$1" != --wheel-dir ]; do shift; done
	mkdir -p "$2" && echo new >"$2/qbb-2.whl"
	echo building
	;;
esac
`
	if err := os.WriteFile(filepath.Join(dir, "python"), []byte(stub), 0o755); err != nil {
		t.Fatal(err)
	}
	wheels := filepath.Join(dir, "my wheels")
	if err := os.Mkdir(wheels, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"qbb-1.whl", "qbb-2.whl"} {
		if err := os.WriteFile(filepath.Join(wheels, name), []byte("old\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	temp := t.TempDir()
	cmd := exec.Command(script, "my wheels")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHON=./python", "TMPDIR="+temp)
	out, err := cmd.Output()
	wheel := filepath.Join(wheels, "qbb-2.whl")
	built, missing := os.ReadFile(wheel)
	if err != nil || missing != nil || string(out) != wheel+"\n" || string(built) != "new\n" {
		t.Errorf("%v, %v\ngot %swant %s\nthe wheel is %s", err, missing, out, wheel, built)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v, left behind %v", err, left)
	}
}
