import { expect, test } from "vitest";

import { deviceOf, factsOf, graphOf, logOf, named, nodeOf, parse, ruleOf, scopeOf, sessionOf } from "./route";

test("addresses name views", () => {
  expect(parse("")).toEqual({ view: "overview" });
  expect(parse("#/")).toEqual({ view: "overview" });
  expect(parse("#/nets")).toEqual({ view: "nets" });
  expect(parse("#/nets/a%20b")).toEqual({ view: "graph", net: "a b" });
  expect(parse("#/log?level=warn&find=a+b")).toEqual({ view: "log", level: "warn", find: "a b" });
  for (const path of ["/nets/%", "/nowhere", "/nets/a/b", "/nets/a/facts/b", "/nets/a/at", "/nets/a/at/b/c", "/devices/a/b", "/log/a"]) {
    expect(parse(`#${path}`)).toEqual({ view: "unknown", path });
  }
});

test("any name has an address that leads to it", () => {
  for (const name of ["rpinet0", "a b", "a/b", "<b>&?#%", "..", "ä"]) {
    expect(parse(graphOf(name))).toEqual({ view: "graph", net: name });
    expect(parse(factsOf(name))).toEqual({ view: "net", net: name });
    expect(parse(nodeOf(name, name))).toEqual({ view: "graph", net: name, at: name });
    expect(parse(deviceOf(name))).toEqual({ view: "device", device: name });
    expect(parse(sessionOf(name))).toEqual({ view: "session", session: name });
    expect(parse(logOf("error", name))).toEqual({ view: "log", level: "error", find: name });
  }
  expect(parse(scopeOf("arm stops"))).toEqual({ view: "scope", setup: "arm stops" });
  expect(parse(scopeOf(""))).toEqual({ view: "scope", setup: "" });
  expect(parse(ruleOf(7))).toEqual({ view: "rule", rule: "7" });
  expect(logOf("", "")).toBe("#/log");
});

test("names of nets, rules and sessions mean something else after a restart", () => {
  expect([graphOf("a"), factsOf("a"), ruleOf(1), sessionOf("a"), scopeOf(""), scopeOf("a")].filter((a) => !named(parse(a)))).toEqual([]);
  expect(["#/", "#/nets", deviceOf("lwr"), "#/log"].map((a) => named(parse(a)))).toEqual([false, false, false, false]);
});
