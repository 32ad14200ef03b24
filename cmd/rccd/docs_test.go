package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/softrobot-rcc/rccd/primitives"
)

// top is the repository.
var top = filepath.Join("..", "..")

// TestGuides runs what README and guides show. A block is marked by its language and what follows it:
//
//	```directio             part of an exchange that goes through the page
//	```sh run               commands, with the address of a real daemon
//	```text output          all that the commands right before have written; three dots stand for any text
//	```yaml file=cell.yaml  the configuration of that daemon, which otherwise has none
//	```text file=NAME       a file in the folder of the commands, which use it
//	```go file=NAME         a file of the repository while its page is tested
//	```go run               a program that talks to the daemon, in its turn among the commands; text output is for it as well
//	```go frame             a program in which pieces of the page have a place
//	```go piece             what stands there when it is run, in its turn; it is done when it returns
//	```go types             what the program declares besides
//	```sh scenario=NAME     lines that a scenario has as well, in any language
func TestGuides(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(top, "docs", "guide-*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no guides", err)
	}
	t.Setenv("PATH", filepath.Dir(clients.path(t, "rccctl"))+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, page := range append(pages, filepath.Join(top, "docs", "writing-nets.md"), filepath.Join(top, "docs", "ethercat.md"), filepath.Join(top, "docs", "programming.md"), filepath.Join(top, "docs", "evaluation.md"), filepath.Join(top, "README.md")) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			blocks := blocksOf(string(text))
			goFiles(t, blocks)
			quotations(t, blocks)
			everyFileIsUsed(t, blocks)
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

// quotations compares what a page shows of scenarios with them.
func quotations(t *testing.T, blocks []block) {
	for _, b := range blocks {
		name, ok := strings.CutPrefix(b.mark, "scenario=")
		if !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(top, "testdata", "scenarios", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if b.text == "" || !strings.Contains("\n"+string(text), "\n"+b.text) {
			t.Errorf("scenario %s does not have\n%s", name, b.text)
		}
	}
}

// talkAndShell runs the exchanges and commands of a page against one daemon.
func talkAndShell(t *testing.T, blocks []block) {
	exchange, commands := "", false
	for _, b := range blocks {
		if b.language == "directio" {
			exchange += b.text
		}
		commands = commands || b.acts()
	}
	if exchange == "" && !commands {
		return
	}
	folder := t.TempDir()
	p, err := begin(t.Context(), folder, "--listen", "127.0.0.1:0", "--config", files(t, folder, blocks))
	if err != nil {
		t.Fatal(err)
	}
	if err := play(p.url, exchange); err != nil {
		t.Error(err)
	}
	shell(t, folder, p.url, blocks)
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("end of the daemon: %v\n%s", err, p.log.String())
	}
}

// cellFile is the configuration of a page's daemon.
const cellFile = "cell.yaml"

// files writes the files of a page and returns the name of its configuration.
func files(t *testing.T, folder string, blocks []block) string {
	t.Helper()
	const nothing = "empty.yaml"
	config, texts := nothing, map[string]string{nothing: ""}
	for _, b := range blocks {
		if name, ok := strings.CutPrefix(b.mark, "file="); ok && b.language != "go" {
			texts[name] = b.text
			if name == cellFile {
				config = cellFile
			}
		}
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return config
}

// everyFileIsUsed finds files that are shown and that nothing would ever read: what is wrong in them would stay.
func everyFileIsUsed(t *testing.T, blocks []block) {
	for _, b := range blocks {
		name, ok := strings.CutPrefix(b.mark, "file=")
		if !ok || b.language == "go" || name == cellFile {
			continue
		}
		if !slices.ContainsFunc(blocks, func(by block) bool {
			return (by.runs() || by.mark == "file="+cellFile) && strings.Contains(by.text, name)
		}) {
			t.Errorf("no command uses %s, nor does the configuration", name)
		}
	}
}

func (b block) runs() bool { return b.language == "sh" && b.mark == "run" }

func (b block) isProgram() bool { return b.language == "go" && b.mark == "run" }

func (b block) isPiece() bool { return b.language == "go" && b.mark == "piece" }

func (b block) acts() bool { return b.runs() || b.isProgram() || b.isPiece() }

// rccctlWord is rccctl as a command, at the beginning of a line or of what stands for its output.
var rccctlWord = regexp.MustCompile(`(?m)(^|\$\()rccctl `)

// shell runs the commands of a page, and compares what they write with what the page shows of it.
func shell(t *testing.T, folder, url string, blocks []block) {
	if !slices.ContainsFunc(blocks, block.acts) {
		return
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Log("skip: no curl: the commands of the page are not run")
		return
	}
	pieces := piecesOf(t, blocks, url)
	for i, b := range blocks {
		if !b.acts() {
			continue
		}
		text := atAddress(b.text, url)
		var cmd *exec.Cmd
		switch {
		case b.isProgram():
			cmd = exec.CommandContext(t.Context(), goProgram(t, text))
		case b.isPiece():
			cmd = exec.CommandContext(t.Context(), pieces, strconv.Itoa(i))
		default:
			cmd = shellCommand(t, text, url)
		}
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, out)
		}
		if i+1 < len(blocks) && blocks[i+1].mark == "output" && !withDots(blocks[i+1].text).Match(out) {
			t.Errorf("%s\nwrites\n%s\nand not\n%s", b.text, out, blocks[i+1].text)
		}
	}
}

