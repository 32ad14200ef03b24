import type { EndOfLink, Graph, Link, Node } from "../wire";

/** Drawable is a graph as it is drawn: nodes may be hidden in the formula of another one. Nodes keep their places in the list. */
export interface Drawable extends Graph {
  nodes: DrawnNode[];
  hidden: ReadonlySet<number>;
  original: number[]; // by link: its place in the graph that was folded
}

/** DrawnNode is a node that may show the formula of what is folded into it. */
export interface DrawnNode extends Node {
  text?: string;
  terms?: EndOfLink[]; // by in port, except for inActive
}

/** plain is a graph as it is written. */
export const plain = (graph: Graph): Drawable => ({ ...graph, hidden: new Set(), original: graph.links.map((_, i) => i) });

/**
 * fold puts operators into the formula of the only operator that reads them (§7.7.2), which is drawn as a box with its formula; inputs of the
 * formula are links to the box. Formulas of the nodes in apart are not folded.
 */
export function fold(graph: Graph, apart: ReadonlySet<number>): Drawable {
  const into = new Map<number, number>(); // operator: the node that has the formula
  graph.nodes.forEach((node, i) => {
    if (!node.formula || apart.has(i)) return;
    into.set(i, i);
    for (const part of node.formula.parts ?? []) if (!isConstant(graph, part)) into.set(part, i);
  });
  const hidden = hiddenIn(graph, into);
  const nodes = graph.nodes.map((node, i): DrawnNode => (into.get(i) === i && node.formula ? folded(graph, node) : node));
  const links: Link[] = [];
  const original: number[] = [];
  const seen = new Set<string>();
  graph.links.forEach((link, i) => {
    const at = into.get(link.to.node);
    if (at === undefined || link.to.port === "inActive") {
      links.push(link);
      original.push(i);
      return;
    }
    const terms = graph.nodes[at]?.formula?.terms ?? [];
    if (!terms.some((term) => same(term, link.from))) return; // it stands in the text
    const port = nameOf(graph, graph.nodes[at]?.parent ?? 0, link.from);
    const key = `${at} ${port}`;
    if (seen.has(key)) return;
    seen.add(key);
    links.push({ ...link, to: { node: at, port } });
    original.push(i);
  });
  return { ...graph, nodes, links, hidden, original };
}

const same = (a: EndOfLink, b: EndOfLink) => a.node === b.node && a.port === b.port;

/** isConstant reports whether a part of a formula is a constant, which has no inputs and may have other readers. */
const isConstant = (graph: Graph, node: number) => graph.nodes[node]?.in.length === 0;

/** hiddenIn returns the nodes without a box: parts of formulas, and constants that only formulas read. */
function hiddenIn(graph: Graph, into: Map<number, number>): Set<number> {
  const hidden = new Set<number>();
  const constants = new Set<number>();
  for (const [part, at] of into) {
    if (part !== at) hidden.add(part);
    else for (const p of graph.nodes[at]?.formula?.parts ?? []) if (isConstant(graph, p)) constants.add(p);
  }
  for (const link of graph.links) {
    const at = into.get(link.to.node);
    const inText = at !== undefined && link.to.port !== "inActive" && (graph.nodes[at]?.formula?.parts ?? []).includes(link.from.node);
    if (!inText) constants.delete(link.from.node);
  }
  for (const c of constants) hidden.add(c);
  return hidden;
}

function folded(graph: Graph, node: Node): DrawnNode {
  const terms = node.formula?.terms ?? [];
  const ports = terms.map((end) => ({ name: nameOf(graph, node.parent, end), type: typeOf(graph, end) }));
  return { ...node, text: node.formula?.text ?? "", terms, in: ports };
}

/** nameOf returns the name of an end of a link in formulas of a fragment. */
export function nameOf(graph: Graph, fragment: number, end: EndOfLink): string {
  if (end.node === fragment) return end.port;
  const path = graph.nodes[end.node]?.path ?? "";
  const around = graph.nodes[fragment]?.path ?? "";
  return `${around !== "" && path.startsWith(`${around}.`) ? path.slice(around.length + 1) : path}.${end.port}`;
}

function typeOf(graph: Graph, end: EndOfLink): string {
  const node = graph.nodes[end.node];
  return [...(node?.out ?? []), ...(node?.in ?? [])].find((port) => port.name === end.port)?.type ?? "";
}

/** lines breaks a formula before its operators into short lines. */
export function lines(text: string, most = lineLength): string[] {
  const list: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > most) {
      list.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  list.push(line);
  return list;
}

export const lineLength = 40;

/** holder returns the node whose formula hides a node, or the node itself. */
export function holder(graph: Drawable, node: number): number {
  if (!graph.hidden.has(node)) return node;
  return graph.nodes.findIndex((n) => n.text !== undefined && (n.formula?.parts ?? []).includes(node));
}

/** isMarked reports whether a node, or what is folded into it, is among those at full strength. */
export function isMarked(graph: Drawable, marked: ReadonlySet<number>, id: number): boolean {
  if (marked.has(id)) return true;
  const node = graph.nodes[id];
  return node?.text !== undefined && (node.formula?.parts ?? []).some((part) => marked.has(part));
}
