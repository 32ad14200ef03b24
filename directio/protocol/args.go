package protocol

import (
	"errors"
	"strconv"
	"time"

	"github.com/softrobot-rcc/rccd/grammar"
)

// Errors of arguments, in the words of the original.
var (
	errMissing    = errors.New("Parameter index out of bounds")
	errKind       = errors.New("Parameter type does not match")
	errMemberKind = errors.New("Wrong parameter type")
)

// args are the parameters of a command.
type args []grammar.Param

func (a args) at(i int, kinds ...grammar.ParamKind) (*grammar.Param, error) {
	if i >= len(a) {
		return nil, errMissing
	}
	for _, k := range kinds {
		if a[i].Kind == k {
			return &a[i], nil
		}
	}
	return nil, errKind
}

func (a args) text(i int) (string, error) {
	p, err := a.at(i, grammar.String)
	if err != nil {
		return "", err
	}
	return p.Text, nil
}

// name also takes a number: listing 7.4 sends 0 where a name could stand.
func (a args) name(i int) (string, error) {
	p, err := a.at(i, grammar.String, grammar.Int, grammar.Float)
	if err != nil {
		return "", err
	}
	return p.Text, nil
}

// number takes integers where the original insists on fractions.
func (a args) number(i int) (float64, error) {
	p, err := a.at(i, grammar.Int, grammar.Float)
	if err != nil {
		return 0, err
	}
	x, _ := strconv.ParseFloat(p.Text, 64) // the grammar has no other numbers; one beyond the range is infinite
	return x, nil
}

func (a args) names(i int) ([]string, error) {
	p, err := a.at(i, grammar.List)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, item := range p.Items {
		if item.Kind != grammar.String {
			return nil, errKind
		}
		list = append(list, item.Text)
	}
	return list, nil
}

// optional gives an argument that is not there its default.
func optional[T any](a args, i int, get func(int) (T, error), byDefault T) (T, error) {
	if i >= len(a) {
		return byDefault, nil
	}
	return get(i)
}

// longestInterval bounds refresh intervals; a longer one means states only.
const longestInterval = time.Hour

func interval(seconds float64) time.Duration {
	return time.Duration(min(max(seconds, 0), longestInterval.Seconds()) * float64(time.Second))
}
