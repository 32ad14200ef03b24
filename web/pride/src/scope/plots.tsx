import { useEffect, useId, useMemo, useRef, useSyncExternalStore, type KeyboardEvent, type PointerEvent } from "react";

import { difference, millisecondsText, numberText } from "./cursors";
import { commandOf } from "./keys";
import { groupsOf, type Group } from "./groups";
import { left, Plot } from "./plot";
import type { Scope } from "./scope";
import { levelsOf, originText, withLevel } from "./setup";
import { Swatch } from "./swatch";
import { onTheme } from "./theme";

export const useScope = (scope: Scope) => useSyncExternalStore(scope.subscribe, scope.get);

/** keyed executes the command of a key, and reports whether there was one. */
function keyed(scope: Scope, e: KeyboardEvent): boolean {
  const command = commandOf(e, scope.get().taken);
  if (!command) return false;
  switch (command.do) {
    case "pan":
      scope.look((axis) => axis.pan(command.part));
      break;
    case "zoom":
      scope.look((axis) => axis.zoom(command.factor, axis.follows ? axis.to : undefined));
      break;
    case "fit":
      scope.look((axis) => axis.fit(scope.extent()));
      break;
    case "follow":
      scope.follow();
      break;
    case "run":
      if (scope.get().running) scope.stop();
      else scope.start();
      break;
    case "cursor":
      scope.take(command.which);
      break;
    case "step":
      scope.step(command.which, command.ticks);
      break;
    case "clear":
      scope.clearCursors();
      break;
  }
  return true;
}

/** Plots shows all channels one above the other, on one axis. */
export function Plots({ scope }: { scope: Scope }) {
  const { lanes, together } = useScope(scope);
  const help = useId();
  const groups = useMemo(() => groupsOf(lanes, together), [lanes, together]);
  return (
    <div
      className="plots"
      role="group"
      aria-label="Plots"
      aria-describedby={help}
      tabIndex={0}
      onKeyDown={(e) => {
        const presses = e.key === " " && e.target instanceof HTMLElement && e.target.tagName === "SUMMARY";
        if (presses || !keyed(scope, e)) return;
        e.preventDefault();
      }}
    >
      <details className="help">
        <summary>Keys and mouse</summary>
        <p id={help}>
          Keys: arrows move what is in sight, + and − zoom, Home fits, End follows the newest, a and b take a cursor, which arrows then move from tick to tick, Escape removes the cursors,
          Space runs and stops. Mouse: drag to zoom, with Shift to move; Ctrl and the wheel zoom; a double click fits; a click places the cursor that was taken.
        </p>
      </details>
      <Ruler scope={scope} />
      {groups.length === 0 && <p className="vacant">Nothing is shown yet: choose what to see under Channels, then press Run.</p>}
      {groups.map((group, i) => (
        <One key={group.key} scope={scope} group={group} last={i === groups.length - 1} />
      ))}
    </div>
  );
}

