import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import type { Executor, Incident, Net } from "../wire";
import { ExecutorTable, IncidentTable, newest, Three } from "./realtime";
import { Why } from "./nets";
import { Clock, State } from "./parts";

/** hostile is a text that must not become markup. */
const hostile = `<script>alert("x")</script>`;
const times = { mean: 0.0123, stddev: 0, min: 0, max: 1.5, histogram: [{ from: 0.008, to: 0.01, count: 8 }, { from: 0.01, to: 0.012, count: 0 }, { from: 0.012, to: 0.014, count: 1 }] };

test("incidents say what was wrong and why, the newest first", () => {
  const incident = (time: string, of: Partial<Incident>): Incident => ({ time, kind: "late", cause: "kept off the CPU", period: "1ms", realtime: true, amount: 3, missed: 2, what: "late by 3.000 ms, 2 ticks missed", ...of });
  const list = newest([
    incident("2026-11-23T09:30:00Z", { net: "rpinet0", uri: "/nets/rpinet0/", cycle: 4711 }),
    incident("2026-11-23T09:30:01.5Z", { net: hostile, kind: "overload", what: hostile, cause: "too much to do" }),
  ]);
  const shown = renderToStaticMarkup(<IncidentTable incidents={list} />);
  expect(shown.indexOf("too much to do")).toBeLessThan(shown.indexOf("kept off the CPU"));
  expect(shown).toContain(`<a href="#/nets/rpinet0">rpinet0</a>`);
  expect(shown).toContain("cycle 4,711");
  expect(shown).toContain("late by 3.000 ms, 2 ticks missed");
  expect(shown).not.toContain("<script>");
  expect(renderToStaticMarkup(<IncidentTable incidents={[]} />)).toContain("No tick was late");
});

test("executors stand on their CPUs, with load and jitter", () => {
  const executor: Executor = {
    period: "1ms", realtime: true, detached: true, cpu: 3, priority: 80, rests: false, nets: 2, ticks: 1234567, late: 3, missed: 1, load: 0.0214, share: 2, wakeup: times, busy: times, thread: "CPU 3, priority 80",
  };
  const shown = renderToStaticMarkup(<ExecutorTable executors={[executor]} />);
  for (const want of ["1ms, real-time", "CPU 3", "2.1 %", "0.0123", "≤ 1.5000"]) expect(shown).toContain(want);
  expect(shown.match(/<rect x=/g)).toHaveLength(3);
  expect(shown).toContain(`height="24"`);
  expect(renderToStaticMarkup(<ExecutorTable executors={[executor]} detailed />)).toContain("1,234,567");
});

test("a net says why it has stopped, and who does not follow", () => {
  const net = {
    name: "n", state: "TERMINATED", description: "", uri: "/nets/n/", cycle: "2ms", realtime: true, primitives: 1, values: {}, inputs: {},
    ended: { cause: "overload", cycle: 12345, time: 0, reason: "CPU 2 was taken by 97 %" },
    refused: ["joint 3", "joint 4"].map((channel) => ({ device: "left arm", uri: "", channel, cycle: 7, cycles: 1, time: 0, reason: hostile })),
    problems: [{ kind: "type", minor: 1, block: "sum", port: "inFirst", line: 2, column: 11, text: "vector is not double" }],
  } satisfies Net;
  const shown = renderToStaticMarkup(<Why net={net} />);
  for (const want of ["<b>overload</b>, cycle 12,345. CPU 2 was taken by 97 %", `href="#/devices/left%20arm"`, "does not follow since cycle 7", "(joint 3, joint 4)", "line 2, column 11: sum port inFirst: vector is not double"]) {
    expect(shown).toContain(want);
  }
  expect(shown).not.toContain("<script>");
});

test("a state is a word, and its mood that of the plain pages", () => {
  expect(renderToStaticMarkup(<State state="RUNNING" />)).toContain(`data-mood="good">RUNNING`);
  expect(renderToStaticMarkup(<State state="READY" />)).toContain(`data-mood="calm"`);
  expect(renderToStaticMarkup(<Three facts={[{ name: "record", ok: false, state: "late", text: "4 late" }]} />)).toMatch(/data-mood="busy">late<.*4 late/);
});

test("a time has its day in a tip, and milliseconds", () => {
  expect(renderToStaticMarkup(<Clock time="2026-11-23T09:30:01.123456789Z" />)).toContain(">09:30:01.123<");
  expect(renderToStaticMarkup(<Clock time="2026-11-23T09:30:01Z" />)).toContain(`title="2026-11-23T09:30:01Z">09:30:01<`);
  expect(renderToStaticMarkup(<Clock time={undefined} />)).toBe("");
});
