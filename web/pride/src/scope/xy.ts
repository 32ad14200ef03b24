import { highOf, lowOf, type Value } from "./curve";
import type { Ring } from "./samples";
import type { Trace } from "./curve";

/** One is a curve of a ring. */
export interface One {
  ring: Ring;
  value: Value;
}

const middle = (c: One, i: number) => {
  const low = lowOf(c.ring, i, c.value);
  const high = highOf(c.ring, i, c.value);
  return low === high ? low : (low + high) / 2;
};

/**
 * pair makes the line of one curve over another between two times. Where their ticks differ, the value that held is taken: at
 * each tick of either of the two, both as they were then. Without a value of one of them the line is interrupted.
 */
export function pair(x: One, y: One, from: number, to: number, out: Trace): void {
  out.length = 0;
  let i = x.ring.first(from);
  let j = y.ring.first(from);
  const endX = x.ring.length;
  const endY = y.ring.length;
  let heldX = i > 0 && x.ring.given(i - 1) ? middle(x, i - 1) : NaN;
  let heldY = j > 0 && y.ring.given(j - 1) ? middle(y, j - 1) : NaN;
  let open = false;
  while (i < endX || j < endY) {
    const tickX = i < endX ? x.ring.tick(i) : Infinity;
    const tickY = j < endY ? y.ring.tick(j) : Infinity;
    const tick = Math.min(tickX, tickY);
    if (tick > to) return;
    if (tickX === tick) {
      if (!x.ring.joined(i)) open = false;
      heldX = x.ring.given(i) ? middle(x, i) : NaN;
      i++;
    }
    if (tickY === tick) {
      if (!y.ring.joined(j)) open = false;
      heldY = y.ring.given(j) ? middle(y, j) : NaN;
      j++;
    }
    if (!Number.isFinite(heldX) || !Number.isFinite(heldY)) {
      open = false;
      continue;
    }
    out.add(heldX, heldY, !open);
    open = true;
  }
}
