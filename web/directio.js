// A client of the DirectIO protocol (dissertation, section 7.6.3). Nothing here knows about pages: the socket is made by a
// function and may be a fake.

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

// format writes a parameter: a string, a number, a list or a map. Existing parsers know no exponents and no signs, so
// that anything but plain numbers travels inside strings.
export function format(value) {
  if (typeof value === "string") return `"${value.replace(/[\\"]/g, "\\$&")}"`;
  if (typeof value === "number") return plainNumber(value);
  if (Array.isArray(value)) return `[${value.map(format).join(",")}]`;
  const entries = Object.entries(value).map(([key, v]) => `${IDENTIFIER.test(key) ? key : format(key)}:${format(v)}`);
  return `{${entries.join(",")}}`;
}

function plainNumber(value) {
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`${value} has no form in a statement`);
  return Number.isInteger(value) ? value.toFixed(1) : value.toFixed(9).replace(/0+$/, "");
}

// statement writes a whole message.
export function statement(tag, command, params) {
  return `${tag}=${command}(${params.map(format).join(",")})`;
}

// parse reads a message into its tag, command and parameters. It throws a SyntaxError with the place.
export function parse(text) {
  const reader = new Reader(text);
  const tag = reader.identifier();
  reader.expect("=");
  const command = reader.identifier();
  const params = reader.group("(", ")", () => reader.value());
  reader.end();
  return { tag, command, params };
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(expected) {
    throw new SyntaxError(`column ${this.at + 1}: expected ${expected}`);
  }

  // take returns what the sticky pattern matches here, or nothing.
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at = pattern.lastIndex;
    return found[0];
  }

  peek() {
    this.take(/[ \t\r\n]*/y);
    return this.text[this.at];
  }

  expect(char) {
    if (this.peek() !== char) this.fail(`"${char}"`);
    this.at++;
  }

  end() {
    if (this.peek() !== undefined) this.fail("the end");
  }

  identifier() {
    this.peek();
    return this.take(/[A-Za-z_][A-Za-z0-9_]*/y) ?? this.fail("a name");
  }

  string() {
    const quoted = this.take(/"(?:[^"\\]|\\["\\])*"/y) ?? this.fail("a string");
    return quoted.slice(1, -1).replace(/\\(.)/gs, "$1");
  }

  value() {
    switch (this.peek()) {
      case '"':
        return this.string();
      case "[":
        return this.group("[", "]", () => this.value());
      case "{":
        return Object.fromEntries(this.group("{", "}", () => this.entry()));
    }
    return Number(this.take(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y) ?? this.fail("a parameter"));
  }

  entry() {
    const key = this.peek() === '"' ? this.string() : this.identifier();
    this.expect(":");
    return [key, this.value()];
  }

  group(open, close, member) {
    const members = [];
    this.expect(open);
    if (this.peek() !== close) {
      do members.push(member());
      while (this.peek() === "," && ++this.at);
    }
    this.expect(close);
    return members;
  }
}

// Refused is the answer err to a command.
export class Refused extends Error {}

// Connection keeps a connection to the daemon: it greets, answers commands with promises, hands notifications to those
// who observe, and comes back after a break, with its subscriptions.
//
// socket makes a WebSocket. options: onlink(up) hears of the link, later(f, ms) waits, retry is the first pause in ms.
export class Connection {
  #socket;
  #ready = false;
  #count = 0;
  #waiting = new Map(); // tag -> settling functions
  #observers = new Map(); // tag -> observer
  #observing = new Set();
  #queue = [];
  #closed = ""; // why, when it is
  #pause;

  constructor(socket, options = {}) {
    this.make = socket;
    this.options = { onlink() {}, later: (f, ms) => setTimeout(f, ms), retry: 500, ...options };
    this.#pause = this.options.retry;
    this.#connect();
  }

  #connect() {
    const socket = this.make();
    this.#socket = socket;
    this.#count = 0;
    socket.onopen = () => this.#greet();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => this.#lost(socket);
  }

  #greet() {
    this.#send("ver", ["2.0"]).then(
      () => this.#greeted(),
      () => this.#socket.close(),
    );
  }

  #greeted() {
    this.#ready = true;
    this.#pause = this.options.retry;
    this.options.onlink(true);
    for (const observer of this.#observing) this.#subscribe(observer);
    for (const { command, params, settle } of this.#queue.splice(0)) {
      this.#send(command, params).then(settle.resolve, settle.reject);
    }
  }

  #lost(socket) {
    if (socket !== this.#socket || this.#closed) return;
    this.#forget("connection lost");
    this.options.later(() => this.#closed || this.#connect(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, 8000);
    this.options.onlink(false);
  }

  // #forget refuses what waits for an answer.
  #forget(reason) {
    this.#ready = false;
    this.#observers.clear();
    for (const { reject } of this.#waiting.values()) reject(new Refused(reason));
    this.#waiting.clear();
  }

  #send(command, params, observer) {
    const tag = `c${this.#count++}`;
    if (observer) this.#observers.set(tag, observer);
    return new Promise((resolve, reject) => {
      this.#waiting.set(tag, { resolve, reject });
      this.#socket.send(statement(tag, command, params));
    });
  }

  #receive(text) {
    const { tag, command, params } = parse(text);
    const waiting = this.#waiting.get(tag);
    switch (command) {
      case "ok":
        this.#waiting.delete(tag);
        waiting?.resolve(params[0]);
        break;
      case "err":
        this.#waiting.delete(tag);
        this.#observers.delete(tag);
        waiting?.reject(new Refused(params[0]));
        break;
      default:
        this.#observers.get(tag)?.hear(command, params[0]);
    }
  }

  #subscribe(observer) {
    this.#send(observer.command, observer.params, observer).catch((error) => observer.lost(error));
  }

  // call sends a command and promises the argument of its ok. While there is no connection it waits for one.
  call(command, ...params) {
    if (this.#closed) return Promise.reject(new Refused(this.#closed));
    if (this.#ready) return this.#send(command, params);
    return new Promise((resolve, reject) => this.#queue.push({ command, params, settle: { resolve, reject } }));
  }

  // observeNet tells state(word) and values(map) of a net, at most every interval seconds; lost(error) when it is not there.
  // It returns the function that ends it.
  observeNet(net, interval, { state = () => {}, values = () => {}, lost = () => {} }) {
    const observer = {
      command: "gne",
      params: [net, interval],
      hear: (kind, argument) => (kind === "ns" ? state(argument) : kind === "nc" && values(argument)),
      lost,
    };
    this.#observing.add(observer);
    if (this.#ready) this.#subscribe(observer);
    return () => {
      this.#observing.delete(observer);
      observer.hear = () => {}; // the protocol has no word for it
    };
  }

  // close ends the connection for good. Commands are refused for that reason then, also those that wait for a connection.
  close(reason = "connection closed") {
    this.#closed = reason;
    this.#forget(reason);
    for (const { settle } of this.#queue.splice(0)) settle.reject(new Refused(reason));
    this.#socket.close();
  }
}

// directIOAddress is the address of the protocol at the server of a page.
export function directIOAddress(location) {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/DirectIO/`;
}
