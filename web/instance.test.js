import assert from "node:assert/strict";
import { test } from "node:test";
import { HEADER, Instance, Restarted, daemon } from "./instance.js";

// daemons answers as the daemon of that name would, or not at all; it keeps what it is asked.
function daemons(first) {
  const there = { name: first, asked: [] };
  there.fetch = async (address, options) => {
    there.asked.push({ address, ...options });
    if (!there.name) throw new TypeError("nobody answers");
    return { ok: true, headers: new Headers({ [HEADER]: there.name }) };
  };
  return there;
}

test("says for whom a request is", async () => {
  const there = daemons("A");
  const page = new Instance("A", there.fetch);
  assert.equal((await page.ask("/nets/", { method: "POST", headers: { Accept: "application/json" } })).ok, true);
  assert.deepEqual(there.asked, [{ address: "/nets/", method: "POST", headers: { Accept: "application/json", [HEADER]: "A" } }]);
  assert.equal(page.pinned("ws://here/DirectIO/"), "ws://here/DirectIO/?Rccd-Instance=A");
});

test("notices another daemon, tells it once, and asks no more", async () => {
  const there = daemons("A");
  const page = new Instance("A", there.fetch);
  let told = 0;
  page.onover(() => told++);
  there.name = undefined;
  await page.check();
  await assert.rejects(page.ask("/nets/"), TypeError);
  assert.equal(page.over, false);
  there.name = "B";
  await Promise.all([page.check(), assert.rejects(page.ask("/nets/"), Restarted)]);
  assert.equal(told, 1);
  assert.equal(page.over, true);
  const asked = there.asked.length;
  await assert.rejects(page.ask("/nets/"), Restarted);
  assert.equal(there.asked.length, asked);
});

test("without a name any daemon will do", async () => {
  const there = daemons("A");
  const page = new Instance(undefined, there.fetch);
  await page.ask("/nets/");
  there.name = "B";
  await page.ask("/nets/");
  assert.deepEqual(there.asked.map(({ headers }) => headers), [undefined, undefined]);
  assert.equal(page.pinned("/x"), "/x");
  assert.equal(daemon.name, undefined); // there is no page here
});
