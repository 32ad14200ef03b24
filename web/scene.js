// Arms drawn from the axes of their joints, in perspective: links as bars, joints as drums about their axes, with a shadow on
// the floor and the way of the flange. Lengths are in m, z is up.

const FOCUS = 2.6; // distance of the eye from the middle of the picture, in half widths of what is seen
const MOST_TILT = Math.PI / 2;

export const VIEWS = {
  space: { turn: -0.9, tilt: 0.35 },
  front: { turn: -Math.PI / 2, tilt: 0 },
  side: { turn: 0, tilt: 0 },
  top: { turn: -Math.PI / 2, tilt: MOST_TILT },
};

const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);

// mix is a point on the way from one to another.
const mix = (a, b, share) => a.map((v, i) => v + share * (b[i] - v));

// posture takes what is drawn out of an arm as the daemon tells it: a point and a direction for each axis, the flange and its
// three directions. It is undefined when not all of it is known.
export function posture({ axes, flange, joints }) {
  if (!axes || !flange) return undefined;
  const drums = axes.map((a, i) => ({ at: [a.x, a.y, a.z], along: [a.dx, a.dy, a.dz], slides: joints[i]?.unit === "m" }));
  const numbers = [flange.x, flange.y, flange.z, flange.a, flange.b, flange.c, ...drums.flatMap((d) => [...d.at, ...d.along])];
  if (!numbers.every(Number.isFinite)) return undefined;
  return { drums, tip: [flange.x, flange.y, flange.z], cross: directions(flange) };
}

// directions are the columns of Rz(a)·Ry(b)·Rx(c).
export function directions({ a, b, c }) {
  const [sa, ca, sb, cb, sc, cc] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b), Math.sin(c), Math.cos(c)];
  return [
    [ca * cb, sa * cb, -sb],
    [ca * sb * sc - sa * cc, sa * sb * sc + ca * cc, cb * sc],
    [ca * sb * cc + sa * sc, sa * sb * cc - ca * sc, cb * cc],
  ];
}

// between is a posture on the way from one to another, as pictures between two answers show it.
export function between(a, b, share) {
  if (!a || a.drums.length !== b.drums.length) return b;
  return {
    drums: b.drums.map((d, i) => ({ ...d, at: mix(a.drums[i].at, d.at, share), along: mix(a.drums[i].along, d.along, share) })),
    tip: mix(a.tip, b.tip, share),
    cross: b.cross.map((d, i) => mix(a.cross[i], d, share)),
  };
}

// links are the bars of a posture, each a list of points. From an axis to the next one they go along the first one as far as
// that leads towards the second, then straight: as arms are built. A slide has no bar but its rail.
export function links({ drums, tip }) {
  const list = [];
  drums.forEach(({ at, along, slides }, i) => {
    const next = drums[i + 1]?.at ?? tip;
    const foot = add(at, along, dot(add(next, at, -1), along));
    if (!slides) list.push([at, foot, next].filter((p, k, all) => k === 0 || length(add(p, all[k - 1], -1)) > 1e-6));
  });
  return list.filter((bar) => bar.length > 1);
}

// stretch is how long the bars of an arm are in sum: it never reaches farther from its first axis that turns.
export function stretch(p) {
  return links(p).reduce((sum, bar) => sum + bar.slice(1).reduce((s, q, i) => s + length(add(q, bar[i], -1)), 0), 0);
}

// Camera looks at a point from a direction, so that a ball of some radius around the point fills a square picture.
export class Camera {
  constructor(turn = VIEWS.space.turn, tilt = VIEWS.space.tilt) {
    Object.assign(this, { turn, tilt, near: 1.25, middle: [0, 0, 0.5], radius: 1 });
  }

  look({ turn, tilt }) {
    this.turn = turn;
    this.tilt = Math.min(Math.max(tilt, -0.15), MOST_TILT);
  }

  // project returns where on a picture a point is seen, how large a metre is there, and how far it is.
  project([x, y, z], width, height) {
    const [st, ct, su, cu] = [Math.sin(this.tilt), Math.cos(this.tilt), Math.sin(this.turn), Math.cos(this.turn)];
    const [px, py, pz] = [x - this.middle[0], y - this.middle[1], z - this.middle[2]];
    const right = -su * px + cu * py;
    const out = cu * px + su * py; // towards the eye, level
    const up = ct * pz - st * out;
    const towards = ct * out + st * pz;
    const distance = FOCUS * this.radius - towards;
    const scale = ((Math.min(width, height) / 2) * FOCUS * 0.86 * this.near) / Math.max(distance, 0.2 * this.radius);
    return { x: width / 2 + right * scale, y: height / 2 - up * scale, scale, distance };
  }
}

