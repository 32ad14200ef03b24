import { useState } from "react";

import { Files } from "./files";
import { Channels } from "./picker";
import { Plots, useScope } from "./plots";
import { Readings } from "./readings";
import type { Scope, State } from "./scope";
import { fromFile } from "./setup";
import { Setups } from "./setups";
import type { Analyst, Archive, Offered, Store } from "./source";
import { Spectrum } from "./spectrum";
import { Triggers } from "./trigger";
import { XY } from "./xyplot";
import "./scope.css";

const phases: Record<State["phase"], string> = {
  stopped: "Stopped",
  live: "Live",
  starting: "Starting",
  armed: "Armed: waiting for the trigger",
  triggered: "Triggered: recording what follows",
  done: "Done: captured once",
};

/** statusText returns what the scope is doing and what it has captured, in words. */
export function statusText(state: State, cut: boolean): string {
  const c = state.capture;
  const captured = c ? `. Capture ${c.number}, ${c.forced ? "without a trigger, at" : "triggered at"} ${clockText(c.trigger)}` : "";
  const late = c && c.late.length > 0 ? `. Samples of ${c.late.join(", ")} have come too late for it` : "";
  return `${cut && state.running ? "Waiting for the daemon" : phases[state.phase]}${captured}${late}${state.lost > 0 ? `. ${state.lost} samples are missing` : ""}`;
}

/** clockText writes a time of day with milliseconds. */
export function clockText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (n: number, digits = 2) => String(n).padStart(digits, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${two(at.getMilliseconds(), 3)}`;
}

/** ScopeView is the scope: its channels, trigger and captures. */
export function ScopeView({ scope, cut, analyst, store, archive, more }: { scope: Scope; cut: boolean; analyst: Analyst | null; store: Store | null; archive: Archive | null; more: readonly Offered[] }) {
  const state = useScope(scope);
  const [xy, setXY] = useState(false);
  const [lines, setLines] = useState(false);
  return (
    <section className="scope" aria-labelledby="scope">
      <h1 id="scope">Scope{state.setup.name && `: ${state.setup.name}`}</h1>
      <div className="tools" role="toolbar" aria-label="Scope">
        <button type="button" className="run" disabled={state.setup.channels.length === 0 || fromFile(state.setup)} onClick={() => (state.running ? scope.stop() : scope.start())}>{state.running ? "Stop" : "Run"}</button>
        <button type="button" onClick={() => scope.look((axis) => axis.zoom(0.5, axis.follows ? axis.to : undefined))} aria-label="Zoom in">+</button>
        <button type="button" onClick={() => scope.look((axis) => axis.zoom(2, axis.follows ? axis.to : undefined))} aria-label="Zoom out">−</button>
        <button type="button" onClick={() => scope.look((axis) => axis.pan(-0.25))} aria-label="Earlier">←</button>
        <button type="button" onClick={() => scope.look((axis) => axis.pan(0.25))} aria-label="Later">→</button>
        <button type="button" onClick={() => scope.look((axis) => axis.fit(scope.extent()))}>Fit</button>
        <button type="button" aria-pressed={state.follows} onClick={() => scope.follow()}>Follow</button>
        <button type="button" aria-pressed={state.taken === "a"} onClick={() => scope.take(state.taken === "a" ? null : "a")}>Cursor A</button>
        <button type="button" aria-pressed={state.taken === "b"} onClick={() => scope.take(state.taken === "b" ? null : "b")}>Cursor B</button>
        <label><input type="checkbox" checked={state.together} onChange={(e) => scope.arrange(e.target.checked)} /> Lines in one plot</label>
        <label><input type="checkbox" checked={xy} onChange={(e) => setXY(e.target.checked)} /> XY</label>
        <label><input type="checkbox" checked={lines} onChange={(e) => setLines(e.target.checked)} /> Spectrum</label>
      </div>
      <p className="phase" role="status" data-phase={state.phase}>{statusText(state, cut)}</p>
      {state.problem && <p className="error" role="alert">{state.problem}</p>}
      <div className="halves">
        <div className="seen">
          <Plots scope={scope} />
          {xy && <XY scope={scope} />}
          {lines && <Spectrum scope={scope} analyst={analyst} />}
          <Readings scope={scope} analyst={analyst} />
        </div>
        <div className="asked">
          <Channels scope={scope} more={more} />
          <Triggers scope={scope} />
          {store && <Setups scope={scope} store={store} />}
          {archive && <Files scope={scope} archive={archive} />}
        </div>
      </div>
    </section>
  );
}
