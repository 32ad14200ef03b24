// Netpicture draws a net as SVG: make pictures. It reads a file with the text of a net, or a page in Markdown and the name of
// a file that the page shows.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "netpicture:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 && len(args) != 2 {
		return fmt.Errorf("usage: netpicture NET, or netpicture PAGE FILE")
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	text := string(data)
	if len(args) == 2 {
		if text, err = shown(text, args[1]); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
	}
	picture, err := draw(text)
	if err != nil {
		return err
	}
	_, err = os.Stdout.WriteString(picture)
	return err
}

// shown returns the text of a file that a page shows, in a block that is marked by its name.
func shown(page, file string) (string, error) {
	_, after, ok := strings.Cut(page, "\n```text file="+file+"\n")
	if !ok {
		return "", fmt.Errorf("no block is marked file=%s", file)
	}
	text, _, ok := strings.Cut(after, "\n```")
	if !ok {
		return "", fmt.Errorf("the block of %s has no end", file)
	}
	return text, nil
}
