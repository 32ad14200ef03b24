// Plots draws what docs/motion.md shows: make plots. A test says whether the pictures are those that it draws.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: plots FOLDER")
		os.Exit(2)
	}
	for _, f := range figures() {
		if err := f.Save(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
