import { expect, test } from "vitest";

import { someGiven, someMissing, someNaN, type Column } from "../stream/samples";
import { fold, plain } from "./fold";
import { constantsOf, newest, watched } from "./live";
import { placed } from "./placed";
import { layOutQuickly } from "./quick";

const node = (path: string, guards?: { node: number; port: string }[]) => ({
  path, name: path, parent: path === "" ? -1 : 0, line: 1, column: 1, ...(path === "" ? { fragment: true } : { type: "T" }),
  in: [{ name: "inValue", type: "double" }], out: path === "" ? [] : [{ name: "outValue", type: "double" }], ...(guards && { guards }),
});

const graph = plain({
  net: "n", uri: "", cycle: "", types: {},
  nodes: [node(""), node("a"), node("b", [{ node: 1, port: "outValue" }]), node("c")],
  links: [
    { from: { node: 1, port: "outValue" }, to: { node: 2, port: "inValue" }, type: "double" },
    { from: { node: 1, port: "outValue" }, to: { node: 3, port: "inValue" }, type: "double" },
    { from: { node: 2, port: "outValue" }, to: { node: 3, port: "inValue" }, type: "double" },
  ],
});
const all = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
const layout = layOutQuickly(graph, new Set());
const list = placed(graph, layout);

test("ports in sight are watched once, with the guards of boxes in sight", () => {
  const what = watched(graph, layout, list, all, 10);
  expect(what.ports).toEqual([{ path: "a", port: "outValue" }, { path: "b", port: "outValue" }]);
  expect(what.labels.length).toBe(2);
  expect([...what.guards]).toEqual([[2, ["a.outValue"]]]);
  expect([...what.outs].sort()).toEqual([[1, ["a.outValue"]], [2, ["b.outValue"]]]);
});

test("what is out of sight costs nothing, and there is a bound", () => {
  expect(watched(graph, layout, list, { left: -100, top: -100, right: -50, bottom: -50 }, 10).ports).toEqual([]);
  expect(watched(graph, layout, list, all, 1).ports.length).toBe(1);
});

test("the value on a folded link is that of the port behind it", () => {
  expect(watched(fold(graph, new Set()), layout, list, all, 10).ports.length).toBe(2);
});

const column = (given: number, low: number[], high = low): Column => ({ given: new Uint8Array([given]), words: low.length, low: new Float64Array(low), high: new Float64Array(high) });
const port = (name: string, type: string, numbers: number) => ({ name, type, numbers });

test("values are written with the least and the greatest one", () => {
  const ports = [
    port("d", "double", 1), port("same", "double", 1), port("n", "double", 1), port("b", "bool", 1), port("f", "bool", 1), port("v", "vector", 4),
    { name: "k", type: "bool", numbers: 0, constant: true, value: "true" }, port("x", "double", 1),
  ];
  const columns = [
    column(someGiven, [0.12345678], [2]), column(someGiven | someMissing, [1e-7 / 3]), column(someMissing, [NaN]), column(someGiven, [0], [1]), column(someGiven, [0]),
    column(someGiven, [1, 2, 3, 4]), column(0, []), column(someGiven | someNaN, [1]),
  ];
  const values = newest({ ports, ticks: new Float64Array([1]), columns, lost: 0 });
  expect([...values].map(([key, v]) => `${key}=${v.text}`).sort()).toEqual([
    "b=false/true", "d=0.1235 … 2", "f=false", "k=true", "n=null", "same=3.333e-8 or null", "v=[1, 2, 3, …]", "x=1 or NaN",
  ]);
  expect(values.get("n")?.isNull).toBe(true);
  expect(values.get("b")?.isTrue).toBe(true);
  expect(values.get("f")?.isTrue).toBe(false);
  expect(constantsOf(ports).get("k")).toEqual({ text: "true", isNull: false, isTrue: true });
});