// pull is the force, in N, with which somebody pulls at a point by a thread to another place of a picture: right and down by so many
// pixels, where a metre is so large.
export function pull({ turn, tilt }, dx, dy, scale) {
  const [st, ct, su, cu] = [Math.sin(tilt), Math.cos(tilt), Math.sin(turn), Math.cos(turn)];
  const right = [-su, cu, 0];
  const up = [-st * cu, -st * su, ct];
  const way = add(add([0, 0, 0], right, dx / scale), up, -dy / scale);
  const force = Math.min(THREAD * length(way), MOST_FORCE);
  return add([0, 0, 0], unit(way), force);
}

const THREAD = 150; // N/m
const MOST_FORCE = 40; // N

// within are the components of a direction of the cell along the axes of something that stands in it.
export function within(place, v) {
  return place ? directions(place).map((axis) => dot(axis, v)) : v;
}

// onTheWay is a base on the way from one place to another, turning as far as it must and no farther.
export function onTheWay(from, to, share) {
  const turn = Math.atan2(Math.sin(to.a - from.a), Math.cos(to.a - from.a));
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, a: from.a + turn * share };
}

// placed is a posture of an arm that stands somewhere in the cell.
export function placed(p, place) {
  if (!place) return p;
  const axes = directions(place);
  const turned = (d) => d.reduce((sum, v, i) => add(sum, axes[i], v), [0, 0, 0]);
  const moved = (q) => add([place.x, place.y, place.z], turned(q));
  return {
    drums: p.drums.map((d) => ({ ...d, at: moved(d.at), along: turned(d.along) })),
    tip: moved(p.tip),
    cross: p.cross.map(turned),
  };
}

// together tells whether arms are seen in one picture: when they do not all stand at the same place.
export function together(arms) {
  const drawn = arms.filter(({ axes, place }) => axes && place);
  return new Set(drawn.map(({ place }) => JSON.stringify(place))).size > 1;
}

// Trail is the way that something has gone lately.
export class Trail {
  static LASTS = 2.5; // s

  constructor() {
    this.way = []; // newest last
  }

  pass(time, point) {
    this.way.push([time, point]);
    while (this.way[0][0] < time - Trail.LASTS) this.way.shift();
  }

  paint(g, see, time, colour) {
    g.strokeStyle = colour;
    g.lineWidth = 2;
    for (let i = 1; i < this.way.length; i++) {
      g.globalAlpha = Math.max(0, 1 - (time - this.way[i][0]) / Trail.LASTS) * 0.8;
      stroke(g, [see(this.way[i - 1][1]), see(this.way[i][1])]);
    }
    g.globalAlpha = 1;
  }
}

// View is a canvas with a floor.
class View {
  constructor(canvas, camera) {
    this.canvas = canvas;
    this.camera = camera;
  }

  // begin clears the canvas, for a picture of a ball.
  begin(middle, radius) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = devicePixelRatio || 1;
    const g = this.canvas.getContext("2d");
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    const style = getComputedStyle(this.canvas);
    Object.assign(this, { radius, middle });
    g.clearRect(0, 0, width, height);
    g.lineCap = "round";
    g.lineJoin = "round";
    return { g, see: (q) => this.see(q), colour: (name) => style.getPropertyValue(name).trim() };
  }

  // see returns where on the canvas a point is seen, as it was drawn last.
  see(q) {
    Object.assign(this.camera, { radius: this.radius, middle: this.middle }); // several pictures may have one camera
    return this.camera.project(q, this.canvas.clientWidth, this.canvas.clientHeight);
  }

  // thread is drawn from a point to a place on the canvas, where somebody pulls.
  thread(q, [x, y]) {
    const g = this.canvas.getContext("2d");
    const seen = this.see(q);
    g.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("--accent").trim();
    g.lineWidth = 3;
    stroke(g, [seen, { x, y }]);
  }

  // floor is a grid of quarters of a metre that moves along with nothing: a carriage is seen to pass over it.
  floor(g, see, middle, reach, colour) {
    const STEP = 0.25;
    const size = Math.ceil((reach * 0.75) / STEP) * STEP;
    const [cx, cy] = [Math.round(middle[0] / STEP) * STEP, Math.round(middle[1] / STEP) * STEP];
    g.strokeStyle = colour;
    g.lineWidth = 1;
    for (let v = -size; v <= size + 1e-9; v += STEP) {
      for (const [a, b] of [[[cx + v, cy - size, 0], [cx + v, cy + size, 0]], [[cx - size, cy + v, 0], [cx + size, cy + v, 0]]]) {
        stroke(g, [a, b].map(see));
      }
    }
  }
}

