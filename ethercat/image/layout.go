package image

import (
	"fmt"

	"github.com/softrobot-rcc/rccd/ethercat/wire"
)

// Range is a range of bytes of the image.
type Range struct{ From, Length int }

// End returns the byte behind the last one.
func (r Range) End() int { return r.From + r.Length }

// Common returns the part that two ranges share.
func (r Range) Common(o Range) Range {
	from, end := max(r.From, o.From), min(r.End(), o.End())
	return Range{from, max(0, end-from)}
}

// Slave is the need of one slave, in bytes.
type Slave struct {
	Outputs, Inputs int
	NoLRW           bool
}

// Place is the place of a slave.
type Place struct{ Outputs, Inputs Range }

// Share is the part of a slave in a segment.
type Share struct {
	Slave  int
	Counts uint16 // what it adds to the working counter
	Inputs Range  // of it that are in the segment, in bytes of the image
}

// Segment is a datagram with a part of the image.
type Segment struct {
	Command wire.Command
	Range
	Expected uint16 // working counter when all slaves take part
	Shares   []Share
}

// Layout is a process image.
type Layout struct {
	Size     int
	Places   []Place
	Segments []Segment
}

// Most is the largest length of an image: far more than is exchanged in a millisecond.
const Most = 1 << 16

// Plan lays out an image whose segments have at most a number of bytes. A slave is only split when it has more than that.
func Plan(slaves []Slave, most int) (*Layout, error) {
	if most <= 0 || most > wire.MostData {
		return nil, fmt.Errorf("process image: segments of %d bytes are not possible", most)
	}
	p := planner{Layout: &Layout{Places: make([]Place, len(slaves))}, slaves: slaves, most: most}
	p.command = wire.LRW
	for i, s := range slaves {
		if s.Outputs < 0 || s.Inputs < 0 || s.Outputs > Most || s.Inputs > Most {
			return nil, fmt.Errorf("process image: slave %d has %d bytes of outputs and %d of inputs", i, s.Outputs, s.Inputs)
		}
		if !s.NoLRW {
			p.begin(s.Outputs + s.Inputs)
			p.Places[i] = Place{p.take(s.Outputs), p.take(s.Inputs)}
		}
	}
	p.next(wire.LWR)
	for i, s := range slaves {
		if s.NoLRW {
			p.begin(s.Outputs)
			p.Places[i].Outputs = p.take(s.Outputs)
		}
	}
	p.next(wire.LRD)
	for i, s := range slaves {
		if s.NoLRW {
			p.begin(s.Inputs)
			p.Places[i].Inputs = p.take(s.Inputs)
		}
	}
	p.next(wire.NOP)
	if p.Size > Most {
		return nil, fmt.Errorf("process image: %d bytes; at most %d are possible", p.Size, Most)
	}
	p.share()
	return p.Layout, nil
}

type planner struct {
	*Layout
	slaves  []Slave
	most    int
	command wire.Command
	segment Range
}

// begin starts a new segment when a slave does not fit into this one.
func (p *planner) begin(size int) {
	if p.segment.Length > 0 && p.segment.Length+size > p.most {
		p.cut()
	}
}

func (p *planner) take(size int) Range {
	r := Range{p.Size, size}
	for size > 0 {
		if p.segment.Length == p.most {
			p.cut()
		}
		n := min(size, p.most-p.segment.Length)
		p.segment.Length += n
		p.Size += n
		size -= n
	}
	return r
}

func (p *planner) cut() {
	if p.segment.Length > 0 {
		p.Segments = append(p.Segments, Segment{Command: p.command, Range: p.segment})
	}
	p.segment = Range{p.Size, 0}
}

func (p *planner) next(c wire.Command) {
	p.cut()
	p.command = c
}

// share finds out who takes part in which segment (facts of the working counter).
func (p *planner) share() {
	for i := range p.Segments {
		s := &p.Segments[i]
		for n, place := range p.Places {
			share := Share{Slave: n, Inputs: s.Common(place.Inputs)}
			writes := s.Common(place.Outputs).Length > 0
			switch {
			case s.Command == wire.LRW && writes:
				share.Counts = wire.CountLogicalWrite
			case writes:
				share.Counts = wire.CountWrite
			}
			if share.Inputs.Length > 0 {
				share.Counts += wire.CountRead
			}
			if share.Counts > 0 {
				s.Expected += share.Counts
				s.Shares = append(s.Shares, share)
			}
		}
	}
}
