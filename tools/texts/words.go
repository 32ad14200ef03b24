package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A phrase is refused in comments, strings and pages.
type phrase struct {
	key     string // in lower case; what does not contain it is not looked at
	wrong   *regexp.Regexp
	instead string
	fine    *regexp.Regexp // what matches this too is not refused
}

var list = []phrase{
	{"whether", regexp.MustCompile(`(?i)\b(tells?|told|telling) whether\b`), "reports whether", nil},
	{" tells ", regexp.MustCompile(`^[A-Za-z]\w* tells (how|why|what|where|which|when|that|of)\b`), "reports, returns, shows", nil},
	{"whether", regexp.MustCompile(`(?i)\b(look|looks|looked|looking) whether\b`), "checks whether", nil},
	{
		" is t", regexp.MustCompile(`^[A-Za-z]\w* is (told\b|that [a-z]+)`), "is called when, takes, is returned when",
		regexp.MustCompile(`^(Err|Fault|there )|Error is |(of|error)$`),
	},
	{" that", regexp.MustCompile(`\b(Err[A-Z]\w*|[A-Z]\w*Error) (is|are) that\b`), "is returned when", nil},
	{" that", regexp.MustCompile(`\bFault[A-Z]\w* (is|are) that\b`), "means that", nil},
	{"over into", regexp.MustCompile(`(?i)\b(go|goes|going|gone) over into\b`), "blends into, or becomes", nil},
	{"as ever", regexp.MustCompile(`(?i)\bas ever\b`), "as before", nil},
	{
		" no ", regexp.MustCompile(`(?i)\b[a-z]+ (is|are|was|were) no [a-z]+`), "is not a",
		regexp.MustCompile(`(?i)^there |^(where|what|who|which) | no (longer|more|less|fewer|later|sooner|older|newer|deeper|earlier|greater|larger|smaller|better|worse|one|need|other)$`),
	},
	{"shall", regexp.MustCompile(`(?i)\bshall\b`), "must, will, or the plain present", nil},
	{"there", regexp.MustCompile(`(?i)\bthere(in|of|from|upon)\b`), "in it, of it, from it", nil},
	{"but for", regexp.MustCompile(`(?i)\bbut for\b`), "except, or without", nil},
	{"meanwhile", regexp.MustCompile(`(?i)\bmeanwhile\b`), "while, or in the meantime", nil},
	{"anew", regexp.MustCompile(`(?i)\banew\b`), "again", nil},
	{"wrong", regexp.MustCompile(`(?i)\bwhat is wrong is (told|said)\b`), "the error says what is wrong", nil},
	{"wh", regexp.MustCompile(`(^|[.;:!?)] )(Who|What) [^.?!]*(\.( |$)|!)`), "a sentence with a subject: the one that …, an X that …", regexp.MustCompile(`^What (returns|reports) `)},
}

// words returns what the list refuses, as file:line: reason.
func words(top fs.FS) (found []string, err error) {
	look := func(name string, passages []passage) {
		for _, p := range passages {
			found = append(found, p.refused(name)...)
		}
	}
	err = walk(top, ".go", func(name string, source []byte) error {
		if !strings.HasPrefix(name, "tools/texts/") { // it quotes the list
			look(name, ofGo(source))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = walk(top, ".md", func(name string, page []byte) error {
		look(name, ofMarkdown(string(page)))
		return nil
	})
	slices.Sort(found)
	return found, err
}

// A passage is a text whose lines belong together: a comment, a string, a paragraph.
type passage struct {
	line  int // of its first line
	lines []string
}

// refused returns the phrases of the list that are in a passage of a file.
func (p passage) refused(name string) (found []string) {
	joined := strings.Join(p.lines, " ")
	lower := strings.ToLower(joined)
	for i := range list {
		b := &list[i]
		if !strings.Contains(lower, b.key) {
			continue
		}
		for _, at := range b.wrong.FindAllStringIndex(joined, -1) {
			said := joined[at[0]:at[1]]
			if b.fine != nil && b.fine.MatchString(said) {
				continue
			}
			found = append(found, fmt.Sprintf("%s:%d: %q: write %s", name, p.line+p.lineOf(at[0]), said, b.instead))
		}
	}
	return found
}

// lineOf returns how many lines end before an offset of the joined lines.
func (p passage) lineOf(offset int) (n int) {
	for n < len(p.lines)-1 && offset > len(p.lines[n]) {
		offset -= len(p.lines[n]) + 1
		n++
	}
	return n
}

// ofGo returns the comments and strings of a Go file. Line comments that follow each other are one passage.
func ofGo(source []byte) (all []passage) {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		line := file.Line(pos)
		switch tok {
		case token.EOF:
			return all
		case token.STRING:
			if said, err := strconv.Unquote(lit); err == nil {
				all = append(all, passage{line, strings.Split(said, "\n")})
			}
		case token.COMMENT:
			text, isLine := strings.CutPrefix(lit, "//")
			text = strings.TrimPrefix(text, " ")
			if last := len(all) - 1; isLine && last >= 0 && all[last].line+len(all[last].lines) == line && text != "" && all[last].lines[0] != "" {
				all[last].lines = append(all[last].lines, text)
				continue
			}
			all = append(all, passage{line, strings.Split(text, "\n")})
		}
	}
}

var code = regexp.MustCompile("`[^`]*`")

// ofMarkdown returns the paragraphs and cells of tables of a page, without code.
func ofMarkdown(page string) (all []passage) {
	fenced, open := false, false
	for i, line := range strings.Split(page, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced, open = !fenced, false
		case fenced || line == "":
			open = false
		case strings.HasPrefix(line, "|"):
			for cell := range strings.SplitSeq(line, "|") {
				all = append(all, passage{i + 1, []string{code.ReplaceAllString(strings.TrimSpace(cell), "…")}})
			}
			open = false
		case open && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "#"):
			last := &all[len(all)-1]
			last.lines = append(last.lines, code.ReplaceAllString(line, "…"))
		default:
			all = append(all, passage{i + 1, []string{code.ReplaceAllString(line, "…")}})
			open = true
		}
	}
	return all
}