// Scene draws arms on a canvas, each of which has a posture, a reach, and the trail of its flange.
export class Scene extends View {
  draw(arms, time) {
    const ball = around(arms);
    const { g, see, colour } = this.begin(ball.middle, ball.reach * 0.95);
    this.floor(g, see, ball.middle, ball.reach, colour("--line"));
    for (const arm of arms) this.#shadow(g, see, arm, colour("--line"));
    for (const arm of arms) this.#rail(g, see, arm, colour);
    for (const { trail } of arms) trail.paint(g, see, time, colour("--line1"));
    const pieces = arms.flatMap((arm) => this.#pieces(arm, see)).sort((a, b) => b.distance - a.distance); // the farthest first
    for (const piece of pieces) piece.paint(g, see, colour);
    for (const arm of arms) this.#cross(g, see, arm, colour);
  }

  #shadow(g, see, { posture, reach }, colour) {
    g.strokeStyle = colour;
    g.globalAlpha = 0.8;
    for (const bar of links(posture)) {
      const seen = bar.map(([x, y]) => see([x, y, 0]));
      g.lineWidth = 0.055 * reach * seen[0].scale;
      stroke(g, seen);
    }
    g.globalAlpha = 1;
  }

  // #rail is what a carriage slides on.
  #rail(g, see, { posture, reach }, colour) {
    for (const { at, along, slides } of posture.drums) {
      if (!slides) continue;
      for (const side of [-1, 1]) {
        const across = add([0, 0, 0], cross(along, [0, 0, 1]), 0.05 * side * reach);
        const ends = [-1, 1].map((end) => see(add(add(at, across), along, end * reach)));
        g.strokeStyle = colour("--faint");
        g.lineWidth = 0.02 * reach * ends[0].scale;
        stroke(g, ends);
      }
    }
  }

  // #pieces are bars and drums. An arm gets thinner towards its flange.
  #pieces({ posture, reach }, see) {
    const count = Math.max(posture.drums.length, 1);
    const thick = (i) => reach * (0.05 - (0.024 * i) / count);
    const list = posture.drums.map((drum, i) => ({ distance: see(drum.at).distance, paint: (g, s, c) => paintDrum(g, s, c, drum, thick(i)) }));
    links(posture).forEach((bar, i, all) => {
      const width = thick((i * count) / Math.max(all.length, 1));
      const middle = mix(bar[0], bar.at(-1), 0.5);
      list.push({ distance: see(middle).distance, paint: (g, s, c) => paintBar(g, s, c, bar, width) });
    });
    return list;
  }

  // #cross are the axes of the flange: x red, y green, z blue.
  #cross(g, see, { posture, reach }, colour) {
    posture.cross.forEach((d, i) => {
      g.strokeStyle = colour(["--line4", "--line3", "--line5"][i]);
      g.lineWidth = 2.5;
      stroke(g, [posture.tip, add(posture.tip, d, 0.11 * reach)].map(see));
    });
  }
}

// around is a ball about arms and where they can be: its middle, and how far it reaches. Several arms hardly ever stretch away from each
// other all at once, so that they are seen from nearer than that would take.
export function around(arms) {
  const feet = arms.map(({ posture, reach }) => ({ at: posture.drums.find((d) => !d.slides)?.at ?? [0, 0, 0], reach }));
  const middle = [0, 1, 2].map((i) => (Math.min(...feet.map(({ at }) => at[i])) + Math.max(...feet.map(({ at }) => at[i]))) / 2);
  const [share, up] = arms.length > 1 ? [0.45, 0.28] : [1, 0.38];
  const reach = Math.max(...feet.map((foot) => length(add(foot.at, middle, -1)) + share * foot.reach));
  return { middle: add(middle, [0, 0, Math.max(...feet.map((foot) => foot.reach)) * up]), reach };
}

