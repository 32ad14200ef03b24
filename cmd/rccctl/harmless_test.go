package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"
)

// evil has a command of terminals in each of its forms, and characters that turn what is read around.
const evil = "a\x1b[2J\x07\r\u009b31m\u202eb\x7f"

// evilDaemon says it wherever it can.
func evilDaemon(status int) http.Handler {
	value := map[string]any{
		"name": evil, "state": evil, "description": evil, "session": evil, "cycle": evil, "type": evil, "extension": evil,
		"doc": evil, "condition": evil, "message": evil, "where": evil, "remedy": evil, "id": 1, "account": evil,
		"values": map[string]string{evil: evil}, "inputs": map[string]string{evil: evil},
		"problems": []any{map[string]any{"block": evil, "port": evil, "text": evil}},
		"warnings": []any{map[string]any{"block": evil, "port": evil, "text": evil}},
		"reasons":  []any{map[string]any{"block": evil, "text": evil}, map[string]any{"text": evil}},
		"ended":    map[string]any{"cause": evil},
		"record": map[string]any{
			"account":   evil,
			"variables": []any{map[string]any{"net": evil, "key": evil, "value": evil, "why": evil}},
			"changes":   []any{map[string]any{"action": evil, "net": evil, "before": evil}},
		},
		"interfaces": []any{map[string]any{"name": evil, "parameters": []any{map[string]any{"name": evil, "value": evil}}}},
	}
	for _, list := range []string{"nets", "rules", "devices", "sessions"} {
		value[list] = []any{map[string]any{
			"name": evil, "state": evil, "description": evil, "doc": evil, "condition": evil, "type": evil, "stop": []string{evil},
			"nets": []any{map[string]any{"name": evil, "state": evil}},
		}}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all := value
		switch {
		case strings.HasSuffix(r.URL.Path, "/debug"):
			all = map[string]any{"ports": []any{map[string]any{"name": evil}}, "rows": []any{map[string]any{"time": 0, "cycle": 1, "values": []string{evil}}}, "message": evil}
		case r.URL.Path == "/primitives/":
			all = map[string]any{"primitives": value["nets"], "message": evil}
		case strings.HasPrefix(r.URL.Path, "/primitives/C"):
			series := []any{map[string]any{"name": evil, "values": []string{evil}, "type": evil, "default": evil, "doc": evil}}
			all = map[string]any{
				"name": evil, "doc": evil, "parameters": series, "in": series, "out": series,
				"examples": []any{map[string]any{"doc": evil, "in": series, "reject": evil}}, "message": evil,
			}
		}
		text, _ := json.Marshal(all)
		text = []byte(strings.ReplaceAll(string(text), `\u007f`, "\x7f"))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(text)
	})
}

// TestNothingObeysTheDaemon: whatever a daemon says, no command of a terminal is printed by any command, as a table, in
// JSON, as candidate of a shell or as a refusal.
func TestNothingObeysTheDaemon(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusConflict} {
		server := httptest.NewServer(evilDaemon(status))
		defer server.Close()
		for _, command := range []string{
			"nets", "show a", "start a", "unload --all", "set a ina=1", "load -", "load - --start", "rules", "rules 1", "sync t", "sessions",
			"devices", "device a", "debug a", "catalogue", "catalogue C",
			"__complete show ", "__complete set a ", "__complete device ", "__complete rules ", "__complete catalogue ", "__complete load ",
		} {
			for _, form := range []string{"", " --json"} {
				words := strings.Split(command, " ")
				if words[0] == "__complete" {
					words = append([]string{"__complete", "--url", server.URL}, words[1:]...)
				} else {
					words = append([]string{"--url", server.URL}, strings.Fields(command+form)...)
				}
				var out, log strings.Builder
				code := run(words, streams{in: strings.NewReader("{}"), out: &out, err: &log})
				if code != done && (code != failed || status == http.StatusOK) {
					t.Errorf("%s: exit code %d: %s", command, code, log.String())
				}
				if said := out.String() + log.String(); words[0] != "__complete" && status != http.StatusOK && said == "" {
					t.Errorf("%s: nothing was said", command)
				}
				for _, r := range out.String() + log.String() {
					if r != '\n' && !unicode.IsPrint(r) && (r != '\t' || words[0] != "__complete") {
						t.Errorf("%s%s: %q in %q", command, form, r, out.String()+log.String())
						break
					}
				}
				if strings.HasSuffix(form, "json") && status == http.StatusOK && words[0] != "__complete" {
					if !json.Valid([]byte(out.String())) || !strings.Contains(out.String(), `\u001b[2J`) {
						t.Errorf("%s: not what was said: %s%s", command, out.String(), log.String())
					}
				}
			}
		}
	}
}
