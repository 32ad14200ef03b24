import { useStore } from "@xyflow/react";
import { useRef } from "react";

import type { Sight } from "./live";
import type { Placed } from "./placed";

/** around is how far elements exist beyond the visible part, on each side, as a part of its size. */
const around = 0.4;

/**
 * useSight returns the part of the drawing that needs elements, null for all of it. It stays the same while the visible part stays within it: moving costs
 * nothing until then.
 */
export function useSight(partly: boolean): Sight | null {
  const last = useRef<{ sight: Sight; zoom: number } | null>(null);
  const key = useStore((s) => {
    if (!partly) {
      last.current = null;
      return null;
    }
    const [x, y, zoom] = s.transform;
    const seen = { left: -x / zoom, top: -y / zoom, right: (s.width - x) / zoom, bottom: (s.height - y) / zoom };
    const had = last.current;
    const holds = had && seen.left >= had.sight.left && seen.top >= had.sight.top && seen.right <= had.sight.right && seen.bottom <= had.sight.bottom && zoom < 3 * had.zoom;
    if (!holds) {
      const [w, h] = [around * (seen.right - seen.left), around * (seen.bottom - seen.top)];
      last.current = { zoom, sight: { left: seen.left - w, top: seen.top - h, right: seen.right + w, bottom: seen.bottom + h } };
    }
    return last.current;
  });
  return key?.sight ?? null;
}

/** within returns the boxes that a part of the drawing touches, null for all of them. */
export function within(list: readonly Placed[], sight: Sight | null): ReadonlySet<number> | null {
  if (!sight) return null;
  const set = new Set<number>();
  for (const b of list) if (b.x < sight.right && b.y < sight.bottom && b.x + b.width > sight.left && b.y + b.height > sight.top) set.add(b.node);
  return set;
}
