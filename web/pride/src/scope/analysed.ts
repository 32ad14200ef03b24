import { useEffect, useRef, useState } from "react";

import type { Scope } from "./scope";

/** The least time in ms from one request to the next, and to the next one where nothing has answered. */
const least = 300;
const unanswered = 2000;

/** between returns the span of the cursors, or the visible one without two cursors. */
export function between(scope: Scope): [number, number] {
  const { a, b } = scope;
  return a !== null && b !== null ? [Math.min(a, b), Math.max(a, b)] : [scope.axis.from, scope.axis.to];
}

/** Answer is the answer of the daemon, or the reason why there is none. */
export interface Answer<T> {
  value: T | null;
  problem: string | null;
}

/** useAnalysed requests an analysis of a capture between the cursors, and again when they or the capture change. */
export function useAnalysed<T>(scope: Scope, capture: number | null, key: string, ask: ((from: number, to: number) => Promise<T>) | null): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ value: null, problem: null });
  const last = useRef(-least);
  useEffect(() => {
    if (!ask || capture === null) {
      setAnswer({ value: null, problem: null });
      return;
    }
    let gone = false;
    let timer = 0;
    let asked = "";
    let busy = false;
    const look = () => {
      if (gone || busy || timer !== 0 || between(scope).join(" ") === asked) return;
      timer = window.setTimeout(async () => {
        timer = 0;
        const [from, to] = between(scope);
        asked = `${from} ${to}`;
        busy = true;
        last.current = performance.now();
        try {
          const value = await ask(from, to);
          if (!gone) setAnswer({ value, problem: null });
        } catch (e) {
          if (!gone && e instanceof TypeError) { // that the connection is cut is said above; what was measured stays
            last.current += unanswered - least;
            asked = "";
          } else if (!gone) setAnswer({ value: null, problem: e instanceof Error ? e.message : String(e) });
        }
        busy = false;
        look();
      }, Math.max(0, last.current + least - performance.now()));
    };
    look();
    const forget = scope.onFrame(look);
    return () => {
      gone = true;
      forget();
      window.clearTimeout(timer);
    };
    // ask is made again in every drawing; key identifies the request
  }, [scope, capture, key, ask !== null]);
  return answer;
}
