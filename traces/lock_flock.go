//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package traces

import (
	"os"
	"syscall"
)

// errLocked says that another view of the file has the lock.
var errLocked error = syscall.EWOULDBLOCK

// tryLock locks a file until it is closed, also by the end of the program.
func tryLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
