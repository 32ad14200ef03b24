import { useEffect, useId, useMemo, useRef, useState } from "react";

import { daemon, useAnswer } from "../daemon";
import { Trouble } from "../trouble";
import type { Graph, Nets } from "../wire";
import { looksOf } from "./groups";
import { offeredBy, found } from "./offered";
import { useScope } from "./plots";
import type { Scope } from "./scope";
import { optionsOf } from "./shape";
import { emptySetup, fromFile, originText, sameOrigin, withChannel, withoutChannel } from "./setup";
import { Swatch } from "./swatch";
import type { Offered } from "./source";

const mostShown = 60;

/** Channels shows the channels of the setup, and what can become one. */
export function Channels({ scope, more }: { scope: Scope; more: readonly Offered[] }) {
  const { setup, lanes, together } = useScope(scope);
  const looks = looksOf(lanes, together);
  const options = useOptions(scope);
  return (
    <fieldset className="panel">
      <legend>Channels</legend>
      {setup.channels.length === 0 && <p>No channel yet. Find a port, a device or an executor below.</p>}
      <ul className="channels">
        {setup.channels.map((c, i) => {
          const type = lanes[i]?.described?.type ?? "";
          const components = options[originText(c.source)] ?? [];
          return (
            <li key={c.name}>
              <Swatch look={looks[i]?.[0] ?? { colour: i, dash: 0 }} block={lanes[i]?.shape !== "lines"} />
              <span className="grow" title={originText(c.source)}>{c.name} <small>{originText(c.source)}{type && `, ${type}`}</small></span>
              {components.length > 0 && (
                <select
                  aria-label={`Component of ${c.name}`}
                  value={c.component ?? ""}
                  onChange={(e) => {
                    const { component: _, ...rest } = c;
                    const changed = e.target.value === "" ? rest : { ...rest, component: e.target.value };
                    scope.change({ ...setup, channels: setup.channels.map((other) => (other === c ? changed : other)) });
                  }}
                >
                  <option value="">all</option>
                  {components.map(({ component, name }) => (
                    <option key={component} value={component}>{name}</option>
                  ))}
                </select>
              )}
              <button type="button" aria-label={`Remove ${c.name}`} onClick={() => scope.change(withoutChannel(setup, c.name))}>×</button>
            </li>
          );
        })}
      </ul>
      <Picker scope={scope} more={more} />
    </fieldset>
  );
}

/** useOptions keeps the components that each source can be narrowed to: of a narrowed source the daemon no longer reports the others. */
function useOptions(scope: Scope): Record<string, ReturnType<typeof optionsOf>> {
  const { lanes } = useScope(scope);
  const known = useRef<Record<string, ReturnType<typeof optionsOf>>>({});
  for (const { channel, described } of lanes) if (described && !channel.component) known.current[originText(channel.source)] = optionsOf(described);
  return known.current;
}

/** Picker finds ports of a net, and figures of devices and executors. */
function Picker({ scope, more }: { scope: Scope; more: readonly Offered[] }) {
  const nets = useAnswer<Nets>("/nets/", 5000);
  const [net, setNet] = useState("");
  const [words, setWords] = useState("");
  const [graph, setGraph] = useState<Graph | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const list = useId();
  const { setup } = useScope(scope);
  const names = nets.answer?.nets ?? [];
  const chosen = names.some((n) => n.name === net) ? net : (names.find((n) => n.state === "RUNNING") ?? names[0])?.name ?? "";
  useEffect(() => {
    setGraph(null);
    setProblem(null);
    if (chosen === "") return;
    const gone = new AbortController();
    daemon.get<Graph>(`/nets/${encodeURIComponent(chosen)}/graph`, gone.signal).then(setGraph, (e: unknown) => {
      if (!gone.signal.aborted) setProblem(e instanceof Error ? e.message : String(e));
    });
    return () => gone.abort();
  }, [chosen]);
  const all = useMemo(() => [...(graph ? offeredBy(graph) : []), ...more], [graph, more]);
  const hits = useMemo(() => found(all, words), [all, words]);
  const free = hits.filter((o) => !setup.channels.some((c) => sameOrigin(c.source, o.source)));
  const add = (o: Offered) => {
    const now = scope.get().setup;
    scope.change(withChannel(fromFile(now) ? emptySetup() : now, o.source));
    if (!scope.get().running) scope.start();
  };
  return (
    <form
      className="picker"
      role="search"
      onSubmit={(e) => {
        e.preventDefault();
        if (words.trim() !== "" && free[0]) add(free[0]);
      }}
    >
      <label className="field">
        Ports of{" "}
        <select value={chosen} onChange={(e) => setNet(e.target.value)}>
          {names.length === 0 && <option value="">no net is loaded</option>}
          {names.map((n) => (
            <option key={n.name} value={n.name}>{`${n.name}${n.description ? `: ${n.description}` : ""}`.slice(0, 50)}</option>
          ))}
        </select>
      </label>
      <label className="field">
        Find <input type="search" value={words} onChange={(e) => setWords(e.target.value)} placeholder="port, type, device, executor" aria-controls={list} />
      </label>
      {problem && <p className="error" role="alert">{problem}</p>}
      <Trouble error={nets.error instanceof TypeError ? null : nets.error} /> {/* that the daemon does not answer at all is said above */}
      <span role="status">{free.length === 0 ? "nothing found" : free.length > mostShown ? `${free.length} found, the first ${mostShown} are shown` : `${free.length} found`}</span>
      <ul id={list} className="offered">
        {free.slice(0, mostShown).map((o) => (
          <li key={originText(o.source)}>
            <button type="button" onClick={() => add(o)}>
              + {o.text} <small>{o.type}</small>
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}
