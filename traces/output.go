package traces

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Output is a set of files of one folder that appear together, under their names, when all
// are complete. Until Commit they have temporary names that begin with a dot; those that a killed program
// has left are removed by the next one that writes the same file, where the system can tell (flock). What is not a regular
// file, such as /dev/null or a named pipe, is written to as it is, and a symbolic link stays one.
//
//	out, err := traces.NewOutput(dir)
//	defer out.Abort()
//	f, err := out.Create("fct.txt")
//	...
//	err = out.Commit()
type Output struct {
	dir   string
	files []*File
	taken Places   // of the files
	old   []string // removed when the files get their names
	made  []string // folders, each before those that it is in
}

// File is a buffered file of an Output.
type File struct {
	name   string // as it was asked for
	place  string // where it goes: what the name leads to
	direct bool   // written to under its own name
	file   temporary
	buffer *bufio.Writer
	finish func() error // completes the content; may be nil
}

// NewOutput returns an output into a folder, which is made if need be.
func NewOutput(dir string) (*Output, error) {
	o := &Output{dir: dir, taken: make(Places)}
	if err := o.MakeFolder(dir); err != nil {
		o.Abort()
		return nil, err
	}
	return o, nil
}

// NewOutputOf returns an output into the folder of a file that has yet to be created, and the file's name there.
func NewOutputOf(path string) (o *Output, name string, err error) {
	if err := CheckFileName(path); err != nil {
		return nil, "", err
	}
	dir, name := filepath.Split(path)
	o, err = NewOutput(dir)
	return o, name, err
}

// CheckFileName reports a path that ends like a folder's.
func CheckFileName(path string) error {
	if dir, name := filepath.Split(path); dir != "" && name == "" {
		return fmt.Errorf("%s: this is a folder's name: add a file's", path)
	}
	return nil
}

// MakeFolder makes a folder of outputs, and those above it, unless it is there, but none that .. leaves again. Abort removes
// what it has made.
func (o *Output) MakeFolder(dir string) error {
	dir = filepath.Clean(dir)
	var missing []string
	for dir := dir; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
	}
	o.made = append(missing, o.made...)
	err := os.MkdirAll(dir, 0o777)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return fmt.Errorf("%s: no folder can be made here: %w: choose another place", path.Path, path.Err)
	}
	return err
}

// Create adds a file, in the folder unless its name is an absolute path. An existing one of that name stays
// until Commit.
func (o *Output) Create(name string) (*File, error) {
	path := name
	if !filepath.IsAbs(name) && name != os.DevNull { // NUL of Windows is in every folder
		path = filepath.Join(o.dir, name)
	}
	place, err := o.taken.Check(path)
	if err != nil {
		return nil, err
	}
	if other := o.caseTwin(place); other != nil {
		return nil, fmt.Errorf("%s: two outputs are one file, this and %s, since case does not count here: rename one", path, other.name)
	}
	f := &File{name: path, place: place}
	if err := f.open(); err != nil {
		return nil, err
	}
	f.buffer = bufio.NewWriterSize(f.file, 256<<10)
	o.taken[place] = path
	o.files = append(o.files, f)
	return f, nil
}

// caseTwin returns the file so far, if any, that a place is for a file system that ignores case: there its temporary one
// is found under this name, too.
func (o *Output) caseTwin(place string) *File {
	dir, base := filepath.Split(place)
	for _, f := range o.files {
		if f.direct || f.place == place || !strings.EqualFold(f.place, place) {
			continue
		}
		temp := f.file.Name()
		there, err := os.Stat(temp)
		here, missing := os.Stat(dir + "." + base + temp[strings.LastIndex(temp, ".tmp"):])
		if err == nil && missing == nil && os.SameFile(there, here) {
			return f
		}
	}
	return nil
}

// open opens what is not a regular file, and otherwise a temporary one beside the file's place.
func (f *File) open() (err error) {
	info, missing := os.Stat(f.name)
	switch {
	case missing == nil && info.IsDir():
		return f.blocked()
	case missing == nil && !info.Mode().IsRegular():
		f.direct = true
		f.file.File, err = os.OpenFile(f.name, os.O_WRONLY, 0)
		return err
	}
	if f.file, err = createTemporary(f.place); err != nil {
		shown := f.name
		if to, err := os.Readlink(f.name); err == nil {
			shown += " -> " + to
		}
		return &fs.PathError{Op: "create", Path: shown, Err: cause(err)}
	}
	return nil
}

// Remove has Commit remove a file, if it exists, that does not belong to the output.
func (o *Output) Remove(path string) { o.old = append(o.old, path) }

// Finish sets what completes the content before the file is closed, such as the footer of a table.
func (f *File) Finish(do func() error) { f.finish = do }

// Write appends to the file. A failure is also reported by Commit.
func (f *File) Write(p []byte) (int, error) { return f.buffer.Write(p) }

// close completes the file under its temporary name.
func (f *File) close() error {
	var err error
	if f.finish != nil {
		err = f.finish()
	}
	return errors.Join(err, f.buffer.Flush(), f.file.Close())
}

// Err returns the first failure to write, such as a full disk, which Commit will report.
func (o *Output) Err() error {
	for _, f := range o.files {
		if _, err := f.buffer.Write(nil); err != nil { // of an earlier Write
			return f.failed(err)
		}
	}
	return nil
}

// blocked is the error that a folder is in the file's place.
func (f *File) blocked() error {
	return fmt.Errorf("%s: there is a folder of this name: choose another one", f.name)
}

func (f *File) failed(err error) error {
	return fmt.Errorf("%s: not written: %w", f.name, cause(err))
}

// Commit completes all files and only then gives them their names, in the order of their
// creation, after it has removed what it was asked to. If one cannot be completed, none appears and nothing is
// removed; a file that cannot be removed is an error, but the files appear. If one cannot get its name, those
// before it have theirs, those after it are as they were, and the last, of which an earlier version is removed before
// any other appears, is missing: created last, it tells that the others are of one run. Afterwards the output is empty.
func (o *Output) Commit() error {
	defer o.Abort()
	for _, f := range o.files {
		if err := f.close(); err != nil {
			return f.failed(err)
		}
	}
	if err := o.vacate(); err != nil {
		return err
	}
	var kept error
	for _, path := range o.old {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			kept = errors.Join(kept, err)
		}
	}
	for len(o.files) > 0 {
		f := o.files[0]
		if !f.direct {
			if err := os.Rename(f.file.Name(), f.place); err != nil {
				return f.failed(err)
			}
		}
		f.file.unlock()
		o.files = o.files[1:]
	}
	o.made = nil
	return kept
}

// vacate finds folders in the places of files, and removes the earlier version of the last of several files.
func (o *Output) vacate() error {
	for _, f := range o.files {
		if info, err := os.Stat(f.name); err == nil && info.IsDir() {
			return f.blocked()
		}
	}
	if len(o.files) < 2 {
		return nil
	}
	last := o.files[len(o.files)-1]
	if last.direct {
		return nil
	}
	if err := os.Remove(last.place); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return last.failed(err)
	}
	return nil
}

// cause is an error without the temporary name of its file.
func cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// Abort removes the files that have not been committed, and the folders that were made for them, unless they hold other
// files.
func (o *Output) Abort() {
	for _, f := range o.files {
		f.file.Close()
		if !f.direct {
			os.Remove(f.file.Name())
		}
		f.file.unlock()
	}
	for _, dir := range o.made {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			os.Remove(dir)
		}
	}
	o.files, o.old, o.made = nil, nil, nil
	clear(o.taken)
}

// WriteJSON writes v as indented JSON: the summary.json of a run.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
