import { useEffect, useRef } from "react";

import { bounds } from "./curve";
import { numberText, reading, readingText, rise, type Reading } from "./cursors";
import { useScope } from "./plots";
import type { Curve } from "./shape";
import type { Lane, Scope } from "./scope";
import { Swatch } from "./swatch";

/** often is how many times a second texts are written again, at most: faster nobody reads. */
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

/** Readings is what every curve has at the cursors, and in between; without cursors, in sight. */
export function Readings({ scope }: { scope: Scope }) {
  const { lanes } = useScope(scope);
  const body = useRef<HTMLTableSectionElement>(null);
  const caption = useRef<HTMLElement>(null);
  const rows: Row[] = lanes.flatMap((lane) => lane.curves.map((curve, index) => ({ lane, curve, index })));
  useEffect(() => {
    let last = 0;
    let waits = 0;
    const write = () => {
      last = performance.now();
      const { a, b } = scope;
      const between = a !== null && b !== null;
      const [from, to] = between ? [Math.min(a, b), Math.max(a, b)] : [scope.axis.from, scope.axis.to];
      if (caption.current) caption.current.textContent = between ? "between the cursors" : "in sight";
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
        <caption>Values, with the smallest and the largest <span ref={caption}>in sight</span></caption>
        <thead>
          <tr>
            <th scope="col">Channel</th><th scope="col">Newest</th><th scope="col">At A</th><th scope="col">At B</th><th scope="col">B − A</th><th scope="col">Minimum</th><th scope="col">Maximum</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map(({ lane, curve, index }) => (
            <tr key={`${lane.index} ${lane.channel.name} ${curve.name}`}>
              <th scope="row">
                <Swatch colour={lane.shape === "lines" ? lane.index + index : lane.index} dash={index} block={lane.shape !== "lines"} /> {[lane.channel.name, curve.name].filter(Boolean).join(" ")}
              </th>
              <td /><td /><td /><td /><td /><td />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
