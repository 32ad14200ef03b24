import { expect, test } from "vitest";

import { Daemon } from "../daemon";
import { decodeCapture } from "../stream/capture";
import type { Scoped } from "../stream/stream";
import type { Capture, Setup as WireSetup } from "../stream/wire";
import { captureOf, describedOf } from "./caught";
import { analyst, files, scope, store, wired } from "./remote";
import { emptySetup, withChannel, type Setup } from "./setup";
import type { Sink } from "./source";

const trigger = 1_763_913_600;

/** message is a capture as the daemon describes its bytes: channels are lists of components, with their marks. */
function message(facts: Partial<Capture>, ticks: number[], channels: { components: number[][]; marks: number[] }[]): ArrayBuffer {
  const about = new TextEncoder().encode(JSON.stringify({ setup: "s", number: 1, trigger: trigger * 1e9, forced: false, before: 0, after: 0, channels: [], ...facts }));
  const bytes: number[] = [2, 1];
  const u16 = (n: number) => bytes.push(n & 255, n >> 8);
  const u32 = (n: number) => bytes.push(n & 255, (n >> 8) & 255, (n >> 16) & 255, n >> 24);
  const f64 = (n: number) => bytes.push(...new Uint8Array(Float64Array.of(n).buffer));
  const pad = () => {
    while (bytes.length % 8 !== 0) bytes.push(0);
  };
  u16(channels.length);
  u32(7);
  u32(ticks.length);
  u32(about.length);
  bytes.push(...about);
  pad();
  ticks.forEach(f64);
  for (const c of channels) {
    u32(c.components.length);
    u32(0);
    c.components.flat().forEach(f64);
    bytes.push(...c.marks);
    pad();
  }
  return Uint8Array.from(bytes).buffer;
}

const ticks = [trigger - 0.001, trigger, trigger + 0.001];

test("a capture becomes the samples of its channels: nulls are gaps, and ticks of others are left out", () => {
  const captured = decodeCapture(message({ number: 4, lost: 2 }, ticks, [
    { components: [[1, 2, 3]], marks: [1, 0, 1] },
    { components: [[5, 6, 7], [8, 9, 10]], marks: [2, 2, 1] },
  ]));
  if (!captured) throw new Error("not decoded");
  const capture = captureOf(captured);
  expect([capture.number, capture.lost, capture.forced, capture.trigger]).toEqual([4, 2, false, ticks[1]]);
  expect(capture.parts.map((p) => [...p.ticks])).toEqual([ticks, [ticks[0], ticks[2]]]);
  expect([...(capture.parts[0]?.column.given ?? [])]).toEqual([1, 2, 1]);
  expect([...(capture.parts[1]?.column.low ?? [])]).toEqual([5, 8, 7, 10]); // the value from before, and the one of its own tick
  expect(decodeCapture(new ArrayBuffer(16))).toBeNull();
});

test("a channel is described by its form", () => {
  expect(describedOf({ type: "vector", components: ["x", "y", "z"], normed: 3, unit: "m", period: 2_000_000 })).toEqual({ type: "vector", components: ["x", "y", "z"], normed: 3, unit: "m", period: 0.002 });
  expect(describedOf({ type: "state", components: [""], states: ["offline"] }).states).toEqual(["offline"]);
});

/** made runs a scope on a stream of which the test says every word. */
function made(setup: Setup) {
  const said: string[] = [];
  let told: Scoped | null = null;
  let sent: WireSetup | null = null;
  const sink: Sink = {
    described: (list) => said.push(`described ${list.length}`), samples: (c, part, lost, torn) => said.push(`samples ${c}: ${part.ticks.length}, ${lost}${torn ? " torn" : ""}`), torn: (c) => said.push(`torn ${c}`),
    capture: (c) => said.push(`capture ${c.number}`), phase: (p) => said.push(p), trouble: (m) => said.push(m), failed: (m) => said.push(`failed ${m}`),
  };
  scope({ scope: (s, t) => { sent = s; told = t; return () => {}; } }, setup, "unnamed 1", sink);
  const scoped = told as Scoped | null;
  if (!scoped) throw new Error("nothing was asked for");
  return { said, told: scoped, sent: sent as WireSetup | null };
}

const port = { net: "n", path: "a", port: "out" };
const captured = (facts: Partial<Capture>) => decodeCapture(message(facts, ticks, [{ components: [[1, 2, 3]], marks: [1, 1, 1] }]))!;

test("a scope with a trigger tells its captures, and what it does", () => {
  const { said, told, sent } = made({ ...withChannel(emptySetup(), port), trigger: { kind: "edge", channel: "a.out", level: 1 }, mode: "single" });
  expect(sent).toMatchObject({ name: "unnamed 1", mode: "single", before: 0.5 });
  told.begun([{ type: "double", components: [""] }]);
  told.phase("armed");
  told.phase("stopped");
  expect(said).not.toContain("done"); // the capture is still on its way
  told.capture(captured({ number: 3 }));
  told.failed({ status: 400, code: "scope", where: "setup /mode", message: "it is wrong", remedy: "" });
  expect(said).toEqual(["described 1", "torn 0", "armed", "capture 3", "done", "failed setup /mode: it is wrong"]);
});

test("without a trigger captures follow each other as they come", () => {
  const { said, told, sent } = made(withChannel(emptySetup(), { device: "arm", figure: "state" }));
  expect(sent).toMatchObject({ mode: "auto", before: 0, trigger: { kind: "none" } });
  told.phase("armed");
  told.capture(captured({ number: 1, lost: 4 }));
  expect(said).toEqual(["samples 0: 3, 4 torn"]);
});

test("a setup without a trigger is not kept with a mode that waits for one", () => {
  expect(wired({ ...emptySetup(), mode: "normal" }, "x")).toMatchObject({ name: "x", mode: "auto", trigger: { kind: "none" } });
});

test("setups and figures have their addresses, with the instance that they are meant for", async () => {
  const asked: string[] = [];
  const answers: unknown[] = [{ setups: [{ name: "a b", uri: "" }] }, { name: "a b", channels: [], before: 1, after: 1, mode: "auto", trigger: { kind: "none" } }, {}, {}, { capture: 8, measures: [{ channel: "v", component: "y", mean: 3 }] }];
  const daemon = new Daemon(async (address, options) => {
    asked.push(`${options?.method ?? "GET"} ${String(address)} ${(options?.headers as Record<string, string>)["Rccd-Instance"] ?? "-"}`);
    return new Response(JSON.stringify(answers[asked.length - 1]), { headers: { "Rccd-Instance": "one" } });
  });
  const kept = store(daemon);
  expect(await kept.names()).toEqual(["a b"]);
  expect((await kept.load("a b")).holdoff).toBe(0);
  await kept.save({ ...emptySetup(), name: "a b" });
  await kept.remove("a b");
  const measured = await analyst(daemon, "a b", [{ name: "v", components: ["x", "y"] }], 100).measures(99.5, 100.5);
  expect(measured.capture).toBe(8);
  expect(measured.channels[0]?.map((m) => m?.mean ?? null)).toEqual([null, 3]);
  expect(asked.slice(0, 4)).toEqual(["GET /scope/ -", "GET /scope/a%20b/ one", "POST /scope/a%20b/ one", "DELETE /scope/a%20b/ one"]);
  expect(asked[4]).toMatch(/^GET \/scope\/a%20b\/measures\?from=-0\.500001\d*&to=0\.500001\d* one$/);
  expect(files("a b").mcap).toBe("/scope/a%20b/capture.mcap");
});