// Floor draws a base that drives: a slab on four wheels, with a mark where it is ahead.
export class Floor extends View {
  draw(p, trail, time) {
    this.reach = Math.max(1.6, 1.2 * Math.hypot(p.x, p.y) + 0.5, this.reach ?? 0); // the base stays within the picture
    const { g, see, colour } = this.begin([0, 0, 0.1], this.reach * 1.1);
    this.floor(g, see, [0, 0, 0], this.reach, colour("--line"));
    trail.paint(g, see, time, colour("--line1"));
    const [s, c] = [Math.sin(p.a), Math.cos(p.a)];
    const place = ([x, y, z]) => [p.x + c * x - s * y, p.y + s * x + c * y, z];
    g.lineWidth = 1;
    g.fillStyle = colour("--line");
    g.strokeStyle = colour("--line");
    fill(g, SLAB.map(([x, y]) => see(place([x, y, 0]))));
    const wheels = WHEELS.map(([x, y]) => ({ at: place([x, y, 0.1]), along: [-s, c, 0] }));
    const back = (q) => see(q).distance;
    const middle = back(place([0, 0, 0.15]));
    const behind = wheels.filter((w) => back(w.at) > middle);
    for (const wheel of behind) paintDrum(g, see, colour, wheel, 0.105);
    this.#slab(g, see, place, colour);
    for (const wheel of wheels) if (!behind.includes(wheel)) paintDrum(g, see, colour, wheel, 0.105);
  }

  #slab(g, see, place, colour) {
    const ring = (z) => SLAB.map(([x, y]) => see(place([x, y, z])));
    const [low, high] = [ring(0.1), ring(0.24)];
    g.strokeStyle = colour("--arm-edge");
    g.fillStyle = colour("--arm-edge");
    fill(g, hull([...low, ...high]));
    g.fillStyle = colour("--arm");
    fill(g, high);
    g.fillStyle = colour("--arm-light");
    fill(g, [[0.3, 0], [0.16, 0.1], [0.16, -0.1]].map(([x, y]) => see(place([x, y, 0.24]))));
  }
}

// SLAB are the corners of a base, bevelled; WHEELS are where its wheels stand.
const SLAB = [[0.4, 0.16], [0.34, 0.22], [-0.34, 0.22], [-0.4, 0.16], [-0.4, -0.16], [-0.34, -0.22], [0.34, -0.22], [0.4, -0.16]];
const WHEELS = [[0.26, 0.25], [0.26, -0.25], [-0.26, 0.25], [-0.26, -0.25]];

function stroke(g, seen) {
  g.beginPath();
  for (const { x, y } of seen) g.lineTo(x, y);
  g.stroke();
}

function paintBar(g, see, colour, bar, width) {
  const seen = bar.map(see);
  const pixels = width * seen[0].scale;
  for (const [share, name] of [[1, "--arm-edge"], [0.76, "--arm"], [0.28, "--arm-light"]]) {
    g.strokeStyle = colour(name);
    g.lineWidth = pixels * share;
    stroke(g, seen);
  }
}

// paintDrum draws a cylinder about the axis of a joint: its mantle, and the end that is seen.
function paintDrum(g, see, colour, { at, along, slides }, width) {
  const half = width * (slides ? 1.4 : 0.85);
  const radius = width * (slides ? 0.8 : 0.95);
  const ends = [add(at, along, -half), add(at, along, half)].sort((a, b) => see(b).distance - see(a).distance);
  const helper = Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const u = unit(cross(along, helper));
  const v = cross(along, u);
  const ring = (middle) => Array.from({ length: 28 }, (_, i) => {
    const angle = (i * Math.PI) / 14;
    return see(add(add(middle, u, radius * Math.cos(angle)), v, radius * Math.sin(angle)));
  });
  const [far, near] = ends.map(ring);
  g.fillStyle = colour("--joint");
  g.strokeStyle = colour("--arm-edge");
  g.lineWidth = 1;
  fill(g, hull([...far, ...near]));
  g.fillStyle = colour("--joint-light");
  fill(g, near);
}

function fill(g, seen) {
  g.beginPath();
  for (const { x, y } of seen) g.lineTo(x, y);
  g.closePath();
  g.fill();
  g.stroke();
}

const unit = (a) => a.map((v) => v / (length(a) || 1));

// hull is the polygon around points of a picture.
export function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && turns(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turns = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
