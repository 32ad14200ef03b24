import { Background, ControlButton, Controls, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, type Edge, type Node as FlowNode } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";

import { useAnswer } from "../daemon";
import { useTopic } from "../topics";
import { Trouble } from "../trouble";
import type { Graph } from "../wire";
import { Details } from "./details";
import { edgeTypes, nodeTypes, type BoxData, type WayData } from "./drawn";
import { Far, useFar } from "./far";
import { useSight, within } from "./sight";
import { fold, holder, isMarked, plain, type Drawable } from "./fold";
import { costOf, mostCost, nanoseconds } from "./cost";
import { directionOf, neighbour, next } from "./keys";
import { layOut, portId, type Layout } from "./layout";
import { Live } from "./values";
import { ancestors, container, feeders, nodeId, reach, root, rootPortId, shown } from "./model";
import { bounds, hit, placed, type Placed } from "./placed";
import { layOutQuickly } from "./quick";
import { memoryOf, nodesAt } from "./remember";
import { Search } from "./search";
import { Places, steady } from "./steady";
import { Tools, type Look } from "./tools";

/** Reach is how far from the selected node others are shown at full strength. */
export interface Reach {
  steps: number;
  backward: boolean;
}

/** mostCareful is how many boxes at most are laid out with care, which takes long for many. */
const mostCareful = 400;

/** mostAtOnce is how many boxes the page can have as elements; of more, only those in sight and around are. */
const mostAtOnce = 250;

export default function GraphView({ net, at }: { net: string; at?: string | undefined }) {
  const { answer, error } = useAnswer<Graph>(`/nets/${encodeURIComponent(net)}/graph`);
  const { rows } = useTopic("nets");
  const state = rows === null ? "" : (rows.get(net)?.state ?? "gone");
  return (
    <section className="graph" aria-label={`Net ${net}`}>
      <Trouble error={error} />
      {answer && (
        <ReactFlowProvider>
          <Drawing graph={answer} state={state} at={at} />
        </ReactFlowProvider>
      )}
      {!answer && !error && <p role="status">Loading…</p>}
    </section>
  );
}

/** useLayout lays out what is shown, in a thread of its own unless there are too many boxes. Boxes keep their places. */
function useLayout(graph: Drawable, open: ReadonlySet<number>, places: Places): { graph: Drawable; layout: Layout } | null {
  const [drawn, setDrawn] = useState<{ graph: Drawable; layout: Layout } | null>(null);
  useEffect(() => {
    let current = true;
    const show = (fresh: Layout) => current && setDrawn({ graph, layout: steady(graph, open, fresh, places) });
    if (shown(graph, open).nodes.length > mostCareful) show(layOutQuickly(graph, open));
    else layOut(graph, open).then(show, () => show(layOutQuickly(graph, open))); // the engine cannot do it, or has no worker here
    return () => {
      current = false;
    };
  }, [graph, open, places]);
  return drawn; // the drawing stays until the next layout is ready
}

