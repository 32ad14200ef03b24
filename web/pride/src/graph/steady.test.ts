import { expect, test } from "vitest";

import type { Graph, Node } from "../wire";
import { plain, type Drawable } from "./fold";
import { placed, type Placed } from "./placed";
import { layOutQuickly } from "./quick";
import { Places, steady } from "./steady";

const node = (name: string, parent: string, fragment: boolean): Node => ({
  path: parent === "" ? name : `${parent}.${name}`, name, parent: -1, line: 1, column: 1, ...(fragment ? { fragment } : { type: "Core::DoubleAdd" }),
  in: [{ name: "inFirst", type: "double" }, { name: "inSecond", type: "double" }], out: [{ name: "outValue", type: "double" }],
});

/** net makes a graph of names with what feeds them; those that end in / are fragments, and hold what comes behind them with their name. */
function net(text: string): Drawable {
  const nodes: Node[] = [{ ...node("", "", true), path: "", out: [] }];
  const links: Graph["links"] = [];
  const at = (path: string) => nodes.findIndex((n) => n.path === path);
  for (const word of text.trim().split(/\s+/)) {
    const [path = "", feeds = ""] = word.replace("/", "").split("=");
    const parent = path.split(".").slice(0, -1).join(".");
    nodes.push({ ...node(path.split(".").at(-1) ?? "", parent, word.includes("/")), parent: at(parent) });
    feeds.split(",").filter((f) => f !== "").forEach((f, i) => {
      links.push({ from: { node: at(f), port: "outValue" }, to: { node: nodes.length - 1, port: i === 0 ? "inFirst" : "inSecond" }, type: "double" });
    });
  }
  return plain({ net: "n", uri: "", cycle: "", types: {}, nodes, links });
}

const draw = (graph: Drawable, places: Places, ...open: string[]): Map<string, Placed> => {
  const set = new Set(graph.nodes.map((n, i) => (open.includes(n.path) ? i : -1)).filter((i) => i >= 0));
  const list = placed(graph, steady(graph, set, layOutQuickly(graph, set), places));
  return new Map(list.map((b) => [graph.nodes[b.node]?.path ?? "", b]));
};

const text = "a b f/=a f.x f.y=f.x f.z=f.y c=f d=c,b e=d g=e";

/** farthest is the longest way that a box that was there before has moved. */
function farthest(before: Map<string, Placed>, after: Map<string, Placed>): number {
  let far = 0;
  for (const [path, b] of before) {
    const now = after.get(path);
    if (now) far = Math.max(far, Math.hypot(now.x - b.x, now.y - b.y));
  }
  return far;
}

function apart(boxes: Map<string, Placed>) {
  const list = [...boxes].filter(([, b]) => !b.open);
  for (const [p, a] of list) {
    for (const [q, b] of list) {
      if (p < q) expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y, `${p} and ${q}`).toBe(true);
    }
  }
}

test("a primitive that is added moves no other one", () => {
  const places = new Places();
  const before = draw(net(text), places);
  for (const more of ["new", "new=c", "new=d,e", "new=a g2=new", "f.new=f.x"]) {
    const after = draw(net(`${text} ${more}`), places);
    expect(farthest(before, after)).toBe(0);
    apart(after);
  }
  const fed = draw(net(`new ${text.replace("e=d", "e=d,new")}`), places);
  expect(farthest(before, fed)).toBe(0);
  apart(fed);
});

test("a primitive that goes moves no other one", () => {
  const places = new Places();
  const before = draw(net(text), places);
  expect(farthest(before, draw(net("a b f/=a f.x f.y=f.x f.z=f.y c=f e=c g=e"), places))).toBe(0);
});

test("what is new in an open fragment moves nothing in it, and others by as much as it grows", () => {
  const places = new Places();
  const before = draw(net(text), places, "f");
  const after = draw(net(`${text} f.new=f.z f.more=f.z`), places, "f");
  for (const inner of ["f.x", "f.y", "f.z", "a"]) expect(after.get(inner)).toMatchObject({ x: before.get(inner)?.x, y: before.get(inner)?.y });
  const grown = (after.get("f")?.width ?? 0) - (before.get("f")?.width ?? 0);
  expect(grown).toBeGreaterThan(0);
  expect((after.get("c")?.x ?? 0) - (before.get("c")?.x ?? 0)).toBe(grown);
  apart(after);
});

test("a fragment that opens stays where it is, pushes others by as much as it grows, and everything comes back", () => {
  const places = new Places();
  const graph = net(text);
  const closed = draw(graph, places);
  const open = draw(graph, places, "f");
  apart(open);
  const grown = (open.get("f")?.width ?? 0) - (closed.get("f")?.width ?? 0);
  const higher = (open.get("f")?.height ?? 0) - (closed.get("f")?.height ?? 0);
  expect(open.get("f")).toMatchObject({ x: closed.get("f")?.x, y: closed.get("f")?.y });
  expect(farthest(closed, open)).toBeLessThanOrEqual(Math.hypot(grown, higher));
  expect(farthest(closed, draw(graph, places))).toBe(0);
  expect(farthest(open, draw(graph, places, "f"))).toBe(0);
});

test("however fragments open and nets change, no boxes overlap", () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  const places = new Places();
  let all = `p/ p.a p.b=p.a q/=p q.a q.b=q.a q.c=q.b r/=q r.s/ r.s.a r.s.b=r.s.a r.t=r.s u=r`;
  for (let i = 0; i < 60; i++) {
    const graph = net(all);
    apart(draw(graph, places, ...["p", "q", "r", "r.s"].filter(() => random(2) === 0)));
    const within = ["", "p.", "q.", "r.", "r.s."][random(5)] ?? "";
    const beside = graph.nodes.filter((n) => n.path !== "" && n.path.startsWith(within) && !n.path.slice(within.length).includes("."));
    all += ` ${within}n${i}=${beside[random(beside.length)]?.path ?? ""}`;
  }
});

test("a net that is another one is laid out afresh", () => {
  const places = new Places();
  draw(net(text), places);
  const other = net("k l=k m=l n=m a=n o=a");
  const fresh = new Map(placed(other, layOutQuickly(other, new Set())).map((b) => [other.nodes[b.node]?.path ?? "", b]));
  expect(farthest(fresh, draw(other, places))).toBe(0);
});
