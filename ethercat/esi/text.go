package esi

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// child reads the number in an element of another one (HexDecValue: 17, #x11; some write 0x11).
func (r *reader) child(in *node, name string, bits int) (uint32, error) {
	n := in.first(name)
	if n == nil {
		return 0, r.wrong(in, "%s is missing", name)
	}
	return r.number(n, bits)
}

// number reads the number in an element.
func (r *reader) number(n *node, bits int) (uint32, error) {
	v, err := parse(n.text, bits)
	if err != nil {
		return 0, r.wrong(n, "%q is not a number of %d bits", n.text, bits)
	}
	return v, nil
}

// attribute reads the number of an attribute, 0 without it.
func (r *reader) attribute(n *node, name string, bits int) (uint32, error) {
	text := n.attr(name)
	if text == "" {
		return 0, nil
	}
	v, err := parse(text, bits)
	if err != nil {
		return 0, r.wrong(n, "%s %q is not a number of %d bits", name, text, bits)
	}
	return v, nil
}

func parse(text string, bits int) (uint32, error) {
	base := 10
	for _, prefix := range []string{"#x", "#X", "0x", "0X"} {
		if digits, is := strings.CutPrefix(text, prefix); is {
			text, base = digits, 16
			break
		}
	}
	v, err := strconv.ParseUint(text, base, bits)
	return uint32(v), err
}

// time reads a time in ns, which may be negative, with its factor.
func (r *reader) time(n *node, into, factor *int64) error {
	if n == nil {
		return nil
	}
	if n.text != "" {
		v, err := strconv.ParseInt(n.text, 10, 64)
		const most = 10e9
		if err != nil || v > most || v < -most {
			return r.wrong(n, "%q is not a time in ns", n.text)
		}
		*into = v
	}
	if text := n.attr("Factor"); text != "" && factor != nil {
		v, err := strconv.ParseInt(text, 10, 16)
		if err != nil {
			return r.wrong(n, "Factor %q is not a number", text)
		}
		*factor = v
	}
	return nil
}

// octets reads bytes in hexadecimal.
func (r *reader) octets(n *node) ([]byte, error) {
	data, err := hex.DecodeString(strings.Join(strings.Fields(n.text), ""))
	if err != nil {
		return nil, r.wrong(n, "%q is not bytes in hexadecimal", n.text)
	}
	return data, nil
}
