import type { Link } from "../wire";
import { type Drawable } from "./fold";
import type { Box, Layout } from "./layout";
import { headHeight, rowHeight, widest } from "./measure";
import { container, nodeId, root, rootPortId, shown } from "./model";
import type { Point } from "./path";
import { corner, portAt } from "./quick";

/**
 * Places are the last places of the parts of a net, by path, so that they can stay there when fragments open and close, and in the next
 * version of the net. Points are from the corner of the fragment in which they stand.
 */
export class Places {
  boxes = new Map<string, Box>();
  open = new Map<string, { width: number; height: number }>(); // of fragments that were open
  ports = new Map<string, Point>(); // of open fragments
  ways = new Map<string, Point[]>();
  slack = new Map<string, Point>(); // room to the right of boxes and below that they do not need now
}

const gap = 20;
const between = 48; // columns
const padding = 14;

interface Item extends Box {
  id: string;
  key: string;
  was: Box | undefined;
}

/**
 * steady returns a layout in which everything that had a place keeps it, whatever a fresh layout says. A box that grows pushes away what is to the
 * right of it and below, by as much as it grows; a new box is placed beside those that it is linked to. If less than half of a fragment
 * had a place, the fresh layout is used. Places are updated.
 */
export function steady(graph: Drawable, open: ReadonlySet<number>, fresh: Layout, places: Places): Layout {
  const layout: Layout = { boxes: new Map(), ports: new Map(), ways: new Map(), open, careful: fresh.careful };
  const what = shown(graph, open);
  const inside = new Map<number, number[]>([[root, []]]);
  for (const node of what.nodes) {
    if (open.has(node)) inside.set(node, []);
    inside.get(graph.nodes[node]?.parent ?? root)?.push(node);
  }
  const links = new Map<number, Link[]>();
  for (const i of what.links) {
    const link = graph.links[i];
    if (!link) continue;
    const at = container(graph, link);
    links.set(at, links.get(at) ?? []);
    links.get(at)?.push(link);
  }
  const sizes = new Map<number, { width: number; height: number }>();
  const asFresh = new Set<number>();
  for (const fragment of [...inside.keys()].reverse()) {
    const items = itemsOf(graph, fragment, inside.get(fragment) ?? [], fresh, sizes, places);
    const kept = items.filter((i) => i.was);
    const had = 2 * kept.length > items.length;
    if (!had) {
      asFresh.add(fragment);
      for (const i of items) i.was = fresh.boxes.get(i.id);
    }
    const settled = items.filter((i) => i.was);
    const changed = make(settled, places.slack) || settled.length < items.length;
    if (settled.length < items.length) add(items, links.get(fragment) ?? [], fragment);
    for (const i of items) {
      layout.boxes.set(i.id, { x: i.x, y: i.y, width: i.width, height: i.height });
      places.boxes.set(i.key, { x: i.x, y: i.y, width: i.width, height: i.height });
    }
    if (fragment !== root) sizes.set(fragment, sizeOf(graph, fragment, items, changed, had, fresh, places, layout));
  }
  for (const i of what.links) way(graph, layout, fresh, places, i, asFresh);
  return layout;
}

function itemsOf(graph: Drawable, fragment: number, nodes: number[], fresh: Layout, sizes: Map<number, { width: number; height: number }>, places: Places): Item[] {
  const items: Item[] = [];
  const item = (id: string, key: string, size: { width: number; height: number } | undefined) => {
    const at = fresh.boxes.get(id);
    if (at) items.push({ id, key, x: at.x, y: at.y, width: size?.width ?? at.width, height: size?.height ?? at.height, was: places.boxes.get(key) });
  };
  for (const node of nodes) item(nodeId(node), graph.nodes[node]?.path ?? "", sizes.get(node));
  if (fragment === root) for (const port of graph.nodes[root]?.out ?? []) item(rootPortId(port.name), `:${port.name}`, undefined);
  return items;
}

/** make puts items where they were, and makes room for those that are larger now. It reports whether any has another size. */
function make(items: Item[], slack: Map<string, Point>): boolean {
  let changed = false;
  for (const i of items) if (i.was) [i.x, i.y] = [i.was.x, i.was.y];
  for (const i of items) {
    if (!i.was || (i.width === i.was.width && i.height === i.was.height)) continue;
    changed = true;
    const free = slack.get(i.key) ?? { x: 0, y: 0 };
    const others = items.filter((o) => o !== i);
    free.x = shift(i, others, "x", i.width - i.was.width, i.x + i.was.width, free.x);
    free.y = shift(i, others, "y", i.height - i.was.height, i.y + i.was.height, free.y);
    slack.set(i.key, free);
  }
  return changed;
}

/**
 * shift moves the items behind the edge of an item by as much as that has grown, and returns how much room stays unused there: when the
 * item has shrunk, but another item keeps them from moving back.
 */
function shift(item: Item, others: readonly Item[], axis: "x" | "y", by: number, edge: number, slack: number): number {
  if (by === 0) return slack;
  const behind = others.filter((o) => o[axis] >= edge);
  if (by > 0) {
    const used = Math.min(slack, by);
    for (const o of behind) o[axis] += by - used;
    if (!others.some((o) => meet(item, o))) return slack - used;
    for (const o of behind) o[axis] += used;
    return 0;
  }
  const rest = others.filter((o) => o[axis] < edge);
  for (const o of behind) o[axis] += by;
  if (!behind.some((o) => rest.some((r) => meet(o, r)))) return slack;
  for (const o of behind) o[axis] -= by;
  return slack - by;
}

