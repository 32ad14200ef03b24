package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// top is the repository.
var top = filepath.Join("..", "..")

// TestGuides runs what README and guides show: exchanges over DirectIO, shell commands, and Go files. A block is marked
// by what follows its language: ```directio is one of an exchange that goes through the page, ```sh run is executed with
// the address of a real daemon, and ```go file=NAME is a file of the repository while its page is tested.
func TestGuides(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(top, "docs", "guide-*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no guides", err)
	}
	for _, page := range append(pages, filepath.Join(top, "README.md")) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			blocks := blocksOf(string(text))
			goFiles(t, blocks)
			talkAndShell(t, blocks)
		})
	}
}

// block is a fenced block of a page.
type block struct {
	language, mark, text string
}

func blocksOf(page string) []block {
	var list []block
	inside := false
	for line := range strings.Lines(page) {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && !inside:
			language, mark, _ := strings.Cut(fence, " ")
			list = append(list, block{language: language, mark: mark})
			inside = true
		case isFence:
			inside = false
		case inside:
			list[len(list)-1].text += line
		}
	}
	return list
}

// talkAndShell runs the exchanges and commands of a page against one daemon without nets.
func talkAndShell(t *testing.T, blocks []block) {
	var exchange, script string
	for _, b := range blocks {
		if b.language == "directio" {
			exchange += b.text
		}
		if b.language == "sh" && b.mark == "run" {
			script += b.text
		}
	}
	if exchange == "" && script == "" {
		return
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "empty.yaml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := begin(t.Context(), folder, "--listen", "127.0.0.1:0", "--config", "empty.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := play(p.url, exchange); err != nil {
		t.Error(err)
	}
	shell(t, p.url, script)
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("end of the daemon: %v\n%s", err, p.log.String())
	}
}

func shell(t *testing.T, url, script string) {
	if script == "" {
		return
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Log("skip: no curl: the commands of the page are not run")
		return
	}
	script = strings.ReplaceAll(script, "http://127.0.0.1:8080", url)
	script = strings.ReplaceAll(script, "curl ", "curl --fail-with-body --show-error ")
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, script, out)
	}
}

// goFiles tests the Go files of a page as if they were in the repository.
func goFiles(t *testing.T, blocks []block) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	root, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	folder, packages := t.TempDir(), map[string]bool{}
	for _, b := range blocks {
		name, ok := strings.CutPrefix(b.mark, "file=")
		if b.language != "go" || !ok {
			continue
		}
		file := filepath.Join(folder, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(b.text), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, name)] = file
		packages["./"+filepath.Dir(name)] = true
	}
	if len(packages) == 0 {
		return
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for name := range packages {
		binary := filepath.Join(folder, "page.test")
		build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-o", binary, "-overlay", file, name)
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if out, err := exec.CommandContext(t.Context(), binary, "-test.v").CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
