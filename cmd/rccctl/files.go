package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// filesSuffix is how pages of devices end that have files for others.
const filesSuffix = "files"

// deviceFiles are those that a page of a device has.
type deviceFiles struct {
	Files []deviceFile
}

// deviceFile is a text, or data.
type deviceFile struct {
	Name, Doc, Text string
	Data            []byte
}

func (f *deviceFile) contents() []byte {
	if f.Data != nil {
		return f.Data
	}
	return []byte(f.Text)
}

// deviceFiles shows the files of a device, or writes them into a folder.
func (s streams) deviceFiles(daemon *client, device, page, folder string, asJSON bool) int {
	var list deviceFiles
	return s.ask(daemon, place("devices", device, page), asJSON, &list, func(w io.Writer) error {
		if folder != "" {
			return list.write(w, folder)
		}
		var text strings.Builder
		for _, f := range list.Files {
			shown := f.Text
			if f.Data != nil {
				shown = fmt.Sprintf("%d bytes, for --out\n", len(f.Data))
			}
			fmt.Fprintf(&text, "==> %s: %s\n%s\n", f.Name, f.Doc, shown)
		}
		_, err := io.WriteString(w, text.String())
		return err
	})
}

// write writes the files and prints their names. Names come from the daemon; none of them leads out of the folder.
func (l *deviceFiles) write(w io.Writer, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var rows [][]string
	for _, f := range l.Files {
		if f.Name != filepath.Base(f.Name) || !filepath.IsLocal(f.Name) {
			return errors.Join(fmt.Errorf("%q cannot be the name of a file", f.Name), table(w, rows))
		}
		path := filepath.Join(folder, f.Name)
		if err := os.WriteFile(path, f.contents(), 0o644); err != nil {
			return errors.Join(err, table(w, rows))
		}
		rows = append(rows, []string{path, f.Doc})
	}
	return table(w, rows)
}
