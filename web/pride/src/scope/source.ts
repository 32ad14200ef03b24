import type { Column } from "./samples";
import type { Origin, Setup } from "./setup";

/** Described is what the daemon says of a channel, in the order of the setup. */
export interface Described {
  type: string;
  words: number;
  unit?: string;
  /** names of the values of a state */
  states?: string[];
  /** seconds from tick to tick; null where there are none */
  period: number | null;
  /** text of a constant, of which no samples come */
  constant?: string;
}

/** Part is the samples of one channel. */
export interface Part {
  ticks: Float64Array;
  column: Column;
}

/** Capture is what was recorded around one trigger. */
export interface Capture {
  number: number;
  /** tick of the trigger; null where none occurred and mode auto recorded all the same */
  trigger: number | null;
  parts: Part[];
  lost: number;
}

/** Phase is what a scope is doing. */
export type Phase = "stopped" | "filling" | "armed" | "triggered" | "holdoff" | "live" | "done";

/** Sink is what a running scope tells. */
export interface Sink {
  described(channels: readonly Described[]): void;
  /** samples of one channel that come as time passes; lost is how many are missing before them */
  samples(channel: number, part: Part, lost: number): void;
  capture(capture: Capture): void;
  phase(phase: Phase): void;
  failed(message: string): void;
}

/** How much a view needs of samples that come as time passes. */
export interface Wanted {
  pixels: number;
  window: number;
}

/** Source is where a scope gets its samples from. */
export interface Source {
  /** run begins to watch, and returns what ends it. */
  run(setup: Setup, wanted: Wanted, sink: Sink): () => void;
}

/** Offered is something that can become a channel. */
export interface Offered {
  source: Origin;
  text: string;
  type: string;
}