// atAddress has what a page shows talk to a daemon of the test.
func atAddress(text, url string) string {
	return strings.ReplaceAll(text, "http://127.0.0.1:8080", url)
}

// place is where pieces stand in a frame.
const place = "\t// What this page shows stands here.\n"

// piecesOf compiles the pieces of a page to one program, which runs the one whose number it is given.
func piecesOf(t *testing.T, blocks []block, url string) (program string) {
	t.Helper()
	var frame, types, pieces strings.Builder
	for i, b := range blocks {
		switch {
		case b.isPiece():
			fmt.Fprintf(&pieces, "case %q:\n%s", strconv.Itoa(i), b.text)
		case b.language == "go" && b.mark == "types":
			types.WriteString("\n" + b.text)
		case b.language == "go" && b.mark == "frame":
			frame.WriteString(b.text)
		}
	}
	if pieces.Len() == 0 {
		return ""
	}
	if strings.Count(frame.String(), place) != 1 {
		t.Fatal("the page needs one frame, with a place for pieces")
	}
	source := strings.Replace(frame.String(), place, "switch os.Args[1] {\n"+pieces.String()+"}\n", 1)
	source = strings.Replace(source, "import (\n", "import (\n\"os\"\n", 1)
	return goProgram(t, atAddress(source+types.String(), url))
}

// exampleWord is an example that a page has executed.
var exampleWord = regexp.MustCompile(`(?m)^go run \./examples/(\w+)`)

func shellCommand(t *testing.T, script, url string) *exec.Cmd {
	for _, found := range exampleWord.FindAllStringSubmatch(script, -1) {
		script = strings.Replace(script, found[0], examples.path(t, found[1])+" -rccd "+url, 1)
	}
	script = strings.ReplaceAll(script, "curl ", "curl --fail-with-body --show-error ")
	script = rccctlWord.ReplaceAllString(script, "${1}rccctl --url "+url+" ")
	return exec.CommandContext(t.Context(), "sh", "-ec", script)
}

