import type { ReactNode } from "react";

import { moods } from "../moods";
import { graphOf } from "../route";
import type { Distribution } from "../wire";

/** State shows the state of something. Its mood is a colour and a shape, and never says more than the word. */
export function State({ state, mood }: { state: string; mood?: string | undefined }) {
  return <span className="state" data-state={state} data-mood={mood ?? moods[state] ?? "calm"}>{state}</span>;
}

/** Panel is a part of a view, with a link to the view that shows all of it. */
export function Panel({ id, title, to, count, children }: { id: string; title: string; to?: string; count?: number | undefined; children: ReactNode }) {
  return (
    <section className="panel" data-panel={id} aria-labelledby={`h-${id}`}>
      <h2 id={`h-${id}`}>
        {to === undefined ? title : <a href={to}>{title}</a>}
        {count !== undefined && <small> {count}</small>}
      </h2>
      {children}
    </section>
  );
}

/** Table is a table that scrolls when it is too wide. Its columns of numbers are listed by name. */
export function Table({ label, columns, numbers = [], children }: { label: string; columns: readonly string[]; numbers?: readonly string[]; children: ReactNode }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={numbers.includes(column) ? "number" : undefined}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Hint says why nothing is shown. */
export function Hint({ children }: { children: ReactNode }) {
  return <p className="hint">{children}</p>;
}

/** Fact is a line of a list of facts, left out when it is empty. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === "" || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** NetLinks are links to nets. */
export function NetLinks({ names }: { names: readonly string[] }) {
  return (
    <span className="links">
      {names.map((name) => (
        <a key={name} href={graphOf(name)}>{name}</a>
      ))}
    </span>
  );
}

/** Plain is a link to the page of the daemon that needs no JavaScript. */
export function Plain({ uri, children = "Plain page" }: { uri: string; children?: ReactNode }) {
  return <a className="plain" href={uri}>{children}</a>;
}

/** Clock shows a time of the daemon: the day in a tip. */
export function Clock({ time }: { time: string | undefined }) {
  if (!time) return null;
  const [, of = time] = time.split("T");
  return <time dateTime={time} title={time}>{of.replace(/(\.\d{3})\d*Z$|Z$/, "$1")}</time>;
}

/** milliseconds writes a time as the plain pages do. */
export const milliseconds = (ms: number): string => ms.toFixed(4);

/** percent writes a part in percent. */
export const percent = (share: number): string => `${share.toFixed(1)} %`;

/** grouped writes a number with groups of three digits. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** Gauge is a bar for a part of 100, with a mark at its limit. */
export function Gauge({ label, share, limit }: { label: string; share: number; limit?: number | undefined }) {
  const width = Math.min(Math.max(share, 0), 100);
  return (
    <svg className="gauge" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label} data-full={limit !== undefined && share > 0.9 * limit}>
      <rect className="ground" width="100" height="8" />
      <rect className="share" width={width} height="8" />
      {limit !== undefined && limit > 0 && limit < 100 && <rect className="limit" x={limit} width="0.8" height="8" />}
    </svg>
  );
}

/** Bars is the histogram of a distribution. */
export function Bars({ label, of }: { label: string; of: Distribution }) {
  const most = Math.max(1, ...of.histogram.map((c) => c.count));
  const width = 120 / Math.max(of.histogram.length, 12);
  return (
    <svg className="bars" viewBox="0 0 120 24" role="img" aria-label={`${label}: mean ${milliseconds(of.mean)} ms, at most ${milliseconds(of.max)} ms`}>
      {of.histogram.map((c, i) => {
        const height = c.count === 0 ? 0 : Math.max(1, (24 * c.count) / most);
        return (
          <rect key={c.from} x={i * width} y={24 - height} width={width * 0.85} height={height}>
            <title>{`${c.from} to ${c.to} ms: ${c.count}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** values are the rows of a topic as a list. */
export const values = <T,>(rows: ReadonlyMap<string, T> | null): T[] => (rows ? [...rows.values()] : []);
