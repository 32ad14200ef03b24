import { useStore, useViewport } from "@xyflow/react";
import { useEffect, useRef, useSyncExternalStore } from "react";

import type { Drawable } from "./fold";
import type { Layout } from "./layout";
import { root } from "./model";
import type { Placed } from "./placed";

/** mostNear is how many boxes are drawn as elements of the page; more are drawn as a picture. */
const mostNear = 250;

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

/** Far draws a net as a picture: what is too small to be read needs no elements. */
export function Far({ graph, layout, list, selected, marked }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { x, y, zoom } = useViewport();
  const width = useStore((s) => s.width);
  const height = useStore((s) => s.height);
  const inDark = useDark();

  useEffect(() => {
    const c = canvas.current;
    const g = c?.getContext("2d");
    if (!c || !g) return;
    const scale = window.devicePixelRatio;
    c.width = Math.round(width * scale);
    c.height = Math.round(height * scale);
    const colour = (name: string) => {
      c.style.color = `var(${name})`; // resolved for light or dark, which the property itself is not
      return getComputedStyle(c).color;
    };
    const colours = new Map(["bool", "int", "double", "frame", "other"].map((type) => [type, colour(`--${type}`)]));
    g.setTransform(scale * zoom, 0, 0, scale * zoom, scale * x, scale * y);
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
      for (const p of points.slice(1)) way.lineTo(p.x, p.y);
    });
    lines.forEach((way, key) => {
      g.globalAlpha = key.startsWith("dim ") ? 0.12 : 0.7;
      g.strokeStyle = colours.get(key.replace("dim ", "")) ?? "";
      g.stroke(way);
    });
    const [raised, ink, line, accent] = [colour("--raised"), colour("--ink"), colour("--line"), colour("--accent")];
    const readable = zoom > 0.3;
    g.font = "600 12px system-ui, sans-serif";
    for (const b of list) {
      if (b.x > seen.right || b.y > seen.bottom || b.x + b.width < seen.left || b.y + b.height < seen.top) continue;
      g.globalAlpha = marked !== null && !marked.has(b.node) && !b.open ? 0.25 : 1;
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
  }, [graph, layout, list, selected, marked, x, y, zoom, width, height, inDark]);

  return <canvas ref={canvas} className="far" role="img" aria-label="The net from afar; zoom in to read it" />;
}
