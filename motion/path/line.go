package path

import (
	"errors"

	"github.com/softrobot-rcc/rccd/geom"
)

var errNotFinite = errors.New("a pose is not a number")

// Line returns the straight line, on which the orientation turns on the shortest way about one axis. Where only the
// orientations differ it is that turn.
func Line(from, to geom.Frame) (*Path, error) {
	if !finite(from) || !finite(to) {
		return nil, named("line", errNotFinite)
	}
	way, turn := to.Pos.Sub(from.Pos), between(from.Rot, to.Rot)
	turns := way.Length() <= nanometre
	if turns && turn.Length() <= nanometre {
		return nil, named("line", errors.New("start and end are the same"))
	}
	return finish("line", newPiece(&piece{
		centre:   from.Pos,
		position: polynomial{{}, way},
		turn:     polynomial{{}, turn},
		base:     from.Rot,
		turns:    turns,
	}))
}
