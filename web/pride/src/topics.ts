import { useCallback, useSyncExternalStore } from "react";

import { daemon, type Daemon } from "./daemon";
import { stream, type State, type Topic } from "./stream/stream";
import type { Device, Executor, Incident, LogEntry, NetEntry, Problem, RecordedRule, Session } from "./wire";

/** Rows are the types of the rows of each topic. */
export interface Rows extends Record<Topic, unknown> {
  nets: NetEntry;
  rules: RecordedRule;
  devices: Device;
  sessions: Session;
  executors: Executor;
  incidents: Incident;
  log: LogEntry;
}

/** Source reports the rows of topics: all of them whenever one changes. */
export interface Source {
  readonly state: State;
  readonly instance: string | null;
  onState(changed: () => void): () => void;
  watch<T>(topic: Topic, on: (rows: ReadonlyMap<string, T>) => void, failed?: (e: Problem) => void): () => void;
}

/** Told is the state of a topic: without rows before the first answer of the daemon. */
export interface Told<T> {
  rows: ReadonlyMap<string, T> | null;
  error: string | null;
}

const nothing: Told<never> = { rows: null, error: null };

/**
 * Topics shares the topics of a source among all views. Rows of another instance of the daemon are kept back until the page changes
 * to it.
 */
export class Topics {
  private readonly watched = new Map<Topic, { listeners: Set<() => void>; end: () => void }>();
  private readonly told = new Map<Topic, Told<unknown>>();
  private readonly kept = new Map<Topic, Told<unknown>>();
  private of: string | null = null; // the instance that the rows are from

  constructor(
    private readonly source: Source,
    private readonly daemon: Daemon,
  ) {
    source.onState(() => this.hear());
    daemon.onRestart(() => this.goOver());
  }

  subscribe(topic: Topic, changed: () => void): () => void {
    const watched = this.watched.get(topic) ?? this.begin(topic);
    watched.listeners.add(changed);
    return () => {
      watched.listeners.delete(changed);
      if (watched.listeners.size > 0) return;
      watched.end();
      this.watched.delete(topic);
      this.kept.delete(topic);
    };
  }

  get<K extends Topic>(topic: K): Told<Rows[K]> {
    return (this.told.get(topic) as Told<Rows[K]> | undefined) ?? nothing;
  }

  private begin(topic: Topic) {
    const watched = { listeners: new Set<() => void>(), end: () => {} };
    this.watched.set(topic, watched);
    watched.end = this.source.watch<unknown>(
      topic,
      (rows) => this.take(topic, { rows, error: null }),
      (e) => this.take(topic, { rows: this.get(topic).rows, error: e.message }),
    );
    return watched;
  }

  private take(topic: Topic, told: Told<unknown>) {
    this.hear();
    if (this.daemon.restarted) this.kept.set(topic, told);
    else this.publish(topic, told);
  }

  /** hear notes the instance that answers. */
  private hear() {
    if (this.source.instance !== null) this.daemon.heard(this.source.instance);
  }

  /** goOver drops the rows of the previous instance, and shows those of the present one. */
  private goOver() {
    if (this.daemon.restarted) return;
    if (this.of !== this.source.instance) this.told.clear();
    for (const topic of this.watched.keys()) this.publish(topic, this.kept.get(topic) ?? this.get(topic));
    this.kept.clear();
  }

  private publish(topic: Topic, told: Told<unknown>) {
    this.of = this.source.instance;
    this.told.set(topic, told);
    this.watched.get(topic)?.listeners.forEach((changed) => changed());
  }
}

const topics = new Topics(stream, daemon);

/** useTopic returns the rows of a topic, as they change. */
export function useTopic<K extends Topic>(topic: K): Told<Rows[K]> {
  return useSyncExternalStore(
    useCallback((changed: () => void) => topics.subscribe(topic, changed), [topic]),
    () => topics.get(topic),
  );
}

const onState = (changed: () => void) => stream.onState(changed);

/** useLink reports whether changes arrive from the daemon. */
export const useLink = (): State => useSyncExternalStore(onState, () => stream.state);
