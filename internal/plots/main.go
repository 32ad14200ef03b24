// Plots draws what docs/motion.md shows: make plots. A test says whether the pictures are those that it draws.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: plots FOLDER")
		os.Exit(2)
	}
	for _, f := range figures() {
		if err := os.WriteFile(filepath.Join(os.Args[1], f.name+".svg"), []byte(f.draw()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
