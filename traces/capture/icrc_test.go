package capture

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Wire format, check cases 1 and 2: the ICRC of a packet that a public driver's documentation
// shows, and of a CNP from 10.0.0.1 to 10.0.0.2 for queue pair 0xD2.
func TestICRCOfKnownPackets(t *testing.T) {
	for packet, want := range map[string]string{
		"4500004c000100004011f54cc0a80201c0a80202" + "01f412b70038ffa6" + "0a00ffff0000000200000000" +
			"00000000000012300000000000000010" + "000102030405060708090a0b0c0d0e0f": "ca47470e",
		"45c0003c00004000401125ef0a0000010a000002" + "c00012b700280000" + "8100ffff400000d200000000" +
			"00000000000000000000000000000000": "28bf8b9b",
	} {
		b, err := hex.DecodeString(packet)
		if err != nil {
			t.Fatal(err)
		}
		var f framer
		got := binary.LittleEndian.AppendUint32(nil, f.icrc(append(make([]byte, ethLen), b...)))
		if hex.EncodeToString(got) != want {
			t.Errorf("ICRC %x, want %s", got, want)
		}
	}
}

// Wire format, check case 4: a pause of priority 3 for 0xffff quanta, after the addresses.
func TestPFCBytes(t *testing.T) {
	const want = "8808" + "0101" + "0008" + "000000000000" + "ffff" + "0000000000000000"
	if got := hex.EncodeToString(appendPFC(nil, core.NewPause(3, 0xffff, false))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
