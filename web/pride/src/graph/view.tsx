import { Background, ControlButton, Controls, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, type Edge, type Node as FlowNode } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useCallback, useEffect, useMemo, useState } from "react";

import { useAnswer } from "../daemon";
import { Trouble } from "../trouble";
import type { Graph } from "../wire";
import { Details } from "./details";
import { edgeTypes, nodeTypes, type BoxData, type WayData } from "./drawn";
import { layOut, portId, type Layout } from "./layout";
import { ancestors, container, feeders, nodeId, reach, root, rootPortId, shown } from "./model";
import { Far, useFar } from "./far";
import { bounds, hit, placed } from "./placed";
import { layOutQuickly } from "./quick";
import { Search } from "./search";

/** Reach is how far from the node that is selected others are shown at full strength. */
export interface Reach {
  steps: number;
  backward: boolean;
}

/** mostCareful is how many boxes are laid out with care, which takes the longer the more there are. */
const mostCareful = 400;

export default function GraphView({ net, at }: { net: string; at?: string | undefined }) {
  const { answer, error } = useAnswer<Graph>(`/nets/${encodeURIComponent(net)}/graph`);
  return (
    <section className="graph" aria-label={`Net ${net}`}>
      <Trouble error={error} />
      {answer && (
        <ReactFlowProvider>
          <Drawing graph={answer} at={at} />
        </ReactFlowProvider>
      )}
      {!answer && !error && <p role="status">Loading…</p>}
    </section>
  );
}

/** Drawing draws a net, and shows the node at a path if there is one. */
function Drawing({ graph, at }: { graph: Graph; at: string | undefined }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [layout, setLayout] = useState<Layout | null>(null);
  const [selected, setSelected] = useState<number | null>(null);
  const [reached, setReached] = useState<Reach | null>(null);
  const [target, setTarget] = useState<number | null>(null);
  const flow = useReactFlow();

  useEffect(() => {
    let current = true;
    if (shown(graph, open).nodes.length > mostCareful) {
      setLayout(layOutQuickly(graph, open));
      return;
    }
    layOut(graph, open).then(
      (made) => current && setLayout(made),
      () => current && setLayout(layOutQuickly(graph, open)), // the engine cannot do it, or has no worker here
    );
    return () => {
      current = false;
    };
  }, [graph, open]);

  const toggle = useCallback((node: number) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(node)) after.add(node);
      return after;
    });
  }, []);

  const goTo = useCallback(
    (node: number) => {
      const around = ancestors(graph, node).filter((fragment) => fragment !== root);
      setOpen((before) => (around.every((fragment) => before.has(fragment)) ? before : new Set([...before, ...around])));
      setSelected(node);
      setTarget(node);
    },
    [graph],
  );

  useEffect(() => {
    const node = at === undefined ? -1 : graph.nodes.findIndex((n) => n.path === at);
    if (node >= 0) goTo(node);
  }, [graph, at, goTo]);

  const of = useMemo(() => feeders(graph), [graph]);
  const marked = useMemo(
    () => (selected !== null && reached !== null ? reach(of, selected, reached.steps, reached.backward) : null),
    [of, selected, reached],
  );
  const list = useMemo(() => (layout ? placed(graph, layout) : []), [graph, layout]);
  const far = useFar(list);
  const nodes = useMemo(() => (layout && !far ? boxes(graph, layout, selected, marked, toggle) : []), [graph, layout, far, selected, marked, toggle]);
  const edges = useMemo(() => (layout && !far ? links(graph, layout, selected, marked) : []), [graph, layout, far, selected, marked]);

  const seeAll = useCallback(() => void flow.fitBounds(bounds(list), { padding: 0.05 }), [flow, list]);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (seen || layout === null || !flow.viewportInitialized) return;
    setSeen(true);
    seeAll();
  }, [seen, layout, flow, seeAll]);

  useEffect(() => {
    const box = target === null ? undefined : list.find((b) => b.node === target);
    if (!box) return;
    setTarget(null);
    const around = 300;
    void flow.fitBounds({ x: box.x - around, y: box.y - around, width: box.width + 2 * around, height: box.height + 2 * around });
  }, [target, list, flow]);

  return (
    <div className="drawing">
      <Search graph={graph} goTo={goTo} />
      <div className="canvas" data-ready={layout !== null} data-far={far} data-careful={layout?.careful}>
        {layout && (
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodeClick={(_, node) => setSelected(node.data["id"] as number)}
            onNodeDoubleClick={(_, node) => graph.nodes[node.data["id"] as number]?.fragment && toggle(node.data["id"] as number)}
            onPaneClick={(e) => {
              const at = flow.screenToFlowPosition({ x: e.clientX, y: e.clientY });
              setSelected(far ? hit(list, at.x, at.y) : null);
            }}
            nodesDraggable={false}
            nodesConnectable={false}
            elementsSelectable={false}
            zoomOnDoubleClick={false}
            onlyRenderVisibleElements
            minZoom={0.02}
            maxZoom={3}
            colorMode="system"
            proOptions={{ hideAttribution: true }}
          >
            {far && <Far graph={graph} layout={layout} list={list} selected={selected} marked={marked} />}
            <Background />
            <Controls showInteractive={false} showFitView={false}>
              <ControlButton onClick={seeAll} title="See all" aria-label="See all"><svg viewBox="0 0 16 16"><path d="M1 5V1h4v2H3v2zm10-4h4v4h-2V3h-2zM1 11h2v2h2v2H1zm12 0h2v4h-4v-2h2z" /></svg></ControlButton>
            </Controls>
            {!far && <MiniMap pannable zoomable ariaLabel="Map of the net" />}
          </ReactFlow>
        )}
      </div>
      {selected !== null && (
        <Details graph={graph} node={selected} open={open.has(selected)} reach={reached} setReach={setReached} goTo={goTo} toggle={toggle} close={() => setSelected(null)} />
      )}
    </div>
  );
}

