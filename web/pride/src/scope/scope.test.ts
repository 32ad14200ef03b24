import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { groupsOf, looksOf } from "./groups";
import { found, offeredBy } from "./offered";
import { column, Recorded, scalar } from "./recorded";
import { Scope } from "./scope";
import { componentsOf, curvesOf, optionsOf } from "./shape";
import { emptySetup, ofKind, withChannel, withLevel, withoutChannel, type Setup } from "./setup";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const port = (path: string) => ({ net: "n", path, port: "out" });

function setupOf(paths: readonly string[], more: Partial<Setup> = {}): Setup {
  return { ...paths.reduce<Setup>((s, p) => withChannel(s, port(p)), emptySetup()), ...more };
}

/** made is a scope whose frames come when the test says so. */
function made(setup: Setup) {
  const source = new Recorded();
  let frames: (() => void)[] = [];
  const scope = new Scope(source, (f) => frames.push(f));
  let drawn = 0;
  scope.onFrame(() => drawn++);
  scope.change(setup);
  const frame = () => {
    const now = frames;
    frames = [];
    for (const f of now) f();
  };
  frame();
  drawn = 0;
  return { source, scope, frame, drawn: () => drawn };
}

const part = (begin: number, count: number, period = 0.001, value = 0) => ({
  ticks: Float64Array.from({ length: count }, (_, i) => begin + i * period), column: column(Array.from({ length: count }, () => value)),
});

test("samples are drawn once a frame, and never pass through the state", () => {
  const { source, scope, frame, drawn } = made(setupOf(["a", "b"]));
  scope.start();
  source.last.sink.described([scalar(), scalar()]);
  let changes = 0;
  scope.subscribe(() => changes++);
  frame();
  const before = drawn();
  for (let i = 0; i < 1000; i++) for (const c of [0, 1]) source.last.sink.samples(c, part(i * 0.05, 50), 0, false);
  frame();
  expect(drawn() - before).toBe(1);
  expect(changes).toBe(0);
  expect(scope.axis.to).toBeCloseTo(49.999);
});

test("200 values take no more memory the longer they come", () => {
  const names = Array.from({ length: 200 }, (_, i) => `p${i}`);
  const { source, scope } = made(setupOf(names));
  scope.start();
  source.last.sink.described(names.map(() => scalar()));
  const size = () => scope.get().lanes.reduce((sum, l) => sum + l.ring.capacity * l.ring.words * 25, 0);
  const at = size();
  const rings = scope.get().lanes.map((l) => l.ring);
  for (let i = 0; i < 30; i++) {
    const block = part(i * 25, 500, 0.05);
    for (let c = 0; c < 200; c++) source.last.sink.samples(c, block, 0, false);
  }
  expect(rings[0]?.length).toBe(rings[0]?.capacity); // that was more than they hold
  expect(size()).toBe(at);
  expect(at).toBeLessThan(70 << 20);
  expect(scope.get().lanes.every((l, i) => l.ring === rings[i])).toBe(true);
});

test("what an earlier run still says is left out", () => {
  const { source, scope } = made(setupOf(["a"]));
  scope.start();
  const old = source.last.sink;
  scope.stop();
  expect(source.last.ended).toBe(true);
  old.samples(0, part(0, 10), 0, false);
  old.failed("late");
  expect(scope.get().lanes[0]?.ring.length).toBe(0);
  expect(scope.get().problem).toBeNull();
});

test("a failure is said, and ends the run", () => {
  const { source, scope } = made(setupOf(["a"]));
  scope.start();
  source.last.sink.failed("no such port");
  expect(scope.get()).toMatchObject({ problem: "no such port", running: false, phase: "stopped" });
  expect(source.last.ended).toBe(true);
});

test("a setup that is changed while it runs is asked for once, when it was left alone", () => {
  const { source, scope } = made(setupOf(["a"], { trigger: { kind: "edge", channel: "a.out", level: 0, slope: "rising" } }));
  scope.start();
  for (let i = 1; i <= 50; i++) scope.change({ ...scope.get().setup, trigger: withLevel(scope.get().setup.trigger, "level", i) });
  expect(source.runs).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(source.runs).toHaveLength(2);
  expect(source.last.setup.trigger.level).toBe(50);
  scope.change({ ...scope.get().setup, before: 1 });
  scope.stop();
  vi.advanceTimersByTime(1000);
  expect(source.runs).toHaveLength(2);
});

test("a new channel leaves the samples of the others", () => {
  const { source, scope } = made(setupOf(["a"]));
  scope.start();
  source.last.sink.described([scalar()]);
  source.last.sink.samples(0, part(0, 10), 0, false);
  scope.change(withChannel(scope.get().setup, port("b")));
  expect(scope.get().lanes.map((l) => l.ring.length)).toEqual([10, 0]);
});

