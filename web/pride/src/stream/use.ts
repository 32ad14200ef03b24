import { useEffect, useState, useSyncExternalStore } from "react";

import type { Problem } from "../wire";
import { stream, type Rows, type State, type Topic } from "./stream";

/** Watched is the state of a topic: its rows, null before the first answer, and the reason why there are none. */
export interface Watched<T> {
  rows: Rows<T> | null;
  problem: Problem | null;
}

/** useWatch watches a topic while the component is mounted. */
export function useWatch<T>(topic: Topic, level?: string): Watched<T> {
  const [watched, setWatched] = useState<Watched<T>>({ rows: null, problem: null });
  useEffect(() => {
    setWatched({ rows: null, problem: null });
    return stream.watch<T>(
      topic,
      (rows) => setWatched({ rows, problem: null }),
      (problem) => setWatched((before) => ({ ...before, problem })),
      level,
    );
  }, [topic, level]);
  return watched;
}

const subscribe = (changed: () => void) => stream.onState(changed);

/** useStreamState returns the state of the connection. */
export function useStreamState(): State {
  return useSyncExternalStore(subscribe, () => stream.state);
}

/** useInstance returns the instance of the daemon that answers, null before the first answer. */
export function useInstance(): string | null {
  return useSyncExternalStore(subscribe, () => stream.instance);
}
