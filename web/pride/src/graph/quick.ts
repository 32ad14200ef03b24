import type { Drawable } from "./fold";
import type { Box, Layout } from "./layout";
import { headHeight, headOf, heightOf, inPorts, rowHeight, widest, widthOf } from "./measure";
import { container, nodeId, root, rootPortId, shown } from "./model";
import type { Point } from "./path";

const gapX = 60;
const gapY = 18;
const padding = 14;
const rounds = 6;

interface Item {
  id: string;
  node: number; // root for a port of the net itself
  width: number;
  height: number;
  rank: number;
  place: number;
  x: number;
  y: number;
}

/**
 * layOutQuickly finds places in a time that grows linearly with the number of boxes: columns by the longest path from boxes without inputs, in each
 * column in the order of neighbours. Links are drawn straight, across boxes if necessary.
 */
export function layOutQuickly(graph: Drawable, open: ReadonlySet<number>): Layout {
  const what = shown(graph, open);
  const layout: Layout = { boxes: new Map(), ports: new Map(), ways: new Map(), open, careful: false };
  const within = new Map<number, number[]>([[root, []]]);
  for (const node of what.nodes) {
    if (open.has(node)) within.set(node, []);
    within.get(graph.nodes[node]?.parent ?? root)?.push(node);
  }
  const links = new Map<number, [string, string][]>();
  for (const i of what.links) {
    const link = graph.links[i];
    if (!link) continue;
    const at = container(graph, link);
    const from = link.from.node === at ? "" : nodeId(link.from.node);
    const to = link.to.node === at ? (at === root ? rootPortId(link.to.port) : "") : nodeId(link.to.node);
    if (from === "" || to === "") continue;
    const list = links.get(at);
    if (list) list.push([from, to]);
    else links.set(at, [[from, to]]);
  }
  const sizes = new Map<number, { width: number; height: number }>();
  for (const fragment of [...within.keys()].reverse()) {
    const items = (within.get(fragment) ?? []).map((node) => item(nodeId(node), node, sizes.get(node) ?? sizeOf(graph, node)));
    if (fragment === root) {
      for (const port of graph.nodes[root]?.out ?? []) items.push(item(rootPortId(port.name), root, { width: 20 + 7 * port.name.length, height: 26 }));
    }
    sizes.set(fragment, arrange(graph, fragment, items, links.get(fragment) ?? [], layout));
  }
  for (const i of what.links) {
    const link = graph.links[i];
    if (!link) continue;
    const at = container(graph, link);
    const from = portAt(graph, layout, link.from.node, link.from.port, link.from.node !== at);
    const to = portAt(graph, layout, link.to.node, link.to.port, link.to.node === at);
    if (from && to) layout.ways.set(i, [from, to]);
  }
  return layout;
}

const item = (id: string, node: number, size: { width: number; height: number }): Item => ({ id, node, ...size, rank: 0, place: 0, x: 0, y: 0 });

function sizeOf(graph: Drawable, node: number) {
  const of = graph.nodes[node];
  return of ? { width: widthOf(of), height: heightOf(of) } : { width: 0, height: 0 };
}

