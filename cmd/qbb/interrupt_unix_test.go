//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/qbb-sim/qbb/internal/driver"
)

// startLong starts a process with a long run and waits until flows have finished.
func startLong(t *testing.T, dir string, flags ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"run", "--topology", "star:n=4", "--workload", "fbhadoop", "--duration", "1s", "--out", "o", "--set", "files.fct=fct.txt"}, flags...)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=1")
	stdout, stderr := new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for tries := 0; !grown(filepath.Join(dir, "o")); tries++ {
		if tries == 6000 {
			t.Fatal("no flow finishes")
		}
		time.Sleep(5 * time.Millisecond)
	}
	return cmd, stdout, stderr
}

// grown reports whether the hidden file of a run in progress has content.
func grown(dir string) bool {
	hidden, err := filepath.Glob(filepath.Join(dir, ".fct.txt.*"))
	if err != nil || len(hidden) == 0 {
		return false
	}
	info, err := os.Stat(hidden[0])
	return err == nil && info.Size() > 0
}

func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	cmd, stdout, stderr := startLong(t, dir)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if !strings.Contains(stdout.String(), "\nNote          interrupted after ") || !strings.Contains(stdout.String(), "when the run was interrupted") {
		t.Errorf("the report does not say so:\n%s", stdout)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error, which is no terminal: %q", stderr)
	}
	out := filepath.Join(dir, "o")
	if got, want := files(t, out), slices.Insert(slices.Clone(tableFiles), 1, "fct.txt"); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
	finished := 0
	rows := loadFCT(t, filepath.Join(out, "fct.parquet"))
	for i := range rows {
		if rows[i].Finished {
			finished++
		}
	}
	if text := loadFCT(t, filepath.Join(out, "fct.txt")); len(text) != finished {
		t.Errorf("fct.txt has %d flows, fct.parquet %d finished ones", len(text), finished)
	}
	var sum driver.Summary
	if err := json.Unmarshal(read(t, filepath.Join(out, "summary.json")), &sum); err != nil {
		t.Fatal(err)
	}
	if !sum.StoppedEarly || finished == 0 || finished != sum.Flows.Finished || len(rows) != sum.Flows.Total || finished == len(rows) {
		t.Errorf("%d of %d flows finished, the summary says %+v", finished, len(rows), sum.Flows)
	}
}

// Two signals at once are one request, as when timeout sends one to a process and one to its group.
func TestInterruptTwice(t *testing.T) {
	cmd, stdout, stderr := startLong(t, t.TempDir())
	for range 2 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond) // otherwise the two might merge into one
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(stdout.String(), "\nNote          interrupted after ") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// Without a table the message goes to standard error. Closing the terminal, or a batch system that
// ends the run, interrupts it too.
func TestInterruptQuiet(t *testing.T) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by us, and so by the process that we start
		signals = append(signals, syscall.SIGHUP)
	}
	for _, sig := range signals {
		cmd, stdout, stderr := startLong(t, t.TempDir(), "--quiet")
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || stdout.Len() > 0 {
			t.Errorf("%v: exit code %d, %q", sig, code, stdout)
		}
		if want := "qbb run: interrupted: the files hold what happened until then\n"; stderr.String() != want {
			t.Errorf("%v: got %q, want %q", sig, stderr, want)
		}
	}
}

// A command that only reads dies of a signal at once, as any program does: this one waits for its input.
func TestInterruptReader(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "capture")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, self, "inspect", fifo, "--count")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenFile(fifo, os.O_WRONLY, 0) // returns when the command has opened it
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT || stdout.Len() > 0 {
		t.Errorf("it ends by %v and prints %q", cmd.ProcessState, &stdout)
	}
}

// Files left by a killed run are removed when the folder is used again.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	cmd, _, _ := startLong(t, dir)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if got := files(t, "o"); !slices.Contains(got, ".fct.txt.tmp0") || slices.Contains(got, "summary.json") {
		t.Fatalf("after the kill the folder holds %v", got)
	}
	mustQBB(t, with(small, "--quiet", "--out", "o", "--set", "files.fct=fct.txt")...)
	if got, want := files(t, "o"), slices.Insert(slices.Clone(tableFiles), 1, "fct.txt"); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}
