import type { Drawable } from "./fold";

/** costOf returns the time of a node in a cycle, in ns, including nodes folded into it, and for a fragment all its nodes. Null if nothing was measured. */
export function costOf(graph: Drawable, id: number): number | null {
  const node = graph.nodes[id];
  if (!node) return null;
  if (node.fragment) return sum(graph.nodes.map((n, i) => (n.parent === id ? costOfWritten(graph, i) : null)));
  return sum([own(graph, id), ...(node.text === undefined ? [] : (node.formula?.parts ?? []).map((part) => own(graph, part)))]);
}

/** costOfWritten is that of a node without what is folded into it, which is counted by itself. */
const costOfWritten = (graph: Drawable, id: number): number | null => (graph.nodes[id]?.fragment ? costOf(graph, id) : own(graph, id));

/** own is the cost of a primitive; what is constant is not executed. */
function own(graph: Drawable, id: number): number | null {
  const node = graph.nodes[id];
  const cost = node?.type === undefined ? undefined : graph.types[node.type]?.cost;
  return cost === undefined || cost === null ? null : node?.constant ? 0 : cost;
}

function sum(costs: (number | null)[]): number | null {
  let all: number | null = null;
  for (const cost of costs) if (cost !== null) all = (all ?? 0) + cost;
  return all;
}

/** mostCost returns the highest cost of a primitive. */
export const mostCost = (graph: Drawable): number => graph.nodes.reduce((most, node, id) => Math.max(most, node.fragment ? 0 : (costOf(graph, id) ?? 0)), 0);

export const nanoseconds = (cost: number): string => (cost >= 1000 ? `${Number((cost / 1000).toPrecision(3))} µs` : `${Number(cost.toPrecision(2))} ns`);
