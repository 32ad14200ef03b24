import { BaseEdge, Handle, Position, type EdgeProps, type NodeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";

import type { DrawnNode } from "./fold";
import { inPorts, linesOf } from "./measure";
import { path, type Point } from "./path";

/** BoxData is what a box shows. */
export interface BoxData {
  id: number;
  node: DrawnNode;
  port?: string; // of the net itself, which has no box but for its ports
  selected: boolean;
  dim: boolean;
  order: boolean; // of execution is shown
  cost?: { text: string; part: number }; // in a cycle, and as a part of the greatest one
  toggle: (node: number) => void;
  places?: Map<string, number>; // of the ports of an open fragment: how far below its upper edge
}

/** WayData is how a link is drawn. */
export interface WayData {
  points: Point[];
  type: string;
  strong: boolean;
  dim: boolean;
}

const dataOf = (props: NodeProps) => props.data as unknown as BoxData;

const classes = (...names: (string | false)[]) => names.filter((name) => name !== false).join(" ");

function Ports({ node }: { node: DrawnNode }) {
  const rows: ReactNode[] = [];
  const ins = inPorts(node);
  for (let i = 0; i < Math.max(ins.length, node.out.length); i++) {
    const left = ins[i];
    const right = node.out[i];
    rows.push(
      <li key={i}>
        <span className="in">
          {left && <Handle id={left.name} type="target" position={Position.Left} />}
          {left?.name}
        </span>
        <span className="out">
          {right?.name}
          {right && <Handle id={right.name} type="source" position={Position.Right} />}
        </span>
      </li>,
    );
  }
  return <ul className="ports">{rows}</ul>;
}

/** Border is the ports of an open fragment, where links pass through its edge: each has an end outside and one within. */
function Border({ node, places }: { node: DrawnNode; places: Map<string, number> }) {
  const port = (name: string, side: "in" | "out") => {
    const at = side === "in" ? Position.Left : Position.Right;
    return (
      <li key={name} className={side} style={{ top: places.get(name) ?? 0 }}>
        <Handle id={side === "in" ? name : `${name}/within`} type="target" position={at} />
        <Handle id={side === "in" ? `${name}/within` : name} type="source" position={at} />
        {name}
      </li>
    );
  };
  return <ul className="border">{[...node.in.map((p) => port(p.name, "in")), ...node.out.map((p) => port(p.name, "out"))]}</ul>;
}

function Head({ data }: { data: BoxData }) {
  const { node, order } = data;
  return (
    <div className={classes("head", node.text !== undefined && "formula")}>
      <b>{node.name}</b>
      {linesOf(node).map((line, i) => <span key={i}>{line}</span>)}
      {order && node.order !== undefined && node.order !== null && <em className="order" title="Place in the order of execution">{node.order + 1}</em>}
    </div>
  );
}

const BoxOf = memo((props: NodeProps) => {
  const data = dataOf(props);
  const { node, selected, dim } = data;
  return (
    <div data-node={data.id} className={classes("box", node.fragment === true && "folded", node.constant === true && "constant", selected && "selected", dim && "dim")}>
      <Head data={data} />
      <Ports node={node} />
      {data.cost && <div className="cost" title="Takes in each cycle"><i style={{ width: `${Math.min(100, Math.max(2, 100 * data.cost.part))}%` }} /><span>{data.cost.text}</span></div>}
    </div>
  );
});

const FragmentOf = memo((props: NodeProps) => {
  const data = dataOf(props);
  return (
    <div className={classes("box", "fragment", data.selected && "selected", data.dim && "dim")}>
      <Head data={data} />
      <button className="fold nodrag" onClick={() => data.toggle(data.id)} aria-label={`Close ${data.node.path}`}>–</button>
      <Border node={data.node} places={data.places ?? new Map()} />
    </div>
  );
});

const EndOf = memo((props: NodeProps) => {
  const { port, dim } = dataOf(props);
  return (
    <div className={classes("end", dim && "dim")}>
      <Handle id={port ?? null} type="target" position={Position.Left} />
      {port}
    </div>
  );
});

const WayOf = memo((props: EdgeProps) => {
  const { points, type, strong, dim } = props.data as unknown as WayData;
  return <BaseEdge id={props.id} path={path(points)} className={classes("way", strong && "strong", dim && "dim", `type-${type.replace(/[^A-Za-z0-9]/g, "-") || "none"}`)} />;
});

export const nodeTypes = { box: BoxOf, fragment: FragmentOf, end: EndOf };
export const edgeTypes = { way: WayOf };
