package scenario

import (
	"strings"
	"testing"
)

// What would shape a capture is noted without one, key by key.
func TestNotesWithoutCapture(t *testing.T) {
	for _, key := range []string{"filter: ce", "ring: 10", "snap: 96B", "nanoseconds: true", "write: true"} {
		for file, noted := range map[string]bool{"": true, ", file: p": false} {
			s, err := of(t, "topology", "star:n=3", "patterns", "permutation:1KB", "pcap", "{"+key+file+"}").Setup()
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(key, ":")
			want := ""
			if noted {
				want = "pcap." + name + " changes nothing: no packets are captured: name the file with pcap.file"
			}
			if got := strings.Join(s.Notes, "; "); got != want {
				t.Errorf("pcap: {%s%s}: notes %q, want %q", key, file, got, want)
			}
		}
	}
}
