// Which daemon a page is of. One that was started again has other nets, rules and sessions, some of the same names: a page of before neither shows nor commands them.

export const HEADER = "Rccd-Instance";

// Restarted is that the daemon is not the one of the page any more.
export class Restarted extends Error {
  constructor() {
    super("the daemon was started again; reload the page");
  }
}

// Instance is the daemon of a page, by the name that the page has for it. Without a name it is whichever answers.
export class Instance {
  #over = false;
  #tell = [];

  constructor(name, fetch = (...args) => globalThis.fetch(...args)) {
    this.name = name;
    this.fetch = fetch;
  }

  // over tells whether it is known to have ended.
  get over() {
    return this.#over;
  }

  // onover calls f when it is known that the daemon has ended and another one is there.
  onover(f) {
    this.#tell.push(f);
  }

  // ask is fetch, for this daemon only: a request that another one gets does nothing there.
  async ask(address, options = {}) {
    if (this.#over) throw new Restarted();
    const headers = this.name ? { ...options.headers, [HEADER]: this.name } : options.headers;
    const answer = await this.fetch(address, { ...options, headers });
    const is = answer.headers.get(HEADER);
    if (!this.name || is === null || is === this.name) return answer;
    if (!this.#over) {
      this.#over = true;
      for (const f of this.#tell) f();
    }
    throw new Restarted();
  }

  // check finds out whether it is still there. That nobody answers says nothing.
  async check() {
    try {
      await this.ask("/healthz");
    } catch {
      // those who want to know have been told
    }
  }

  // pinned is an address where no headers can be sent, for this daemon only.
  pinned(address) {
    return this.name ? `${address}?${HEADER}=${encodeURIComponent(this.name)}` : address;
  }
}

// daemon is that of the page.
export const daemon = new Instance(globalThis.document?.querySelector('meta[name="rccd-instance"]')?.content);
