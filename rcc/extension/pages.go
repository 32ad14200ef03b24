package extension

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Pages is the folder of an extension whose files are its pages.
const Pages = "pages"

// Page is a file that browsers see.
type Page struct {
	Name  string // below the address of the extension
	Media string // type
	Text  []byte
}

// media are the types of files that pages consist of, so that none depends on the tables of the machine.
var media = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
}

// pages reads the files of the folder, as far as there is one. Leftovers of editors do not count.
func (r *reader) pages() (list []Page, err error) {
	info, err := fs.Stat(r.files, Pages)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil || !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder below that of the extension", Pages)
	}
	entries, err := entriesOf(r.files, Pages, mostFiles)
	if err != nil {
		return nil, fmt.Errorf("folder %s: %w", Pages, err)
	}
	for _, e := range entries {
		name := e.Name()
		if leftover(name) {
			continue
		}
		kind := media[path.Ext(name)]
		if kind == "" || !pageName(name) {
			return nil, fmt.Errorf("%s/%s: pages have names of letters, digits, _ and -, and end with %s", Pages, name,
				strings.Join(slices.Sorted(maps.Keys(media)), " "))
		}
		text, err := r.read(path.Join(Pages, name), mostFile)
		if err != nil {
			return nil, err
		}
		list = append(list, Page{Name: name, Media: kind, Text: text})
	}
	slices.SortFunc(list, func(a, b Page) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// leftover reports whether a file is hidden, or a copy that an editor has made.
func leftover(name string) bool { return strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") }

// pageName reports whether a file has a name that needs no escapes in an address; dots are allowed within.
func pageName(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !ValidID(part) {
			return false
		}
	}
	return true
}

// entriesOf reads a folder that has not too many files.
func entriesOf(files fs.FS, name string, most int) ([]fs.DirEntry, error) {
	opened, err := files.Open(name)
	if err != nil {
		return nil, errors.New("cannot be opened")
	}
	defer func() { _ = opened.Close() }() // it has only been read
	folder, ok := opened.(fs.ReadDirFile)
	if !ok {
		return nil, errors.New("not a folder")
	}
	entries, err := folder.ReadDir(most + 1) // EOF says that it is empty
	if len(entries) > most {
		return nil, fmt.Errorf("more than %d files", most)
	}
	if len(entries) == 0 {
		return nil, nil
	}
	return entries, err
}