test("captures take the place of each other, and cursors keep their distance to the trigger", () => {
  const { source, scope } = made(setupOf(["a"], { trigger: { kind: "edge", channel: "a.out", level: 0, slope: "rising" } }));
  scope.start();
  source.last.sink.described([scalar()]);
  const capture = (number: number, trigger: number) => source.last.sink.capture({ number, trigger, forced: false, late: [], parts: [part(trigger - 0.5, 1001)], lost: 0 });
  scope.a = 5;
  capture(1, 100);
  expect(scope.a).toBeNull(); // from what was seen before
  expect([scope.axis.from, scope.axis.to]).toEqual([99.5, 100.5]);
  scope.take("a");
  scope.move("a", 100.1);
  scope.b = 107; // out of sight
  capture(2, 300);
  expect(scope.b).toBe(307);
  expect(scope.a).toBeCloseTo(300.1);
  expect(scope.axis.from).toBeCloseTo(299.5);
  expect(scope.get().lanes[0]?.ring.length).toBe(1001);
  expect(scope.get().capture).toMatchObject({ number: 2, trigger: 300 });
  scope.look((axis) => axis.show(299.9, 300.1));
  capture(3, 400);
  expect(scope.axis.from).toBeCloseTo(399.9);
  source.last.sink.phase("done");
  expect(scope.get()).toMatchObject({ running: false, phase: "done" });
  expect(source.last.ended).toBe(true);
});

test("who sees all of a capture sees all of the next one, however long it is", () => {
  const { source, scope } = made(setupOf(["a"], { trigger: { kind: "edge", channel: "a.out", level: 0, slope: "rising" } }));
  scope.start();
  source.last.sink.described([scalar()]);
  const capture = (number: number, trigger: number, before: number, count: number) => source.last.sink.capture({ number, trigger, forced: false, late: [], parts: [part(trigger - before, count)], lost: 0 });
  capture(1, 100, 0.5, 1001);
  capture(2, 200, 0.1, 301);
  expect([scope.axis.from, scope.axis.to].map((t) => Number(t.toFixed(6)))).toEqual([199.9, 200.2]);
  capture(3, 300, 0.02, 41);
  expect([scope.axis.from, scope.axis.to].map((t) => Number(t.toFixed(6)))).toEqual([299.98, 300.02]);
});

test("a capture that is larger than a ring is kept whole", () => {
  const { source, scope } = made(setupOf(["a"], { trigger: { kind: "incident" } }));
  scope.start();
  source.last.sink.described([scalar()]);
  source.last.sink.capture({ number: 1, trigger: 10, forced: true, late: [], parts: [part(0, 100_000)], lost: 0 });
  expect(scope.get().lanes[0]?.ring.length).toBe(100_000);
});

test("lost samples are counted and interrupt the line", () => {
  const { source, scope } = made(setupOf(["a"]));
  scope.start();
  source.last.sink.described([scalar()]);
  source.last.sink.samples(0, part(0, 2), 0, false);
  source.last.sink.samples(0, part(1, 2), 7, true);
  const ring = scope.get().lanes[0]?.ring;
  expect([0, 1, 2, 3].map((i) => ring?.joined(i))).toEqual([false, true, false, true]); // the first of a run begins
  expect(scope.get().lost).toBe(7);
});

test("cursors step from tick to tick, and what is seen comes along", () => {
  const { source, scope } = made(setupOf(["a"]));
  scope.start();
  source.last.sink.described([scalar()]);
  source.last.sink.samples(0, part(0, 100, 1), 0, false);
  scope.look((axis) => axis.show(0, 10));
  scope.take("a");
  scope.move("a", 4.4);
  expect(scope.a).toBe(4);
  scope.step("a", 10);
  expect(scope.a).toBe(14);
  expect(scope.axis.from).toBe(9);
  scope.clearCursors();
  expect([scope.a, scope.get().taken]).toEqual([null, null]);
});

test("a trigger keeps what both kinds have in common", () => {
  const channels = setupOf(["a", "b"]).channels;
  const edge = { ...ofKind("edge", { kind: "none" }, channels), level: 3, hysteresis: 0.5 };
  expect(edge).toEqual({ kind: "edge", channel: "a.out", level: 3, slope: "rising", hysteresis: 0.5 });
  expect(ofKind("level", edge, channels)).toEqual({ kind: "level", channel: "a.out", level: 3, above: true, hysteresis: 0.5 });
  expect(ofKind("incident", edge, channels)).toEqual({ kind: "incident" });
  expect(ofKind("state", edge, channels)).toEqual({ kind: "state", net: "n", state: "RUNNING" });
  expect(ofKind("rule", edge, channels)).toEqual({ kind: "rule" }); // any
  expect(withLevel({ kind: "window", low: 0, high: 1 }, "low", 5).low).toBe(1);
  expect(withLevel({ kind: "window", low: 0, high: 1 }, "high", NaN).high).toBe(1);
});

