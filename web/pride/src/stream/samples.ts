import type { ProbedPort } from "./wire";

/** Bits of the values that the cycles of a row had. A row without value has NaN as low and high. */
export const someGiven = 1;
export const someMissing = 2;
export const someNaN = 4;

/** Column has, for each row of a port, whether there were values, and the extremes of each number. */
export interface Column {
  given: Uint8Array;
  words: number;
  low: Float64Array;
  high: Float64Array;
}

/**
 * Samples are pixels of time, each with the tick of its first cycle (s, Unix). The first row may have the tick of the last one that came before: it
 * replaces it then, as more cycles of that pixel have come.
 */
export interface Samples {
  ports: readonly ProbedPort[];
  ticks: Float64Array;
  columns: Column[];
  /** Cycles lost since the previous samples. */
  lost: number;
}

const kind = 1;
const version = 1;

/** idOf returns the number of the request of a binary message, 0 if it has none. */
export function idOf(message: ArrayBuffer): number {
  return message.byteLength >= 16 ? new DataView(message).getUint32(4, true) : 0;
}

/** decode reads a binary message, null if it is not one with samples. The arrays are those of the message: nothing is copied. */
export function decode(message: ArrayBuffer, ports: readonly ProbedPort[]): Samples | null {
  const view = new DataView(message);
  if (message.byteLength < 16 || view.getUint8(0) !== kind || view.getUint8(1) !== version) return null;
  const count = view.getUint16(2, true);
  const rows = view.getUint32(8, true);
  let at = 16;
  const doubles = (n: number) => {
    const list = new Float64Array(message, at, n);
    at += 8 * n;
    return list;
  };
  const ticks = doubles(rows);
  const columns: Column[] = [];
  for (let i = 0; i < count; i++) {
    const words = view.getUint32(at, true);
    at += 8;
    const low = doubles(rows * words);
    const high = doubles(rows * words);
    columns.push({ words, low, high, given: new Uint8Array(message, at, rows) });
    at += Math.ceil(rows / 8) * 8;
  }
  return { ports, ticks, columns, lost: view.getUint32(12, true) };
}