const meet = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** add places new items beside those that they are linked to, where there is room. */
function add(items: Item[], links: readonly Link[], fragment: number) {
  const of = new Map(items.map((i) => [i.id, i]));
  const idOf = (node: number, port: string) => (node === root ? rootPortId(port) : nodeId(node));
  const left = Math.min(...items.filter((i) => i.was).map((i) => i.x));
  const top = Math.min(...items.filter((i) => i.was).map((i) => i.y));
  const done = items.filter((i) => i.was);
  const waiting = new Set(items.filter((i) => !i.was));
  const put = (i: Item, x: number, y: number) => {
    Object.assign(i, free(i, Math.max(x, fragment === root ? x : left), y, top, done));
    done.push(i);
    waiting.delete(i);
  };
  for (let before = -1; waiting.size > 0 && waiting.size !== before; ) {
    before = waiting.size;
    for (const link of links) {
      const from = of.get(idOf(link.from.node, link.from.port));
      const to = of.get(idOf(link.to.node, link.to.port));
      if (!from || !to || waiting.has(from) === waiting.has(to)) continue;
      if (waiting.has(to)) put(to, from.x + from.width + between, from.y);
      else put(from, to.x - from.width - between, to.y);
    }
  }
  for (const i of [...waiting]) put(i, left, Math.max(...done.map((d) => d.y + d.height)) + gap);
}

/** free returns the place nearest to a point, above or below, where an item overlaps no other. */
function free(item: Item, x: number, y: number, top: number, others: readonly Item[]): Point {
  const beside = others.filter((o) => o.x < x + item.width + gap && x < o.x + o.width + gap);
  const fits = (at: number) => beside.every((o) => o.y >= at + item.height + gap || at >= o.y + o.height + gap);
  const tries = [y, ...beside.flatMap((o) => [o.y + o.height + gap, o.y - item.height - gap])].filter((at) => at >= top && fits(at));
  tries.sort((a, b) => Math.abs(a - y) - Math.abs(b - y));
  return { x, y: tries[0] ?? top };
}

/** sizeOf returns the size of an open fragment, and puts its ports at its edges. */
function sizeOf(graph: Drawable, fragment: number, items: Item[], changed: boolean, had: boolean, fresh: Layout, places: Places, layout: Layout): { width: number; height: number } {
  const node = graph.nodes[fragment];
  const made = fresh.boxes.get(nodeId(fragment)) ?? { width: 0, height: 0 };
  const path = node?.path ?? "";
  let size = { width: made.width, height: made.height };
  const before = places.open.get(path);
  if (had && before && !changed) size = before;
  else if (changed || had) {
    size = {
      width: Math.max(...items.map((i) => i.x + i.width)) + padding + widest(node?.out ?? []),
      height: Math.max(headHeight + rowHeight * (Math.max(node?.in.length ?? 0, node?.out.length ?? 0) + 1), ...items.map((i) => i.y + i.height + padding)),
    };
  }
  places.open.set(path, size);
  const port = (name: string, out: boolean) => {
    const at = (had ? places.ports.get(`${path}:${name}`) : undefined) ?? fresh.ports.get(`${fragment}:${name}`);
    if (!at) return;
    const now = { x: out ? size.width : 0, y: at.y };
    layout.ports.set(`${fragment}:${name}`, now);
    places.ports.set(`${path}:${name}`, now);
  };
  for (const p of node?.in ?? []) port(p.name, false);
  for (const p of node?.out ?? []) port(p.name, true);
  return size;
}

/** way returns the path of a link as before, or as in the fresh layout, if its ends have the same places relative to each other; otherwise a path of three pieces. */
function way(graph: Drawable, layout: Layout, fresh: Layout, places: Places, i: number, asFresh: ReadonlySet<number>) {
  const link = graph.links[i];
  if (!link) return;
  const at = container(graph, link);
  const from = portAt(graph, layout, link.from.node, link.from.port, link.from.node !== at);
  const to = portAt(graph, layout, link.to.node, link.to.port, link.to.node === at);
  if (!from || !to) return;
  const name = (node: number, port: string) => `${graph.nodes[node]?.path ?? ""}:${port}`;
  const key = `${name(link.from.node, link.from.port)} ${name(link.to.node, link.to.port)}`;
  const known = asFresh.has(at) ? undefined : places.ways.get(key);
  const points = moved(known, from, to) ?? (fresh.careful ? moved(fresh.ways.get(i), from, to) : undefined) ?? (fresh.careful ? pieces(from, to) : [from, to]);
  layout.ways.set(i, points);
  const edge = at === root ? { x: 0, y: 0 } : corner(graph, layout, at);
  places.ways.set(key, points.map((p) => ({ x: p.x - edge.x, y: p.y - edge.y })));
}

const near = 3; // what the engine and the style sheet may disagree about

/** moved returns a path moved to another place, if it leads from one end to the other there. */
function moved(points: readonly Point[] | undefined, from: Point, to: Point): Point[] | undefined {
  const first = points?.[0];
  const last = points?.[points.length - 1];
  if (!points || !first || !last) return undefined;
  const [x, y] = [from.x - first.x, from.y - first.y];
  if (Math.abs(last.x + x - to.x) > near || Math.abs(last.y + y - to.y) > near) return undefined;
  return points.map((p) => ({ x: p.x + x, y: p.y + y }));
}

function pieces(from: Point, to: Point): Point[] {
  if (to.x >= from.x + 2 * padding) {
    const x = to.x - Math.min(between / 2, (to.x - from.x) / 2); // in the gap before the column of what is fed
    return [from, { x, y: from.y }, { x, y: to.y }, to];
  }
  const y = Math.abs(to.y - from.y) > 60 ? (from.y + to.y) / 2 : Math.max(from.y, to.y) + 60; // back, as to a Pre
  return [from, { x: from.x + padding, y: from.y }, { x: from.x + padding, y }, { x: to.x - padding, y }, { x: to.x - padding, y: to.y }, to];
}
