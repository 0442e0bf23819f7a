package capture

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// none stands for a field that a packet does not have.
const none = "-"

// tshark dissects a capture and returns the given fields of every packet.
func tshark(t *testing.T, capture []byte, fields ...string) [][]string {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed (on Debian: apt-get install tshark)")
	}
	name := filepath.Join(t.TempDir(), "x.pcapng")
	if err := os.WriteFile(name, capture, 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"-r", name, "-T", "fields", "-o", "ip.check_checksum:TRUE", "-o", "eth.check_fcs:TRUE"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	var rows [][]string
	for text := range strings.Lines(string(out)) {
		row := strings.Split(strings.TrimRight(text, "\n"), "\t")
		for i := range row {
			if row[i] == "" {
				row[i] = none
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Tshark finds in a capture the packets that were simulated, and nothing malformed, whole or cut.
func TestTshark(t *testing.T) {
	want := []string{
		"switch2:1 1062 2 0 0x000007 0 - - -",
		"switch2:1 1062 3 1 0x000007 1 - - -",
		"switch2:1 562 2 2 0x000007 2 - - -",
		"switch2:1 163 0 4 0x000008 0 - - -",
		"switch2:1 66 0 17 0x000007 0 31 - -",
		"switch2:1 66 0 17 0x000007 1 96 - -",
		"switch2:1 66 0 17 0x000007 2 31 - -",
		"switch2:1 78 0 129 0x000007 0 - - -",
		"switch2:1 78 0 192 0x000007 0 - - -",
		"switch2:1 78 0 193 0x000007 0 - - -",
		"switch2:1 64 - - - - - 0x0101 65535",
		"switch2:1 64 - - - - - 0x0101 0",
		"switch2:1 64 - - - - - 0x0101 65535",
	}
	const good = "1"
	for _, snap := range []core.Bytes{0, 96} {
		o := options
		o.Snap = snap
		rows := tshark(t, written(t, o, example()),
			"frame.interface_name", "frame.len", "ip.dsfield.ecn", "infiniband.bth.opcode", "infiniband.bth.destqp", "infiniband.bth.psn",
			"infiniband.aeth.syndrome", "macc.opcode", "macc.cbfc.pause_time.c3",
			"ip.checksum.status", "eth.fcs.status", "_ws.malformed")
		if len(rows) != len(want) {
			t.Fatalf("tshark finds %d packets, want %d", len(rows), len(want))
		}
		for i, row := range rows {
			if got := strings.Join(row[:9], " "); got != want[i] {
				t.Errorf("snap %v: packet %d: %s\nwant %s", snap, i, got, want[i])
			}
			roce, whole := row[3] != none, snap == 0 || example()[i].Packet.Size <= 96
			if roce && row[9] != good || whole && row[10] != good || row[11] != none {
				t.Errorf("snap %v: packet %d: IP checksum, FCS, malformed: %v", snap, i, row[9:])
			}
		}
	}
}

// Tshark finds the RETH of a WRITE's first packet, with the length of the message.
func TestTsharkWrite(t *testing.T) {
	o := options
	o.Write = true
	rows := tshark(t, written(t, o, example()[:4]), "frame.len", "infiniband.bth.opcode", "infiniband.reth.dmalen", "eth.fcs.status", "_ws.malformed")
	want := []string{"1062 6 2500 1 -", "1062 7 - 1 -", "562 8 - 1 -", "163 10 2500 1 -"}
	for i, row := range rows {
		if got := strings.Join(row, " "); got != want[i] {
			t.Errorf("packet %d: %s, want %s", i, got, want[i])
		}
	}
}

// Time stamps are in picoseconds, of which tshark shows whole nanoseconds, and misreads some;
// nanoseconds it always shows right.
func TestTsharkTime(t *testing.T) {
	for _, test := range []struct {
		at    core.Duration
		nanos bool
		want  string
	}{
		{12*core.Second + 18_446_744_073, false, "12.018446744"},
		{12*core.Second + 345_678_901_234, true, "12.345678901"},
	} {
		list, o := example()[:1], options
		list[0].At, o.Nanoseconds = core.Time(test.at), test.nanos
		rows := tshark(t, written(t, o, list), "frame.time_epoch")
		if len(rows) != 1 || rows[0][0] != test.want {
			t.Errorf("got %v, want %s", rows, test.want)
		}
	}
	if Misread(core.Time(12*core.Second+18_446_744_073)) || !Misread(core.Time(12*core.Second+18_446_744_074)) {
		t.Error("Misread is wrong about the first time stamp that overflows")
	}
}