test("channels have names of their own, and take their trigger with them", () => {
  const setup = setupOf(["x.a", "y.a"]);
  expect(setup.channels.map((c) => c.name)).toEqual(["a.out", "a.out 2"]);
  expect(setupOf(["_a/b<c>"]).channels[0]?.name).toBe("a-b-c-.out"); // what the daemon takes as a name
  const watched: Setup = { ...setup, trigger: { kind: "edge", channel: "a.out" } };
  expect(withoutChannel(watched, "a.out 2").trigger.kind).toBe("edge");
  expect(withoutChannel(watched, "a.out").trigger.kind).toBe("none");
});

test("every type has its curves", () => {
  const frame = ["pos.x", "pos.y", "pos.z", "rot.x", "rot.y", "rot.z", "rot.w"];
  const names = (type: string, of: readonly string[] | undefined, numbers: number, component?: string) => curvesOf({ type, components: componentsOf(type, of, numbers) }, component).curves.map((c) => c.name);
  expect(names("double", undefined, 1)).toEqual([""]);
  expect(names("vector", ["x", "y", "z"], 3)).toEqual(["x", "y", "z", "norm"]);
  expect(names("vector", ["x", "y", "z", "norm"], 4)).toEqual(["x", "y", "z", "norm"]);
  expect(names("vector", ["x", "y", "z"], 3, "norm")).toEqual(["norm"]);
  expect(names("frame", frame, 7)).toEqual([...frame, "norm"]);
  expect(names("array<double>", undefined, 2)).toEqual(["[0]", "[1]"]);
  expect(names("array<double>", undefined, 1)).toEqual([""]);
  expect(curvesOf({ type: "bool", components: [""] }).shape).toBe("bars");
  expect(curvesOf({ type: "state", components: [""], states: ["READY"] }).shape).toBe("bands");
  expect(optionsOf({ type: "vector", components: ["x", "y", "z"] }).map((o) => o.component)).toEqual(["x", "y", "z", "norm"]);
  expect(optionsOf({ type: "array<int>", components: ["0", "1"] })[1]).toEqual({ component: "1", name: "[1]" });
  expect(optionsOf({ type: "double", components: [""] })).toEqual([]);
});

test("what is zoomed while it is live is asked for with other pixels", () => {
  const { source, scope } = made(setupOf(["a"]));
  scope.start();
  expect(source.last.wanted.window).toBe(10);
  for (let i = 0; i < 3; i++) scope.look((axis) => axis.zoom(0.5, axis.to));
  vi.advanceTimersByTime(1000);
  expect(source.runs).toHaveLength(2);
  expect(source.last.wanted.window).toBe(1.25);
  scope.look((axis) => axis.pan(-0.1)); // looks back, at what is there
  scope.look((axis) => axis.zoom(0.5));
  vi.advanceTimersByTime(1000);
  expect(source.runs).toHaveLength(2);
});

test("ports are found by all words, and texts are not offered", () => {
  const node = (path: string, type: string) => ({ path, name: path, parent: 0, line: 1, column: 1, in: [], out: [{ name: "outValue", type }] });
  const offered = offeredBy({ net: "n", uri: "", cycle: "", types: {}, links: [], nodes: [node("", "double"), node("arm.speed", "double"), node("arm.name", "string"), node("arm.pose", "frame")] });
  expect(offered.map((o) => o.text)).toEqual(["arm.speed.outValue", "arm.pose.outValue"]);
  expect(found(offered, "ARM frame").map((o) => o.text)).toEqual(["arm.pose.outValue"]);
});

test("every channel has a plot of its own, or all lines share one", () => {
  const { source, scope } = made(setupOf(["a", "b", "c"]));
  scope.start();
  source.last.sink.described([scalar(), scalar("bool"), { type: "vector", components: ["x", "y", "z"], period: null }]);
  const { lanes } = scope.get();
  expect(groupsOf(lanes, false).map((g) => g.curves.length)).toEqual([1, 1, 4]);
  const together = groupsOf(lanes, true);
  expect(together.map((g) => g.curves.length)).toEqual([5, 1]);
  const looks = together[0]?.curves.map((c) => `${c.colour} ${c.dash}`) ?? [];
  expect(new Set(looks).size).toBe(looks.length);
  expect(new Set(together[0]?.curves.map((c) => c.dash)).size).toBe(4); // nobody needs the colours
  const many = made(setupOf(Array.from({ length: 32 }, (_, i) => `p${i}`)));
  expect(new Set(looksOf(many.scope.get().lanes, true).map(([l]) => `${l?.colour} ${l?.dash}`)).size).toBe(32);
});
