package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/rcc/scope"
)

// TestSetupsOutlastTheDaemon: a setup that was saved is there for the next daemon, and files of others are left alone.
func TestSetupsOutlastTheDaemon(t *testing.T) {
	folder := &stateFolder{dir: t.TempDir(), log: zap.NewNop()}
	setup := func(name string) *scope.Setup {
		return &scope.Setup{
			Name: name, Channels: []scope.Channel{{Name: "c", Source: scope.Source{Net: "n", Port: "o"}}}, After: 1, Mode: scope.Auto,
			Trigger: scope.Trigger{Kind: scope.None},
		}
	}
	open := func() *scope.Store {
		t.Helper()
		s, err := folder.setups()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := open()
	for _, name := range []string{"a", "größer (2)", "a.json"} {
		if err := first.Put(setup(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Delete("a"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"note.txt": "mine", "half.json": `{"name":`, "x.json.new": "{}"} {
		if err := os.WriteFile(filepath.Join(folder.dir, setupsFolder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	second := open()
	if got := second.Names(); !slices.Equal(got, []string{"a.json", "größer (2)", "half"}) {
		t.Errorf("%q", got)
	}
	if got, err := second.Get("größer (2)"); err != nil || got.After != 1 {
		t.Error(got, err)
	}
	if err := second.Put(setup("half")); err != nil {
		t.Error(err)
	}
	if _, err := open().Get("half"); err != nil {
		t.Error(err)
	}
	// A folder that is a file is one error, and saves nothing.
	broken := &stateFolder{dir: filepath.Join(folder.dir, setupsFolder, "note.txt"), log: zap.NewNop()}
	if _, err := broken.setups(); err == nil {
		t.Error("a file is a folder")
	}
	none := &stateFolder{}
	if s, err := none.setups(); err != nil || s.Put(setup("a")) != nil {
		t.Error(err)
	}
}
