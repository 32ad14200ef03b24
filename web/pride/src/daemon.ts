import { useEffect, useState, useSyncExternalStore } from "react";

import type { Problem } from "./wire";

/** Refused is an answer of the daemon that is an error, in its words. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.where ? `${problem.where}: ` : ""}${problem.message}`);
  }
}

/** Restarted is thrown when another instance of the daemon answers than the one that the page began with. */
export class Restarted extends Error {
  constructor() {
    super("the daemon was started again");
  }
}

const header = "Rccd-Instance";

/**
 * Daemon asks one instance of the daemon. Names of nets mean something else in another instance, so nothing old is asked or commanded there: every
 * request is refused from the moment at which another instance answered until the page adopts it.
 */
export class Daemon {
  private instance: string | null = null;
  private next: string | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args)) {}

  /** restarted reports whether another instance has answered. */
  get restarted(): boolean {
    return this.next !== null;
  }

  /** onRestart calls back when that changes. */
  onRestart = (changed: () => void): (() => void) => {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  };

  /** heard notes the instance that has answered. */
  heard(instance: string): void {
    this.instance ??= instance;
    const next = instance === this.instance ? null : instance;
    if (next === this.next) return;
    this.next = next;
    this.listeners.forEach((changed) => changed());
  }

  /** adopt accepts the instance that answers now. */
  adopt(): void {
    if (this.next === null) return;
    this.instance = this.next;
    this.next = null;
    this.listeners.forEach((changed) => changed());
  }

  async get<T>(address: string, signal?: AbortSignal): Promise<T> {
    const answer = await this.ask(address, signal ? { signal } : {});
    return (await answer.json()) as T;
  }

  /** send requests a change, or sends a body that is not a form. It sends nothing to another instance. */
  async send(method: "POST" | "DELETE", address: string, body?: BodyInit): Promise<Response> {
    if (this.restarted) throw new Restarted();
    return this.ask(address, { method, ...(body !== undefined && { body }) });
  }

  private async ask(address: string, request: RequestInit): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.instance !== null) headers[header] = this.instance;
    const answer = await this.fetch(address, { ...request, headers });
    const is = answer.headers.get(header);
    if (is !== null) this.heard(is);
    if (this.restarted) throw new Restarted();
    if (!answer.ok) throw new Refused((await answer.json()) as Problem);
    return answer;
  }
}

export const daemon = new Daemon();

/** useRestarted reports whether another instance of the daemon answers than the one that the page shows. */
export const useRestarted = (): boolean => useSyncExternalStore(daemon.onRestart, () => daemon.restarted);

/** Asked is the newest answer of an address, and the reason why there is no newer one. */
export interface Asked<T> {
  answer: T | null;
  error: Error | null;
}

/** useAnswer requests an address whenever the version changes, and repeatedly if there is an interval in ms. A hidden page requests nothing. */
export function useAnswer<T>(address: string, interval?: number, version?: unknown): Asked<T> {
  const [asked, setAsked] = useState<Asked<T> & { address: string }>({ address, answer: null, error: null });
  useEffect(() => {
    const gone = new AbortController();
    let timer = 0;
    const ask = async () => {
      if (!document.hidden) {
        try {
          const answer = await daemon.get<T>(address, gone.signal);
          setAsked({ address, answer, error: null });
        } catch (e) {
          if (gone.signal.aborted) return;
          const error = e instanceof Error ? e : new Error(String(e));
          setAsked((before) => ({ address, answer: before.address === address ? before.answer : null, error }));
          if (error instanceof Restarted) return;
        }
      }
      if (interval && !gone.signal.aborted) timer = window.setTimeout(ask, interval);
    };
    void ask();
    return () => {
      gone.abort();
      window.clearTimeout(timer);
    };
  }, [address, interval, version]);
  return asked.address === address ? asked : { answer: null, error: null };
}
