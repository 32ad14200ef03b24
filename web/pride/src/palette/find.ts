import { deviceOf, factsOf, graphOf, logOf, nodeOf, ruleOf, scopeOf, sessionOf } from "../route";
import type { Device, Graph, Incident, NetEntry, PrimitiveRow, RecordedRule, Session } from "../wire";

/** Thing is an entry that the palette finds by its name. */
export interface Thing {
  kind: "view" | "net" | "port" | "device" | "rule" | "session" | "incident" | "type";
  name: string;
  /** about is further text; it is searched, too, and counts less. */
  about: string;
  to: string;
}

/** views are the things that are always there. */
export const views: readonly Thing[] = [
  { kind: "view", name: "Overview", about: "all that there is", to: "#/" },
  { kind: "view", name: "Nets", about: "all nets", to: "#/nets" },
  { kind: "view", name: "Devices", about: "states and causes", to: "#/devices" },
  { kind: "view", name: "Rules", about: "what has switched, and why", to: "#/rules" },
  { kind: "view", name: "Sessions", about: "nets that belong together", to: "#/sessions" },
  { kind: "view", name: "Real time", about: "executors, CPUs, incidents", to: "#/realtime" },
  { kind: "view", name: "Scope", about: "signals, triggers, captures", to: scopeOf("") },
  { kind: "view", name: "Log", about: "lines of the log", to: "#/log" },
  { kind: "view", name: "Errors of the log", about: "the log from level error on", to: logOf("error", "") },
  { kind: "view", name: "Plain pages", about: "pages that need no JavaScript", to: "/" },
];

export const ofNets = (nets: readonly NetEntry[]): Thing[] =>
  nets.flatMap((n) => [
    { kind: "net", name: n.name, about: `${n.state} ${n.description}`, to: graphOf(n.name) },
    { kind: "net", name: `${n.name} facts`, about: n.description, to: factsOf(n.name) },
  ]);

export const ofDevices = (devices: readonly Device[]): Thing[] =>
  devices.map((d) => ({ kind: "device", name: d.name, about: `${d.state} ${d.type} ${d.cause ?? ""}`, to: deviceOf(d.name) }));

export const ofRules = (rules: readonly RecordedRule[]): Thing[] =>
  rules.map((r) => ({ kind: "rule", name: `Rule ${r.id}`, about: `${r.state} ${r.description ?? ""} ${r.condition}`, to: ruleOf(r.id) }));

export const ofSessions = (sessions: readonly Session[]): Thing[] =>
  sessions.map((s) => ({ kind: "session", name: s.name, about: s.description, to: sessionOf(s.name) }));

export const ofIncidents = (incidents: readonly Incident[]): Thing[] =>
  incidents.map((i) => ({ kind: "incident", name: i.what, about: `${i.time} ${i.net ?? ""} ${i.cause}`, to: "#/realtime" }));

export const ofTypes = (types: readonly PrimitiveRow[]): Thing[] => types.map((t) => ({ kind: "type", name: t.name, about: t.doc, to: t.uri }));

/** ofGraph are the ports of a net. */
export const ofGraph = (graph: Graph): Thing[] =>
  graph.nodes.flatMap((node) =>
    node.path === ""
      ? []
      : [...node.in, ...node.out].map((port) => ({
          kind: "port" as const,
          name: `${node.path}.${port.name}`,
          about: `${graph.net} ${node.type ?? ""} ${port.type}`,
          to: nodeOf(graph.net, node.path),
        })),
  );

/** kinds order things that match equally well: rare kinds come first. */
const kinds: readonly Thing["kind"][] = ["view", "net", "device", "rule", "session", "incident", "type", "port"];

/**
 * find returns the things that have all words of a query, the best ones first: those whose name begins with it, then those that have it at the
 * beginning of a part of their name, then anywhere in it, then in what else is said of them.
 */
export function find(things: readonly Thing[], query: string, most: number): Thing[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found: { thing: Thing; rank: number }[] = [];
  for (const thing of things) {
    const rank = rankOf(thing, words);
    if (rank !== null) found.push({ thing, rank: rank * kinds.length + kinds.indexOf(thing.kind) });
  }
  return found.sort((a, b) => a.rank - b.rank || (a.thing.name < b.thing.name ? -1 : 1)).slice(0, most).map(({ thing }) => thing);
}

/** rankOf returns a rank, lower for a better match, or null for a thing without all words. */
function rankOf(thing: Thing, words: readonly string[]): number | null {
  const name = thing.name.toLowerCase();
  const about = `${thing.kind} ${thing.about}`.toLowerCase();
  let rank = 0;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at < 0 && !about.includes(word)) return null;
    if (at < 0) rank += 3;
    else if (at > 0) rank += /[^a-z0-9]/.test(name[at - 1] ?? "") ? 1 : 2;
  }
  return rank;
}
