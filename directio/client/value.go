package client

import (
	"encoding"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Format prints a value as inputs of nets take it: bool, int, int32, float64, slices of these, strings as they are, and whatever
// has a MarshalText, as the types of package geom do.
func Format(v any) (string, error) {
	switch v := v.(type) {
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		return string(text), err
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int32:
		return strconv.Itoa(int(v)), nil
	case float64:
		return formatDouble(v), nil
	case []bool:
		return formatList(v, strconv.FormatBool), nil
	case []int32:
		return formatList(v, func(v int32) string { return strconv.Itoa(int(v)) }), nil
	case []float64:
		return formatList(v, formatDouble), nil
	}
	return "", fmt.Errorf("a value of type %T: nets have no such type", v)
}

// formatDouble returns the shortest text that reads back exactly, in the spelling that all daemons read.
func formatDouble(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "+inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func formatList[T any](list []T, format func(T) string) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = format(v)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// Parse reads a value that a net has published into what a pointer points to: the types of Format, with UnmarshalText.
func Parse(text string, into any) (err error) {
	switch p := into.(type) {
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(text))
	case *string:
		*p = text
	case *bool:
		*p, err = parseBool(text)
	case *int:
		*p, err = parseWord(text, strconv.Atoi, "int")
	case *int32:
		*p, err = parseInt(text)
	case *float64:
		*p, err = parseDouble(text)
	case *[]bool:
		*p, err = parseList(text, parseBool)
	case *[]int32:
		*p, err = parseList(text, parseInt)
	case *[]float64:
		*p, err = parseList(text, parseDouble)
	default:
		err = fmt.Errorf("a value of type %T: nets have no such type", into)
	}
	return err
}

func parseBool(text string) (bool, error) {
	switch strings.TrimSpace(text) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%q is not a bool", text)
}

func parseInt(text string) (int32, error) {
	return parseWord(text, func(s string) (int32, error) {
		n, err := strconv.ParseInt(s, 10, 32)
		return int32(n), err
	}, "int")
}

// parseDouble reads the spellings of all daemons: nan, +inf, inf, -inf.
func parseDouble(text string) (float64, error) {
	return parseWord(text, func(s string) (float64, error) {
		if strings.ContainsAny(s, "xXpP_") { // Go's own spellings are none of the protocol
			return 0, strconv.ErrSyntax
		}
		return strconv.ParseFloat(s, 64)
	}, "double")
}

func parseWord[T any](text string, parse func(string) (T, error), kind string) (T, error) {
	v, err := parse(strings.TrimSpace(text))
	if err != nil {
		return v, fmt.Errorf("%q is not of type %s", text, kind)
	}
	return v, nil
}

func parseList[T any](text string, parse func(string) (T, error)) ([]T, error) {
	inner, begins := strings.CutPrefix(strings.TrimSpace(text), "[")
	inner, ends := strings.CutSuffix(inner, "]")
	if !begins || !ends {
		return nil, fmt.Errorf("%q is not an array", text)
	}
	list := []T{}
	if strings.TrimSpace(inner) == "" {
		return list, nil
	}
	for part := range strings.SplitSeq(inner, ",") {
		v, err := parse(part)
		if err != nil {
			return nil, fmt.Errorf("%q is not an array: %w", text, err)
		}
		list = append(list, v)
	}
	return list, nil
}
