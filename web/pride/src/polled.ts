import { Refused, Restarted, type Daemon } from "./daemon";
import type { Link, Rows, Source, Topic } from "./topics";
import type { Devices, Log, Nets, Problem, Realtime, Rules, Sessions } from "./wire";

/** topics say where their rows are, and what the key of each is. */
const addresses: { [K in Topic]: { at: string; rows: (answer: never) => [string, Rows[K]][] } } = {
  nets: { at: "/nets/", rows: (a: Nets) => a.nets.map((n) => [n.name, n]) },
  rules: { at: "/rules/", rows: (a: Rules) => a.rules.map((r) => [String(r.id), r as Rows["rules"]]) },
  devices: { at: "/devices/", rows: (a: Devices) => a.devices.map((d) => [d.name, d]) },
  sessions: { at: "/sessions/", rows: (a: Sessions) => a.sessions.map((s) => [s.name, s]) },
  executors: { at: "/realtime/", rows: (a: Realtime) => a.executors.map((e) => [`${e.period} ${e.realtime} ${e.cpu}`, e]) },
  incidents: { at: "/realtime/", rows: (a: Realtime) => a.incidents.map((i) => [`${i.time} ${i.kind} ${i.net}`, i]) },
  log: { at: "/log/", rows: (a: Log) => a.lines.map((l) => [String(l.number), l]) },
};

/** Polled asks for topics again and again. */
export class Polled implements Source {
  state: Link = "connecting";
  private readonly listeners = new Set<() => void>();

  constructor(private readonly daemon: Daemon) {}

  onState(changed: () => void): () => void {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  }

  watch<T>(topic: Topic, on: (rows: ReadonlyMap<string, T>) => void, failed?: (e: Problem) => void): () => void {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const { at, rows } = addresses[topic];
    const ask = async () => {
      try {
        const answer = await this.daemon.get<never>(at, gone.signal);
        this.become("open");
        on(new Map(rows(answer) as [string, T][]));
      } catch (e) {
        if (gone.signal.aborted) return;
        if (e instanceof Refused) failed?.(e.problem);
        else if (!(e instanceof Restarted)) this.become("lost");
      }
      if (!gone.signal.aborted) timer = setTimeout(ask, 1000);
    };
    void ask();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }

  private become(state: Link) {
    if (state === this.state) return;
    this.state = state;
    this.listeners.forEach((changed) => changed());
  }
}
