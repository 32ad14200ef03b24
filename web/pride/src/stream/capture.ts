import type { Capture } from "./wire";

/** Marks of a channel at a tick: no value, a value of this tick, or the value of its last cycle when it has no cycle there. */
export const nullMark = 0;
export const valueMark = 1;
export const heldMark = 2;

/** CapturedChannel has the numbers of a channel, component by component, and a mark for each tick. */
export interface CapturedChannel {
  components: Float64Array[];
  marks: Uint8Array;
}

/** Captured is a capture: its facts, and its samples on one axis of ticks (s, Unix). */
export interface Captured {
  facts: Capture;
  ticks: Float64Array;
  channels: CapturedChannel[];
}

const kind = 2;
const version = 1;

/** decodeCapture reads a binary message, null if it is not one with a capture. The arrays are those of the message: nothing is copied. */
export function decodeCapture(message: ArrayBuffer): Captured | null {
  const view = new DataView(message);
  if (message.byteLength < 16 || view.getUint8(0) !== kind || view.getUint8(1) !== version) return null;
  const count = view.getUint16(2, true);
  const ticks = view.getUint32(8, true);
  const length = view.getUint32(12, true);
  const facts = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 16, length))) as Capture;
  const padded = (n: number) => Math.ceil(n / 8) * 8;
  let at = padded(16 + length);
  const doubles = () => {
    const list = new Float64Array(message, at, ticks);
    at += 8 * ticks;
    return list;
  };
  const axis = doubles();
  const channels: CapturedChannel[] = [];
  for (let i = 0; i < count; i++) {
    const numbers = view.getUint32(at, true);
    at += 8;
    const components = Array.from({ length: numbers }, doubles);
    channels.push({ components, marks: new Uint8Array(message, at, ticks) });
    at = padded(at + ticks);
  }
  return { facts, ticks: axis, channels };
}
