import { expect, test } from "vitest";

import { Daemon, Refused, Restarted } from "./daemon";

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

test("nothing is asked of another instance before the page goes over to it", async () => {
  let is = "one";
  let asked = 0;
  const daemon = new Daemon(async () => (asked++, answer({ of: is }, is)));
  const told: boolean[] = [];
  daemon.onRestart(() => told.push(daemon.restarted));
  await daemon.get("/nets/");
  is = "two";
  await expect(daemon.get("/nets/")).rejects.toBeInstanceOf(Restarted);
  await expect(daemon.get("/nets/")).rejects.toBeInstanceOf(Restarted);
  daemon.adopt();
  expect(await daemon.get("/nets/")).toEqual({ of: "two" });
  expect(told).toEqual([true, false]);
  expect(asked).toBe(4);
});
