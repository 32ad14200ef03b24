import { useEffect, useRef } from "react";

import { between, useAnalysed } from "./analysed";
import { bounds } from "./curve";
import { millisecondsText, numberText, reading, readingText, rise, type Reading } from "./cursors";
import { looksOf } from "./groups";
import { useScope } from "./plots";
import type { Curve } from "./shape";
import type { Lane, Scope } from "./scope";
import type { Analyst, Measures } from "./source";
import { Swatch } from "./swatch";

/** often is how many times a second texts are written at most: nobody reads faster. */
const often = 5;

interface Row {
  lane: Lane;
  curve: Curve;
  index: number;
}

const named = (lane: Lane, r: Reading | null) => {
  if (!r || r.low !== r.high || lane.shape === "lines") return readingText(r);
  if (lane.shape === "bars") return r.low === 0 ? "false" : "true";
  return lane.described?.states?.[r.low] ?? readingText(r);
};

const optional = (value: number | null | undefined, text: (v: number) => string) => (value === null || value === undefined ? "–" : text(value));

/** measures are the columns that the daemon fills. */
const measures: { name: string; text: (m: Measures | null) => string }[] = [
  { name: "Mean", text: (m) => optional(m?.mean, numberText) },
  { name: "RMS", text: (m) => optional(m?.rms, numberText) },
  { name: "Period", text: (m) => optional(m?.period, (s) => `${millisecondsText(s)}, ${numberText(1 / s)} Hz`) },
  { name: "Overshoot", text: (m) => optional(m?.overshoot, (part) => `${numberText(100 * part)} %`) },
  { name: "Settling", text: (m) => optional(m?.settling, millisecondsText) },
  { name: "Samples", text: (m) => optional(m?.samples, String) },
];

/** Readings shows the values of every curve at the cursors, and measures in between; without cursors, of the visible part. */
export function Readings({ scope, analyst }: { scope: Scope; analyst: Analyst | null }) {
  const { lanes, together, capture } = useScope(scope);
  const measured = useAnalysed(scope, capture?.number ?? null, "", analyst && ((from, to) => analyst.measures(from, to)));
  const looks = looksOf(lanes, together);
  const current = measured.value && measured.value.capture === capture?.number ? measured.value.channels : null;
  const body = useRef<HTMLTableSectionElement>(null);
  const caption = useRef<HTMLElement>(null);
  const rows: Row[] = lanes.flatMap((lane) => lane.curves.map((curve, index) => ({ lane, curve, index })));
  useEffect(() => {
    let last = 0;
    let waits = 0;
    const write = () => {
      last = performance.now();
      const { a, b } = scope;
      const [from, to] = between(scope);
      if (caption.current) caption.current.textContent = a !== null && b !== null ? "between the cursors" : "in sight";
      let n = 0;
      for (const lane of scope.get().lanes) {
        for (const { value } of lane.curves) {
          const cells = body.current?.rows[n++]?.cells;
          if (!cells) continue;
          const atA = a === null ? null : reading(lane.ring, value, a);
          const atB = b === null ? null : reading(lane.ring, value, b);
          const newest = lane.ring.length > 0 ? reading(lane.ring, value, lane.ring.tick(lane.ring.length - 1)) : null;
          const rose = rise(atA, atB);
          const range = bounds(lane.ring, value, from, to);
          const texts = [
            lane.described?.constant ?? named(lane, newest), a === null ? "" : named(lane, atA), b === null ? "" : named(lane, atB), rose === null || lane.shape !== "lines" ? "" : numberText(rose),
            range && lane.shape === "lines" ? numberText(range[0]) : "", range && lane.shape === "lines" ? numberText(range[1]) : "",
          ];
          texts.forEach((text, i) => {
            const cell = cells[i + 1];
            if (cell && cell.textContent !== text) cell.textContent = text;
          });
        }
      }
    };
    const forget = scope.onFrame(() => {
      if (waits !== 0) return;
      const soon = Math.max(0, last + 1000 / often - performance.now());
      waits = window.setTimeout(() => {
        waits = 0;
        write();
      }, soon);
    });
    return () => {
      forget();
      window.clearTimeout(waits);
    };
  }, [scope]);
  useEffect(() => scope.draw(), [scope, rows.length]);
  if (rows.length === 0) return null;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Values">
      <table className="readings">
        <caption>Values; minimum, maximum and measures are those <span ref={caption}>in sight</span></caption>
        <thead>
          <tr>
            <th scope="col">Channel</th><th scope="col">Newest</th><th scope="col">At A</th><th scope="col">At B</th><th scope="col">B − A</th><th scope="col">Minimum</th><th scope="col">Maximum</th>
            {analyst && measures.map((m) => <th key={m.name} scope="col">{m.name}</th>)}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map(({ lane, curve, index }) => (
            <tr key={`${lane.index} ${lane.channel.name} ${curve.name}`}>
              <th scope="row">
                <Swatch look={looks[lane.index]?.[index] ?? { colour: 0, dash: 0 }} block={lane.shape !== "lines"} /> {[lane.channel.name, curve.name].filter(Boolean).join(" ")}
              </th>
              <td /><td /><td /><td /><td /><td />
              {analyst && measures.map((m) => <td key={m.name}>{lane.shape === "lines" && (current ? m.text(("word" in curve.value && current[lane.index]?.[curve.value.word]) || null) : "…")}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
      {measured.problem && <p className="error" role="alert">{measured.problem}</p>}
    </div>
  );
}
