import { expect, test } from "vitest";

import { find, ofGraph, views, type Thing } from "./find";
import type { Graph } from "../wire";

const thing = (kind: Thing["kind"], name: string, about = ""): Thing => ({ kind, name, about, to: `#/${name}` });
const names = (list: Thing[]) => list.map((t) => t.name);

test("what begins with the query comes before what has it somewhere", () => {
  const things = [thing("net", "planarm", "of nobody"), thing("device", "lwr", "an arm"), thing("device", "left arm"), thing("device", "arm")];
  expect(names(find(things, "arm", 10))).toEqual(["arm", "left arm", "planarm", "lwr"]);
});

test("all words must occur, in the name or in what else is said", () => {
  const things = [thing("net", "rpinet3", "RUNNING demonstration"), thing("net", "rpinet4", "READY demonstration")];
  expect(names(find(things, "demo running", 10))).toEqual(["rpinet3"]);
  expect(names(find(things, "net", 10))).toEqual(["rpinet3", "rpinet4"]);
  expect(find(things, "nothing", 10)).toEqual([]);
});

test("few kinds come before many ports, and no more than wanted", () => {
  const things = [...Array.from({ length: 50 }, (_, i) => thing("port", `sum${i}.outValue`)), thing("device", "sum")];
  expect(names(find(things, "sum", 3))[0]).toBe("sum");
  expect(find(things, "sum", 3)).toHaveLength(3);
  expect(names(find([...things, ...views], "", 1))).toEqual(["Devices"]);
});

test("a name is not a pattern", () => {
  expect(names(find([thing("net", "a.*b"), thing("net", "axxb")], "a.*b", 10))).toEqual(["a.*b"]);
});

test("ports of a net lead to their node", () => {
  const port = (name: string) => ({ name, type: "double" });
  const node = (path: string, name: string) => ({ path, name, parent: -1, line: 1, column: 1, type: "Core::DoubleAdd", in: [port("inFirst")], out: [port("outValue")] });
  const graph: Graph = { net: "n 1", uri: "/nets/n%201/", cycle: "2ms", types: {}, nodes: [{ ...node("", ""), fragment: true }, node("count.sum", "sum")], links: [] };
  expect(ofGraph(graph).map((t) => [t.name, t.to])).toEqual([
    ["count.sum.inFirst", "#/nets/n%201/at/count.sum"],
    ["count.sum.outValue", "#/nets/n%201/at/count.sum"],
  ]);
});
