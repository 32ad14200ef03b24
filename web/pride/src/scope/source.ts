import type { Column } from "../stream/samples";
import type { Form } from "./shape";
import type { Origin, Setup } from "./setup";

/** Described is what the daemon says of a channel, in the order of the setup. */
export interface Described extends Form {
  unit?: string;
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
  trigger: number;
  /** nothing has triggered, and mode auto recorded all the same */
  forced: boolean;
  parts: Part[];
  lost: number;
  /** channels whose samples have not come in time */
  late: readonly string[];
}

/** Phase is what a scope is doing. */
export type Phase = "stopped" | "starting" | "armed" | "triggered" | "live" | "done";

/** Sink is what a running scope tells. */
export interface Sink {
  described(channels: readonly Described[]): void;
  /** samples of one channel that come as time passes; lost is how many cycles were lost, torn whether some are missing before them */
  samples(channel: number, part: Part, lost: number, torn: boolean): void;
  /** torn says that what comes next of a channel does not follow what came */
  torn(channel: number): void;
  capture(capture: Capture): void;
  phase(phase: Phase): void;
  /** trouble is said, and the rest goes on */
  trouble(message: string): void;
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

/** Store keeps setups under their names. */
export interface Store {
  names(): Promise<string[]>;
  load(name: string): Promise<Setup>;
  save(setup: Setup): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * Measures are what the daemon reads from one component of a channel. What a signal does not have is null. Times are in seconds,
 * the overshoot is a part of the step.
 */
export interface Measures {
  samples: number;
  nulls: number;
  minimum: number | null;
  maximum: number | null;
  mean: number | null;
  rms: number | null;
  period: number | null;
  overshoot: number | null;
  settling: number | null;
}

export const shapes = ["hann", "flat-top", "blackman-harris", "rectangular"] as const;
export type Shape = (typeof shapes)[number];

/** Spectrum is a line every so many Hz, in units of the signal. */
export interface Spectrum {
  window: string;
  samples: number;
  step: number;
  amplitudes: readonly number[];
}

/** Analyst reads figures from the newest capture, between two times. */
export interface Analyst {
  /**
   * measures are those of every component of every channel, and the number of the capture that they are of: there may be a newer
   * one by then.
   */
  measures(from: number, to: number): Promise<{ capture: number; channels: (Measures | null)[][] }>;
  spectrum(channel: number, component: number, from: number, to: number, shape: Shape): Promise<Spectrum>;
}

/** Archive saves captures as files, and opens them again. */
export interface Archive {
  links(setup: Setup): { csv: string; mcap: string };
  open(file: File): Promise<{ channels: { name: string; described: Described }[]; capture: Capture }>;
}