function One({ scope, group, last }: { scope: Scope; group: Group; last: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const handles = useRef<HTMLDivElement>(null);
  const { setup } = useScope(scope);
  const watched = group.shape === "lines" && group.lanes.some((l) => l.channel.name === setup.trigger.channel);
  const label = group.lanes.map((l) => l.channel.name).join(", ");
  const curves = useRef(group.curves);
  curves.current = group.curves;
  const shape = JSON.stringify([group.curves, group.shape]);
  useEffect(() => {
    let made: Plot | null = null;
    const make = () => {
      made?.destroy();
      if (!root.current) return;
      made = new Plot(root.current, scope, curves.current, `Plot of ${label}`, last);
      plot.current = made;
      made.moved = (p) => {
        for (const handle of handles.current?.children ?? []) {
          if (!(handle instanceof HTMLElement)) continue;
          const at = p.place(Number(handle.dataset["value"]));
          handle.hidden = at === null;
          if (at !== null) handle.style.top = `${at}px`;
        }
      };
      scope.draw();
    };
    make();
    const forget = onTheme(make);
    return () => {
      forget();
      made?.destroy();
      plot.current = null;
    };
  }, [scope, label, last, shape]);
  useEffect(() => scope.draw(), [scope, setup]); // handles are new
  return (
    <figure className="lane" data-shape={group.lanes.length > 1 ? "all" : group.shape} data-last={last}>
      <figcaption>
        {group.curves.map((c) => {
          const lane = scope.get().lanes[c.lane];
          if (!lane) return null;
          const name = lane.curves[c.curve]?.name;
          return (
            <span key={`${c.lane} ${c.curve}`} className="legend" title={originText(lane.channel.source)}>
              <Swatch look={c} block={lane.shape !== "lines"} />{" "}
              {lane.curves.length > 1 && c.curve > 0 && group.lanes.length === 1 ? name : [lane.channel.name, name].filter(Boolean).join(" ")}
            </span>
          );
        })}
        {group.lanes.map((l) => l.described?.constant !== undefined && <span key={l.index}>constant {l.described.constant}</span>)}
      </figcaption>
      <div className="canvas" ref={root} />
      <div ref={handles}>
        {watched &&
          levelsOf(setup.trigger).map((which) => {
            const value = setup.trigger[which] ?? 0;
            const move = (to: number) => scope.change({ ...setup, trigger: withLevel(setup.trigger, which, to) });
            return (
              <div
                key={which}
                className="level"
                role="slider"
                tabIndex={0}
                aria-orientation="vertical"
                aria-label={`Trigger: ${which === "level" ? "level" : which === "low" ? "lower level" : "upper level"}`}
                aria-valuenow={value}
                aria-valuetext={numberText(value)}
                data-value={value}
                onKeyDown={(e) => {
                  if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
                  e.preventDefault();
                  e.stopPropagation();
                  move(Number((value + (e.key === "ArrowUp" ? 1 : -1) * (e.shiftKey ? 10 : 1) * (plot.current?.step ?? 0.01)).toPrecision(6)));
                }}
                {...dragged((e) => plot.current && move(Number(plot.current.valueAt(e.clientY).toPrecision(4))))}
              >
                {which === "level" ? "T" : which === "low" ? "L" : "H"}
              </div>
            );
          })}
      </div>
    </figure>
  );
}

/** dragged calls back while a handle is held. */
function dragged(to: (e: PointerEvent<HTMLElement>) => void) {
  return {
    onPointerDown: (e: PointerEvent<HTMLElement>) => {
      e.currentTarget.setPointerCapture(e.pointerId);
      e.currentTarget.focus();
      e.preventDefault();
    },
    onPointerMove: (e: PointerEvent<HTMLElement>) => {
      if (e.currentTarget.hasPointerCapture(e.pointerId)) to(e);
    },
  };
}

/** Ruler has the handles of the cursors, and shows the time between them. */
function Ruler({ scope }: { scope: Scope }) {
  const bar = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLOutputElement>(null);
  const handles = useRef<Partial<Record<"a" | "b", HTMLDivElement | null>>>({});
  const { taken } = useScope(scope);
  useEffect(
    () =>
      scope.onFrame(() => {
        const width = (bar.current?.clientWidth ?? 0) - left - 12;
        for (const which of ["a", "b"] as const) {
          const handle = handles.current[which];
          const at = scope[which];
          if (!handle) continue;
          const x = at === null ? -1 : ((at - scope.axis.from) / scope.axis.span) * width;
          handle.hidden = at === null || x < 0 || x > width;
          handle.style.left = `${left + x}px`;
          const text = at === null ? "" : millisecondsText(at - scope.origin());
          handle.setAttribute("aria-valuetext", text);
          handle.setAttribute("aria-valuenow", String(at === null ? 0 : at - scope.origin()));
        }
        if (said.current) said.current.textContent = differenceText(scope);
      }),
    [scope],
  );
  return (
    <>
      <output ref={said} className="difference" aria-live="off" />
      <div className="ruler" ref={bar}>
        {(["a", "b"] as const).map((which) => (
          <div
            key={which}
            ref={(e) => {
              handles.current[which] = e;
            }}
            className="cursor"
            data-taken={taken === which}
            role="slider"
            tabIndex={0}
            hidden
            aria-label={`Cursor ${which.toUpperCase()}`}
            aria-valuenow={0}
            onFocus={() => scope.take(which)}
            {...dragged((e) => {
              const box = bar.current?.getBoundingClientRect();
              if (box) scope.move(which, scope.axis.from + ((e.clientX - box.left - left) / (box.width - left - 12)) * scope.axis.span);
            })}
          >
            {which.toUpperCase()}
          </div>
        ))}
      </div>
    </>
  );
}

/** differenceText returns the places of the cursors, and the time between them in milliseconds and ticks. */
export function differenceText(scope: Scope): string {
  const { a, b } = scope;
  const at = (t: number) => millisecondsText(t - scope.origin());
  if (a === null && b === null) return "";
  if (a === null || b === null) return a !== null ? `A ${at(a)}` : `B ${at(b ?? 0)}`;
  const period = scope.get().lanes.reduce<number | null>((least, l) => (l.described?.period && (least === null || l.described.period < least) ? l.described.period : least), null);
  const d = difference(a, b, period);
  const rate = d.seconds !== 0 ? `, 1/Δt ${numberText(1 / Math.abs(d.seconds))} Hz` : "";
  return `A ${at(a)}, B ${at(b)}: Δt ${millisecondsText(d.seconds)}${d.ticks === null ? "" : `, ${numberText(d.ticks)} ticks`}${rate}`;
}