function put(map: Map<Item, Item[]>, key: Item, item: Item) {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/** arrange places the items of a fragment and returns the size that they take. */
function arrange(graph: Drawable, fragment: number, items: Item[], links: [string, string][], layout: Layout): { width: number; height: number } {
  const of = new Map(items.map((i) => [i.id, i]));
  const into = new Map<Item, Item[]>();
  const outOf = new Map<Item, Item[]>();
  for (const [a, b] of links) {
    const from = of.get(a);
    const to = of.get(b);
    if (!from || !to || from === to) continue;
    put(into, to, from);
    put(outOf, from, to);
  }
  rank(graph, items, into);
  const columns: Item[][] = [];
  for (const i of items) (columns[i.rank] ??= []).push(i);
  order(columns, into, outOf);
  const node = graph.nodes[fragment];
  const left = fragment === root ? 0 : padding + widest(node?.in ?? []);
  const right = fragment === root ? 0 : padding + widest(node?.out ?? []);
  const top = fragment === root ? 0 : headHeight + padding;
  let x = left;
  let bottom = top;
  for (const column of broken(columns, items)) {
    let y = top;
    for (const i of column) {
      i.x = x;
      i.y = y;
      y += i.height + gapY;
      layout.boxes.set(i.id, { x: i.x, y: i.y, width: i.width, height: i.height });
    }
    bottom = Math.max(bottom, y);
    x += Math.max(...column.map((i) => i.width)) + gapX;
  }
  const ports = node && fragment !== root ? Math.max(node.in.length, node.out.length) : 0;
  const size = { width: Math.max(x - gapX + right, node && fragment !== root ? widthOf(node) : 0), height: Math.max(bottom + padding, headHeight + rowHeight * (ports + 1)) };
  if (node && fragment !== root) {
    node.in.forEach((port, i) => layout.ports.set(`${fragment}:${port.name}`, { x: 0, y: headHeight + rowHeight * i + rowHeight }));
    node.out.forEach((port, i) => layout.ports.set(`${fragment}:${port.name}`, { x: size.width, y: headHeight + rowHeight * i + rowHeight }));
  }
  return size;
}

/** broken cuts columns that would make the drawing much higher than wide into several beside each other. */
function broken(columns: readonly (Item[] | undefined)[], items: readonly Item[]): Item[][] {
  const area = items.reduce((sum, i) => sum + (i.width + gapX) * (i.height + gapY), 0);
  const most = Math.max(1500, 1.2 * Math.sqrt(area));
  const cut: Item[][] = [];
  for (const column of columns) {
    let height = Infinity;
    for (const i of column ?? []) {
      height += i.height + gapY;
      if (height > most) {
        cut.push([]);
        height = i.height + gapY;
      }
      cut[cut.length - 1]?.push(i);
    }
  }
  return cut;
}

/** rank finds the column of each item. An item that is executed before its inputs, such as a Pre, is fed from the right. */
function rank(graph: Drawable, items: Item[], into: Map<Item, Item[]>) {
  const orderOf = (i: Item) => (i.node === root ? Infinity : (graph.nodes[i.node]?.order ?? (graph.nodes[i.node]?.constant ? -1 : i.node)));
  const sorted = [...items].sort((a, b) => orderOf(a) - orderOf(b));
  const seen = new Set<Item>();
  for (const i of sorted) {
    for (const from of into.get(i) ?? []) if (seen.has(from)) i.rank = Math.max(i.rank, from.rank + 1);
    seen.add(i);
  }
}

/** order sorts each column by the mean place of the neighbours in the others, from the left and from the right in turn. */
function order(columns: Item[][], into: Map<Item, Item[]>, outOf: Map<Item, Item[]>) {
  const number = (column: Item[]) => column.forEach((i, k) => (i.place = k / column.length));
  columns.forEach(number);
  for (let round = 0; round < rounds; round++) {
    const neighbours = round % 2 === 0 ? into : outOf;
    for (const column of round % 2 === 0 ? columns : [...columns].reverse()) {
      if (!column) continue;
      const mean = new Map(column.map((i) => {
        const list = neighbours.get(i) ?? [];
        return [i, list.length === 0 ? i.place : list.reduce((sum, n) => sum + n.place, 0) / list.length];
      }));
      column.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0));
      number(column);
    }
  }
}

/** corner is the upper left corner of a box in the whole drawing. */
export function corner(graph: Drawable, layout: Layout, node: number): Point {
  const at = { x: 0, y: 0 };
  for (let i = node; i > root; i = graph.nodes[i]?.parent ?? root) {
    const box = layout.boxes.get(nodeId(i));
    at.x += box?.x ?? 0;
    at.y += box?.y ?? 0;
  }
  return at;
}

export function portAt(graph: Drawable, layout: Layout, node: number, port: string, right: boolean): Point | null {
  if (node === root) {
    const box = layout.boxes.get(rootPortId(port));
    return box ? { x: box.x, y: box.y + box.height / 2 } : null;
  }
  const of = graph.nodes[node];
  const box: Box | undefined = layout.boxes.get(nodeId(node));
  if (!of || !box) return null;
  const at = corner(graph, layout, node);
  const own = layout.ports.get(`${node}:${port}`);
  if (own) return { x: at.x + own.x, y: at.y + own.y };
  const ports = right ? of.out : inPorts(of);
  const row = Math.max(0, ports.findIndex((p) => p.name === port));
  return { x: at.x + (right ? box.width : 0), y: at.y + headOf(of) + rowHeight * row + rowHeight / 2 };
}
