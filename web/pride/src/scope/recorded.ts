import type { Column } from "../stream/samples";
import type { Setup } from "./setup";
import type { Described, Sink, Source, Wanted } from "./source";

/** column is one of scalars; null is no value. */
export function column(values: readonly (number | null)[]): Column {
  const numbers = Float64Array.from(values, (v) => v ?? 0);
  return { given: Uint8Array.from(values, (v) => (v === null ? 0 : 1)), words: 1, low: numbers, high: numbers };
}

/** Recorded is a source for tests: it keeps requests, and tests give the answers. */
export class Recorded implements Source {
  readonly runs: { setup: Setup; wanted: Wanted; sink: Sink; ended: boolean }[] = [];

  run(setup: Setup, wanted: Wanted, sink: Sink): () => void {
    const run = { setup, wanted, sink, ended: false };
    this.runs.push(run);
    return () => {
      run.ended = true;
    };
  }

  /** last is the newest run. */
  get last() {
    const run = this.runs.at(-1);
    if (!run) throw new Error("nothing was run");
    return run;
  }
}

export const scalar = (type = "double"): Described => ({ type, components: [""], period: 0.001 });
