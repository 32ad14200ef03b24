import { someGiven, someMissing, someNaN, type Column, type Samples } from "../stream/samples";
import type { ProbedPort } from "../stream/wire";
import type { EndOfLink } from "../wire";
import type { Drawable } from "./fold";
import type { Layout } from "./layout";
import { nodeId, root, shown } from "./model";
import type { Point } from "./path";
import type { Placed } from "./placed";

/** Sight is the part of the drawing that is seen. */
export interface Sight {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Label is where the value of an out port is written: at the beginning of a link. */
export interface Label {
  key: string; // of the port that the value comes from
  at: Point;
}

/** Watched has the ports that are watched, and why. */
export interface Watched {
  ports: { path: string; port: string }[];
  labels: Label[];
  guards: Map<number, string[]>; // by node: ports that must be true for it to be executed
  outs: Map<number, string[]>; // by node: its out ports that are watched
}

export const keyOf = (path: string, port: string) => `${path}.${port}`;

/** watched chooses ports whose links begin in sight, and the guards of boxes in sight, up to a number; those nearest to the middle come first. */
export function watched(graph: Drawable, layout: Layout, list: readonly Placed[], sight: Sight, most: number): Watched {
  const made: Watched = { ports: [], labels: [], guards: new Map(), outs: new Map() };
  const seen = new Set<string>();
  const watch = (end: EndOfLink): string | null => {
    const path = graph.nodes[end.node]?.path;
    if (end.node <= root || path === undefined) return null;
    const key = keyOf(path, end.port);
    if (!seen.has(key)) {
      if (seen.size >= most) return null;
      seen.add(key);
      made.ports.push({ path, port: end.port });
    }
    return key;
  };
  const middle = { x: (sight.left + sight.right) / 2, y: (sight.top + sight.bottom) / 2 };
  const starts: { at: Point; from: EndOfLink; source: EndOfLink; far: number }[] = [];
  const began = new Set<string>();
  for (const i of shown(graph, layout.open).links) {
    const link = graph.links[i];
    const at = layout.ways.get(i)?.[0];
    if (!link || !at || at.x < sight.left || at.x > sight.right || at.y < sight.top || at.y > sight.bottom) continue;
    const place = `${at.x} ${at.y}`;
    if (began.has(place)) continue;
    began.add(place);
    starts.push({ at, from: link.from, source: link.source ?? link.from, far: Math.hypot(at.x - middle.x, at.y - middle.y) });
  }
  starts.sort((a, b) => a.far - b.far);
  for (const start of starts) {
    const key = watch(start.source);
    if (key === null) continue;
    made.labels.push({ key, at: start.at });
    if (start.from.node === start.source.node) made.outs.set(start.from.node, [...(made.outs.get(start.from.node) ?? []), key]);
  }
  const boxes = new Map(list.map((b) => [b.node, b]));
  for (const id of shown(graph, layout.open).nodes) {
    const b = boxes.get(id);
    const guards = graph.nodes[id]?.guards ?? [];
    if (!b || guards.length === 0 || !layout.boxes.has(nodeId(id)) || b.x > sight.right || b.y > sight.bottom || b.x + b.width < sight.left || b.y + b.height < sight.top) continue;
    const keys = guards.map(watch).filter((key) => key !== null);
    if (keys.length === guards.length) made.guards.set(id, keys);
  }
  return made;
}

/** Value is the newest value of a port. */
export interface Value {
  text: string;
  isNull: boolean; // in all of the newest cycles
  isTrue: boolean; // in any of them
}

/** newest returns the values of the last row of samples, by port, with those of constants. */
export function newest(samples: Samples): Map<string, Value> {
  const values = constantsOf(samples.ports);
  const row = samples.ticks.length - 1;
  if (row < 0) return values;
  let column = 0;
  for (const port of samples.ports) {
    const c = samples.columns[column++];
    if (c && !port.constant) values.set(port.name, valueOf(port.type, c, row));
  }
  return values;
}

export function constantsOf(ports: readonly ProbedPort[]): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const port of ports) {
    if (port.constant) values.set(port.name, { text: port.value ?? "", isNull: port.value === undefined, isTrue: port.value === "true" });
  }
  return values;
}

/** mostNumbers is how many numbers of a value are written. */
const mostNumbers = 3;

function valueOf(type: string, column: Column, row: number): Value {
  const given = column.given[row] ?? 0;
  if ((given & someGiven) === 0) return { text: "null", isNull: true, isTrue: false };
  const at = row * column.words;
  const low = column.low[at] ?? NaN;
  const high = column.high[at] ?? NaN;
  const parts: string[] = [];
  for (let i = 0; i < Math.min(column.words, mostNumbers); i++) parts.push(part(type, column.low[at + i] ?? NaN, column.high[at + i] ?? NaN));
  if (column.words > mostNumbers) parts.push("…");
  let text = parts.join(", ");
  if (column.words > 1) text = `[${text}]`;
  if ((given & someNaN) !== 0 && !text.includes("NaN")) text += " or NaN";
  if ((given & someMissing) !== 0) text += " or null";
  return { text, isNull: false, isTrue: type === "bool" && (high >= 1 || low >= 1) };
}

/** part writes the extremes of a number in the newest cycles. */
function part(type: string, low: number, high: number): string {
  if (type === "bool") return low === high ? String(low === 1) : "false/true";
  const [a, b] = [written(low), written(high)];
  return a === b ? a : `${a} … ${b}`;
}

function written(v: number): string {
  if (!Number.isFinite(v)) return Number.isNaN(v) ? "NaN" : v > 0 ? "+inf" : "-inf";
  if (Number.isInteger(v) && Math.abs(v) < 1e9) return String(v);
  return String(Number(v.toPrecision(4)));
}
