import assert from "node:assert/strict";
import { test } from "node:test";
import { Camera, Trail, VIEWS, around, between, directions, hull, links, onTheWay, placed, posture, pull, stretch, together, within } from "./scene.js";
import { bar, people } from "./cell.js";

const near = (a, b) => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]) < 1e-9, `${a} is not ${b}`));

// A column, an arm that stands out from it sideways, and a flange above its end.
const told = {
  joints: [{ unit: "rad" }, { unit: "rad" }],
  axes: [{ x: 0, y: 0, z: 0, dx: 0, dy: 0, dz: 1 }, { x: 0.5, y: 0, z: 1, dx: 0, dy: 1, dz: 0 }],
  flange: { x: 0.5, y: 0.25, z: 1.5, a: 0, b: 0, c: 0 },
};

test("links go along an axis, then out", () => {
  const p = posture(told);
  assert.deepEqual(links(p), [[[0, 0, 0], [0, 0, 1], [0.5, 0, 1]], [[0.5, 0, 1], [0.5, 0.25, 1], [0.5, 0.25, 1.5]]]);
  assert.equal(stretch(p), 2.25);
  const sliding = posture({ ...told, joints: [{ unit: "m" }, {}] });
  assert.equal(links(sliding).length, 1);
  const folded = posture({ ...told, axes: [told.axes[0], { ...told.axes[0] }] });
  assert.equal(links(folded).length, 1); // two axes in one place have nothing between them
});

test("what is not known is not drawn", () => {
  assert.equal(posture({ joints: [] }), undefined);
  assert.equal(posture({ ...told, flange: { ...told.flange, x: null } }), undefined);
  assert.equal(posture({ ...told, axes: [{ ...told.axes[0], dz: null }] }), undefined);
});

test("arms stand in the cell", () => {
  const p = posture(told);
  assert.equal(placed(p, undefined), p);
  const there = placed(p, { x: 1, y: 2, z: 0.5, a: Math.PI / 2, b: 0, c: 0 });
  near(there.drums[1].at, [1, 2.5, 1.5]);
  near(there.drums[1].along, [-1, 0, 0]);
  near(there.tip, [0.75, 2.5, 2]);
  near(there.cross[0], [0, 1, 0]);
  assert.ok(Math.abs(stretch(there) - stretch(p)) < 1e-9);

  const at = (x) => ({ axes: [], place: { x, y: 0, z: 0, a: 0, b: 0, c: 0 } });
  assert.equal(together([]), false);
  assert.equal(together([at(0), at(0)]), false, "nobody has said where they are");
  assert.equal(together([at(0), at(0), at(1)]), true);
  assert.equal(together([at(0), { ...at(1), axes: undefined }]), false, "a table is no arm");
});

test("a picture of several arms", () => {
  const arm = (x) => ({ posture: placed(posture(told), { x, y: 0, z: 0, a: 0, b: 0, c: 0 }), reach: 2 });
  near(around([arm(0)]).middle, [0, 0, 0.76]);
  assert.equal(around([arm(0)]).reach, 2);
  near(around([arm(0), arm(3)]).middle, [1.5, 0, 0.56]);
  assert.equal(around([arm(0), arm(3)]).reach, 1.5 + 0.9);
});

test("a trail forgets", () => {
  const trail = new Trail();
  for (let t = 0; t < 10; t++) trail.pass(t, [t, 0, 0]);
  assert.deepEqual(trail.way.map(([t]) => t), [7, 8, 9]);
});

test("directions are those of angles about z, y and x", () => {
  const quarter = Math.PI / 2;
  const [x, y, z] = directions({ a: quarter, b: 0, c: 0 });
  near(x, [0, 1, 0]);
  near(y, [-1, 0, 0]);
  near(z, [0, 0, 1]);
  near(directions({ a: 0, b: quarter, c: 0 })[0], [0, 0, -1]);
  near(directions({ a: 0, b: 0, c: quarter })[1], [0, 0, 1]);
});

test("pictures between two answers", () => {
  const [a, b] = [posture(told), posture({ ...told, flange: { ...told.flange, x: 1.5 } })];
  near(between(a, b, 0.25).tip, [0.75, 0.25, 1.5]);
  near(between(a, b, 1).tip, b.tip);
  assert.equal(between(undefined, b, 0.5), b);
  assert.equal(between(posture({ ...told, axes: told.axes.slice(1) }), b, 0.5), b); // another arm
});

