package traces

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// temporary is a new hidden file. As long as its lock is open, other programs know that somebody still
// writes it, where the system has such locks.
type temporary struct {
	*os.File
	lock *os.File // another view of the file, which stays open until it has its name; nil: no locks here
}

// createTemporary makes a hidden file beside path, with the permissions of any new file. It removes those
// that killed programs have left there for the same path.
func createTemporary(path string) (temporary, error) {
	dir, base := filepath.Split(path)
	name := func(i int) string { return filepath.Join(dir, fmt.Sprintf(".%s.tmp%d", base, i)) }
	for i := 0; exists(name(i)); i++ {
		removeStale(name(i))
	}
	for i := 0; ; i++ {
		f, err := os.OpenFile(name(i), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if i < 1000 && errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return temporary{}, err
		}
		if lock, lost := lockNew(f); !lost {
			return temporary{f, lock}, nil
		}
		f.Close()
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// lockNew locks a file that was made a moment ago; nil: there are no locks here. The file is lost if another
// program has taken it for a stale one meanwhile.
func lockNew(f *os.File) (lock *os.File, lost bool) {
	lock, err := os.OpenFile(f.Name(), os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Is(err, fs.ErrNotExist)
	}
	switch err := tryLock(lock); {
	case errors.Is(err, errLocked):
		lock.Close()
		return nil, true
	case err != nil:
		lock.Close()
		return nil, false
	case !isAt(f, f.Name()):
		lock.Close()
		return nil, true
	}
	return lock, false
}

// removeStale removes a temporary file that nobody has locked.
func removeStale(path string) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if tryLock(f) == nil && isAt(f, path) {
		os.Remove(path)
	}
}

// isAt reports whether a path still is that of the open file.
func isAt(f *os.File, path string) bool {
	open, err1 := f.Stat()
	there, err2 := os.Lstat(path)
	return err1 == nil && err2 == nil && os.SameFile(open, there)
}

// unlock gives the file up: it has got its name, or was removed.
func (t *temporary) unlock() {
	if t.lock != nil {
		t.lock.Close()
	}
}
