import { useStore, useViewport, ViewportPortal } from "@xyflow/react";
import { useEffect, useMemo, useRef, useState } from "react";

import { stream } from "../stream/stream";
import type { Drawable } from "./fold";
import type { Layout } from "./layout";
import { constantsOf, newest, watched, type Value, type Watched } from "./live";
import type { Placed } from "./placed";

/** mostPorts is how many ports are watched at a time: those in sight, the ones in the middle first. */
const mostPorts = 150;
/** rate is how many times a second values come and are written; the least and the greatest value in between are kept. */
const rate = 10;
/** calm is how long the drawing has to stand still until other ports are watched, in ms. */
const calm = 250;

interface Props {
  net: string;
  state: string; // of the net; what runs again is watched again
  graph: Drawable;
  layout: Layout;
  list: readonly Placed[];
  failed: (why: string | null) => void;
}

/**
 * Live writes values to the beginnings of links as they change, and marks boxes that are not executed or give null. Values
 * bypass React, which would compare the whole drawing each time.
 */
export function Live({ net, state, graph, layout, list, failed }: Props) {
  const { x, y, zoom } = useViewport();
  const width = useStore((s) => s.width);
  const height = useStore((s) => s.height);
  const holder = useRef<HTMLDivElement>(null);
  const drawing = useStore((s) => s.domNode);
  const [sight, setSight] = useState({ left: 0, top: 0, right: 0, bottom: 0 });
  useEffect(() => {
    const timer = setTimeout(() => setSight({ left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom }), calm);
    return () => clearTimeout(timer);
  }, [x, y, zoom, width, height]);
  const what = useMemo(() => watched(graph, layout, list, sight, mostPorts), [graph, layout, list, sight]);
  const ports = JSON.stringify(what.ports.map((p) => [p.path, p.port]).sort());
  const values = useRef<Map<string, Value>>(new Map());
  const now = useRef<Watched>(what);
  const paint = useRef(() => {});

  useEffect(() => {
    now.current = what;
    const to = holder.current;
    if (!to) return;
    const spans = new Map<string, HTMLElement[]>();
    to.replaceChildren(...what.labels.map(({ key, at }) => {
      const span = document.createElement("span");
      span.style.transform = `translate(${at.x + 4}px, ${at.y - 15}px)`;
      span.dataset["port"] = key;
      spans.set(key, [...(spans.get(key) ?? []), span]);
      return span;
    }));
    paint.current = () => {
      for (const [key, list] of spans) {
        const value = values.current.get(key);
        for (const span of list) {
          const text = value?.text ?? "";
          if (span.textContent === text) continue;
          span.textContent = text;
          span.dataset["null"] = String(value?.isNull ?? false);
        }
      }
      mark(drawing, now.current, values.current);
    };
    paint.current();
  }, [what, drawing]);

  useEffect(() => () => mark(drawing, null, new Map()), [drawing]);

  useEffect(() => {
    const wanted = (JSON.parse(ports) as [string, string][]).map(([path, port]) => ({ path, port }));
    if (wanted.length === 0) return;
    let frame = 0;
    const show = (more: Map<string, Value>) => {
      for (const [key, value] of more) values.current.set(key, value);
      if (frame === 0) frame = requestAnimationFrame(() => {
        frame = 0;
        paint.current();
      });
    };
    const stop = stream.probe(
      { net, ports: wanted, rate, pixels: 1, window: 1 / rate },
      (samples) => {
        failed(null);
        show(newest(samples));
      },
      (problem) => failed(problem.message),
      (found) => show(constantsOf(found)),
    );
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [net, state, ports, failed]);

  return <ViewportPortal><div ref={holder} className="values" aria-hidden="true" /></ViewportPortal>;
}

/** mark marks each box in sight that is not executed, or whose values are all null. */
function mark(drawing: HTMLElement | null, what: Watched | null, values: ReadonlyMap<string, Value>) {
  for (const box of drawing?.querySelectorAll<HTMLElement>(".box[data-node]") ?? []) {
    const id = Number(box.dataset["node"]);
    const guards = what?.guards.get(id);
    const outs = what?.outs.get(id);
    const inactive = guards?.some((key) => values.has(key) && !values.get(key)?.isTrue) ?? false;
    const isNull = outs !== undefined && outs.length > 0 && outs.every((key) => values.get(key)?.isNull);
    const live = inactive ? "inactive" : isNull ? "null" : "";
    if (box.dataset["live"] !== live) box.dataset["live"] = live;
  }
}
