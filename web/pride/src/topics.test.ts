import { expect, test } from "vitest";

import { Daemon } from "./daemon";
import { Topics, type Source } from "./topics";
import type { NetEntry, Problem } from "./wire";

/** Told is a source that a test speaks through. */
class Spoken implements Source {
  state = "open" as const;
  instance: string | null = "one";
  watching = 0;
  private listeners = new Set<() => void>();
  private on: ((rows: ReadonlyMap<string, never>) => void) | null = null;
  private failed: ((e: Problem) => void) | undefined;

  onState(changed: () => void) {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  }
  watch<T>(_: string, on: (rows: ReadonlyMap<string, T>) => void, failed?: (e: Problem) => void) {
    this.watching++;
    this.on = on as typeof this.on;
    this.failed = failed;
    return () => void this.watching--;
  }
  restart(instance: string) {
    this.instance = instance;
    this.listeners.forEach((f) => f());
  }
  tell(description: string) {
    const net: NetEntry = { uri: "/nets/a/", name: "a", state: "READY", description, cycle: "2ms" };
    this.on?.(new Map([["a", net as never]]));
  }
  fail(message: string) {
    this.failed?.({ status: 0, code: "", message, remedy: "" });
  }
}

const begin = () => {
  const source = new Spoken();
  const daemon = new Daemon(async () => new Response("{}"));
  return { source, daemon, topics: new Topics(source, daemon), told: [] as (string | undefined)[] };
};

test("all who look at a topic share what is told of it", () => {
  const { source, topics, told } = begin();
  expect(topics.get("nets").rows).toBeNull();
  const leave = ["first", "second"].map((name) => topics.subscribe("nets", () => told.push(`${name} ${topics.get("nets").rows?.get("a")?.description}`)));
  source.tell("new");
  expect(source.watching).toBe(1);
  expect(told).toEqual(["first new", "second new"]);
  expect(topics.get("nets")).toBe(topics.get("nets")); // the same until something changes
  leave[0]?.();
  source.tell("newer");
  expect(told.slice(2)).toEqual(["second newer"]);
  leave[1]?.();
  expect(source.watching).toBe(0);
});

test("what was known stays when the daemon refuses", () => {
  const { source, topics } = begin();
  topics.subscribe("nets", () => {});
  source.tell("known");
  source.fail("too many clients");
  expect(topics.get("nets").error).toBe("too many clients");
  expect(topics.get("nets").rows?.get("a")?.description).toBe("known");
  source.tell("known again");
  expect(topics.get("nets").error).toBeNull();
});

test("what another instance tells is shown when the page goes over to it", () => {
  const { source, daemon, topics } = begin();
  const shown = () => topics.get("nets").rows?.get("a")?.description;
  topics.subscribe("nets", () => {});
  source.tell("of before");
  source.instance = "two";
  source.tell("of now"); // before anybody has said that it is another one
  expect(daemon.restarted).toBe(true);
  expect(shown()).toBe("of before");
  source.tell("of right now");
  expect(shown()).toBe("of before");
  daemon.adopt();
  expect(shown()).toBe("of right now");
  source.restart("three");
  source.restart("two"); // of a proxy, as it were: the one that is shown is back
  source.tell("still there");
  expect(shown()).toBe("still there");
});

test("what nobody looked at any more is not of the new instance", () => {
  const { source, daemon, topics } = begin();
  const leave = topics.subscribe("nets", () => {});
  source.tell("of before");
  leave();
  source.restart("two");
  daemon.adopt();
  expect(topics.get("nets").rows).toBeNull();
});