test("views", () => {
  const camera = new Camera();
  const see = (view, p) => {
    camera.look(VIEWS[view]);
    return camera.project(p, 200, 200);
  };
  camera.middle = [0, 0, 0];
  for (const view of Object.keys(VIEWS)) near([see(view, [0, 0, 0]).x, see(view, [0, 0, 0]).y], [100, 100]);
  assert.ok(see("front", [0, 0, 1]).y < 50, "up is up");
  assert.ok(see("top", [0, 1, 0]).y < 50, "from above, y is up");
  assert.ok(see("top", [1, 0, 0]).x > 150, "and x to the right");
  assert.ok(see("side", [0, 1, 0]).x > 150, "from the side, y is to the right");
  assert.ok(see("front", [0, -1, 0]).scale > see("front", [0, 1, 0]).scale, "what is nearer is larger");
  camera.look({ turn: 0, tilt: 9 });
  assert.ok(camera.tilt <= Math.PI / 2);
  for (const v of Object.values(camera.project([100, 100, 100], 200, 200))) assert.ok(Number.isFinite(v)); // behind the eye
});

test("hull", () => {
  const square = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]].map(([x, y]) => ({ x, y }));
  assert.equal(hull(square).length, 4);
});

test("bars begin at zero, and marks stay inside", () => {
  assert.deepEqual(bar({ min: -1, max: 3, measured: 1, commanded: 3 }), { x: 25, width: 25, mark: 99 });
  assert.deepEqual(bar({ min: -1, max: 3, measured: -9, commanded: -9 }), { x: 0, width: 25, mark: 0 });
  assert.deepEqual(bar({ min: 1, max: 3, measured: 2, commanded: 2 }), { x: 0, width: 50, mark: 49.5 });
  assert.equal(bar({ min: null, max: 3, measured: 2, commanded: 2 }), undefined);
  assert.equal(bar({ min: 1, max: 1, measured: 1, commanded: 1 }), undefined);
});

test("numbers for people", () => {
  assert.equal(people(Math.PI / 2, "rad"), "90.0°");
  assert.equal(people(-0.25, "m"), "-0.250 m");
  assert.equal(people(-0.25, ""), "-0.250");
  assert.equal(people(-1e-7, "rad"), "0.0°");
  assert.equal(people(-0.0004, "m"), "0.000 m");
  assert.equal(people(null, "m"), "NaN");
});

test("a base turns the short way", () => {
  const from = { x: 0, y: 1, a: 3 };
  const p = onTheWay(from, { x: 1, y: 3, a: -3 }, 0.5);
  near([p.x, p.y, Math.cos(p.a), Math.sin(p.a)], [0.5, 2, -1, 0]);
  near(Object.values(onTheWay(from, { x: 1, y: 3, a: 2 }, 1)), [1, 3, 2]);
});

test("a thread pulls to where it is held, with a bounded force", () => {
  const near = (a, b) => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]) < 1e-9, `${a} is not ${b}`));
  const camera = new Camera(0, 0); // from the side: y is to the right, z is up
  near(pull(camera, 10, 0, 100), [0, 15, 0]);
  near(pull(camera, 0, 10, 100), [0, 0, -15]);
  near(pull(camera, 3000, 0, 100), [0, 40, 0]);
  near(pull(camera, 0, 0, 100), [0, 0, 0]);
  // To where it is seen, whatever the view is: a point that goes along the force goes along the thread.
  const other = new Camera(-0.9, 0.35);
  const force = pull(other, 12, -5, 100);
  const [from, to] = [[0, 0, 0.5], force.map((v, i) => [0, 0, 0.5][i] + 1e-6 * v)].map((q) => other.project(q, 400, 400));
  assert.ok(Math.abs((to.x - from.x) / (to.y - from.y) - 12 / -5) < 1e-3);
  near(within({ x: 1, y: 2, z: 3, a: Math.PI / 2, b: 0, c: 0 }, [0, 1, 5]), [1, 0, 5]);
  near(within(undefined, [1, 2, 3]), [1, 2, 3]);
});
