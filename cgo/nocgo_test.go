//go:build !cgo

package main

import "testing"

func TestC(t *testing.T) {
	t.Skip("the C library is not built: there is no C compiler, or CGO_ENABLED is 0; on Debian: apt-get install build-essential")
}
