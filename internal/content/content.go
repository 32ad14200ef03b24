// Package content tells by what is in a file what the file is, so that people need not say it.
package content

import (
	"regexp"
	"strings"
)

// Kind is what a file is.
type Kind uint8

// The kinds of files.
const (
	Unknown       Kind = iota
	Net                // in text form
	XML                // a net in XML
	Configuration      // of a cell
	Extension          // the manifest of one
)

// String names a kind with its article.
func (k Kind) String() string {
	return [...]string{"neither net, nor configuration, nor extension", "a net", "a net in XML", "a configuration", "an extension"}[k]
}

var (
	// blank is what may stand before a net, or before YAML in braces.
	blank = regexp.MustCompile(`^(?:\x{FEFF}|\s|(?://|#)[^\n]*(?:\n|$)|/\*(?s:.*?)\*/)*`)

	// flow is the begin of YAML in braces, as programs write it: a key, and a colon that is not the first one of Core::Clock.
	flow = regexp.MustCompile(`^\{\s*(?:["']|[\w-]+\s*:(?:[^:]|$))`)

	key      = regexp.MustCompile(`(?m)^(?:---\s+)?["']?[\w-]+["']?\s*:(?:\s|$)`)
	manifest = regexp.MustCompile(`(?m)^(?:version|doc|primitives|device-types)\s*:(?:\s|$)`)
	remarks  = regexp.MustCompile(`(?m)^\s*(?:#.*)?$`)
)

// Of returns what a text is. A text that is nearly one of the kinds is of that kind, so that what is wrong with it can be said.
func Of(text string) Kind {
	first := text[len(blank.FindString(text)):]
	switch {
	case flow.MatchString(first):
		return Configuration
	case strings.HasPrefix(first, "{"):
		return Net
	case strings.HasPrefix(first, "<"):
		return XML
	case manifest.MatchString(text):
		return Extension
	case key.MatchString(text), strings.TrimSpace(remarks.ReplaceAllString(text, "")) == "":
		return Configuration
	}
	return Unknown
}
