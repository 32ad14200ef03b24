import type { Problem } from "../wire";
import { decode, idOf, type Samples } from "./samples";
import { decodeCapture, type Captured } from "./capture";
import type { Alive, Changes, Ended, Failure, Form, Hello, LeftCaptures, Phase, ProbedPort, ProbeRequest, Probing, Request, Scoping, Setup } from "./wire";

export type Topic = "nets" | "rules" | "devices" | "sessions" | "executors" | "incidents" | "log";
export type State = "connecting" | "open" | "lost";
export type Rows<T> = ReadonlyMap<string, T>;

/** Socket is the part of a WebSocket that a stream needs. */
export interface Socket {
  binaryType: BinaryType;
  readonly readyState: number;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** open is the state of a WebSocket that takes messages. */
const open = 1;
/** protocol is the version of the messages that this client understands. */
const protocol = 1;
/** The daemon sends something every 5 s. After this many ms without a message the connection is given up. */
const patience = 15_000;
/** The wait before it connects again, in ms: twice as long each time. */
const shortestWait = 500;
const longestWait = 8_000;

type Message = Partial<Hello & Changes & Ended & Alive & Failure & Probing & Scoping & Phase & LeftCaptures>;

/** Scoped has the callbacks of a scope. */
export interface Scoped {
  begun(channels: readonly Form[]): void;
  capture(capture: Captured): void;
  phase(phase: string): void;
  failed(problem: Problem): void;
}

/** Job is work that the daemon does for this page; it is begun again after a cut. */
interface Job {
  request: Omit<Request, "id">;
  tell(message: Message): void;
  samples?(message: ArrayBuffer): void;
  fail(problem: Problem): void;
  /** renew is called when another instance of the daemon answers, and reports whether the job makes sense there. */
  renew(): boolean;
}

/**
 * Stream is the connection of a page over which the daemon reports changes. It is opened when something is watched. After a cut it connects
 * again, and everything that is still watched is asked for again.
 */
export class Stream {
  /** instance of the daemon that has answered last. */
  instance: string | null = null;
  version = "";
  private now: State = "connecting";
  private socket: Socket | null = null;
  private readonly jobs = new Map<number, Job>();
  private readonly shared = new Map<string, Watch>();
  private readonly listeners = new Set<() => void>();
  private last = 0;
  private wait = shortestWait;
  private heard = 0;
  private watchdog: ReturnType<typeof setInterval> | undefined;
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly connect: () => Socket = connectHere) {}

  get state(): State {
    return this.now;
  }

  /** onState calls f whenever the state or the instance changes. */
  onState(f: () => void): () => void {
    this.listeners.add(f);
    return () => this.listeners.delete(f);
  }

  /**
   * watch calls on with all rows of a topic, by their keys, at first and whenever some have changed; left is how many changes in between were left
   * out, because this page was too slow. To watch what others watch already costs the daemon nothing.
   */
  watch<T>(topic: Topic, on: (rows: Rows<T>, left: number) => void, failed?: (problem: Problem) => void, level?: string): () => void {
    const key = `${topic} ${level ?? ""}`;
    let watch = this.shared.get(key);
    if (!watch) {
      const created = new Watch(level === undefined ? { watch: topic } : { watch: topic, level });
      this.shared.set(key, created);
      created.stop = this.begin(created);
      watch = created;
    }
    const joined = watch;
    const leave = joined.join(on as (rows: Rows<unknown>, left: number) => void, failed);
    return () => {
      if (leave() && this.shared.get(key) === joined) {
        this.shared.delete(key);
        joined.stop();
      }
    };
  }

  /**
   * probe calls on with the values of ports as they come, and begun with the columns before, at first and after each cut. It fails when the net ends or
   * is unloaded (code "ended"), and when another instance of the daemon answers: a net of that name is another one there.
   */
  probe(request: ProbeRequest, on: (block: Samples) => void, failed: (problem: Problem) => void, begun?: (ports: readonly ProbedPort[]) => void): () => void {
    let ports: readonly ProbedPort[] = [];
    return this.begin({
      request: { probe: request },
      tell(message) {
        if (message.probe) {
          ports = message.probe.ports;
          begun?.(ports);
        }
      },
      samples(message) {
        const block = decode(message, ports);
        if (block) on(block);
      },
      fail: failed,
      renew: () => false,
    });
  }

  /** scope runs a scope. It fails when another instance of the daemon answers, as a probe does. */
  scope(setup: Setup, told: Scoped): () => void {
    return this.begin({
      request: { scope: setup },
      tell(message) {
        if (message.scope) told.begun(message.scope.channels);
        if (message.phase !== undefined) told.phase(message.phase);
      },
      samples(message) {
        const capture = decodeCapture(message);
        if (capture) told.capture(capture);
      },
      fail: told.failed,
      renew: () => false,
    });
  }

  /** close ends the connection; it does not connect again. */
  close() {
    this.jobs.clear();
    this.shared.clear();
    clearTimeout(this.again);
    this.again = undefined;
    this.drop();
  }

