import type { EndOfLink, Graph, Link, Node } from "../wire";

/** The place of the net itself in the list of nodes. */
export const root = 0;

/** ids of things that are drawn: nodes by their place, ports of the net itself, which has no box, behind it. */
export const nodeId = (node: number): string => String(node);
export const rootPortId = (port: string): string => `${root}:${port}`;

/** ancestors are the fragments around a node, inner ones first, the net itself last. */
export function ancestors(graph: Graph, node: number): number[] {
  const list: number[] = [];
  for (let at = graph.nodes[node]?.parent ?? -1; at >= 0; at = graph.nodes[at]?.parent ?? -1) list.push(at);
  return list;
}

/** container returns the fragment in which a link runs: the one around both ends, or the one whose port is an end. */
export function container(graph: Graph, link: Link): number {
  const parentOf = (end: EndOfLink) => graph.nodes[end.node]?.parent ?? -1;
  if (parentOf(link.to) === link.from.node) return link.from.node;
  if (parentOf(link.from) === link.to.node) return link.to.node;
  if (link.to.node === link.from.node && graph.nodes[link.to.node]?.fragment && isIn(graph, link.from) && !isIn(graph, link.to)) return link.to.node;
  return parentOf(link.to);
}

/** isIn reports whether an end is an in port of its node. */
export function isIn(graph: Graph, end: EndOfLink): boolean {
  const node = graph.nodes[end.node];
  if (!node) return false;
  if (node.in.some((port) => port.name === end.port)) return true;
  return !node.out.some((port) => port.name === end.port);
}

/** Shown is what is drawn when some fragments are open and the others are boxes. */
export interface Shown {
  nodes: number[]; // outer ones before what stands in them
  links: number[];
}

export function shown(graph: Graph & { hidden?: ReadonlySet<number> }, open: ReadonlySet<number>): Shown {
  const depth = new Map([[root, 0]]); // of what is open
  const nodes: { node: number; depth: number }[] = [];
  graph.nodes.forEach((node, i) => { // fragments come before what stands in them
    const around = depth.get(node.parent);
    if (i === root || around === undefined || graph.hidden?.has(i)) return;
    nodes.push({ node: i, depth: around });
    if (open.has(i)) depth.set(i, around + 1);
  });
  nodes.sort((a, b) => a.depth - b.depth || a.node - b.node);
  const links: number[] = [];
  graph.links.forEach((link, i) => {
    if (depth.has(container(graph, link))) links.push(i);
  });
  return { nodes: nodes.map((n) => n.node), links };
}

/** Feeders are the links between primitives, with ports of fragments left out: by the node that they lead to, and by that which they come from. */
export interface Feeders {
  into: Map<number, Link[]>;
  outOf: Map<number, Link[]>;
}

export function feeders(graph: Graph): Feeders {
  const made: Feeders = { into: new Map(), outOf: new Map() };
  const put = (map: Map<number, Link[]>, node: number, link: Link) => {
    const list = map.get(node);
    if (list) list.push(link);
    else map.set(node, [link]);
  };
  for (const link of graph.links) {
    const source = link.source ?? link.from;
    if (source.node < 0 || isFragment(graph, link.to.node)) continue;
    put(made.into, link.to.node, link);
    put(made.outOf, source.node, link);
  }
  return made;
}

const isFragment = (graph: Graph, node: number) => graph.nodes[node]?.fragment ?? false;

/** reach returns the nodes up to a number of steps before a node, or behind it, including itself. */
export function reach(of: Feeders, from: number, steps: number, backward: boolean): Set<number> {
  const found = new Set([from]);
  let border = [from];
  for (let step = 0; step < steps && border.length > 0; step++) {
    const next: number[] = [];
    for (const node of border) {
      for (const link of (backward ? of.into : of.outOf).get(node) ?? []) {
        const other = backward ? (link.source ?? link.from).node : link.to.node;
        if (!found.has(other)) {
          found.add(other);
          next.push(other);
        }
      }
    }
    border = next;
  }
  return found;
}

/** find returns nodes whose path or type contains all words, best first. */
export function find(graph: Graph, words: string, most = 50): number[] {
  const parts = words.toLowerCase().split(/\s+/).filter((part) => part !== "");
  if (parts.length === 0) return [];
  const rank = (node: Node): number => {
    const path = node.path.toLowerCase();
    const type = (node.type ?? "").toLowerCase();
    if (!parts.every((part) => path.includes(part) || type.includes(part))) return -1;
    const name = node.name.toLowerCase();
    return name === parts[0] ? 3 : name.startsWith(parts[0] ?? "") ? 2 : path.includes(parts[0] ?? "") ? 1 : 0;
  };
  const found: { node: number; rank: number }[] = [];
  graph.nodes.forEach((node, i) => {
    const r = i === root ? -1 : rank(node);
    if (r >= 0) found.push({ node: i, rank: r });
  });
  found.sort((a, b) => b.rank - a.rank || a.node - b.node);
  return found.slice(0, most).map((f) => f.node);
}
