// Package hooks tests the hooks of git that make hooks installs.
package hooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a new one, with what make hooks needs.
type repository struct {
	t      *testing.T
	folder string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	for _, program := range []string{"git", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("skip: no %s: the hooks are not tried", program)
		}
	}
	r := repository{t, t.TempDir()}
	for to, from := range map[string]string{"Makefile": "../../Makefile", "tools/hooks/commit-msg": "commit-msg"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		r.write(to, string(text), 0o755)
	}
	r.must("git", "init", "--quiet")
	return r
}

func (r repository) write(name, text string, mode os.FileMode) {
	r.t.Helper()
	name = filepath.Join(r.folder, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		r.t.Fatal(err)
	}
}

// run executes a command in the repository, as a user with no settings for git, and also when the test itself is run by a hook.
func (r repository) run(name string, args ...string) (out string, err error) {
	cmd := exec.CommandContext(r.t.Context(), name, args...)
	cmd.Dir = r.folder
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "MAKE") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func (r repository) must(name string, args ...string) {
	r.t.Helper()
	if out, err := r.run(name, args...); err != nil {
		r.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

func TestMessages(t *testing.T) {
	r := newRepository(t)
	r.must("make", "hooks")
	tests := []struct {
		name, message string
		refusal       string // empty for none
	}{
		{"with a body", "geom: frames by three points\n\nThey come from calibration.\n", ""},
		{"with several packages", "geom, motion: limits\n\nBoth had their own.\n", ""},
		{"body and trailer", "geom: frames\n\nWhy.\n\nSigned-off-by: A <a@example.org>\n", ""},
		{"after comments", "# what git says\n\ngeom: frames\n\nWhy.\n", ""},
		{"merge", "Merge branch 'x'\n", ""},
		{"revert", "Revert \"geom: frames\"\n", ""},
		{"fixup", "fixup! geom: frames\n", ""},
		{"no body", "geom: frames\n", "the body is missing"},
		{"a trailer is not a body", "geom: frames\n\nSigned-off-by: A <a@example.org>\n", "the body is missing"},
		{"a comment is not a body", "geom: frames\n\n# Why.\n", "the body is missing"},
		{
			"a diff is not a body", "geom: frames\n# ------------------------ >8 ------------------------\ndiff --git a b\n",
			"the body is missing",
		},
		{"no blank line", "geom: frames\nWhy.\n", "the second line must be blank"},
		{"no package", "frames by three points\n\nWhy.\n", `the form "package: what changed"`},
		{"nothing changed", "geom:\n\nWhy.\n", `the form "package: what changed"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := repository{t, r.folder}
			r.write("message", tt.message, 0o644)
			out, err := r.run("git", "commit", "--allow-empty", "--cleanup=scissors", "--file=message")
			switch {
			case tt.refusal == "" && err != nil:
				t.Errorf("refused: %s", out)
			case tt.refusal != "" && err == nil:
				t.Error("accepted")
			case tt.refusal != "" && !strings.Contains(out, tt.refusal):
				t.Errorf("refused for another reason: %s", out)
			}
		})
	}
}

// TestInstall: installing again is fine, and a foreign hook is not lost.
func TestInstall(t *testing.T) {
	r := newRepository(t)
	r.must("make", "hooks")
	r.must("make", "hooks")
	const other = "#!/bin/sh\nexit 0\n"
	r.write(".git/hooks/commit-msg", other, 0o755)
	if out, err := r.run("make", "hooks"); err == nil || !strings.Contains(out, "is not ours") {
		t.Errorf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(r.folder, ".git", "hooks", "commit-msg"))
	if err != nil || string(text) != other {
		t.Errorf("the hook that was there is now %q, %v", text, err)
	}
}