function boxes(graph: Graph, layout: Layout, selected: number | null, marked: Set<number> | null, toggle: (node: number) => void): FlowNode[] {
  const list: FlowNode[] = [];
  const add = (id: string, box: { x: number; y: number; width: number; height: number }, type: string, parent: number, data: BoxData) => {
    list.push({
      id,
      type,
      position: { x: box.x, y: box.y },
      width: box.width,
      height: box.height,
      data: { ...data },
      ...(parent !== root && { parentId: nodeId(parent) }),
    });
  };
  for (const id of shown(graph, layout.open).nodes) {
    const node = graph.nodes[id];
    const box = layout.boxes.get(nodeId(id));
    if (!node || !box) continue;
    const dim = marked !== null && !marked.has(id) && !node.fragment;
    const data: BoxData = { id, node, selected: selected === id, dim, toggle };
    if (layout.open.has(id)) {
      data.places = new Map([...node.in, ...node.out].map((port) => [port.name, layout.ports.get(portId(id, port.name))?.y ?? 0]));
    }
    add(nodeId(id), box, layout.open.has(id) ? "fragment" : "box", node.parent, data);
  }
  const net = graph.nodes[root];
  for (const port of net?.out ?? []) {
    const box = layout.boxes.get(rootPortId(port.name));
    if (net && box) add(rootPortId(port.name), box, "end", root, { id: root, node: net, port: port.name, selected: false, dim: marked !== null, toggle });
  }
  return list;
}

function links(graph: Graph, layout: Layout, selected: number | null, marked: Set<number> | null): Edge[] {
  const list: Edge[] = [];
  for (const i of shown(graph, layout.open).links) {
    const link = graph.links[i];
    const points = layout.ways.get(i);
    if (!link || !points) continue;
    const source = link.source ?? link.from;
    const data: WayData = {
      points,
      type: link.type,
      strong: selected !== null && (link.from.node === selected || link.to.node === selected),
      dim: marked !== null && !(marked.has(source.node) && (marked.has(link.to.node) || graph.nodes[link.to.node]?.fragment === true)),
    };
    const within = container(graph, link);
    list.push({
      id: `e${i}`,
      type: "way",
      source: link.from.node === root ? rootPortId(link.from.port) : nodeId(link.from.node),
      target: link.to.node === root ? rootPortId(link.to.port) : nodeId(link.to.node),
      sourceHandle: link.from.node === within && within !== root ? `${link.from.port}/within` : link.from.port,
      targetHandle: link.to.node === within && within !== root ? `${link.to.port}/within` : link.to.port,
      data: { ...data },
    });
  }
  return list;
}