// goProgram compiles a program of a page as if it were a command of the repository.
func goProgram(t *testing.T, source string) (binary string) {
	t.Helper()
	root, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file, overlay := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json")
	binary = filepath.Join(folder, "program")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "cmd", "guide", "main.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{file: []byte(source), overlay: text} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "-overlay", overlay, "./cmd/guide")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
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

var pageLink = regexp.MustCompile(`\]\(([^)#:]+\.md)[^)]*\)`)

// TestNoOrphans: a reader who begins with README finds every page of the documentation by following links, and no link leads nowhere.
func TestNoOrphans(t *testing.T) {
	found := map[string]bool{}
	var follow func(page string)
	follow = func(page string) {
		if found[page] {
			return
		}
		found[page] = true
		text, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			return
		}
		for _, link := range pageLink.FindAllStringSubmatch(string(text), -1) {
			follow(filepath.Join(filepath.Dir(page), link[1]))
		}
	}
	follow(filepath.Join(top, "README.md"))
	for _, folder := range []string{"docs", filepath.Join("docs", "adr"), filepath.Join("docs", "facts")} {
		pages, err := filepath.Glob(filepath.Join(top, folder, "*.md"))
		if err != nil || len(pages) == 0 {
			t.Fatal(folder, err)
		}
		for _, page := range pages {
			if !found[page] {
				t.Errorf("no page that can be found links %s", page)
			}
		}
	}
}

var (
	pictureLink   = regexp.MustCompile(`!\[[^\]]*\]\(([^):]+)\)|<img src="([^":]+)"`)
	primitiveWord = regexp.MustCompile("`([A-Za-z]+::[A-Za-z]+)`")
)

// TestPictures: the pictures that pages show are there, and docs/pictures has no others.
func TestPictures(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, page := range append(pages, filepath.Join(top, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range pictureLink.FindAllStringSubmatch(string(text), -1) {
			picture := filepath.Join(filepath.Dir(page), link[1]+link[2])
			shown[picture] = true
			if _, err := os.Stat(picture); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(top, "docs", "pictures", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pictures", err)
	}
	for _, file := range files {
		if !shown[file] {
			t.Errorf("no page shows %s", file)
		}
	}
}

// TestReadmeIsShort: who meets the project for the first time reads 120 lines, and the two commands that show it are at its beginning.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) > 120 {
		t.Errorf("README has %d lines", len(lines))
	}
	beginning := "\n" + strings.Join(lines[:min(len(lines), 30)], "\n")
	for _, command := range []string{"\nmake demo ", "\nmake test "} {
		if !strings.Contains(beginning, command) {
			t.Errorf("the first 30 lines do not have %s", strings.TrimSpace(command))
		}
	}
}

// TestComingFrom: the primitives that the page for users of other systems names are in the catalogue.
func TestComingFrom(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "docs", "coming-from.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, p := range primitives.All() {
		known[p.Name] = true
	}
	words := primitiveWord.FindAllStringSubmatch(string(text), -1)
	if len(words) == 0 {
		t.Error("the page names no primitive")
	}
	for _, word := range words {
		if !known[word[1]] {
			t.Errorf("unknown primitive %s", word[1])
		}
	}
}

// TestChangelog: a release has at most 80 entries of one line each, and begins with those that break something.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, releases, ok := strings.Cut(string(text), "\n## ")
	if !ok {
		t.Fatal("no release")
	}
	for release := range strings.SplitSeq(releases, "\n## ") {
		name, body, _ := strings.Cut(release, "\n")
		entries, others := 0, false
		for line := range strings.Lines(body) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "- "):
				entries++
				breaking := strings.HasPrefix(line, "- **(breaking)** ")
				if breaking && others {
					t.Errorf("%s: breaks something, behind entries that do not: %s", name, line)
				}
				others = others || !breaking
				if strings.Count(line, "") > 190 {
					t.Errorf("%s: too long for a line: %s", name, line)
				}
			case line != "" && !strings.HasPrefix(line, "### "):
				t.Errorf("%s: an entry has one line, but then comes %q", name, line)
			}
		}
		if entries == 0 || entries > 80 {
			t.Errorf("%s has %d entries", name, entries)
		}
	}
}
