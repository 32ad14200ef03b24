import uPlot from "uplot";
import { useEffect, useId, useRef, useState } from "react";

import { useAnalysed } from "./analysed";
import { numberText } from "./cursors";
import { useScope } from "./plots";
import type { Scope } from "./scope";
import { shapes, type Analyst, type Shape, type Spectrum as Lines } from "./source";
import { onTheme, theme } from "./theme";
import { Pick } from "./xyplot";

const shapeTexts: Record<Shape, string> = {
  hann: "Hann: separates frequencies and levels",
  "flat-top": "flat top: reads amplitudes",
  "blackman-harris": "Blackman-Harris: small lines beside large ones",
  rectangular: "rectangular: whole periods only",
};

/** strongest returns the largest line of a spectrum, without the mean. */
export function strongest(s: Lines): { hertz: number; amplitude: number } | null {
  let best = -1;
  for (let k = 1; k < s.amplitudes.length; k++) if (best < 0 || (s.amplitudes[k] ?? 0) > (s.amplitudes[best] ?? 0)) best = k;
  return best < 0 ? null : { hertz: best * s.step, amplitude: s.amplitudes[best] ?? 0 };
}

/** levelOf returns an amplitude in decibels of one unit, not below what a plot can show. */
export const levelOf = (amplitude: number) => 20 * Math.log10(Math.max(amplitude, 1e-12));

/** Spectrum shows the amplitudes of frequencies of a channel, between the cursors or in sight. */
export function Spectrum({ scope, analyst }: { scope: Scope; analyst: Analyst | null }) {
  const { lanes, capture } = useScope(scope);
  const all = lanes.filter((l) => l.shape === "lines").flatMap((l) => l.curves.flatMap((c) => ("word" in c.value ? [{ key: `${l.index}/${c.value.word}`, name: [l.channel.name, c.name].filter(Boolean).join(" ") }] : [])));
  const [wanted, setWanted] = useState("");
  const [shape, setShape] = useState<Shape>("hann");
  const [decibels, setDecibels] = useState(false);
  const of = all.find((c) => c.key === wanted) ?? all[0];
  const id = useId();
  const [channel = 0, component = 0] = of?.key.split("/").map(Number) ?? [];
  const { value, problem } = useAnalysed(scope, of && capture ? capture.number : null, `${of?.key} ${shape}`, analyst && ((from, to) => analyst.spectrum(channel, component, from, to, shape)));
  const top = value && strongest(value);
  return (
    <section className="xy" aria-labelledby={id}>
      <h2 id={id}>Spectrum</h2>
      {!of ? (
        <p>A spectrum needs a channel of numbers.</p>
      ) : (
        <>
          <Pick label="Channel" value={of.key} of={all} onChange={setWanted} />
          <Pick label="Window" value={shape} of={shapes.map((s) => ({ key: s, name: shapeTexts[s] }))} onChange={(s) => setShape(s as Shape)} />
          <label><input type="checkbox" checked={decibels} onChange={(e) => setDecibels(e.target.checked)} /> in dB</label>
          {!analyst && <p>The daemon makes spectra of what it captures: choose a trigger. Of a file it makes none.</p>}
          {problem && <p className="error" role="alert">{problem}</p>}
          {value && top && (
            <>
              <p>
                Largest line: {numberText(top.amplitude)} at {numberText(top.hertz)} Hz. Lines are {numberText(value.step)} Hz apart; {value.samples} samples.
              </p>
              <SpectrumPlot lines={value} decibels={decibels} label={`Spectrum of ${of.name}`} />
            </>
          )}
        </>
      )}
    </section>
  );
}

function SpectrumPlot({ lines, decibels, label }: { lines: Lines; decibels: boolean; label: string }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let u: uPlot | null = null;
    const data: uPlot.AlignedData = [
      Float64Array.from(lines.amplitudes, (_, k) => k * lines.step),
      Float64Array.from(lines.amplitudes, (a) => (decibels ? levelOf(a) : a)),
    ];
    const make = () => {
      u?.destroy();
      if (!root.current) return;
      const t = theme();
      const axis = { stroke: t.quiet, grid: { stroke: t.line, width: 1 }, ticks: { stroke: t.line }, font: "12px system-ui, sans-serif" };
      const text = (_: uPlot, splits: number[]) => splits.map((s) => numberText(Number(s.toPrecision(6))));
      u = new uPlot(
        {
          width: Math.max(120, root.current.clientWidth), height: Math.max(120, root.current.clientHeight), legend: { show: false }, padding: [10, 16, 0, 0],
          scales: { x: { time: false } },
          axes: [{ ...axis, space: 70, values: (_, splits) => splits.map((s) => `${numberText(s)} Hz`) }, { ...axis, size: 72, values: text }],
          series: [{}, { stroke: t.curves[0] ?? t.ink, width: 1.5, points: { show: false } }],
          cursor: { points: { show: false } },
        },
        data,
        root.current,
      );
      u.ctx.canvas.setAttribute("role", "img");
      u.ctx.canvas.setAttribute("aria-label", label);
    };
    make();
    const watch = new ResizeObserver(() => root.current && u?.setSize({ width: Math.max(120, root.current.clientWidth), height: Math.max(120, root.current.clientHeight) }));
    if (root.current) watch.observe(root.current);
    const forget = onTheme(make);
    return () => {
      forget();
      watch.disconnect();
      u?.destroy();
    };
  }, [lines, decibels, label]);
  return <div className="canvas wide" ref={root} />;
}