function Drawing({ graph: written, state, at }: { graph: Graph; state: string; at: string | undefined }) {
  const memory = useMemo(() => memoryOf(written), [written]);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => nodesAt(written, memory.open));
  const [apart, setApart] = useState<ReadonlySet<number>>(() => nodesAt(written, memory.apart));
  const [look, setLook] = useState<Look>({ formulas: memory.folding, order: false, costs: false, values: true });
  const [places, setPlaces] = useState(memory.places);
  const [selected, setSelected] = useState<number | null>(null);
  const [reached, setReached] = useState<Reach | null>(null);
  const [target, setTarget] = useState<number | null>(null);
  const [wanted, setWanted] = useState<number | null>(null); // in sight
  const [unseen, setUnseen] = useState<string | null>(null); // why there are no values
  const canvas = useRef<HTMLDivElement>(null);
  const flow = useReactFlow();

  const graph = useMemo(() => (look.formulas ? fold(written, apart) : plain(written)), [written, look.formulas, apart]);
  const drawn = useLayout(graph, open, places);
  const layout = drawn?.graph === graph ? drawn.layout : null;

  useEffect(() => {
    const paths = (nodes: ReadonlySet<number>) => new Set([...nodes].map((node) => written.nodes[node]?.path ?? ""));
    Object.assign(memory, { open: paths(open), apart: paths(apart), folding: look.formulas, places });
  }, [memory, written, open, apart, look.formulas, places]);

  const toggle = useCallback((node: number) => setOpen((before) => toggled(before, node)), []);
  const takeApart = useCallback((node: number) => setApart((before) => toggled(before, node)), []);
  const tidy = useCallback(() => setPlaces(new Places()), []);
  const changeLook = useCallback((to: Look) => {
    setLook((before) => {
      if (before.formulas !== to.formulas) setPlaces(new Places());
      return to;
    });
  }, []);

  const goTo = useCallback(
    (node: number) => {
      const around = ancestors(graph, node).filter((fragment) => fragment !== root);
      setOpen((before) => (around.every((fragment) => before.has(fragment)) ? before : new Set([...before, ...around])));
      const held = holder(graph, node);
      if (held !== node && held >= 0) setApart((before) => new Set([...before, held]));
      setSelected(node);
      setTarget(node);
    },
    [graph],
  );

  const of = useMemo(() => feeders(written), [written]);
  const [shownAt, setShownAt] = useState<{ of: Graph; at: string } | null>(null);
  if (at !== undefined && (shownAt?.at !== at || shownAt.of !== written)) {
    setShownAt({ of: written, at });
    const node = written.nodes.findIndex((n) => n.path === at);
    if (node >= 0) goTo(node);
  }

  const marked = useMemo(
    () => (selected !== null && reached !== null ? reach(of, selected, reached.steps, reached.backward) : null),
    [of, selected, reached],
  );
  const list = useMemo(() => (drawn ? placed(drawn.graph, drawn.layout) : []), [drawn]);
  const far = useFar(list);
  const sight = useSight(!far && list.length > mostAtOnce);
  const near = useMemo(() => within(list, sight), [list, sight]);
  const nodes = useMemo(() => (drawn && !far ? boxes(drawn.graph, drawn.layout, near, selected, marked, look, toggle) : []), [drawn, far, near, selected, marked, look, toggle]);
  const edges = useMemo(() => (drawn && !far ? links(drawn.graph, drawn.layout, near, selected, marked) : []), [drawn, far, near, selected, marked]);

  const seeAll = useCallback(() => void flow.fitBounds(bounds(list), { padding: 0.05 }), [flow, list]);
  const [seen, setSeen] = useState<Places | null>(null);
  useEffect(() => {
    if (seen === places || layout === null || !flow.viewportInitialized) return;
    setSeen(places);
    seeAll();
  }, [seen, places, layout, flow, seeAll]);

  useEffect(() => {
    const box = target === null ? undefined : list.find((b) => b.node === target);
    if (!box) return;
    setTarget(null);
    const around = 300;
    void flow.fitBounds({ x: box.x - around, y: box.y - around, width: box.width + 2 * around, height: box.height + 2 * around });
  }, [target, list, flow]);

  useEffect(() => { // when there is less room for the drawing, as it stands beside the node that is selected
    if (wanted === null || !canvas.current) return;
    bringIn(flow, list.find((b) => b.node === wanted), canvas.current);
    setWanted(null);
  }, [wanted, list, flow]);

  const press = (e: KeyboardEvent<HTMLElement>) => {
    if (e.target !== e.currentTarget || e.ctrlKey || e.metaKey || e.altKey) return;
    const direction = directionOf(e.key);
    const step = e.key === "n" || e.key === "p" ? next(list, selected, e.key === "p") : direction ? neighbour(list, selected, direction) : null;
    if (step !== null) {
      setSelected(step);
      setWanted(step);
    } else if (e.key === "Enter" && selected !== null) {
      if (written.nodes[selected]?.fragment) toggle(selected);
      else if (written.nodes[selected]?.formula && look.formulas) takeApart(selected);
    } else if (e.key === "Escape") setSelected(null);
    else if (e.key === "+" || e.key === "-") void (e.key === "+" ? flow.zoomIn() : flow.zoomOut());
    else if (e.key === "0") seeAll();
    else if (!direction) return;
    e.preventDefault();
  };

  return (
    <div className="drawing">
      <div className="bar">
        <Search graph={written} goTo={goTo} />
        <Tools look={look} setLook={changeLook} formulas={written.nodes.some((node) => node.formula)} costs={written.costs} tidy={tidy} />
        {look.values && unseen !== null && <span role="status">No values: {unseen}</span>}
      </div>
      <div
        ref={canvas}
        className="canvas"
        data-ready={layout !== null}
        data-far={far}
        data-careful={layout?.careful}
        tabIndex={0}
        role="application"
        aria-label="Drawing of the net. Arrow keys go from box to box, N and P through all of them, Return opens and closes, plus, minus and 0 zoom."
        onKeyDown={press}
      >
        {drawn && (
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodeClick={(_, node) => setSelected(node.data["id"] as number)}
            onNodeDoubleClick={(_, node) => written.nodes[node.data["id"] as number]?.fragment && toggle(node.data["id"] as number)}
            onPaneClick={(e) => {
              const at = flow.screenToFlowPosition({ x: e.clientX, y: e.clientY });
              setSelected(far ? hit(list, at.x, at.y) : null);
            }}
            onMoveStart={() => moving(canvas.current, true)}
            onMoveEnd={() => moving(canvas.current, false)}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            disableKeyboardA11y
            elementsSelectable={false}
            zoomOnDoubleClick={false}
            minZoom={0.02}
            maxZoom={3}
            colorMode="system"
            proOptions={{ hideAttribution: true }}
          >
            {far && <Far graph={drawn.graph} layout={drawn.layout} list={list} selected={selected} marked={marked} />}
            {!far && <Background />}
            <Controls showInteractive={false} showFitView={false}>
              <ControlButton onClick={seeAll} title="See all" aria-label="See all"><svg viewBox="0 0 16 16"><path d="M1 5V1h4v2H3v2zm10-4h4v4h-2V3h-2zM1 11h2v2h2v2H1zm12 0h2v4h-4v-2h2z" /></svg></ControlButton>
            </Controls>
            {drawn && !far && look.values && <Live net={written.net} state={state} graph={drawn.graph} layout={drawn.layout} list={list} failed={setUnseen} />}
            {!far && list.length <= mostAtOnce && <MiniMap pannable zoomable ariaLabel="Map of the net" />}
          </ReactFlow>
        )}
      </div>
      <p className="spoken" role="status">{selected !== null && said(written, selected, open)}</p>
      {selected !== null && (
        <Details
          graph={written}
          node={selected}
          open={open.has(selected)}
          folded={look.formulas && !apart.has(selected)}
          reach={reached}
          setReach={setReached}
          goTo={goTo}
          toggle={toggle}
          takeApart={look.formulas ? takeApart : null}
          close={() => setSelected(null)}
        />
      )}
    </div>
  );
}

