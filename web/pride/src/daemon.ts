import { useEffect, useState } from "react";

import type { Problem } from "./wire";

/** Refused is an answer of the daemon that is an error, in its words. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.where ? `${problem.where}: ` : ""}${problem.message}`);
  }
}

/** Restarted is thrown when another instance of the daemon answers than the one that the page has begun with. */
export class Restarted extends Error {
  constructor() {
    super("the daemon was started again");
  }
}

const header = "Rccd-Instance";

/** Daemon asks one instance of the daemon. Names of nets mean something else in another one, so nothing old is shown or commanded there. */
export class Daemon {
  private instance: string | null = null;

  constructor(private readonly fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args)) {}

  async get<T>(address: string, signal?: AbortSignal): Promise<T> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.instance !== null) headers[header] = this.instance;
    const answer = await this.fetch(address, { headers, ...(signal && { signal }) });
    const is = answer.headers.get(header);
    if (this.instance !== null && is !== null && is !== this.instance) throw new Restarted();
    this.instance ??= is;
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Refused(body as Problem);
    return body as T;
  }

  /** send asks for a change, or with a body that is no form. */
  async send(method: "POST" | "DELETE", address: string, body?: BodyInit): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.instance !== null) headers[header] = this.instance;
    const answer = await this.fetch(address, { method, headers, ...(body !== undefined && { body }) });
    const is = answer.headers.get(header);
    if (this.instance !== null && is !== null && is !== this.instance) throw new Restarted();
    if (!answer.ok) throw new Refused((await answer.json()) as Problem);
    return answer;
  }
}

export const daemon = new Daemon();

/** Asked is what is known of an address: its newest answer, and why there is no newer one. */
export interface Asked<T> {
  answer: T | null;
  error: Error | null;
}

/** useAnswer asks for an address, again and again if there is an interval in ms. A hidden page asks for nothing. */
export function useAnswer<T>(address: string, interval?: number): Asked<T> {
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
  }, [address, interval]);
  return asked.address === address ? asked : { answer: null, error: null };
}
