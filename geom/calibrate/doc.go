// Package calibrate finds frames from measurements: of a workpiece from points that were touched, of the tip of a tool from poses of the
// flange, and of the base of one arm in that of another.
//
//	Three     the frame of an origin, a point on x and a point in the xy plane (§11.2.1)
//	Points    the frame from points that are known in it and measured outside of it
//	Tool      the tip of a tool from poses of the flange that touch one point with it
//	Poses     the frame from poses that are known in it and measured outside of it
//
// This also gives the base of one arm in that of another: what one of them measures is "known", what
// the other one measures is "measured".
//
// All are least squares. Each result has a rating: by residuals, which show mistakes of single measurements; by the deviation
// that errors as large as the residuals have in the result; and by the condition, by how much the measurements magnify errors.
// Measurements that do not determine a result are refused.
//
// Lengths are in m and angles in rad. Nothing here is for the cycle.
package calibrate
