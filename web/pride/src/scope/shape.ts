import type { Value } from "./curve";

/** Shape is how a channel is drawn. */
export type Shape = "lines" | "bars" | "bands";

/** Curve is one of the numbers of a channel. */
export interface Curve {
  name: string;
  value: Value;
}

const words = (...names: string[]): Curve[] => names.map((name, word) => ({ name, value: { word } }));
const norm = (name: string, ...of: number[]): Curve => ({ name, value: { norm: of } });

/** What each type consists of, as the daemon gives its words. */
const parts: Record<string, readonly Curve[]> = {
  vector: [...words("x", "y", "z"), norm("norm", 0, 1, 2)],
  rotation: words("x", "y", "z", "w"),
  frame: [...words("x", "y", "z", "qx", "qy", "qz", "qw"), norm("norm", 0, 1, 2)],
  twist: [...words("x", "y", "z", "rx", "ry", "rz"), norm("norm", 0, 1, 2)],
  wrench: [...words("x", "y", "z", "tx", "ty", "tz"), norm("norm", 0, 1, 2)],
};

/** componentsOf are the names that a channel of a type can be narrowed to. */
export function componentsOf(type: string): string[] {
  return (parts[type] ?? []).map((c) => c.name);
}

/** curvesOf is how a channel is drawn, as a whole or one component of it. */
export function curvesOf(type: string, count: number, states: readonly string[] | undefined, component?: string): { shape: Shape; curves: readonly Curve[] } {
  if (states && states.length > 0) return { shape: "bands", curves: words("") };
  if (type === "bool") return { shape: "bars", curves: words("") };
  if (count === 1) return { shape: "lines", curves: words(component ?? "") };
  const all = parts[type] ?? [...words(...Array.from({ length: count }, (_, i) => `[${i}]`)), norm("norm", ...Array.from({ length: count }, (_, i) => i))];
  const one = component ? all.filter((c) => c.name === component) : [];
  if (one.length > 0) return { shape: "lines", curves: one };
  return { shape: "lines", curves: all.filter((c) => !("word" in c.value) || c.value.word < count) };
}
