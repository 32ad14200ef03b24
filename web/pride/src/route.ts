import { useSyncExternalStore } from "react";

/** Route is the view that the address names after the #, so that every view has a link and the daemon serves one file. */
export type Route =
  | { view: "overview" }
  | { view: "nets" }
  | { view: "graph"; net: string; at?: string }
  | { view: "net"; net: string }
  | { view: "devices" }
  | { view: "device"; device: string }
  | { view: "rules" }
  | { view: "rule"; rule: string }
  | { view: "sessions" }
  | { view: "session"; session: string }
  | { view: "realtime" }
  | { view: "scope"; setup: string }
  | { view: "log"; level: string; find: string }
  | { view: "unknown"; path: string };

export function parse(hash: string): Route {
  const path = hash.replace(/^#/, "");
  const [before = "", query = ""] = path.split("?", 2);
  try {
    const route = routeOf(before.split("/").filter((part) => part !== "").map(decodeURIComponent), new URLSearchParams(query));
    if (route) return route;
  } catch {
    // a % that begins no escape: nothing has this address
  }
  return { view: "unknown", path };
}

function routeOf([kind, name, part, at, ...rest]: string[], query: URLSearchParams): Route | null {
  if (rest.length > 0) return null;
  if (kind === undefined) return { view: "overview" };
  if (kind === "nets" && name !== undefined) return netRoute(name, part, at);
  if (part !== undefined) return null;
  if (name === undefined) {
    switch (kind) {
      case "nets":
      case "devices":
      case "rules":
      case "sessions":
      case "realtime":
        return { view: kind };
      case "scope":
        return { view: kind, setup: "" };
      case "log":
        return { view: "log", level: query.get("level") ?? "", find: query.get("find") ?? "" };
    }
    return null;
  }
  switch (kind) {
    case "devices":
      return { view: "device", device: name };
    case "rules":
      return { view: "rule", rule: name };
    case "sessions":
      return { view: "session", session: name };
    case "scope":
      return { view: "scope", setup: name };
  }
  return null;
}

function netRoute(net: string, part: string | undefined, at: string | undefined): Route | null {
  if (part === undefined) return { view: "graph", net };
  if (part === "facts" && at === undefined) return { view: "net", net };
  if (part === "at" && at !== undefined) return { view: "graph", net, at };
  return null;
}

/** named reports whether a view is of things whose names mean something else after a restart of the daemon, as do the channels of a scope. */
export function named(route: Route): boolean {
  return ["graph", "net", "rule", "session", "scope"].includes(route.view);
}

const address = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;

export const graphOf = (net: string) => address("nets", net);
export const nodeOf = (net: string, path: string) => address("nets", net, "at", path);
export const factsOf = (net: string) => address("nets", net, "facts");
export const deviceOf = (name: string) => address("devices", name);
export const ruleOf = (id: number) => address("rules", String(id));
export const sessionOf = (name: string) => address("sessions", name);

/** logOf returns the address of the log with a level and a search; empty parts are left out. */
export function logOf(level: string, find: string): string {
  const query = new URLSearchParams();
  if (level !== "") query.set("level", level);
  if (find !== "") query.set("find", find);
  const text = query.toString();
  return text === "" ? "#/log" : `#/log?${text}`;
}

/** scopeOf returns the address of the scope, with a setup if it has a name. */
export const scopeOf = (setup: string) => (setup === "" ? "#/scope" : address("scope", setup));

const subscribe = (changed: () => void) => {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
};

export const useRoute = (): Route => parse(useSyncExternalStore(subscribe, () => window.location.hash));
