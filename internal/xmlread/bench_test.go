package xmlread_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/softrobot-rcc/rccd/internal/xmlread"
)

// net is a document with as many elements as a net of 1,350 primitives.
func net() string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rpinet id=\"ROOT\">\n")
	for i := range 1350 {
		fmt.Fprintf(&b, "  <module id=\"sum_%d\" type=\"Core::DoubleAdd\">\n    <port name=\"inFirst\" frommodule=\"sum_%d\" fromport=\"outValue\"/>\n"+
			"    <parameter name=\"First\" value=\"0.123456789\"/>\n    <parameter name=\"Second\" value=\"&quot;1&quot;\"/>\n  </module>\n", i+1, i)
	}
	b.WriteString("</rpinet>\n")
	return b.String()
}

// BenchmarkRead reads a net to its end, and the same with encoding/xml.
func BenchmarkRead(b *testing.B) {
	text := net()
	run := func(name string, read func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := read(); !errors.Is(err, io.EOF) {
					b.Fatal(err)
				}
			}
		})
	}
	run("here", func() error {
		r, err := xmlread.New(text, 10)
		for err == nil {
			_, err = r.Next()
		}
		return err
	})
	run("encoding-xml", func() (err error) {
		d := xml.NewDecoder(strings.NewReader(text))
		for err == nil {
			_, err = d.Token()
		}
		return err
	})
}
