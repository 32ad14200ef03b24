import { useStore, useViewport } from "@xyflow/react";
import { useEffect, useRef, useSyncExternalStore } from "react";

import { isMarked, type Drawable } from "./fold";
import type { Layout } from "./layout";
import { root } from "./model";
import type { Placed } from "./placed";

/** mostNear is how many boxes are drawn as elements of the page; more are drawn as a picture. */
const mostNear = 120;

/** useFar reports whether there are more boxes in sight than elements of the page can carry. */
export function useFar(list: readonly Placed[]): boolean {
  return useStore((s) => {
    if (list.length <= mostNear) return false;
    const [x, y, zoom] = s.transform;
    let count = 0;
    for (const b of list) {
      const left = b.x * zoom + x;
      const top = b.y * zoom + y;
      if (left < s.width && top < s.height && left + b.width * zoom > 0 && top + b.height * zoom > 0 && ++count > mostNear) return true;
    }
    return false;
  });
}

interface Props {
  graph: Drawable;
  layout: Layout;
  list: readonly Placed[];
  selected: number | null;
  marked: ReadonlySet<number> | null;
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** useDark reports whether colours are those of the dark. */
const useDark = () =>
  useSyncExternalStore(
    (changed) => {
      dark.addEventListener("change", changed);
      return () => dark.removeEventListener("change", changed);
    },
    () => dark.matches,
  );

/** beyond is how much is drawn beyond the visible part on each side, as a part of its size: so far the picture can be moved before it is drawn again. */
const beyond = 0.5;
/** zoomed is how much larger or smaller the picture may be shown than it was drawn, while it moves. */
const zoomed = 1.6;
/** rest is the time in ms without movement after which it is drawn sharp. */
const rest = 120;

interface View {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
}

/**
 * Far draws a net as a picture: boxes that are too small to be read need no elements. While the picture is moved, only its place on the page changes; it is
 * drawn again when its edge comes into sight, and when it stands still.
 */
export function Far({ graph, layout, list, selected, marked }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { x, y, zoom } = useViewport();
  const width = useStore((s) => s.width);
  const height = useStore((s) => s.height);
  const inDark = useDark();
  const drawn = useRef<View | null>(null);

  useEffect(() => {
    drawn.current = null;
  }, [graph, layout, list, selected, marked, inDark]);

  useEffect(() => {
    const c = canvas.current;
    if (!c) return;
    const now: View = { x, y, zoom, width, height };
    const draw = () => {
      picture(c, now, { graph, layout, list, selected, marked });
      drawn.current = now;
      place(c, now, now);
    };
    if (!drawn.current || !place(c, drawn.current, now)) {
      draw();
      return;
    }
    if (drawn.current.x === x && drawn.current.y === y && drawn.current.zoom === zoom) return;
    const timer = setTimeout(draw, rest);
    return () => clearTimeout(timer);
  }, [graph, layout, list, selected, marked, x, y, zoom, width, height, inDark]);

  return <canvas ref={canvas} className="far" role="img" aria-label="The net from afar; zoom in to read it" />;
}

/** place moves a picture that was drawn for one view to where it belongs in another, and reports whether it is still all that is to be seen. */
function place(c: HTMLCanvasElement, was: View, now: View): boolean {
  const scale = now.zoom / was.zoom;
  const [marginX, marginY] = [was.width * beyond, was.height * beyond];
  const left = now.x - (was.x + marginX) * scale;
  const top = now.y - (was.y + marginY) * scale;
  c.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  const sharp = scale < zoomed && scale > 1 / zoomed;
  const covers = left <= 0 && top <= 0 && left + (was.width + 2 * marginX) * scale >= now.width && top + (was.height + 2 * marginY) * scale >= now.height;
  return was.width === now.width && was.height === now.height && sharp && (covers || scale < 1);
}

/** picture draws what is in a view and beyond its edges. */
function picture(c: HTMLCanvasElement, view: View, { graph, layout, list, selected, marked }: Props) {
  const g = c.getContext("2d");
  if (!g) return;
  const { zoom } = view;
  const [width, height] = [view.width * (1 + 2 * beyond), view.height * (1 + 2 * beyond)];
  const [x, y] = [view.x + view.width * beyond, view.y + view.height * beyond];
  c.width = Math.round(width);
  c.height = Math.round(height);
  const colour = (name: string) => {
    c.style.color = `var(${name})`; // resolved for light or dark, which the property itself is not
    return getComputedStyle(c).color;
  };
  const colours = new Map(["bool", "int", "double", "frame", "other"].map((type) => [type, colour(`--${type}`)]));
  g.setTransform(zoom, 0, 0, zoom, x, y);
  const seen = { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom };
  g.lineWidth = 1 / zoom;
  const lines = new Map<string, Path2D>();
  layout.ways.forEach((points, i) => {
    const link = graph.links[i];
    const first = points[0];
    const last = points[points.length - 1];
    if (!link || !first || !last) return;
    if (Math.max(first.x, last.x) < seen.left || Math.min(first.x, last.x) > seen.right || Math.max(first.y, last.y) < seen.top || Math.min(first.y, last.y) > seen.bottom) return;
    const dim = marked !== null && !(marked.has((link.source ?? link.from).node) && marked.has(link.to.node));
    const key = `${dim ? "dim " : ""}${colours.has(link.type) ? link.type : "other"}`;
    let way = lines.get(key);
    if (!way) lines.set(key, (way = new Path2D()));
    way.moveTo(first.x, first.y);
    for (let k = 1; k < points.length; k++) way.lineTo(points[k]?.x ?? 0, points[k]?.y ?? 0);
  });
  const strength = Math.max(0.2, Math.min(0.7, 700 / layout.ways.size)); // many of them would be one colour
  lines.forEach((way, key) => {
    g.globalAlpha = key.startsWith("dim ") ? 0.12 : strength;
    g.strokeStyle = colours.get(key.replace("dim ", "")) ?? "";
    g.stroke(way);
  });
  const [raised, ink, line, accent] = [colour("--raised"), colour("--ink"), colour("--line"), colour("--accent")];
  const readable = zoom > 0.3;
  g.font = "600 12px system-ui, sans-serif";
  for (const b of list) {
    if (b.x > seen.right || b.y > seen.bottom || b.x + b.width < seen.left || b.y + b.height < seen.top) continue;
    g.globalAlpha = marked !== null && !isMarked(graph, marked, b.node) && !b.open ? 0.25 : 1;
    g.fillStyle = raised;
    if (!b.open) g.fillRect(b.x, b.y, b.width, b.height);
    g.strokeStyle = b.node === selected && selected !== root ? accent : line;
    g.lineWidth = (b.node === selected ? 3 : 1) / zoom;
    g.strokeRect(b.x, b.y, b.width, b.height);
    if (readable) {
      g.fillStyle = ink;
      g.fillText(b.name, b.x + 10, b.y + 16, b.width - 14);
    }
  }
  g.globalAlpha = 1;
}
