package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"

	"github.com/softrobot-rcc/rccd/internal/cli"
)

func (s streams) instanceCommand() cli.Command {
	return cli.Command{
		Name: "instance", Synopsis: "[--json]",
		Doc:      "the name of this instance of the daemon, for scripts; a restarted daemon has another one",
		Examples: []string{"export RCCD_INSTANCE=$(rccctl instance)    # commands are refused when the daemon was started again"},
		Flags: func(set *flag.FlagSet) func([]string) int {
			daemon, asJSON := s.clientFlag(set), jsonFlag(set)
			return func([]string) int { return s.instance(daemon, *asJSON) }
		},
	}
}

var errNoInstance = errors.New("the daemon has no name of its own; it is older than this program")

func (s streams) instance(daemon *client, asJSON bool) int {
	if _, err := daemon.do(request{method: http.MethodGet, path: "/healthz", accept: typeJSON}); err != nil {
		return s.refuseCall(err)
	}
	if daemon.instance == "" {
		return s.refuse(failed, errNoInstance)
	}
	if asJSON {
		answer, err := json.Marshal(map[string]string{"instance": daemon.instance})
		if err != nil {
			return s.refuse(failed, err)
		}
		return s.answer(showJSON(s.out, answer))
	}
	_, err := fmt.Fprintln(s.out, harmless(daemon.instance))
	return s.answer(err)
}
