import ELK, { type ElkExtendedEdge, type ElkNode, type ElkPort } from "elkjs/lib/elk-api";
import workerAddress from "elkjs/lib/elk-worker.min.js?url";

import type { Drawable, DrawnNode } from "./fold";
import { headHeight, headOf, heightOf, inPorts, rowHeight, widest, widthOf } from "./measure";
import { container, nodeId, root, rootPortId, shown } from "./model";
import type { Point } from "./path";

/** Box is where a node is drawn, from the upper left corner of what it stands in. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Layout is where everything is drawn that is shown; points of links are those of the whole drawing. */
export interface Layout {
  boxes: Map<string, Box>;
  ports: Map<string, Point>; // of open fragments, from the corner of the fragment
  ways: Map<number, Point[]>;
  open: ReadonlySet<number>;
  careful: boolean; // made by the engine
}

const padding = 14;

const engine = new ELK({ workerFactory: () => new Worker(workerAddress) });

/** layOut finds places for what is shown, in a thread of its own. */
export async function layOut(graph: Drawable, open: ReadonlySet<number>): Promise<Layout> {
  const made = await engine.layout(elkOf(graph, open));
  const layout: Layout = { boxes: new Map(), ports: new Map(), ways: new Map(), open, careful: true };
  const take = (node: ElkNode) => {
    for (const child of node.children ?? []) {
      layout.boxes.set(child.id, { x: child.x ?? 0, y: child.y ?? 0, width: child.width ?? 0, height: child.height ?? 0 });
      if (child.children) for (const port of child.ports ?? []) layout.ports.set(port.id, { x: port.x ?? 0, y: port.y ?? 0 });
      take(child);
    }
    for (const edge of node.edges ?? []) {
      const section = edge.sections?.[0];
      if (section) layout.ways.set(Number(edge.id.slice(1)), [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]);
    }
  };
  take(made);
  return layout;
}

// Each fragment is laid out by itself: no link passes its edge but through a port. All of them at once would fail for nets such as that of the
// demonstration, with the order of the text taken into account.
const options = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.hierarchyHandling": "SEPARATE_CHILDREN",
  "elk.json.edgeCoords": "ROOT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "48",
  "elk.spacing.nodeNode": "20",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.crossingMinimization.forceNodeModelOrder": "false",
};

/** elkOf is what is shown, in the words of the layout engine. */
export function elkOf(graph: Drawable, open: ReadonlySet<number>): ElkNode {
  const what = shown(graph, open);
  const top: ElkNode = { id: nodeId(root), layoutOptions: options, children: [], edges: [] };
  const nodes = new Map<number, ElkNode>([[root, top]]);
  for (const id of what.nodes) {
    const node = graph.nodes[id];
    if (!node) continue;
    const made = open.has(id) ? fragmentOf(id, node) : boxOf(id, node);
    nodes.set(id, made);
    nodes.get(node.parent)?.children?.push(made);
  }
  for (const port of graph.nodes[root]?.out ?? []) {
    top.children?.push({ id: rootPortId(port.name), width: 20 + 7 * port.name.length, height: 26 });
  }
  for (const i of what.links) {
    const link = graph.links[i];
    if (!link) continue;
    const edge: ElkExtendedEdge = { id: `e${i}`, sources: [portId(link.from.node, link.from.port)], targets: [portId(link.to.node, link.to.port)] };
    nodes.get(container(graph, link))?.edges?.push(edge);
  }
  return top;
}

/** portId names a port; those of the net itself are drawn as boxes. */
export const portId = (node: number, port: string): string => (node === root ? rootPortId(port) : `${node}:${port}`);

function ports(id: number, node: DrawnNode): ElkPort[] {
  const port = (side: "WEST" | "EAST") => (p: { name: string }, i: number): ElkPort => ({
    id: portId(id, p.name),
    width: 1,
    height: 1,
    x: side === "WEST" ? 0 : widthOf(node) - 1,
    y: headOf(node) + rowHeight * i + rowHeight / 2,
    layoutOptions: { "elk.port.side": side, "elk.port.index": String(i) },
  });
  return [...inPorts(node).map(port("WEST")), ...node.out.map(port("EAST"))];
}

function boxOf(id: number, node: DrawnNode): ElkNode {
  return {
    id: nodeId(id),
    width: widthOf(node),
    height: heightOf(node),
    ports: ports(id, node),
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
  };
}

function fragmentOf(id: number, node: DrawnNode): ElkNode {
  return {
    id: nodeId(id),
    children: [],
    edges: [],
    ports: ports(id, node).map(({ x: _x, y: _y, ...port }) => port),
    layoutOptions: {
      ...options,
      "elk.portConstraints": "FIXED_ORDER",
      "elk.padding": `[top=${headHeight + padding},left=${padding + widest(node.in)},bottom=${padding},right=${padding + widest(node.out)}]`,
    },
  };
}
