import { expect, test } from "vitest";

import type { Node } from "../wire";
import { plain, type Drawable } from "./fold";
import { bounds, hit, placed } from "./placed";
import { layOutQuickly } from "./quick";

const node = (name: string, parent: number, fragment: boolean, order: number): Node => ({
  path: name, name, parent, line: 1, column: 1, order, ...(fragment ? { fragment } : { type: "Core::DoubleAdd" }),
  in: [{ name: "inFirst", type: "double" }, { name: "inSecond", type: "double" }], out: [{ name: "outValue", type: "double" }],
});

/** made is a net with fragments in fragments, in which everybody is fed by two others. */
function made(size: number): Drawable {
  const graph = plain({ net: "n", uri: "", cycle: "", types: {}, nodes: [{ ...node("", -1, true, -1), out: [] }], links: [] });
  let seed = 1;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 1; i <= size; i++) {
    const fragments = graph.nodes.map((n, k) => (n.fragment ? k : -1)).filter((k) => k >= 0);
    const parent = fragments[random(fragments.length)] ?? 0;
    graph.nodes.push(node(`n${i}`, parent, random(8) === 0, i));
    const beside = graph.nodes.map((n, k) => (n.parent === parent && k !== i ? k : -1)).filter((k) => k >= 0);
    for (const port of ["inFirst", "inSecond"]) {
      const from = beside[random(Math.max(1, beside.length))];
      if (from !== undefined) graph.links.push({ from: { node: from, port: "outValue" }, to: { node: i, port }, type: "double" });
      else if (parent !== 0) graph.links.push({ from: { node: parent, port: "inFirst" }, to: { node: i, port }, type: "double" });
    }
  }
  return graph;
}

test("no boxes overlap, and fragments hold what is in them", () => {
  const graph = made(300);
  const open = new Set(graph.nodes.map((n, i) => (n.fragment ? i : 0)).filter((i) => i > 0));
  const list = placed(graph, layOutQuickly(graph, open));
  expect(list.length).toBe(300);
  const at = new Map(list.map((b) => [b.node, b]));
  for (const a of list) {
    const parent = at.get(graph.nodes[a.node]?.parent ?? 0);
    if (parent) {
      expect(a.x).toBeGreaterThanOrEqual(parent.x);
      expect(a.y).toBeGreaterThanOrEqual(parent.y);
      expect(a.x + a.width).toBeLessThanOrEqual(parent.x + parent.width);
      expect(a.y + a.height).toBeLessThanOrEqual(parent.y + parent.height);
    }
    for (const b of list) {
      if (a.node >= b.node || graph.nodes[a.node]?.parent !== graph.nodes[b.node]?.parent) continue;
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      expect(apart, `${a.name} and ${b.name}`).toBe(true);
    }
  }
});

test("links begin and end at the edges of their boxes", () => {
  const graph = made(100);
  const layout = layOutQuickly(graph, new Set());
  const at = new Map(placed(graph, layout).map((b) => [b.node, b]));
  layout.ways.forEach((points, i) => {
    const link = graph.links[i];
    const from = at.get(link?.from.node ?? -1);
    const to = at.get(link?.to.node ?? -1);
    expect(points[0]?.x).toBe((from?.x ?? 0) + (from?.width ?? 0));
    expect(points.at(-1)?.x).toBe(to?.x);
  });
  expect(layout.ways.size).toBeGreaterThan(10);
});

test("what is fed comes to the right of what feeds it", () => {
  const graph = made(100);
  const layout = layOutQuickly(graph, new Set());
  for (const link of graph.links) {
    const from = layout.boxes.get(String(link.from.node));
    const to = layout.boxes.get(String(link.to.node));
    if (from && to && link.from.node < link.to.node) expect(from.x).toBeLessThan(to.x);
  }
});

test("the innermost box at a point is hit", () => {
  const graph = made(50);
  const open = new Set(graph.nodes.map((n, i) => (n.fragment ? i : 0)).filter((i) => i > 0));
  const list = placed(graph, layOutQuickly(graph, open));
  for (const b of list.filter((b) => !b.open)) expect(hit(list, b.x + 1, b.y + 1)).toBe(b.node);
  const all = bounds(list);
  expect(hit(list, all.x - 1, all.y - 1)).toBe(null);
});
