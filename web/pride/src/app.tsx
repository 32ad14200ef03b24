import { lazy, Suspense, useEffect } from "react";

import { Overview } from "./overview/overview";
import { useRoute, type Route } from "./route";

const GraphView = lazy(() => import("./graph/view"));
const ScopePage = lazy(() => import("./scope/page"));

export function App() {
  const route = useRoute();
  const title = titleOf(route);
  useEffect(() => {
    document.title = title === "" ? "prIDE" : `${title} · prIDE`;
  }, [title]);
  return (
    <>
      <a className="skip" href="#main">Skip to content</a>
      <header>
        <a className="brand" href="#/">prIDE</a>
        <nav aria-label="Views">
          <a href="#/" aria-current={route.view === "overview" ? "page" : undefined}>Overview</a>
          <a href="#/scope" aria-current={route.view === "scope" ? "page" : undefined}>Scope</a>
          <a href="/">Plain pages</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<p role="status">Loading…</p>}>
          <View route={route} />
        </Suspense>
      </main>
    </>
  );
}

function titleOf(route: Route): string {
  switch (route.view) {
    case "graph":
      return route.net;
    case "scope":
      return route.setup === "" ? "Scope" : `Scope ${route.setup}`;
    default:
      return "";
  }
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case "overview":
      return <Overview />;
    case "graph":
      return <GraphView net={route.net} key={route.net} />;
    case "scope":
      return <ScopePage setup={route.setup} />;
    case "unknown":
      return <p className="error" role="alert">Nothing has the address {route.path}. <a href="#/">Overview</a></p>;
  }
}
