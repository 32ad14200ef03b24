/** Origin is where the values of a channel come from. */
export type Origin = { net: string; path: string; port: string } | { device: string; figure: string } | { executor: string; figure: string } | { file: string };

export interface Channel {
  name: string;
  source: Origin;
  component?: string;
}

export const kinds = ["none", "edge", "level", "window", "runt", "rule", "state", "incident", "fault"] as const;
export type Kind = (typeof kinds)[number];

export const modes = ["auto", "normal", "single"] as const;
export type Mode = (typeof modes)[number];

export const slopes = ["rising", "falling", "either"] as const;
export type Slope = (typeof slopes)[number];

export interface Trigger {
  kind: Kind;
  channel?: string;
  level?: number;
  low?: number;
  high?: number;
  slope?: Slope;
  above?: boolean;
  inside?: boolean;
  hysteresis?: number;
  rule?: string;
  net?: string;
  state?: string;
  device?: string;
}

/** Setup configures a scope. Times are in seconds. */
export interface Setup {
  name: string;
  channels: Channel[];
  before: number;
  after: number;
  mode: Mode;
  holdoff: number;
  trigger: Trigger;
}

export const emptySetup = (): Setup => ({ name: "", channels: [], before: 0.5, after: 0.5, mode: "auto", holdoff: 0, trigger: { kind: "none" } });

export function originText(of: Origin): string {
  if ("net" in of) return `${of.net}: ${of.path}.${of.port}`;
  if ("file" in of) return of.file;
  if ("device" in of) return `${of.device}: ${of.figure}`;
  return `executor ${of.executor}: ${of.figure}`;
}

/** fromFile reports whether a setup is that of a file, which cannot be run. */
export const fromFile = (setup: Setup) => setup.channels.some((c) => "file" in c.source);

export const sameOrigin = (a: Origin, b: Origin) => originText(a) === originText(b);

/** nameFor is a name for a new channel that no other of the setup has. */
export function nameFor(source: Origin, taken: readonly Channel[]): string {
  const whole = "net" in source ? `${source.path.split(".").at(-1)}.${source.port}` : `${"device" in source ? source.device : "executor" in source ? source.executor : ""}.${"figure" in source ? source.figure : source.file}`;
  const short = whole.replace(/[^\p{L}\d ._()[\]-]/gu, "-").replace(/^[^\p{L}\d]+/u, "").slice(0, 40) || "channel";
  for (let n = 1; ; n++) {
    const name = n === 1 ? short : `${short} ${n}`;
    if (!taken.some((c) => c.name === name)) return name;
  }
}

export function withChannel(setup: Setup, source: Origin): Setup {
  return { ...setup, channels: [...setup.channels, { name: nameFor(source, setup.channels), source }] };
}

/** withoutChannel removes a channel, and the trigger that watches it. */
export function withoutChannel(setup: Setup, name: string): Setup {
  const channels = setup.channels.filter((c) => c.name !== name);
  return { ...setup, channels, trigger: setup.trigger.channel === name ? { kind: "none" } : setup.trigger };
}

/** asks lists the facts of each kind of trigger. */
export const asks: Record<Kind, readonly (keyof Trigger)[]> = {
  none: [],
  edge: ["channel", "level", "slope", "hysteresis"],
  level: ["channel", "level", "above", "hysteresis"],
  window: ["channel", "low", "high", "inside", "hysteresis"],
  runt: ["channel", "low", "high", "slope", "hysteresis"],
  rule: ["rule"],
  state: ["net", "state"],
  incident: [],
  fault: ["device"],
};

/** ofKind changes the kind of a trigger; common facts are kept, others get sensible defaults. */
export function ofKind(kind: Kind, before: Trigger, channels: readonly Channel[]): Trigger {
  const nets = channels.flatMap((c) => ("net" in c.source ? [c.source.net] : []));
  const first: Required<Omit<Trigger, "kind" | "rule" | "device">> = {
    net: nets[0] ?? "", channel: channels[0]?.name ?? "", level: 0, low: -1, high: 1, slope: "rising", above: true, inside: false, hysteresis: 0, state: "RUNNING",
  };
  const known: Trigger = { ...first, ...before };
  const trigger: Trigger = { kind };
  for (const fact of asks[kind]) if (known[fact] !== undefined) Object.assign(trigger, { [fact]: known[fact] });
  return trigger;
}

/** levelsOf are the facts of a trigger that are values of its channel, so that they have handles in its plot. */
export function levelsOf(t: Trigger): ("level" | "low" | "high")[] {
  if (t.kind === "edge" || t.kind === "level") return ["level"];
  if (t.kind === "window" || t.kind === "runt") return ["low", "high"];
  return [];
}

/** withLevel sets one of the levels; the lower end of a window stays below the upper one. */
export function withLevel(t: Trigger, which: "level" | "low" | "high", value: number): Trigger {
  if (!Number.isFinite(value)) return t;
  if (which === "low") return { ...t, low: Math.min(value, t.high ?? value) };
  if (which === "high") return { ...t, high: Math.max(value, t.low ?? value) };
  return { ...t, level: value };
}
