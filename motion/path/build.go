package path

import (
	"fmt"
	"math"

	"github.com/softrobot-rcc/rccd/geom"
)

// build measures pieces that lie one behind the other.
func build(pieces []piece) (*Path, error) {
	p := &Path{pieces: pieces}
	for i := range pieces {
		rows, extent := pieces[i].table(p.length, i)
		if !(extent > 0 && extent <= math.MaxFloat64) {
			return nil, fmt.Errorf("part %d stops and turns back on its path", i+1)
		}
		if i > 0 && isCorner(&pieces[i-1], &pieces[i]) {
			p.corners = append(p.corners, p.length)
		}
		p.rows = append(p.rows, rows...)
		p.segments = append(p.segments, pieces[i].segment(rows, p.length, extent))
		p.length += extent
	}
	return p, nil
}

// isCorner reports whether the direction at the end of a piece is another than at the beginning of the next.
func isCorner(a, b *piece) bool {
	const same = 1e-7
	end, start := a.at(1), b.at(0)
	end.byLength(a.turns)
	start.byLength(b.turns)
	off := start.First.Sub(end.First)
	return off.Vel.Length() > same || off.Rot.Length() > same*(1+end.First.Rot.Length())
}

// nanometre, also of rad: what is closer is the same.
const nanometre = 1e-9

// newPiece completes what follows from the rest.
func newPiece(p *piece) piece {
	p.straight, p.oneAxis = p.position.isLinear(), p.turn.isLinear()
	p.round = p.wheel != geom.Vector{}
	return *p
}

func finite(f geom.Frame) bool { return f.Pos.Finite() && f.Rot.Finite() }

// between returns the shortest rotation vector from a to b, seen from the reference: exp(between)·a is b.
func between(a, b geom.Rotation) geom.Vector { return b.Mul(a.Invert()).Log() }

func finish(kind string, pieces ...piece) (*Path, error) {
	p, err := build(pieces)
	return p, named(kind, err)
}

// named puts the kind of a path before what is wrong with it.
func named(kind string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", kind, err)
}
