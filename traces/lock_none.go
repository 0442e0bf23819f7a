//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package traces

import (
	"errors"
	"os"
)

var errLocked = errors.New("locked")

// tryLock cannot lock files on this system.
func tryLock(*os.File) error { return errors.ErrUnsupported }
