import type { Placed } from "./placed";

export type Direction = "left" | "right" | "up" | "down";

const directions: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export const directionOf = (key: string): Direction | undefined => directions[key];

/**
 * neighbour is the box that an arrow key leads to: the nearest one whose middle lies in that direction, those straight ahead before others. From
 * no box it leads to the one at the upper left. Every box can be reached: in order, by next.
 */
export function neighbour(list: readonly Placed[], from: number | null, direction: Direction): number | null {
  const at = list.find((b) => b.node === from && b.node !== 0);
  const boxes = list.filter((b) => b.node !== 0 && b.node !== from);
  if (!at) return nearest(boxes, (b) => Math.hypot(b.x - left(list), b.y - top(list)));
  const ahead = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] as [number, number];
  return nearest(boxes, (b) => {
    const x = b.x + b.width / 2 - at.x - at.width / 2;
    const y = b.y + b.height / 2 - at.y - at.height / 2;
    const forward = x * ahead[0] + y * ahead[1];
    const aside = Math.abs(x * ahead[1]) + Math.abs(y * ahead[0]);
    return forward > 1 && aside <= 2 * forward + 40 ? forward + 2 * aside : Infinity;
  });
}

/** next is the box behind another one in the order of the text, or before it: from the last one to the first. */
export function next(list: readonly Placed[], from: number | null, back: boolean): number | null {
  const order = list.map((b) => b.node).filter((n) => n !== 0).sort((a, b) => a - b);
  if (order.length === 0) return null;
  const at = from === null ? (back ? 0 : -1) : order.indexOf(from);
  return order[(at + (back ? -1 : 1) + order.length) % order.length] ?? null;
}

const left = (list: readonly Placed[]) => Math.min(...list.map((b) => b.x));
const top = (list: readonly Placed[]) => Math.min(...list.map((b) => b.y));

function nearest(boxes: readonly Placed[], distance: (b: Placed) => number): number | null {
  let best: number | null = null;
  let least = Infinity;
  for (const b of boxes) {
    const d = distance(b);
    if (d < least) [best, least] = [b.node, d];
  }
  return best;
}
