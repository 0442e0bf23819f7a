package tables

import (
	"strings"
	"testing"
)

// checkError requires an error of exactly this text.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", want)
	}
	if err.Error() != want {
		t.Errorf("error\n got %s\nwant %s", err, want)
	}
}

// checkOneLine requires that an error is one line that begins with the file's name.
func checkOneLine(t *testing.T, err error, name string) {
	t.Helper()
	if err != nil && (!strings.HasPrefix(err.Error(), name+":") || strings.Contains(err.Error(), "\n")) {
		t.Errorf("error is not one line about %s: %q", name, err)
	}
}
