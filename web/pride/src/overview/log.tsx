import { useEffect, useState } from "react";

import { logOf } from "../route";
import { useTopic } from "../topics";
import { Trouble } from "../trouble";
import type { LogEntry } from "../wire";
import { Clock, Hint, Plain, values } from "./parts";

/** levels are the levels of the log, lowest first. */
const levels = ["DEBUG", "INFO", "WARN", "ERROR"];

/** weight orders levels; levels that cannot be chosen weigh most. */
const weight = (level: string) => (levels.includes(level) ? levels.indexOf(level) : levels.length);

/** matching are the lines from a level on that have all words of a search, the newest first. */
export function matching(lines: readonly LogEntry[], level: string, find: string): LogEntry[] {
  const words = find.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const least = level === "" ? 0 : weight(level.toUpperCase());
  return lines
    .filter((l) => {
      if (weight(l.level) < least) return false;
      const text = `${l.time} ${l.level} ${l.message} ${l.fields ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => b.number - a.number);
}

const moodOf = (level: string) => (weight(level) >= weight("ERROR") ? "bad" : level === "WARN" ? "busy" : "calm");

/** LogLines shows lines of the log. */
export function LogLines({ lines }: { lines: readonly LogEntry[] }) {
  return (
    <ol className="log">
      {lines.map((l) => (
        <li key={l.number} data-level={l.level}>
          <Clock time={l.time} /> <span className="level" data-mood={moodOf(l.level)}>{l.level}</span>{" "}
          <span className="message">{l.message} {l.fields && <code>{l.fields}</code>}</span>
        </li>
      ))}
    </ol>
  );
}

/** mostLines is how many lines are shown at once. */
const mostLines = 500;

/** LogView shows the log. Level and search are in the address, so that a result can be sent to others. */
export function LogView({ level, find }: { level: string; find: string }) {
  const { rows, error } = useTopic("log");
  const [typed, setTyped] = useState(find);
  useEffect(() => setTyped(find), [find]);
  const go = (to: string) => window.history.replaceState(null, "", to);
  const show = (level: string, find: string) => {
    go(logOf(level, find));
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  };
  const found = matching(values(rows), level, find);
  return (
    <>
      <h1>Log <Plain uri="/log/" /></h1>
      <Trouble error={error} />
      <form className="filter" role="search" aria-label="Lines of the log" onSubmit={(e) => e.preventDefault()}>
        <label>Level <select value={level} onChange={(e) => show(e.target.value, find)}>
          <option value="">all</option>
          {levels.slice(1).map((l) => (
            <option key={l} value={l.toLowerCase()}>{l.toLowerCase()} and above</option>
          ))}
        </select></label>
        <label>Find <input type="search" value={typed} onChange={(e) => { setTyped(e.target.value); show(level, e.target.value); }} /></label>
        <span role="status">{rows && `${found.length} of ${rows.size} lines`}</span>
      </form>
      {rows && found.length === 0 && <Hint>No line is like that.</Hint>}
      <div className="panel scroll" tabIndex={0} role="region" aria-label="Lines of the log, the newest first"><LogLines lines={found.slice(0, mostLines)} /></div>
      {found.length > mostLines && <Hint>{found.length - mostLines} older lines are not shown: search for what you want.</Hint>}
    </>
  );
}
