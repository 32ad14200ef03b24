import { expect, test } from "vitest";

import type { Samples } from "../stream/samples";
import type { ProbedPort, ProbeRequest } from "../stream/wire";
import { secondsOf, watch, type Prober } from "./live";
import { column } from "./recorded";
import { emptySetup, withChannel, type Setup } from "./setup";
import type { Described, Sink } from "./source";

interface Asked {
  request: ProbeRequest;
  on: (block: Samples) => void;
  failed: (message: string) => void;
  begun: (ports: ProbedPort[]) => void;
  ended: boolean;
}

/** made watches ports, each written as net/path. */
function made(...ports: string[]) {
  const asked: Asked[] = [];
  const probes: Prober = {
    probe(request, on, failed, begun) {
      const one: Asked = { request, on, failed: (message) => failed({ status: 0, code: "x", message, remedy: "" }), begun: (p) => begun?.(p), ended: false };
      asked.push(one);
      return () => {
        one.ended = true;
      };
    },
  };
  const said: string[] = [];
  let described: readonly Described[] = [];
  const sink: Sink = {
    described: (list) => (described = list),
    samples: (channel, part, lost, torn) => said.push(`${channel}: ${part.ticks.length} of ${part.column.words} words, ${lost} lost${torn ? ", torn" : ""}`),
    torn: (channel) => said.push(`${channel} torn`),
    capture: () => said.push("capture"),
    phase: (phase) => said.push(phase),
    trouble: (message) => said.push(`trouble ${message}`),
    failed: (message) => said.push(`failed ${message}`),
  };
  const setup = ports.reduce<Setup>((s, p) => withChannel(s, { net: p.split("/")[0] ?? "", path: p.split("/")[1] ?? "", port: "out" }), emptySetup());
  const end = watch(probes, async (net) => (net === "n1" ? 0.001 : null), setup, { pixels: 300, window: 5 }, sink);
  return { asked, said, end, described: () => described };
}

const double: ProbedPort = { name: "", type: "double", numbers: 1 };

test("ports of a net are asked for together, and their samples go to their channels", async () => {
  const { asked, said, described, end } = made("n1/a", "n2/b", "n1/c");
  expect(asked.map((a) => [a.request.net, a.request.ports.map((p) => p.path), a.request.pixels, a.request.window])).toEqual([["n1", ["a", "c"], 300, 5], ["n2", ["b"], 300, 5]]);
  asked[0]?.begun([double, { ...double, type: "bool" }]);
  expect(described()).toEqual([]);
  asked[1]?.begun([double]);
  await Promise.resolve();
  await Promise.resolve();
  expect(described().map((d) => [d.type, d.period])).toEqual([["double", 0.001], ["double", null], ["bool", 0.001]]);
  said.length = 0;
  asked[0]?.on({ ports: [], ticks: Float64Array.of(1, 2), columns: [column([1, 2]), column([0, 1])], lost: 3 });
  expect(said).toEqual(["0: 2 of 1 words, 3 lost, torn", "2: 2 of 1 words, 0 lost, torn"]);
  end();
  expect(asked.every((a) => a.ended)).toBe(true);
});

test("the length of vectors is asked of the daemon, which has every cycle", () => {
  const { asked, described } = made("n1/a", "n1/v");
  asked[0]?.begun([double, { name: "", type: "vector", numbers: 3, components: ["x", "y", "z"] }]);
  expect(described()).toEqual([]);
  expect(asked[0]?.ended).toBe(true);
  expect(asked[1]?.request.ports.map((p) => p.norm)).toEqual([undefined, true]);
  asked[1]?.begun([double, { name: "", type: "vector", numbers: 4, components: ["x", "y", "z", "norm"] }]);
  expect(asked).toHaveLength(2);
  expect(described()[1]?.components).toEqual(["x", "y", "z", "norm"]);
});

test("a constant has its value, and no samples", () => {
  const { asked, said, described } = made("n1/a");
  asked[0]?.begun([{ name: "", type: "vector", numbers: 0, constant: true, value: "(1 2 3)" }]);
  expect(described()[0]?.constant).toBe("(1 2 3)");
  said.length = 0;
  asked[0]?.on({ ports: [], ticks: Float64Array.of(1), columns: [{ words: 0, given: new Uint8Array(1), low: new Float64Array(), high: new Float64Array() }], lost: 0 });
  expect(said).toEqual([]);
});

test("a net that ends leaves the others, and the last one ends the run", () => {
  const { asked, said } = made("n1/a", "n2/b");
  asked[0]?.failed("it has ended");
  asked[1]?.failed("it has ended too");
  expect(said).toEqual(["trouble it has ended", "failed it has ended too"]);
});

test("after a cut lines are interrupted", () => {
  const { asked, said } = made("n1/a");
  asked[0]?.begun([double]);
  asked[0]?.begun([double]);
  expect(said).toEqual(["0 torn", "0 torn"]);
});

test("cycles are read as they are written", () => {
  expect(["1ms", "500µs", "2 s", "1.5ms", "", "fast", "0ms"].map(secondsOf)).toEqual([0.001, 0.0005, 2, 0.0015, null, null, null]);
});
