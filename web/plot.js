// Values over time on a canvas.

const NUMBER = /^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf|nan)$/i;

// components finds the numbers in the text form of a value: a number, true or false, the members of an array or of a
// structure, with what is to be put behind the key. Values that are not finite are gaps.
export function components(text) {
  if (text === "true" || text === "false") return [["", text === "true" ? 1 : 0]];
  if (NUMBER.test(text)) return [["", finite(text)]];
  const found = [];
  const path = [];
  let index = [];
  for (const [token] of text.matchAll(/[[\]{},:]|[^[\]{},:\s]+/g)) {
    if (token === "[" || token === "{") {
      path.push(token === "[" ? 0 : "");
      index.push(token);
    } else if (token === "]" || token === "}") {
      path.pop();
      index.pop();
    } else if (token === "," && index.at(-1) === "[") {
      path.push(path.pop() + 1);
    } else if (NUMBER.test(token)) {
      found.push([suffix(path), finite(token)]);
    } else if (token !== "," && token !== ":") {
      if (index.at(-1) !== "{") return [];
      path[path.length - 1] = token;
    }
  }
  return found;
}

function finite(text) {
  const value = Number(text);
  return Number.isFinite(value) ? value : NaN;
}

function suffix(path) {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
}

// tickText is a tick for people, to the millisecond; empty before the first one.
export function tickText(tick) {
  return tick ? `cycle ${tick.cycle}, ${new Date(Math.floor(tick.time / 1e6)).toISOString()}` : "";
}

// TickTime is the time of the daemon, as far as its newest tick that was heard of tells it: seconds since the first one that was.
export class TickTime {
  constructor(waits = 0.2) {
    this.waits = waits; // s that time goes on by itself, as ticks are heard of now and then
    this.tick = undefined;
  }

  // hear takes a tick as the daemon tells it, at a time of the browser in s, and tells whether it is a new one.
  hear({ cycle, time }, at) {
    if (cycle <= this.cycle) return false;
    this.first ??= time;
    Object.assign(this, { cycle, tick: (time - this.first) / 1e9, at });
    return true;
  }

  // now is the time at a time of the browser.
  now(at) {
    return this.tick === undefined ? 0 : this.tick + Math.min(Math.max(at - this.at, 0), this.waits);
  }
}

// Series holds the newest points of one value.
export class Series {
  constructor(capacity = 4096) {
    this.times = new Float64Array(capacity);
    this.values = new Float64Array(capacity);
    this.start = 0;
    this.length = 0;
  }

  push(time, value) {
    const capacity = this.times.length;
    const at = (this.start + this.length) % capacity;
    this.times[at] = time;
    this.values[at] = value;
    if (this.length < capacity) this.length++;
    else this.start = (this.start + 1) % capacity;
  }

  at(i) {
    const k = (this.start + i) % this.times.length;
    return [this.times[k], this.values[k]];
  }

  // since returns the points from a time on, and the one before it, which holds until then.
  since(time) {
    let first = this.length;
    while (first > 0 && this.at(first - 1)[0] >= time) first--;
    const points = [];
    for (let i = Math.max(first - 1, 0); i < this.length; i++) points.push(this.at(i));
    return points;
  }
}

// ticks are about n round numbers within a range.
export function ticks(low, high, n) {
  const raw = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999);
  const list = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) list.push(Number((i * step).toPrecision(12)));
  return list;
}

// range of some values with air around them; a constant lies in the middle.
export function range(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) return [0, 1];
  const air = high > low ? (high - low) * 0.08 : Math.max(Math.abs(high) * 0.1, 0.5);
  return [low - air, high + air];
}

// zoomByWheel lets the wheel of a mouse zoom a canvas. zoom takes a factor and tells whether that was possible: where it was not, the
// page scrolls.
export function zoomByWheel(root, matches, zoom) {
  root.addEventListener("wheel", (event) => {
    if (!event.target.matches(matches) || event.ctrlKey || event.shiftKey || event.metaKey || event.deltaY === 0) return;
    if (zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15)) event.preventDefault();
  }, { passive: false });
}

// bounded zooms within bounds.
export function bounded(zoom, factor, least, most) {
  return Math.min(Math.max(zoom * factor, least), most);
}

const MARGIN = { left: 56, right: 8, top: 8, bottom: 22 };

// Plot draws series over the last seconds, fewer of them when it is zoomed.
export class Plot {
  constructor(canvas, seconds = 20, { least = 1 / 6, most = 40 } = {}) {
    Object.assign(this, { canvas, seconds, zoom: 1 });
    zoomByWheel(canvas, "canvas", (factor) => {
      const before = this.zoom;
      this.zoom = bounded(before, factor, least, most);
      canvas.dispatchEvent(new Event("zoom"));
      return this.zoom !== before;
    });
  }

  // span is how many seconds are seen.
  get span() {
    return this.seconds / this.zoom;
  }

  // draw paints lines, a list of {series, colour}, as they are at time now in seconds, and a mark at another time.
  draw(lines, now, mark) {
    const { width, height } = this.#fit();
    const g = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    g.clearRect(0, 0, width, height);
    const points = lines.map(({ series }) => series.since(now - this.span));
    const [low, high] = range(points.flat().map(([, v]) => v));
    const x = (t) => MARGIN.left + (1 - (now - t) / this.span) * (width - MARGIN.left - MARGIN.right);
    const y = (v) => MARGIN.top + ((high - v) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    this.#axes(g, style, { x, y, low, high, now, width, height });
    g.save();
    g.beginPath();
    g.rect(MARGIN.left, 0, width - MARGIN.left - MARGIN.right, height - MARGIN.bottom);
    g.clip();
    lines.forEach(({ colour }, i) => drawLine(g, points[i], colour, x, y, now));
    if (mark !== undefined) {
      g.strokeStyle = style.color;
      g.lineWidth = 1;
      rule(g, x(mark), MARGIN.top, x(mark), height - MARGIN.bottom);
    }
    g.restore();
  }

  // #fit gives the canvas as many pixels as the screen has for it.
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    return { width, height };
  }

  #axes(g, style, { x, y, low, high, now, width, height }) {
    g.font = `11px ${style.fontFamily}`;
    g.fillStyle = style.color;
    g.strokeStyle = style.borderTopColor;
    g.lineWidth = 1;
    g.textBaseline = "middle";
    g.textAlign = "right";
    for (const v of ticks(low, high, 5)) {
      rule(g, MARGIN.left, y(v), width - MARGIN.right, y(v));
      g.fillText(String(v), MARGIN.left - 6, y(v));
    }
    g.textAlign = "center";
    for (const age of ticks(0, this.span * 0.96, 4)) {
      rule(g, x(now - age), MARGIN.top, x(now - age), height - MARGIN.bottom);
      if (age > 0) g.fillText(`−${age} s`, x(now - age), height - 10);
    }
  }
}

function rule(g, x0, y0, x1, y1) {
  g.beginPath();
  g.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
  g.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
  g.stroke();
}

// drawLine joins points. The last one holds until now.
function drawLine(g, points, colour, x, y, now) {
  g.strokeStyle = colour;
  g.lineWidth = 1.75;
  g.lineJoin = "round";
  g.beginPath();
  let last;
  for (const [t, v] of points) {
    if (Number.isNaN(v)) {
      last = undefined;
      continue;
    }
    if (!last) g.moveTo(x(t), y(v));
    g.lineTo(x(t), y(v));
    last = [t, v];
  }
  if (last) g.lineTo(x(now), y(last[1]));
  g.stroke();
}
