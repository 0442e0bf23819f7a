package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// Packets carry the number of a scheme in a byte, whose 0 says that there is none.
func TestMostSchemes(t *testing.T) {
	sc := of(t, "workload", "none", "cc", "qcn")
	for i := range 254 {
		if err := sc.Set(fmt.Sprintf("cc_by_tag.t%d", i), fmt.Sprintf("{name: qcn, params: {hyper_after: %d}}", 100+i)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil || len(s.Schemes) != 255 {
		t.Fatalf("%v, want 255 schemes", err)
	}
	if err := sc.Set("cc_by_tag.last", "dcqcn"); err != nil {
		t.Fatal(err)
	}
	if _, err := sc.Setup(); err == nil || !strings.Contains(err.Error(), "there are more than 255 schemes") {
		t.Errorf("got %v", err)
	}
}
