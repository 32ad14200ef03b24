import { expect, test } from "vitest";

import text from "../../../../directio/stream/testdata/samples.hex?raw";
import { decode, idOf } from "./samples";

/** The message that the test of the daemon writes. */
function written(): ArrayBuffer {
  return Uint8Array.from(text.trim().split(/\s+/), (byte) => parseInt(byte, 16)).buffer;
}

test("samples of the daemon are read", () => {
  const message = written();
  expect(idOf(message)).toBe(0x01020304);
  const samples = decode(message, [])!;
  expect(samples.lost).toBe(7);
  expect([...samples.ticks]).toEqual([1e9, 1e9 + 0.002]);
  expect(samples.columns.map(({ words, given, low, high }) => ({ words, given: [...given], low: [...low], high: [...high] }))).toEqual([
    { words: 1, given: [1, 2], low: [-2, NaN], high: [1.5, NaN] },
    { words: 4, given: [3, 1], low: [1, 2, 2, 3, -3, 0, 4, 5], high: [1, 2, 2, 3, -3, 0, 4, 5] },
    { words: 0, given: [2, 2], low: [], high: [] },
  ]);
});

test("what is not samples is left out", () => {
  expect(idOf(new ArrayBuffer(3))).toBe(0);
  expect(decode(new ArrayBuffer(3), [])).toBeNull();
  const other = written().slice(0);
  new DataView(other).setUint8(1, 2); // another version
  expect(decode(other, [])).toBeNull();
});
