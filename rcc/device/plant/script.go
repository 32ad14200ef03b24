package plant

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/suggest"
	"github.com/softrobot-rcc/rccd/rcc/device"
)

// Script is what happens to joints, and when.
type Script struct {
	events []event
	next   int
}

type event struct {
	at    int64 // ns after the beginning
	what  action
	joint int
	value float64
}

type action uint8

const (
	powerOff action = iota
	powerOn
	stopPressed
	stopReleased
	failed
	atLimit
	repaired
	pushed
)

// words are the names of actions and how many numbers each of them needs.
var words = map[string]struct {
	what    action
	numbers int
}{
	"off": {powerOff, 0}, "on": {powerOn, 0}, "estop": {stopPressed, 0}, "release": {stopReleased, 0},
	"fail": {failed, 1}, "limit": {atLimit, 1}, "repair": {repaired, 1}, "torque": {pushed, 2},
}

// ParseScript reads what happens to n joints, for example
//
//	1s off; 1.5s on; 2s fail 0; 2.5s repair 0; 3s limit 1; 4s estop; 5s release; 5s torque 2 10
//
// Times are counted from the beginning, joints from 0.
func ParseScript(text string, n int) (*Script, error) {
	s := &Script{}
	for part := range strings.SplitSeq(text, ";") {
		fields := strings.Fields(part)
		if len(fields) == 0 {
			continue
		}
		e, err := parseEvent(fields, n)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", strings.TrimSpace(part), err)
		}
		s.events = append(s.events, e)
	}
	slices.SortStableFunc(s.events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return s, nil
}

func parseEvent(fields []string, n int) (e event, err error) {
	at, err := time.ParseDuration(fields[0])
	if err != nil || at < 0 {
		return e, fmt.Errorf("%s is no time after the beginning", fields[0])
	}
	if len(fields) < 2 {
		return e, fmt.Errorf("what happens is missing")
	}
	word, known := words[fields[1]]
	if !known {
		return e, fmt.Errorf("nothing is called %s%s", fields[1], suggest.DidYouMean(fields[1], slices.Values(slices.Sorted(maps.Keys(words)))))
	}
	if len(fields) != 2+word.numbers {
		return e, fmt.Errorf("%s needs %d numbers", fields[1], word.numbers)
	}
	e = event{at: int64(at), what: word.what}
	if word.numbers > 0 {
		if e.joint, err = strconv.Atoi(fields[2]); err != nil || e.joint < 0 || e.joint >= n {
			return e, fmt.Errorf("there is no joint %s, only 0 to %d", fields[2], n-1)
		}
	}
	if word.numbers > 1 {
		if e.value, err = strconv.ParseFloat(fields[3], 64); err != nil {
			return e, fmt.Errorf("%s is no number", fields[3])
		}
	}
	return e, nil
}

// Play lets everything happen that is due some ns after the beginning (thread of Step, cycle).
func (s *Script) Play(elapsed int64, j *Joints) {
	events := s.events
	for uint(s.next) < uint(len(events)) {
		e := &events[s.next]
		if e.at > elapsed {
			return
		}
		s.next++
		e.happen(j)
	}
}

func (e *event) happen(j *Joints) {
	switch e.what {
	case powerOff:
		j.Power(false)
	case powerOn:
		j.Power(true)
	case stopPressed:
		j.EmergencyStop(true)
	case stopReleased:
		j.EmergencyStop(false)
	case failed:
		j.Fail(e.joint, device.JointFailed)
	case atLimit:
		j.Fail(e.joint, device.JointLimitPosition)
	case repaired:
		j.Fail(e.joint, device.JointGood)
	case pushed:
		j.Push(e.joint, e.value)
	}
}
