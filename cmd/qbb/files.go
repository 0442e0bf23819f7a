package main

import (
	"os"
	"path/filepath"

	"github.com/qbb-sim/qbb/traces"
)

// writeFile writes a file, which appears when it is complete. That it cannot be made is the user's mistake;
// that it cannot be completed, on a full disk, is not.
func writeFile(path string, content []byte) error {
	dir, name := filepath.Split(path)
	out, err := traces.NewOutput(filepath.Clean(dir))
	if err != nil {
		return mistake(err)
	}
	defer out.Abort()
	file, err := out.Create(name)
	if err != nil {
		return mistake(err)
	}
	file.Write(content) // Commit reports a failure
	return out.Commit()
}

// isFolder reports whether there is a folder of this name.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
