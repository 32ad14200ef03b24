package path

import (
	"errors"
	"fmt"
)

// Chain returns a path of paths, each of which begins where the one before ends.
func Chain(paths ...*Path) (*Path, error) {
	const place = "chain"
	if len(paths) == 0 {
		return nil, named(place, errors.New("no path"))
	}
	var pieces []piece
	for i, p := range paths {
		if p == nil || len(p.pieces) == 0 {
			return nil, named(place, fmt.Errorf("path %d is missing", i+1))
		}
		if i > 0 {
			end, start := pieces[len(pieces)-1].at(1).Frame, p.pieces[0].at(0).Frame
			way, turn := start.Pos.Sub(end.Pos).Length(), end.Rot.To(start.Rot).Angle()
			if !(way <= nanometre && turn <= nanometre) {
				return nil, named(place, fmt.Errorf("path %d begins %.3g m and %.3g rad from the end of path %d", i+1, way, turn, i))
			}
		}
		pieces = append(pieces, p.pieces...)
	}
	return finish(place, pieces...)
}
