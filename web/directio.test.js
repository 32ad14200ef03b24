import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, Refused, directIOAddress, format, parse, statement } from "./directio.js";

// FakeSocket is a socket whose other end is the test: sent are the frames of the client, say hands it one of the server.
class FakeSocket {
  sent = [];
  open() {
    this.onopen();
  }
  send(text) {
    this.sent.push(text);
  }
  say(text) {
    this.onmessage({ data: text });
  }
  close() {
    this.onclose();
  }
}

// settled lets all promises that can go on do so.
const settled = () => new Promise((resolve) => setImmediate(resolve));

function script(options = {}) {
  const sockets = [];
  const pauses = [];
  const link = [];
  const connection = new Connection(() => sockets[sockets.push(new FakeSocket()) - 1], {
    onlink: (up) => link.push(up),
    later: (f, ms) => pauses.push({ f, ms }),
    ...options,
  });
  return { connection, sockets, pauses, link };
}

async function greeted() {
  const s = script();
  s.sockets[0].open();
  s.sockets[0].say('c0=ok("handshake ok")');
  await settled();
  return s;
}

test("statements", () => {
  assert.equal(statement("c1", "gne", ["rpinet0", 0.05]), 'c1=gne("rpinet0",0.05)');
  assert.equal(statement("c2", "snc", [{ rpinet0: { inA: '1"\\' } }]), 'c2=snc({rpinet0:{inA:"1\\"\\\\"}})');
  assert.equal(format({ "arm 1": [1, []] }), '{"arm 1":[1.0,[]]}');
  assert.equal(format(1e-7), "0.0000001");
  assert.equal(format(1e9), "1000000000.0");
  assert.throws(() => format(-1), RangeError);
  assert.throws(() => format(NaN), RangeError);
});

test("messages", () => {
  assert.deepEqual(parse('a1 = nc( {outA:"1","b c":"x\\"y\\\\"} )'), { tag: "a1", command: "nc", params: [{ outA: "1", "b c": 'x"y\\' }] });
  assert.deepEqual(parse("t=f()"), { tag: "t", command: "f", params: [] });
  assert.deepEqual(parse('t=f([],{},["a",1.5,.5,-2e3],7)').params, [[], {}, ["a", 1.5, 0.5, -2000], 7]);
  for (const wrong of ["", "t", "t=f", "t=f(", 't=f("a)', "t=f(1,)", "t=f() x", 't=f("\\n")', "1=f()", "t=f({1:2})", "t=f(])"]) {
    assert.throws(() => parse(wrong), /column \d+: expected/, wrong);
  }
});

test("what is written reads back", () => {
  const params = ['back\\slash "quoted"\n', [1, 2.5], { key: { "with blank": "v" } }];
  assert.deepEqual(parse(statement("t", "f", params)).params, params);
});

test("greets before anything else", async () => {
  const { connection, sockets, link } = script();
  const started = connection.call("nest", "rpinet0");
  sockets[0].open();
  assert.deepEqual(sockets[0].sent, ['c0=ver("2.0")']);
  sockets[0].say('c0=ok("handshake ok")');
  await settled();
  assert.deepEqual(link, [true]);
  assert.deepEqual(sockets[0].sent.slice(1), ['c1=nest("rpinet0")']);
  sockets[0].say("c1=ok()");
  assert.equal(await started, undefined);
});

test("answers find their commands", async () => {
  const { connection, sockets } = await greeted();
  const first = connection.call("nene", "{}");
  const second = connection.call("nest", "rpinet9");
  sockets[0].say('c2=err("invalid net")');
  sockets[0].say('c1=ok("rpinet0")');
  assert.equal(await first, "rpinet0");
  await assert.rejects(second, new Refused("invalid net"));
});

test("observes a net, also before the ok", async () => {
  const { connection, sockets } = await greeted();
  const heard = [];
  const stop = connection.observeNet("rpinet0", 0.05, { state: (s) => heard.push(s), values: (v) => heard.push(v) });
  const socket = sockets[0];
  assert.deepEqual(socket.sent.slice(1), ['c1=gne("rpinet0",0.05)']);
  socket.say('c1=ns("RUNNING")');
  socket.say("c1=ok()");
  socket.say('c1=nc({outA:"2.5"})');
  socket.say('c7=ns("READY")');
  stop();
  socket.say('c1=ns("TERMINATED")');
  assert.deepEqual(heard, ["RUNNING", { outA: "2.5" }]);
});

test("tells when the net is not there", async () => {
  const { connection, sockets } = await greeted();
  const lost = new Promise((resolve) => connection.observeNet("none", 1, { lost: resolve }));
  sockets[0].say('c1=err("invalid net")');
  assert.equal((await lost).message, "invalid net");
});

test("comes back with its subscriptions, after growing pauses", async () => {
  const { connection, sockets, pauses, link } = await greeted();
  const heard = [];
  connection.observeNet("rpinet0", 1, { state: (s) => heard.push(s) });
  const open = connection.call("nest", "rpinet0");
  sockets[0].close();
  await assert.rejects(open, /connection lost/);
  pauses[0].f();
  sockets[1].close();
  pauses[1].f();
  assert.deepEqual(pauses.map(({ ms }) => ms), [500, 1000]);
  sockets[2].open();
  sockets[2].say("c0=ok()");
  await settled();
  assert.deepEqual(sockets[2].sent, ['c0=ver("2.0")', 'c1=gne("rpinet0",1.0)']);
  sockets[2].say('c1=ns("READY")');
  assert.deepEqual(heard, ["READY"]);
  assert.deepEqual(link, [true, false, false, true]);
});

test("a refused greeting ends the attempt", async () => {
  const { sockets, pauses } = script();
  sockets[0].open();
  sockets[0].say('c0=err("bad handshake")');
  await settled();
  assert.equal(pauses.length, 1);
});

test("closed for good", async () => {
  const { connection, pauses } = await greeted();
  connection.close();
  assert.equal(pauses.length, 0);
});

test("closed for good, commands are refused, also those that wait", async () => {
  const { connection, sockets, pauses } = await greeted();
  const asked = connection.call("nest", "rpinet0");
  sockets[0].close();
  await assert.rejects(asked, /connection lost/);
  const waiting = connection.call("nest", "rpinet0");
  connection.close("started again");
  await assert.rejects(waiting, /started again/);
  await assert.rejects(connection.call("nest", "rpinet0"), /started again/);
  pauses[0].f();
  assert.equal(sockets.length, 1);
});

test("address", () => {
  assert.equal(directIOAddress(new URL("http://127.0.0.1:8080/nets/a/")), "ws://127.0.0.1:8080/DirectIO/");
  assert.equal(directIOAddress(new URL("https://cell/")), "wss://cell/DirectIO/");
});
