import type { Value } from "./curve";

/** Shape is how a channel is drawn. */
export type Shape = "lines" | "bars" | "bands";

/** Curve is one of the numbers of a channel. */
export interface Curve {
  name: string;
  value: Value;
}

/** Form describes the values of a channel. */
export interface Form {
  type: string;
  /** names of the numbers of a value, as the daemon has them, maybe with the norm; one empty name for a value that is one number */
  components: readonly string[];
  /** values are indexes in this list */
  states?: readonly string[];
  /** how many numbers, from the first, the norm is of, if the daemon says so */
  normed?: number;
}

const norm = "norm";

const isArray = (type: string) => type.startsWith("array");

/**
 * normed reports whether the values of a type have a length: of a vector, a position, a velocity or a force, which are the first
 * three numbers.
 */
export const normed = (type: string) => ["vector", "frame", "twist", "wrench"].includes(type);

/** componentsOf completes the names of numbers: those of arrays are numbered. */
export function componentsOf(type: string, names: readonly string[] | undefined, numbers: number): readonly string[] {
  if (names?.length === numbers) return names;
  return numbers === 1 && !isArray(type) ? [""] : Array.from({ length: numbers }, (_, i) => String(i));
}

/** optionsOf returns the components that a channel can be narrowed to, with their names. */
export function optionsOf(form: Form): { component: string; name: string }[] {
  return form.components.length < 2 ? [] : curvesOf(form).curves.map((c, i) => ({ component: form.components[i] ?? norm, name: c.name }));
}

/** curvesOf returns the curves of a channel: all, or one component. */
export function curvesOf(form: Form | null, component?: string): { shape: Shape; curves: readonly Curve[] } {
  const one: Curve[] = [{ name: "", value: { word: 0 } }];
  if (!form) return { shape: "lines", curves: one };
  if (form.states && form.states.length > 0) return { shape: "bands", curves: one };
  if (form.type === "bool") return { shape: "bars", curves: one };
  if (form.components.length < 2) return { shape: "lines", curves: component ? [{ name: component, value: { word: 0 } }] : one };
  const curves: Curve[] = form.components.map((name, word) => ({ name: isArray(form.type) && name !== norm ? `[${name}]` : name, value: { word } }));
  const length = form.normed ?? (normed(form.type) ? 3 : 0);
  if (length > 0 && !form.components.includes(norm)) curves.push({ name: norm, value: { norm: Array.from({ length }, (_, i) => i) } });
  const chosen = curves.filter((_, i) => (form.components[i] ?? norm) === component);
  return { shape: "lines", curves: chosen.length > 0 ? chosen : curves };
}
