import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Problem } from "../wire";
import type { Samples } from "./samples";
import { Stream, type Rows, type Socket } from "./stream";

/** Wire is a daemon of which a test says every word. */
class Wire implements Socket {
  static all: Wire[] = [];
  binaryType: BinaryType = "blob";
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  sent: unknown[] = [];
  readyState: number = 1;
  closed = false;

  constructor() {
    Wire.all.push(this);
  }
  send(text: string) {
    if (this.readyState !== 1) throw new Error("it is closing");
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
  }
  say(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  block(id: number) {
    const message = new ArrayBuffer(24);
    const view = new DataView(message);
    view.setUint16(0, 0x0101);
    view.setUint32(4, id, true);
    view.setUint32(8, 1, true);
    view.setFloat64(16, 1e9, true);
    this.onmessage?.({ data: message });
  }
  hello(instance = "one") {
    this.say({ rccd: 1, instance, version: "1.2.3" });
  }
  cut() {
    this.onclose?.();
  }
  static newest(): Wire {
    return Wire.all[Wire.all.length - 1]!;
  }
}

interface Net { state: string }

let stream: Stream;
let seen: Record<string, string>[];
let lefts: number[];
const on = (rows: Rows<Net>, left: number) => {
  seen.push(Object.fromEntries([...rows].map(([key, row]) => [key, row.state])));
  lefts.push(left);
};
const row = (key: string, state: string) => ({ key, row: { state } });

beforeEach(() => {
  vi.useFakeTimers();
  Wire.all = [];
  seen = [];
  lefts = [];
  stream = new Stream(() => new Wire());
});
afterEach(() => {
  stream.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test("rows come, change and go", () => {
  stream.watch<Net>("nets", on);
  const wire = Wire.newest();
  expect(stream.state).toBe("connecting");
  expect(wire.sent).toEqual([]); // nothing before the daemon has said who it is
  wire.hello();
  expect(stream.state).toBe("open");
  expect(wire.sent).toEqual([{ id: 1, watch: "nets" }]);
  wire.say({ id: 1, all: [row("n0", "READY"), row("n1", "READY")] });
  wire.say({ id: 1, changed: [row("n1", "RUNNING")], gone: ["n0"], left: 3 });
  wire.say({ alive: true });
  expect(seen).toEqual([{ n0: "READY", n1: "READY" }, { n1: "RUNNING" }]);
  expect(lefts).toEqual([0, 3]);
});

test("who watches what others watch costs nothing, and the last one ends it", () => {
  const first = stream.watch<Net>("nets", on);
  Wire.newest().hello();
  Wire.newest().say({ id: 1, all: [row("n0", "READY")] });
  const second = stream.watch<Net>("nets", on);
  expect(seen).toEqual([{ n0: "READY" }, { n0: "READY" }]);
  const errors = stream.watch("log", () => {}, undefined, "error");
  first();
  expect(Wire.newest().sent).toEqual([{ id: 1, watch: "nets" }, { id: 2, watch: "log", level: "error" }]);
  second();
  second();
  errors();
  expect(Wire.newest().sent.slice(2)).toEqual([{ id: 3, end: 1 }, { id: 4, end: 2 }]);
});

test("a message that was on its way when its watch ended is left out", () => {
  const end = stream.watch<Net>("nets", on);
  const wire = Wire.newest();
  wire.hello();
  end();
  stream.watch<Net>("nets", on);
  wire.say({ id: 1, all: [row("old", "READY")] });
  wire.say({ id: 1, ended: "as asked" });
  wire.say({ id: 3, all: [row("new", "READY")] });
  expect(seen).toEqual([{ new: "READY" }]);
});

test("after a cut everything that is watched is asked for again", () => {
  stream.watch<Net>("nets", on);
  const ended = stream.watch("rules", () => {});
  Wire.newest().hello();
  Wire.newest().say({ id: 1, all: [row("n0", "READY")] });
  const states: string[] = [];
  stream.onState(() => states.push(stream.state));
  const cut = Wire.newest();
  cut.cut();
  ended();
  expect(seen).toHaveLength(1); // what is known stays
  vi.advanceTimersByTime(500);
  expect(Wire.all).toHaveLength(2);
  Wire.newest().hello();
  expect(states).toEqual(["lost", "open"]);
  expect(Wire.newest().sent).toEqual([{ id: 1, watch: "nets" }]);
  Wire.newest().say({ id: 1, all: [row("n2", "RUNNING")] });
  cut.say({ id: 1, all: [] });
  expect(seen[1]).toEqual({ n2: "RUNNING" });
  expect(seen).toHaveLength(2);
});

test("nothing is said on a connection that is closing", () => {
  stream.watch<Net>("nets", on);
  const wire = Wire.newest();
  wire.hello();
  wire.readyState = 2;
  stream.watch("rules", () => {});
  expect(wire.sent).toEqual([{ id: 1, watch: "nets" }]);
  wire.cut();
  vi.advanceTimersByTime(500);
  Wire.newest().hello();
  expect(Wire.newest().sent).toEqual([{ id: 1, watch: "nets" }, { id: 2, watch: "rules" }]);
});

test("it connects again at longer and longer intervals", () => {
  stream.watch<Net>("nets", on);
  for (const wait of [500, 1000, 2000, 4000, 8000, 8000]) {
    Wire.newest().cut();
    const before = Wire.all.length;
    vi.advanceTimersByTime(wait - 1);
    expect(Wire.all).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(Wire.all).toHaveLength(before + 1);
  }
  Wire.newest().hello();
  Wire.newest().cut();
  vi.advanceTimersByTime(500);
  expect(Wire.all).toHaveLength(8);
});

test("a daemon that is silent for long is given up", () => {
  stream.watch<Net>("nets", on);
  const wire = Wire.newest();
  wire.hello();
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(5000);
    wire.say({ alive: true });
  }
  expect(stream.state).toBe("open");
  vi.advanceTimersByTime(20_000);
  expect(wire.closed).toBe(true);
  expect(stream.state).toBe("lost");
  vi.advanceTimersByTime(500);
  expect(Wire.all).toHaveLength(2);
});

test("rows of another instance of the daemon are forgotten", () => {
  stream.watch<Net>("nets", on);
  Wire.newest().hello("one");
  Wire.newest().say({ id: 1, all: [row("n0", "RUNNING")] });
  Wire.newest().cut();
  vi.advanceTimersByTime(500);
  Wire.newest().hello("two");
  expect(stream.instance).toBe("two");
  expect(seen[1]).toEqual({}); // before the new one has told its nets
  Wire.newest().say({ id: 1, changed: [row("n0", "READY")] }); // cannot be: changes follow all
  expect(seen).toHaveLength(2);
  Wire.newest().say({ id: 1, all: [row("n0", "READY")] });
  expect(seen[2]).toEqual({ n0: "READY" });
});

test("an error is told to who has asked, and what it has asked for is over", () => {
  const problems: Problem[] = [];
  stream.watch("log", () => {}, (p) => problems.push(p), "loud");
  Wire.newest().hello();
  Wire.newest().say({ id: 1, error: { status: 400, code: "request", where: "level", message: "only the log has levels", remedy: "see" } });
  Wire.newest().say({ error: { status: 400, code: "request", message: "of nobody", remedy: "" } });
  expect(problems.map((p) => p.code)).toEqual(["request"]);
  Wire.newest().cut();
  vi.advanceTimersByTime(500);
  Wire.newest().hello();
  expect(Wire.newest().sent).toEqual([]);
});

test("a daemon of another version is not understood", () => {
  const problems: Problem[] = [];
  stream.watch<Net>("nets", on, (p) => problems.push(p));
  Wire.newest().say({ rccd: 2, instance: "one", version: "9" });
  expect(problems.map((p) => p.code)).toEqual(["version"]);
  expect(Wire.newest().sent).toEqual([]);
});

const asked = { net: "n3", ports: [{ path: "sum", port: "outValue" }], rate: 20, pixels: 600, window: 10 };

test("samples go to who has asked for them", () => {
  const blocks: Samples[] = [];
  const begun: string[] = [];
  const end = stream.probe(asked, (b) => blocks.push(b), () => {}, (ports) => begun.push(...ports.map((p) => p.name)));
  const wire = Wire.newest();
  wire.hello();
  expect(wire.sent).toEqual([{ id: 1, probe: asked }]);
  wire.say({ id: 1, probe: { ports: [{ name: "sum.outValue", type: "double", numbers: 1 }] } });
  wire.block(1);
  wire.block(2);
  end();
  wire.block(1);
  expect(begun).toEqual(["sum.outValue"]);
  expect(blocks).toHaveLength(1);
  expect([...blocks[0]!.ticks]).toEqual([1e9]);
  expect(wire.sent[1]).toEqual({ id: 2, end: 1 });
});

test("a probe comes back after a cut, and ends with the daemon that had the net", () => {
  const problems: Problem[] = [];
  stream.probe(asked, () => {}, (p) => problems.push(p));
  Wire.newest().hello("one");
  Wire.newest().cut();
  vi.advanceTimersByTime(500);
  Wire.newest().hello("one");
  expect(Wire.newest().sent).toEqual([{ id: 1, probe: asked }]);
  expect(problems).toEqual([]);
  Wire.newest().cut();
  vi.advanceTimersByTime(500);
  Wire.newest().hello("two");
  expect(Wire.newest().sent).toEqual([]); // nothing old is asked for
  expect(problems.map((p) => p.code)).toEqual(["other-instance"]);
});

test("a net that ends ends its probes", () => {
  const problems: Problem[] = [];
  const end = stream.probe(asked, () => {}, (p) => problems.push(p));
  const wire = Wire.newest();
  wire.hello();
  wire.say({ id: 1, ended: "net n3: it has ended" });
  end();
  expect(problems).toEqual([{ status: 0, code: "ended", message: "net n3: it has ended", remedy: "" }]);
  expect(wire.sent).toHaveLength(1);
});

test("a scope tells its channels, what it does and what it has caught, and is asked for again after a cut", () => {
  const said: string[] = [];
  const setup = { name: "s", channels: [], before: 1, after: 1, mode: "auto", trigger: { kind: "none" } };
  const end = stream.scope(setup, {
    begun: (channels) => said.push(`${channels.length} channels`), capture: (c) => said.push(`capture ${c.facts.number}`), phase: (phase) => said.push(phase), failed: (problem) => said.push(problem.code),
  });
  const about = new TextEncoder().encode('{"number":3}    ');
  const message = new Uint8Array(16 + about.length);
  message.set([2, 1]);
  message.set([1], 4); // the first request
  message.set([about.length], 12);
  message.set(about, 16);
  Wire.newest().hello();
  expect(Wire.newest().sent).toEqual([{ id: 1, scope: setup }]);
  Wire.newest().say({ id: 1, scope: { channels: [{ type: "double", components: [""] }] } });
  Wire.newest().say({ id: 1, phase: "armed" });
  Wire.newest().onmessage?.({ data: message.buffer });
  Wire.newest().cut();
  vi.advanceTimersByTime(1000);
  Wire.newest().hello();
  expect(Wire.newest().sent).toEqual([{ id: 1, scope: setup }]);
  expect(said).toEqual(["1 channels", "armed", "capture 3"]);
  Wire.newest().cut();
  vi.advanceTimersByTime(2000);
  Wire.newest().hello("two"); // nothing old is run in another instance
  expect(Wire.newest().sent).toEqual([]);
  expect(said.at(-1)).toBe("other-instance");
  end();
  expect(Wire.newest().sent).toEqual([]);
});
