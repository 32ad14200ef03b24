import { expect, test } from "vitest";

import { Daemon, Refused, Restarted } from "./daemon";
import { parse } from "./route";

const answer = (body: unknown, instance: string, status = 200) => new Response(JSON.stringify(body), { status, headers: { "Rccd-Instance": instance } });

test("another instance of the daemon is noticed", async () => {
  const asked: (string | undefined)[] = [];
  const instances = ["one", "one", "two"];
  const daemon = new Daemon(async (_, options) => {
    asked.push((options?.headers as Record<string, string>)["Rccd-Instance"]);
    return answer({}, instances[asked.length - 1] ?? "");
  });
  await daemon.get("/nets/");
  await daemon.get("/nets/");
  await expect(daemon.get("/nets/")).rejects.toBeInstanceOf(Restarted);
  expect(asked).toEqual([undefined, "one", "one"]);
});

test("an error is told in the words of the daemon", async () => {
  const daemon = new Daemon(async () => answer({ where: "net \"x\"", message: "no such net" }, "one", 404));
  await expect(daemon.get("/nets/x/")).rejects.toThrow('net "x": no such net');
  await expect(daemon.get("/nets/x/")).rejects.toBeInstanceOf(Refused);
});

test("addresses name views", () => {
  expect(parse("")).toEqual({ view: "overview" });
  expect(parse("#/nets/a%20b")).toEqual({ view: "graph", net: "a b" });
  expect(parse("#/scope")).toEqual({ view: "scope", setup: "" });
  expect(parse("#/scope/arm%20stops")).toEqual({ view: "scope", setup: "arm stops" });
  expect(parse("#/nets/%")).toEqual({ view: "unknown", path: "/nets/%" });
});
