import type { Drawable } from "./fold";
import type { Layout } from "./layout";
import { nodeId, root, rootPortId } from "./model";
import { corner } from "./quick";

/** Placed is a box where it is in the whole drawing. */
export interface Placed {
  node: number;
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  open: boolean;
}

/** placed lists all boxes, outer ones first. */
export function placed(graph: Drawable, layout: Layout): Placed[] {
  const list: Placed[] = [];
  graph.nodes.forEach((node, i) => {
    const box = layout.boxes.get(nodeId(i));
    if (i === root || !box) return;
    list.push({ node: i, name: node.name, ...corner(graph, layout, i), width: box.width, height: box.height, open: layout.open.has(i) });
  });
  list.sort((a, b) => Number(b.open) - Number(a.open) || a.node - b.node);
  for (const port of graph.nodes[root]?.out ?? []) {
    const box = layout.boxes.get(rootPortId(port.name));
    if (box) list.push({ node: root, name: port.name, ...box, open: false });
  }
  return list;
}

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** leastSeen keeps small nets from being drawn larger than life. */
const leastSeen = 600;

/** bounds are those of all boxes. */
export function bounds(list: readonly Placed[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const b of list) {
    left = Math.min(left, b.x);
    top = Math.min(top, b.y);
    right = Math.max(right, b.x + b.width);
    bottom = Math.max(bottom, b.y + b.height);
  }
  if (list.length === 0) return { x: 0, y: 0, width: leastSeen, height: leastSeen };
  const width = Math.max(right - left, leastSeen);
  const height = Math.max(bottom - top, leastSeen);
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

/** hit finds the innermost box at a point of the drawing. */
export function hit(list: readonly Placed[], x: number, y: number): number | null {
  for (let i = list.length - 1; i >= 0; i--) {
    const b = list[i];
    if (b && b.node !== root && x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height) return b.node;
  }
  return null;
}
