package rsisim

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/softrobot-rcc/rccd/internal/suggest"
)

// command is what a line can begin with, such as "lose 5" or "power off".
type command struct {
	usage, doc string
	do         func(s *Station, words []string) error
}

// commands by their first words.
var commands = map[string]command{
	"start":        {"", "the operator starts the program", func(s *Station, _ []string) error { return s.Start() }},
	"halt":         {"", "the operator stops it", func(s *Station, _ []string) error { s.Halt(); return nil }},
	"restart":      {"", "the program begins again at once", func(s *Station, _ []string) error { return s.Restart() }},
	"estop":        {"", "emergency stop", func(s *Station, _ []string) error { s.EmergencyStop(true); return nil }},
	"release":      {"", "its end; drives stay without power", func(s *Station, _ []string) error { s.EmergencyStop(false); return nil }},
	"power":        {"on|off", "of the drives", power},
	"lose":         {"N", "the next telegrams", func(s *Station, w []string) error { return number(&s.LoseNext, w[0]) }},
	"lose-answers": {"N", "the next answers", func(s *Station, w []string) error { return number(&s.LoseAnswers, w[0]) }},
	"repeat":       {"N", "the next telegrams come twice", func(s *Station, w []string) error { return number(&s.RepeatNext, w[0]) }},
	"pause":        {"N", "the controller stands still for this many cycles and counts nothing", func(s *Station, w []string) error { return number(&s.PauseNext, w[0]) }},
	"late":         {"TIME N", "the next answers take longer", late},
	"delay":        {"TIME", "of all answers", func(s *Station, w []string) error { return duration(&s.Delay, w[0]) }},
	"jitter":       {"TIME", "of all telegrams at most", func(s *Station, w []string) error { return duration(&s.Jitter, w[0]) }},
	"loss":         {"SHARE", "of all telegrams", func(s *Station, w []string) error { return share(&s.Loss, w[0]) }},
	"answer-loss":  {"SHARE", "of all answers", func(s *Station, w []string) error { return share(&s.AnswerLoss, w[0]) }},
	"duplicate":    {"SHARE", "of all telegrams come twice", func(s *Station, w []string) error { return share(&s.Repeat, w[0]) }},
	"type":         {"NAME", "answers must have this type", func(s *Station, w []string) error { s.SetType(w[0]); return nil }},
	"input":        {"I 0|1", "a digital input", func(s *Station, w []string) error { return input(s, false, w) }},
	"analog":       {"I VALUE", "an analog input", func(s *Station, w []string) error { return input(s, true, w) }},
	"garbage":      {"N CYCLES", "so many in each cycle", func(s *Station, w []string) error { s.Foreign = 0; return both(&s.Garbage, &s.Flood, w) }},
	"foreign":      {"N CYCLES", "telegrams of others", func(s *Station, w []string) error { s.Garbage = 0; return both(&s.Foreign, &s.Flood, w) }},
}

// Command executes a command line.
func (s *Station) Command(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	c, known := commands[words[0]]
	if !known {
		return fmt.Errorf("unknown command %s%s", words[0], suggest.DidYouMean(words[0], slices.Values(slices.Sorted(maps.Keys(commands)))))
	}
	if len(words)-1 != len(strings.Fields(c.usage)) {
		return fmt.Errorf("it is %s", strings.TrimSpace(words[0]+" "+c.usage))
	}
	if err := c.do(s, words[1:]); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	return nil
}

// Commands returns the syntax of all commands, and what they do.
func Commands() (list [][2]string) {
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		c := commands[name]
		list = append(list, [2]string{strings.TrimSpace(name + " " + c.usage), c.doc})
	}
	return list
}

func power(s *Station, words []string) error {
	switch words[0] {
	case "on", "off":
		s.Power(words[0] == "on")
		return nil
	}
	return fmt.Errorf("%q is not on or off", words[0])
}

func number(into *int, word string) error {
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > 1_000_000 {
		return fmt.Errorf("%q is not a number of telegrams", word)
	}
	*into = n
	return nil
}

func both(first, second *int, words []string) error {
	if err := number(first, words[0]); err != nil {
		return err
	}
	return number(second, words[1])
}

func duration(into *time.Duration, word string) error {
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 || d > time.Minute {
		return fmt.Errorf("%q is not a time such as 2ms", word)
	}
	*into = d
	return nil
}

func share(into *float64, word string) error {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return fmt.Errorf("%q is not a share from 0 to 1", word)
	}
	*into = v
	return nil
}

func late(s *Station, words []string) error {
	if err := duration(&s.DelayBy, words[0]); err != nil {
		return err
	}
	return number(&s.DelayNext, words[1])
}

func input(s *Station, analog bool, words []string) error {
	i, err := strconv.Atoi(words[0])
	if err != nil {
		return fmt.Errorf("%q is not the number of an input", words[0])
	}
	v, err := strconv.ParseFloat(words[1], 64)
	if err != nil || !analog && v != 0 && v != 1 {
		return fmt.Errorf("%q is not a value of it", words[1])
	}
	return s.SetInput(analog, i, v)
}
