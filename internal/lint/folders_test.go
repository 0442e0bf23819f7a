package lint

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestFolders(t *testing.T) { check(t, folders) }

// folder is a row of the table in README.md.
type folder struct {
	line  int
	dirs  []string
	named []string // what it builds on, as written
}

// folders is the rule that the table of folders in README.md says what they build on: a row names the folders that its
// packages import, or some that build on those, and no others. internal/spelling goes without saying.
func folders(tr *tree) (found []finding) {
	const page, all = "README.md", "all of the above"
	rows := folderTable(string(tr.texts[page]))
	if len(rows) == 0 {
		return []finding{{page, 1, "no table of folders", "begin it with | folder | holds | builds on |"}}
	}
	built := make([][]bool, len(rows)) // by row, then by the row that it builds on, also over others
	for i, r := range rows {
		built[i] = make([]bool, len(rows))
		imports, tested := importsOf(tr, rows, i)
		for _, name := range r.named {
			if name == all {
				for k := range i {
					built[i][k] = true
				}
				continue
			}
			is := rowsNamed(rows[:i], name)
			if len(is) == 0 {
				found = append(found, finding{page, r.line, "no row above is " + name, "name one that is"})
			}
			used := false
			for _, k := range is {
				used = used || imports[k] || tested[k]
				for over := range built[k] {
					built[i][over] = built[i][over] || over == k || built[k][over]
				}
			}
			if !used && len(is) > 0 {
				found = append(found, finding{page, r.line, strings.Join(r.dirs, ", ") + " does not import " + name, "do not name it"})
			}
		}
		for k := range rows {
			if k != i && imports[k] && !built[i][k] && !slices.Contains(rows[k].dirs, "internal/spelling") {
				what := strings.Join(r.dirs, ", ") + " builds on " + strings.Join(rows[k].dirs, ", ")
				found = append(found, finding{page, r.line, what, "name it, or what builds on it"})
			}
		}
	}
	return found
}

// folderTable returns the rows whose folders may hold Go packages.
func folderTable(text string) (rows []folder) {
	quoted := regexp.MustCompile("`([^`]+)/`")
	inside := false
	for i, line := range strings.Split(text, "\n") {
		cells := strings.Split(line, "|")
		switch {
		case strings.HasPrefix(line, "| folder | holds | builds on |"):
			inside = true
		case len(cells) != 5:
			inside = false
		case inside && quoted.MatchString(cells[1]):
			r := folder{line: i + 1}
			for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
				r.dirs = append(r.dirs, m[1])
			}
			on, _, _ := strings.Cut(cells[3], ";")
			for name := range strings.SplitSeq(on, ",") {
				if name = strings.Trim(name, " "); name != "" && name != "nothing" && !strings.Contains(name, "`") {
					r.named = append(r.named, name)
				}
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// rowsNamed returns the rows that a name means: core/topo, sim for internal/sim, devices for all in that folder.
func rowsNamed(rows []folder, name string) (is []int) {
	for i, r := range rows {
		if slices.ContainsFunc(r.dirs, func(dir string) bool {
			return dir == name || dir == "internal/"+name || path.Dir(dir) == name && name == "devices"
		}) {
			is = append(is, i)
		}
	}
	return is
}

// importsOf returns which rows the packages of one import, and which their tests do.
func importsOf(tr *tree, rows []folder, i int) (imports, tested map[int]bool) {
	imports, tested = make(map[int]bool), make(map[int]bool)
	for _, s := range tr.files {
		if rowOf(rows, s.dir()) != i {
			continue
		}
		for _, spec := range s.syntax.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				panic(err) // the parser has accepted it
			}
			dir, own := strings.CutPrefix(p, modulePath+"/")
			switch {
			case !own:
			case s.isTest():
				tested[rowOf(rows, dir)] = true
			default:
				imports[rowOf(rows, dir)] = true
			}
		}
	}
	return imports, tested
}

// rowOf returns the row with the folder, or the innermost one around it; -1 if there is none.
func rowOf(rows []folder, dir string) int {
	for ; dir != "."; dir = path.Dir(dir) {
		if i := slices.IndexFunc(rows, func(r folder) bool { return slices.Contains(r.dirs, dir) }); i >= 0 {
			return i
		}
	}
	return -1
}

func TestFoldersNotices(t *testing.T) {
	page := "| folder | holds | builds on |\n|---|---|---|\n| `core/` | | nothing |\n| `core/topo/` | | core |\n| `internal/a/` | | core |\n| `b/`, `c/` | | a |\n| `d/` | | e, topo |\n| `f/` | | all of the above |\n"
	tr := &tree{texts: map[string][]byte{"README.md": []byte(page)}}
	for name, on := range map[string]string{
		"core/topo/x.go": "core", "internal/a/x.go": "core/topo", "b/x.go": "internal/a", "c/y/x.go": "core", "d/x_test.go": "core/topo", "f/x.go": "core/topo",
	} {
		tr.files = append(tr.files, example(t, name, "package x\nimport \""+modulePath+"/"+on+"\"\n"))
	}
	expect(t, folders(tr), "5 internal/a does not import core;", "5 internal/a builds on core/topo;", "7 no row above is e;", "7 no row above is topo;")
	expect(t, folders(&tree{}), "1 no table of folders")
}
