import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";

import { daemon, useRestarted } from "./daemon";
import { DevicesView, DeviceView } from "./overview/devices";
import { LogView } from "./overview/log";
import { NetFacts, NetHead, NetsView } from "./overview/nets";
import { Overview } from "./overview/overview";
import { RealtimeView } from "./overview/realtime";
import { RulesView, RuleView } from "./overview/rules";
import { SessionsView, SessionView } from "./overview/sessions";
import { named, useRoute, type Route } from "./route";
import { useLink } from "./topics";

const GraphView = lazy(() => import("./graph/view"));
const ScopePage = lazy(() => import("./scope/page"));
const Palette = lazy(() => import("./palette/palette"));

/** places are the views that the head leads to, and the views below each. */
const places: { name: string; to: string; views: Route["view"][] }[] = [
  { name: "Overview", to: "#/", views: ["overview"] },
  { name: "Nets", to: "#/nets", views: ["nets", "graph", "net"] },
  { name: "Devices", to: "#/devices", views: ["devices", "device"] },
  { name: "Rules", to: "#/rules", views: ["rules", "rule"] },
  { name: "Sessions", to: "#/sessions", views: ["sessions", "session"] },
  { name: "Real time", to: "#/realtime", views: ["realtime"] },
  { name: "Scope", to: "#/scope", views: ["scope"] },
  { name: "Log", to: "#/log", views: ["log"] },
];

export function App() {
  const route = useRoute();
  const [finding, setFinding] = usePalette();
  const { restarted, fresh, look, forget } = useLife(route);
  const main = useRef<HTMLElement>(null);
  const title = titleOf(route);
  useEffect(() => {
    document.title = title === "" ? "prIDE" : `${title} · prIDE`;
  }, [title]);
  return (
    <>
      <a className="skip" href="#main" onClick={(e) => { e.preventDefault(); main.current?.focus(); }}>Skip to content</a>
      <header>
        <a className="brand" href="#/"><img src="/assets/icon.svg" alt="" width="22" height="22" />prIDE</a>
        <nav aria-label="Views">
          {places.map((p) => (
            <a key={p.name} href={p.to} aria-current={p.views.includes(route.view) ? "page" : undefined} ref={p.views.includes(route.view) ? inSight : undefined}>{p.name}</a>
          ))}
          <a href="/">Plain pages</a>
        </nav>
        <button className="find" onClick={() => setFinding(true)} aria-keyshortcuts="Control+K">Find <kbd>Ctrl K</kbd></button>
        <Line />
      </header>
      {restarted && (
        <p className="notice bad banner" role="alert" data-restarted>
          The daemon was started again. What is shown here is from before, and its names mean something else now. <button onClick={look}>Show what runs now</button>
        </p>
      )}
      {fresh && (
        <p className="notice busy banner" role="status" data-fresh>
          The daemon was started again: this is what runs now. <button onClick={forget}>Close</button>
        </p>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        <Suspense fallback={<p role="status">Loading…</p>}>
          <View route={route} key={useInstances()} />
        </Suspense>
      </main>
      {finding && (
        <Suspense fallback={null}>
          <Palette close={() => setFinding(false)} />
        </Suspense>
      )}
    </>
  );
}

/** inSight scrolls the link of the view into sight when there is no room for all. */
function inSight(link: HTMLAnchorElement | null) {
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** usePalette reports whether the palette is open, which Ctrl+K changes. */
function usePalette() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (!(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey || e.key.toLowerCase() !== "k") return;
      e.preventDefault();
      setOpen((before) => !before);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return [open, setOpen] as const;
}

/**
 * useLife reacts to a restart of the daemon. A list changes to the new instance by itself, and says so;
 * a view of a thing that may not exist any more stays as it is until the user asks for what has this name now.
 */
function useLife(route: Route) {
  const restarted = useRestarted();
  const [fresh, setFresh] = useState(false);
  const look = useCallback(() => {
    daemon.adopt();
    setFresh(true);
  }, []);
  const keeps = named(route);
  useEffect(() => {
    if (restarted && !keeps) look();
  }, [restarted, keeps, look]);
  return { restarted: restarted && keeps, fresh, look, forget: useCallback(() => setFresh(false), []) };
}

/** useInstances counts the instances of the daemon that the page has shown. A view begins from nothing with each. */
function useInstances(): number {
  const [count, setCount] = useState(0);
  useEffect(() => daemon.onRestart(() => { if (!daemon.restarted) setCount((before) => before + 1); }), []);
  return count;
}

/** Line shows whether messages come from the daemon. */
function Line() {
  const state = useLink();
  const [since, setSince] = useState("");
  useEffect(() => {
    if (state === "lost") setSince((before) => before || new Date().toLocaleTimeString());
    else setSince("");
  }, [state]);
  if (state !== "lost") return <span className="line" role="status" data-line={state}>{state === "open" ? "live" : "connecting…"}</span>;
  return <span className="line" role="alert" data-line={state}>No word from the daemon since {since}. What is shown is from then; it comes back by itself.</span>;
}

function titleOf(route: Route): string {
  switch (route.view) {
    case "graph":
    case "net":
      return route.net;
    case "device":
      return route.device;
    case "session":
      return route.session;
    case "scope":
      return route.setup === "" ? "Scope" : `Scope ${route.setup}`;
    case "rule":
      return `Rule ${route.rule}`;
  }
  return route.view === "overview" ? "" : (places.find((p) => p.views.includes(route.view))?.name ?? "");
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case "overview":
      return <Overview />;
    case "nets":
      return <NetsView />;
    case "graph":
      return (
        <>
          <NetHead name={route.net} view="graph" key={`head ${route.net}`} />
          <GraphView net={route.net} at={route.at} key={route.net} />
        </>
      );
    case "net":
      return <NetFacts name={route.net} key={route.net} />;
    case "scope":
      return <ScopePage setup={route.setup} />;
    case "devices":
      return <DevicesView />;
    case "device":
      return <DeviceView name={route.device} key={route.device} />;
    case "rules":
      return <RulesView />;
    case "rule":
      return <RuleView id={route.rule} key={route.rule} />;
    case "sessions":
      return <SessionsView />;
    case "session":
      return <SessionView name={route.session} key={route.session} />;
    case "realtime":
      return <RealtimeView />;
    case "log":
      return <LogView level={route.level} find={route.find} />;
    case "unknown":
      return <p className="notice bad" role="alert">Nothing has the address {route.path}. <a href="#/">Overview</a></p>;
  }
}
