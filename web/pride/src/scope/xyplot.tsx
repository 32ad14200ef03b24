import uPlot from "uplot";
import { useEffect, useId, useRef, useState } from "react";

import { padded, settled } from "./axis";
import { Trace } from "./curve";
import { numberText } from "./cursors";
import { useScope } from "./plots";
import type { Scope } from "./scope";
import { onTheme, theme } from "./theme";
import { pair } from "./xy";

/** XY draws one curve over another, for the time that is in sight. */
export function XY({ scope }: { scope: Scope }) {
  const { lanes } = useScope(scope);
  const all = lanes.filter((l) => l.shape === "lines").flatMap((l) => l.curves.map((c, i) => ({ key: `${l.index}/${i}`, name: [l.channel.name, c.name].filter(Boolean).join(" ") })));
  const [wanted, setWanted] = useState<[string, string]>(["", ""]);
  const keys = all.map((c) => c.key);
  const x = keys.includes(wanted[0]) ? wanted[0] : (keys[0] ?? "");
  const y = keys.includes(wanted[1]) ? wanted[1] : (keys[1] ?? keys[0] ?? "");
  const id = useId();
  if (all.length < 2) return <p>XY needs two curves of numbers.</p>;
  return (
    <section className="xy" aria-labelledby={id}>
      <h2 id={id}>XY</h2>
      <Pick label="Across" value={x} of={all} onChange={(key) => setWanted([key, y])} /> <Pick label="Upwards" value={y} of={all} onChange={(key) => setWanted([x, key])} />
      <XYPlot key={`${x} ${y}`} scope={scope} x={x} y={y} label={`${all.find((c) => c.key === y)?.name} over ${all.find((c) => c.key === x)?.name}`} />
    </section>
  );
}

export function Pick({ label, value, of, onChange }: { label: string; value: string; of: readonly { key: string; name: string }[]; onChange: (key: string) => void }) {
  return (
    <label className="field">
      {label}{" "}
      <select value={value} onChange={(e) => onChange(e.target.value)}>
        {of.map((c) => (
          <option key={c.key} value={c.key}>{c.name}</option>
        ))}
      </select>
    </label>
  );
}

function curveAt(scope: Scope, key: string) {
  const [lane, curve] = key.split("/").map(Number);
  const l = scope.get().lanes[lane ?? -1];
  const value = l?.curves[curve ?? -1]?.value;
  return l && value ? { ring: l.ring, value } : null;
}

/** rangeOf is the smallest and the largest of the first numbers of a list. */
function rangeOf(list: Float64Array, count: number): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i++) {
    const v = list[i] ?? NaN;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : null;
}

function XYPlot({ scope, x, y, label }: { scope: Scope; x: string; y: string; label: string }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let u: uPlot | null = null;
    const line = new Trace();
    const ranges: { x: [number, number] | null; y: [number, number] | null } = { x: null, y: null };
    const update = () => {
      const across = curveAt(scope, x);
      const up = curveAt(scope, y);
      if (!u || !across || !up) return;
      pair(across, up, scope.axis.from, scope.axis.to, line);
      const wx = (ranges.x = settled(ranges.x, padded(rangeOf(line.x, line.length))));
      const wy = (ranges.y = settled(ranges.y, padded(rangeOf(line.y, line.length))));
      const plot = u;
      plot.batch(() => {
        plot.scales["x"]!.range = () => wx;
        plot.scales["y"]!.range = () => wy;
        plot.setScale("x", { min: wx[0], max: wx[1] });
        plot.setScale("y", { min: wy[0], max: wy[1] });
        plot.redraw(false);
      });
    };
    const paint = (u: uPlot) => {
      const g = u.ctx;
      const { left, top, width, height } = u.bbox;
      g.save();
      g.beginPath();
      g.rect(left, top, width, height);
      g.clip();
      g.strokeStyle = theme().curves[0] ?? "";
      g.lineWidth = 1.5 * uPlot.pxRatio;
      g.lineJoin = "round";
      g.beginPath();
      let [lastX, lastY] = [NaN, NaN];
      for (let i = 0; i < line.length; i++) {
        const px = u.valToPos(line.x[i] ?? 0, "x", true);
        const py = u.valToPos(line.y[i] ?? 0, "y", true);
        if (line.moves[i]) {
          g.moveTo(px, py);
          g.lineTo(px + 0.5, py);
        } else if (Math.abs(px - lastX) < 1 && Math.abs(py - lastY) < 1) continue; // nobody would see it
        else g.lineTo(px, py);
        [lastX, lastY] = [px, py];
      }
      g.stroke();
      const end = line.length - 1;
      if (end >= 0) {
        g.fillStyle = theme().ink;
        g.fillRect(u.valToPos(line.x[end] ?? 0, "x", true) - 3, u.valToPos(line.y[end] ?? 0, "y", true) - 3, 6, 6);
      }
      g.restore();
    };
    const make = () => {
      u?.destroy();
      if (!root.current) return;
      const t = theme();
      const axis = { stroke: t.quiet, grid: { stroke: t.line, width: 1 }, ticks: { stroke: t.line }, font: "12px system-ui, sans-serif", values: (_: uPlot, splits: number[]) => splits.map((s) => numberText(Number(s.toPrecision(6)))) };
      u = new uPlot(
        {
          width: Math.max(120, root.current.clientWidth), height: Math.max(120, root.current.clientHeight), legend: { show: false }, padding: [10, 16, 0, 0],
          scales: { x: { time: false, auto: false, range: [0, 1] }, y: { auto: false, range: [0, 1] } },
          axes: [{ ...axis }, { ...axis, size: 72 }],
          series: [{}, { paths: () => null, points: { show: false } }],
          cursor: { points: { show: false }, drag: { x: false, y: false } },
          hooks: { draw: [paint] },
        },
        [[0, 1], [null, null]],
        root.current,
      );
      u.ctx.canvas.setAttribute("role", "img");
      u.ctx.canvas.setAttribute("aria-label", label);
      update();
    };
    make();
    const watch = new ResizeObserver(() => root.current && u?.setSize({ width: Math.max(120, root.current.clientWidth), height: Math.max(120, root.current.clientHeight) }));
    if (root.current) watch.observe(root.current);
    const forgets = [scope.onFrame(update), onTheme(make)];
    return () => {
      for (const forget of forgets) forget();
      watch.disconnect();
      u?.destroy();
    };
  }, [scope, x, y, label]);
  return <div className="canvas square" ref={root} />;
}
