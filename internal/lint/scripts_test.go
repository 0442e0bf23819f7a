package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Where CMake or ns-3 is missing and cannot be installed, the scripts that need it say so and end
// well: the rest of the tree does not depend on it.
func TestScriptsSkip(t *testing.T) {
	for _, c := range []struct{ script, stub, want string }{
		{"test-ns3.sh", "#!/bin/sh\nexit 1\n", "skipped: the ns-3 module is not tested without libns3-dev ns3 "},
		{"test-ns3.sh", "", "skipped: the ns-3 module is not tested without cmake "},
		{"test-c.sh", "", "skipped: the C library is not tested without cmake "},
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
		cmd := exec.Command(filepath.Join("..", "..", "scripts", c.script))
		cmd.Env = []string{"PATH=" + bin, "HOME=" + t.TempDir()}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), c.want) {
			t.Errorf("%s: %v\n%swant %s", c.script, err, out, c.want)
		}
	}
}
