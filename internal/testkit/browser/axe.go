package browser

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// program is axe-core in the packages of the application, seen from the root of the module.
const program = "web/pride/node_modules/axe-core/axe.min.js"

// check runs the rules on the whole page and returns what they found, a line for each element.
const check = `axe.run(document, { resultTypes: ["violations"] }).then((found) => JSON.stringify(found.violations.flatMap((v) =>
	v.nodes.map((n) => v.id + " (" + v.impact + "): " + v.help + ": " + n.target.join(" ") + ": " + n.failureSummary.replaceAll("\n", " ")))))`

// Accessible fails the test for each violation of the rules of axe-core that the page has, light or dark. Without the packages of the
// application there are no rules: it says so.
func (p *Tab) Accessible() {
	p.t.Helper()
	if !p.rules() {
		return
	}
	for _, scheme := range schemes {
		p.scheme(scheme)
		for _, found := range p.violations() {
			p.t.Errorf("%s, %s: %s", p.Do(`location.href`), scheme, found)
		}
	}
}

// rules brings the rules into the page, and reports whether there are any.
func (p *Tab) rules() bool {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(root(), program))
	if errors.Is(err, fs.ErrNotExist) {
		p.t.Log("skip: no " + program + ": the accessibility of pages is not checked: make pride")
		return false
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.Do(string(text) + `; ""`)
	return true
}

func (p *Tab) violations() (list []string) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(p.Do(check)), &list); err != nil {
		p.t.Fatal(err)
	}
	return list
}

// root is the folder of the module above the one in which the test runs.
func root() string {
	up := "."
	for range strings.Count(filepath.ToSlash(workingFolder()), "/") {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			break
		}
		up = filepath.Join(up, "..")
	}
	return up
}

func workingFolder() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}
