package extension

import (
	"fmt"
	"hash/fnv"
	"io/fs"
)

// Stamp tells versions of the files of an extension apart without reading them.
type Stamp string

// NoFiles is the stamp of an extension that has no folder any more.
const NoFiles Stamp = ""

// mostStamped bounds how many files are looked at.
const mostStamped = 10 * mostFiles

// Stamp returns the present one of an extension.
func (f *Folder) Stamp(id string) Stamp {
	if !ValidID(id) {
		return NoFiles
	}
	own, err := f.root.OpenRoot(id)
	if err != nil {
		return NoFiles
	}
	defer func() { _ = own.Close() }() // it has only been read
	sum, count := fnv.New128a(), 0
	_ = fs.WalkDir(own.FS(), ".", func(name string, entry fs.DirEntry, err error) error { // errors are part of the stamp
		switch count++; {
		case count > mostStamped:
			return fs.SkipAll
		case err != nil:
			fmt.Fprintf(sum, "%s\x00%v\x00", name, err)
			return nil
		case name != "." && leftover(entry.Name()):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return nil // its files are looked at
		}
		if info, err := entry.Info(); err == nil {
			fmt.Fprintf(sum, "%s\x00%d\x00%v\x00%d\x00", name, info.Size(), info.Mode(), info.ModTime().UnixNano())
		}
		return nil
	})
	return Stamp(sum.Sum(nil))
}
