import { useSyncExternalStore } from "react";

/** Route is the view that the address names: behind the #, so that every view has a link and the daemon serves one file. */
export type Route = { view: "overview" } | { view: "graph"; net: string } | { view: "scope"; setup: string } | { view: "unknown"; path: string };

export function parse(hash: string): Route {
  const path = hash.replace(/^#/, "");
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.length === 0) return { view: "overview" };
  try {
    if (parts.length === 2 && parts[0] === "nets" && parts[1]) return { view: "graph", net: decodeURIComponent(parts[1]) };
    if (parts.length <= 2 && parts[0] === "scope") return { view: "scope", setup: decodeURIComponent(parts[1] ?? "") };
  } catch {
    // a % that begins no escape: nothing has this address
  }
  return { view: "unknown", path };
}

export const graphOf = (net: string) => `#/nets/${encodeURIComponent(net)}`;

/** scopeOf is the address of the scope, with a setup if it has a name. */
export const scopeOf = (setup: string) => (setup === "" ? "#/scope" : `#/scope/${encodeURIComponent(setup)}`);

const subscribe = (changed: () => void) => {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
};

export const useRoute = (): Route => parse(useSyncExternalStore(subscribe, () => window.location.hash));