function toggled(set: ReadonlySet<number>, node: number): Set<number> {
  const after = new Set(set);
  if (!after.delete(node)) after.add(node);
  return after;
}

/** moving makes the browser move what it has painted, which is fast, until the movement ends and everything is painted sharp. */
function moving(canvas: HTMLElement | null, on: boolean) {
  canvas?.classList.toggle("moving", on);
}

/** said returns what screen readers say about a node that a key has selected. */
function said(graph: Graph, id: number, open: ReadonlySet<number>): string {
  const node = graph.nodes[id];
  if (!node) return "";
  if (node.fragment) return `${node.path}, ${open.has(id) ? "open" : "closed"} fragment`;
  return `${node.path}, ${node.formula?.text ?? node.type ?? ""}`;
}

/** bringIn moves the drawing until a box is in sight. */
function bringIn(flow: ReturnType<typeof useReactFlow>, box: Placed | undefined, canvas: HTMLElement) {
  if (!box) return;
  const { x, y, zoom } = flow.getViewport();
  const margin = 20;
  const by = (from: number, to: number, size: number) => (from < margin ? margin - from : to > size - margin ? Math.max(size - margin - to, margin - from) : 0);
  const dx = by(box.x * zoom + x, (box.x + box.width) * zoom + x, canvas.clientWidth);
  const dy = by(box.y * zoom + y, (box.y + box.height) * zoom + y, canvas.clientHeight);
  if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom });
}

function boxes(graph: Drawable, layout: Layout, near: ReadonlySet<number> | null, selected: number | null, marked: Set<number> | null, { order, costs }: Look, toggle: (node: number) => void): FlowNode[] {
  const list: FlowNode[] = [];
  const most = costs ? mostCost(graph) : 0;
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
    if (!node || !box || (near && !near.has(id))) continue;
    const dim = marked !== null && !isMarked(graph, marked, id) && !node.fragment;
    const data: BoxData = { id, node, selected: selected === id, dim, order, toggle };
    const cost = costs ? costOf(graph, id) : null;
    if (cost !== null && most > 0) data.cost = { text: nanoseconds(cost), part: cost / most };
    if (layout.open.has(id)) {
      data.places = new Map([...node.in, ...node.out].map((port) => [port.name, layout.ports.get(portId(id, port.name))?.y ?? 0]));
    }
    add(nodeId(id), box, layout.open.has(id) ? "fragment" : "box", node.parent, data);
  }
  const net = graph.nodes[root];
  for (const port of net?.out ?? []) {
    const box = layout.boxes.get(rootPortId(port.name));
    if (net && box) add(rootPortId(port.name), box, "end", root, { id: root, node: net, port: port.name, selected: false, dim: marked !== null, order, toggle });
  }
  return list;
}

function links(graph: Drawable, layout: Layout, near: ReadonlySet<number> | null, selected: number | null, marked: Set<number> | null): Edge[] {
  const list: Edge[] = [];
  for (const i of shown(graph, layout.open).links) {
    const link = graph.links[i];
    const points = layout.ways.get(i);
    if (!link || !points || (near && !((near.has(link.from.node) || link.from.node === root) && (near.has(link.to.node) || link.to.node === root)))) continue;
    const source = link.source ?? link.from;
    const data: WayData = {
      points,
      type: link.type,
      strong: selected !== null && (link.from.node === selected || link.to.node === selected),
      dim: marked !== null && !(marked.has(source.node) && (isMarked(graph, marked, link.to.node) || graph.nodes[link.to.node]?.fragment === true)),
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
