import type { Value } from "./curve";

/** Shape is how a channel is drawn. */
export type Shape = "lines" | "bars" | "bands";

/** Curve is one of the numbers of a channel. */
export interface Curve {
  name: string;
  value: Value;
}

/** Form is what is known of the values of a channel. */
export interface Form {
  type: string;
  /** names of the numbers of a value, as the daemon has them; one empty name for a value that is one number */
  components: readonly string[];
  /** values are indexes in this list */
  states?: readonly string[];
}

const isArray = (type: string) => type.startsWith("array");

/** Names of numbers that the daemon counts, as people call them. */
const called: Record<string, readonly string[]> = { frame: ["x", "y", "z", "qx", "qy", "qz", "qw"], rotation: ["qx", "qy", "qz", "qw"] };

/** The numbers whose length is worth a curve: the whole of a vector, the position of a frame, what is linear of the others. */
const linear: Record<string, readonly number[]> = { vector: [0, 1, 2], frame: [0, 1, 2], twist: [0, 1, 2], wrench: [0, 1, 2] };

function nameOf(form: Form, i: number): string {
  const name = form.components[i] ?? String(i);
  return called[form.type]?.[i] ?? (isArray(form.type) ? `[${name}]` : name);
}

/** optionsOf are the components that a channel can be narrowed to, and what they are called. */
export function optionsOf(form: Form): { component: string; name: string }[] {
  if (form.components.length < 2) return [];
  const all = form.components.map((component, i) => ({ component, name: nameOf(form, i) }));
  return form.type === "vector" || isArray(form.type) ? [...all, { component: "norm", name: "norm" }] : all;
}

/** curvesOf is how a channel is drawn. */
export function curvesOf(form: Form | null): { shape: Shape; curves: readonly Curve[] } {
  const one: Curve[] = [{ name: "", value: { word: 0 } }];
  if (!form) return { shape: "lines", curves: one };
  if (form.states && form.states.length > 0) return { shape: "bands", curves: one };
  if (form.type === "bool") return { shape: "bars", curves: one };
  if (form.components.length < 2) return { shape: "lines", curves: one };
  const curves: Curve[] = form.components.map((_, word) => ({ name: nameOf(form, word), value: { word } }));
  const norm = isArray(form.type) ? form.components.map((_, i) => i) : linear[form.type];
  if (norm) curves.push({ name: "norm", value: { norm } });
  return { shape: "lines", curves };
}

const fixed: Record<string, readonly string[]> = {
  vector: ["x", "y", "z"],
  twist: ["vel.x", "vel.y", "vel.z", "rot.x", "rot.y", "rot.z"],
  wrench: ["force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"],
};

/** componentsOf names the words of a type, as package scope of the daemon does. */
export function componentsOf(type: string, words: number): readonly string[] {
  const names = fixed[type];
  if (names?.length === words) return names;
  return words === 1 && !isArray(type) ? [""] : Array.from({ length: words }, (_, i) => String(i));
}
