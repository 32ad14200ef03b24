package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// written returns the mistakes of testdata/mutants.txt, which come in paragraphs: a name, a file, and the lines that are replaced and that
// replace them. The lines to replace must be in the file once, so that a mistake that the source has outgrown is noticed.
//
//	null counts as a value
//	fact.go
//	- return f.many == one && !f.null
//	+ return f.many == one
func written(folder string) (all []mutant, err error) {
	list, err := paragraphs(filepath.Join(folder, "testdata", "mutants.txt"))
	if err != nil {
		return nil, err
	}
	for _, lines := range list {
		m, err := writtenAs(folder, lines)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", lines[0], err)
		}
		all = append(all, m)
	}
	return all, nil
}

func writtenAs(folder string, lines []string) (m mutant, err error) {
	var right, wrong []string
	for _, line := range lines[min(2, len(lines)):] {
		if of, is := strings.CutPrefix(line, "- "); is {
			right = append(right, of)
		} else if of, is := strings.CutPrefix(line, "+ "); is {
			wrong = append(wrong, of)
		} else {
			return m, fmt.Errorf("%q is not a line that begins with - or + and a space", line)
		}
	}
	if len(right) == 0 {
		return m, fmt.Errorf("no line that is replaced")
	}
	source, err := os.ReadFile(filepath.Join(folder, lines[1]))
	if err != nil {
		return m, err
	}
	before := strings.Join(right, "\n")
	if n := strings.Count(string(source), before); n != 1 {
		return m, fmt.Errorf("%s: %q is there %d times, not once", lines[1], before, n)
	}
	from := strings.Index(string(source), before)
	return mutant{lines[0], lines[1], from, from + len(before), strings.Join(wrong, "\n")}, nil
}