  /** begin begins a job, and returns what ends it. */
  private begin(job: Job): () => void {
    const id = ++this.last;
    this.jobs.set(id, job);
    if (this.now === "open") this.send({ id, ...job.request });
    else if (!this.socket && this.again === undefined) this.open();
    return () => {
      if (this.jobs.delete(id) && this.now === "open") this.send({ id: ++this.last, end: id });
    };
  }

  /** send says something, unless the connection is about to end: then all of it is said again on the next one. */
  private send(request: Request) {
    if (this.socket?.readyState === open) this.socket.send(JSON.stringify(request));
  }

  private open() {
    this.again = undefined;
    const socket = this.connect();
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.heard = Date.now();
    this.watchdog = setInterval(() => {
      if (Date.now() - this.heard > patience) this.lost(socket);
    }, patience / 3);
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      if (data instanceof ArrayBuffer) this.jobs.get(idOf(data))?.samples?.(data);
      else this.hear(JSON.parse(String(data)) as Message);
    };
    socket.onclose = () => this.lost(socket);
  }

  /** lost connects again after a while. Rows stay until newer ones come. */
  private lost(socket: Socket) {
    if (this.socket !== socket) return;
    this.drop();
    this.become("lost");
    this.again = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, longestWait);
  }

  /** drop releases the socket, and ignores what still comes from it. */
  private drop() {
    const socket = this.socket;
    this.socket = null;
    clearInterval(this.watchdog);
    if (socket) {
      socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  private become(state: State) {
    this.now = state;
    for (const f of [...this.listeners]) f();
  }

  private hear(message: Message) {
    if (message.rccd !== undefined) {
      this.greet(message as Hello);
      return;
    }
    const job = message.id === undefined ? undefined : this.jobs.get(message.id);
    if (!job || message.id === undefined) return; // it was ended while this was on its way
    if (message.error) this.fail(message.id, job, message.error);
    else if (message.ended !== undefined) this.fail(message.id, job, problem("ended", message.ended));
    else job.tell(message);
  }

  private fail(id: number, job: Job, why: Problem) {
    this.jobs.delete(id);
    for (const [key, watch] of this.shared) if (watch === job) this.shared.delete(key);
    job.fail(why);
  }

  /** greet begins all jobs again. Jobs that make no sense for another instance of the daemon end. */
  private greet(hello: Hello) {
    if (hello.rccd !== protocol) {
      for (const [id, job] of [...this.jobs]) this.fail(id, job, problem("version", "this page is older or newer than the daemon; reload it"));
    }
    const restarted = this.instance !== null && this.instance !== hello.instance;
    this.instance = hello.instance;
    this.version = hello.version;
    this.wait = shortestWait;
    if (restarted) {
      for (const [id, job] of [...this.jobs]) {
        if (!job.renew()) this.fail(id, job, problem("other-instance", "the daemon was started again, and this net does not exist any more"));
      }
    }
    for (const [id, job] of this.jobs) this.send({ id, ...job.request });
    this.become("open");
  }
}

/** Watch keeps the rows of a topic for all its watchers. */
class Watch implements Job {
  stop = () => {};
  private rows: Map<string, unknown> | null = null;
  private readonly watchers = new Set<{ on: (rows: Rows<unknown>, left: number) => void; failed: ((p: Problem) => void) | undefined }>();

  constructor(readonly request: { watch: string; level?: string }) {}

  /** join returns what leaves, and reports whether that was the last one. */
  join(on: (rows: Rows<unknown>, left: number) => void, failed: ((p: Problem) => void) | undefined): () => boolean {
    const watcher = { on, failed };
    this.watchers.add(watcher);
    if (this.rows) on(this.rows, 0);
    return () => this.watchers.delete(watcher) && this.watchers.size === 0;
  }

  tell({ all, changed, gone, left }: Message) {
    if (!all && !this.rows) return;
    const rows = new Map<string, unknown>(all ? [] : (this.rows ?? []));
    for (const { key, row } of all ?? []) rows.set(key, row);
    for (const { key, row } of changed ?? []) rows.set(key, row);
    for (const key of gone ?? []) rows.delete(key);
    this.show(rows, left ?? 0);
  }

  fail(why: Problem) {
    for (const { failed } of [...this.watchers]) failed?.(why);
  }

  /** renew drops the rows of another instance of the daemon. */
  renew(): boolean {
    if (this.rows) this.show(new Map(), 0);
    this.rows = null;
    return true;
  }

  private show(rows: Map<string, unknown>, left: number) {
    this.rows = rows;
    for (const { on } of [...this.watchers]) on(rows, left);
  }
}

function problem(code: string, message: string): Problem {
  return { status: 0, code, message, remedy: "" };
}

function connectHere(): Socket {
  const { protocol, host } = window.location;
  return new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/stream`) as Socket;
}

/** stream is the stream of the page. */
export const stream = new Stream();
