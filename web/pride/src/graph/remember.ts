import type { Graph } from "../wire";
import { Places } from "./steady";

/** Memory is what a page remembers of the drawing of a net, for the next visit and the next version of the net. */
export interface Memory {
  places: Places;
  open: Set<string>; // fragments, by their paths
  apart: Set<string>; // formulas that are taken apart
  folding: boolean;
}

/** foldFrom is the number of nodes from which a net is first shown with formulas. */
const foldFrom = 60;

const memories = new Map<string, Memory>();

/** memoryOf returns the memory of a net: nets with the same description count as versions of one net. */
export function memoryOf(graph: Graph): Memory {
  const key = graph.description ? `description ${graph.description}` : `net ${graph.net}`;
  let memory = memories.get(key);
  if (!memory) {
    memory = { places: new Places(), open: new Set(), apart: new Set(), folding: graph.nodes.length >= foldFrom };
    memories.set(key, memory);
  }
  return memory;
}

/** nodesAt are the nodes that have these paths in a version of a net. */
export function nodesAt(graph: Graph, paths: ReadonlySet<string>): Set<number> {
  const nodes = new Set<number>();
  if (paths.size > 0) graph.nodes.forEach((node, i) => paths.has(node.path) && i > 0 && nodes.add(i));
  return nodes;
}
