import type { Graph } from "../wire";
import type { Offered } from "./source";

/** Types whose values are numbers, so that there is something to draw. */
const drawable = /^(bool|int|double|vector|rotation|frame|twist|wrench|array<(bool|int|double)>)$/;

/** offeredBy lists the out ports of a net, those of fragments too. */
export function offeredBy(graph: Graph): Offered[] {
  return graph.nodes.flatMap((node) =>
    node.path === "" ? [] : node.out.filter((port) => drawable.test(port.type)).map((port) => ({ source: { net: graph.net, path: node.path, port: port.name }, text: `${node.path}.${port.name}`, type: port.type })),
  );
}

/** found returns those in which all words occur. */
export function found(all: readonly Offered[], words: string): Offered[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((w) => w !== "");
  return all.filter((o) => {
    const text = `${o.text} ${o.type}`.toLowerCase();
    return wanted.every((w) => text.includes(w));
  });
}
