import { lines, type DrawnNode } from "./fold";

// How large boxes are: layout and style sheet agree on these.
export const rowHeight = 18;
export const headHeight = 38;
export const lineHeight = 15;

/** inPorts are those that links can lead to: of a primitive also the one that says whether it is executed. */
export function inPorts(node: DrawnNode): { name: string; type: string }[] {
  const guard = { name: "inActive", type: "bool" };
  return node.fragment || (node.guards ?? []).length === 0 ? node.in : [...node.in, guard];
}

const letters = (text: string) => 7.2 * text.length;

export function widthOf(node: DrawnNode): number {
  const rows = Math.max(inPorts(node).length, node.out.length);
  let widest = Math.max(letters(node.name), ...linesOf(node).map((line) => 6.7 * line.length)) + 28;
  for (let i = 0; i < rows; i++) widest = Math.max(widest, letters(inPorts(node)[i]?.name ?? "") + letters(node.out[i]?.name ?? "") + 34);
  return Math.round(Math.min(widest, 320));
}

/** linesOf is what stands below the name of a node: its formula, or its type. */
export const linesOf = (node: DrawnNode): string[] => (node.text === undefined ? [node.type ?? "fragment"] : lines(node.text));

/** headOf is how high the part of a box is that stands above its ports. */
export const headOf = (node: DrawnNode): number => headHeight + lineHeight * (linesOf(node).length - 1);

export const heightOf = (node: DrawnNode): number => headOf(node) + rowHeight * Math.max(inPorts(node).length, node.out.length, 1) + 8;

/** widest is the room that the names of ports take at the border of an open fragment. */
export const widest = (ports: { name: string }[]): number => Math.round(0.9 * Math.max(0, ...ports.map((port) => letters(port.name))));
