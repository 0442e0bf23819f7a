package traces

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
)

// Places are files that are taken by outputs, and the names of these.
type Places map[string]string

// Check returns the file to which the name of an output leads, which is not yet taken. The null device never is.
func (p Places) Check(name string) (place string, err error) {
	place, err = Resolve(name)
	if err != nil || place == os.DevNull {
		return place, err
	}
	switch other, taken := p[place]; {
	case !taken:
		return place, nil
	case other == name:
		return "", fmt.Errorf("%s: two outputs have this name: rename one", name)
	default:
		return "", fmt.Errorf("%s: two outputs are one file, this and %s: rename one", name, other)
	}
}

// Resolve returns the absolute path of the file or folder to which a name leads through symbolic links. What does
// not exist yet is where it would be made.
func Resolve(name string) (string, error) {
	if name == os.DevNull { // NUL of Windows has no path
		return name, nil
	}
	const most = 255 // links in a row, and folders that are missing
	path, missing := name, ""
	for range most {
		if there, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Abs(filepath.Join(there, missing))
		}
		dir, base := parent(path)
		to, err := os.Readlink(path)
		switch {
		case err == nil && filepath.IsAbs(to):
			path = to
		case err == nil:
			path = dir + string(filepath.Separator) + to
		case dir == path: // a disk that is missing
			return filepath.Abs(filepath.Join(path, missing))
		default:
			path, missing = dir, filepath.Join(base, missing)
		}
	}
	return "", fmt.Errorf("%s: it leads through too many symbolic links: choose another name", name)
}

// parent splits a path before its last element. Unlike filepath.Dir it leaves .. in it, which after a link is not
// the folder of the link.
func parent(path string) (dir, base string) {
	dir, base = filepath.Split(path)
	root := len(filepath.VolumeName(dir)) + 1
	for len(dir) > root && os.IsPathSeparator(dir[len(dir)-1]) {
		dir = dir[:len(dir)-1]
	}
	return cmp.Or(dir, "."), base
}
