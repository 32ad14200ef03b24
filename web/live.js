// What the pages do when scripts run: they show states and values as they change, plot numbers, and send commands without
// leaving the page. Without scripts the same forms work by reloading.

import { CellPage } from "./cell.js";
import { Connection, directIOAddress } from "./directio.js";
import { DebugPage } from "./debug.js";
import { Restarted, daemon } from "./instance.js";
import { sensible } from "./numbers.js";
import { Plot, Series, TickTime, components, tickText } from "./plot.js";

const RARELY = 60; // s between two notifications of values, which have no time: they are asked for
const LOOK_AT_VALUES = 50; // ms between the beginnings of two questions
const LOOK_AGAIN = 2000; // ms between two looks at what the protocol has no notification for
const LOOK_OFTEN = 500; // the same for pages that show nothing else: a cause that is gone must not stay
const COLOURS = 8;

const CLASSES = { RUNNING: "good", REJECTED: "bad", CANCELLING: "busy", SCHEDULED: "busy" };
const COMMANDS = {
  START: { word: "nest", states: ["READY", "SCHEDULED"] },
  CANCEL: { word: "neca", states: ["RUNNING"] },
  ABORT: { word: "neab", states: ["RUNNING", "CANCELLING"] },
  UNLOAD: { word: "neun", states: null },
};

const byId = (id) => document.getElementById(id);

function connect() {
  const link = byId("link");
  const connection = new Connection(() => new WebSocket(daemon.pinned(directIOAddress(location))), {
    onlink(up) {
      link.textContent = up ? "live" : "connection lost, trying again";
      link.className = up ? "good" : "bad";
      if (!up) daemon.check();
    },
  });
  daemon.onover(() => connection.close(new Restarted().message));
  return connection;
}

// outdated says that the page is one of a daemon that has ended.
function outdated() {
  byId("restarted").hidden = false;
  byId("link").textContent = "";
}

function showState(badge, state) {
  badge.textContent = state;
  badge.className = `state ${CLASSES[state] ?? "calm"}`;
}

function element(tag, properties = {}, ...children) {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
}

function say(place, text) {
  place.textContent = text;
  place.hidden = text === "";
}

// The list of nets, on / and /nets/.

class NetList {
  constructor(table, connection) {
    this.body = table.tBodies[0];
    this.connection = connection;
    this.rows = new Map();
    for (const row of this.body.rows) this.observe(row.dataset.net, row);
    setInterval(() => document.hidden || this.refresh(), LOOK_AGAIN);
  }

  observe(name, row) {
    const badge = row.querySelector(".state");
    const stop = this.connection.observeNet(name, 1, { state: (word) => showState(badge, word) });
    this.rows.set(name, { row, stop });
  }

  async refresh() {
    let nets;
    try {
      const answer = await daemon.ask("/nets/", { headers: { Accept: "application/json" } });
      ({ nets } = await answer.json());
    } catch {
      return; // the connection says already that the daemon is away
    }
    const present = new Set(nets.map((net) => net.name));
    for (const [name, { row, stop }] of this.rows) {
      if (present.has(name)) continue;
      stop();
      row.remove();
      this.rows.delete(name);
    }
    for (const net of nets) if (!this.rows.has(net.name)) this.add(net);
    byId("nonets").hidden = nets.length > 0;
  }

  add(net) {
    const badge = element("span");
    showState(badge, net.state);
    const cells = [element("a", { href: net.uri, textContent: net.name }), badge, net.description, net.cycle, net.session ?? ""];
    const row = element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
    row.dataset.net = net.name;
    this.body.append(row);
    this.observe(net.name, row);
  }
}

// The page of one net.

class NetPage {
  constructor(root, connection) {
    this.name = root.dataset.net;
    this.connection = connection;
    this.message = byId("message");
    this.values = new ValueTable(byId("values"));
    this.buttons = [...root.querySelectorAll(".actions button")];
    for (const button of this.buttons) button.form.addEventListener("submit", (event) => this.command(event));
    byId("inputs")?.addEventListener("submit", (event) => this.set(event));
    connection.observeNet(this.name, RARELY, {
      state: (word) => this.state(word),
      lost: (error) => say(this.message, error.message),
    });
    this.follow();
    setInterval(() => document.hidden || this.running && this.refresh(), LOOK_AGAIN);
  }

  // follow asks for the values for as long as the page is there, never twice at a time.
  async follow() {
    for (;;) {
      const began = performance.now();
      if (this.running && !document.hidden) await this.look();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + LOOK_AT_VALUES - performance.now())));
    }
  }

  // look shows what the net publishes, at the time of the tick that has left it.
  async look() {
    try {
      const answer = await fetch("values", { headers: { Accept: "application/json" } });
      if (!answer.ok) return; // it has been unloaded, which the protocol tells
      const { tick, values } = await answer.json();
      this.values.update(values ?? {}, tick);
      byId("tick").textContent = tickText(tick);
    } catch {
      // the connection says already that the daemon is away
    }
  }

  // refresh fetches facts, rules and statistics as the daemon writes them.
  async refresh() {
    try {
      const answer = await daemon.ask(location.pathname, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const figures = page.getElementById("figures");
      if (figures) byId("figures").replaceWith(figures);
    } catch {
      // the connection says already that the daemon is away
    }
  }

  state(word) {
    showState(byId("state"), word);
    this.running = word === "RUNNING" || word === "CANCELLING";
    if (word !== "UNLOADED") {
      this.refresh();
      this.look(); // at the last values as well
    }
    for (const button of this.buttons) {
      const { states } = COMMANDS[button.value];
      button.disabled = word === "UNLOADED" || (states !== null && !states.includes(word));
    }
  }

  async command(event) {
    const action = COMMANDS[event.submitter?.value];
    if (!action) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    await this.attempt(this.connection.call(action.word, this.name));
  }

  // set sends all inputs that were changed; they arrive in one cycle.
  async set(event) {
    event.preventDefault();
    const changed = [...event.target.elements].filter((e) => e.name && e.value !== e.defaultValue);
    const values = Object.fromEntries(changed.map((e) => [e.name, e.value]));
    const done = await this.attempt(this.connection.call("snc", { [this.name]: values }));
    if (done) for (const e of changed) e.defaultValue = e.value;
  }

  async attempt(promise) {
    try {
      await promise;
      say(this.message, "");
      return true;
    } catch (error) {
      say(this.message, error.message);
      return false;
    }
  }
}

class ValueTable {
  constructor(table) {
    this.body = table.tBodies[0];
    this.rows = new Map();
    this.lines = [];
    this.plot = new Plot(byId("plot"));
    this.time = new TickTime();
    this.paused = false;
    for (const row of this.body.rows) this.adopt(row.dataset.key, row);
    this.pauseButton = byId("pause");
    this.pauseButton.addEventListener("click", () => this.pause());
  }

  adopt(key, row) {
    this.rows.set(key, { plot: row.cells[0], value: row.cells[2], lines: [] });
    return this.rows.get(key);
  }

  row(key) {
    if (this.rows.has(key)) return this.rows.get(key);
    const head = element("th", { scope: "row", textContent: key });
    const row = element("tr", {}, element("td"), head, element("td", { className: "value" }));
    this.body.append(row);
    byId("novalues").hidden = true;
    return this.adopt(key, row);
  }

  // update takes all values, and the tick that has left them, null before the first one.
  update(values, tick) {
    const fresh = tick && this.time.hear(tick, performance.now() / 1000);
    for (const [key, text] of Object.entries(values)) {
      const row = this.row(key);
      row.value.textContent = sensible(text);
      row.value.title = text;
      if (!fresh) continue;
      components(text).forEach(([suffix, value], i) => {
        row.lines[i] ??= this.addLine(key + suffix, row.plot);
        row.lines[i].series.push(this.time.tick, value);
      });
    }
    if (this.lines.length > 0) this.startDrawing();
  }

  // addLine makes the switch of a line, with its colour. The first few are on.
  addLine(label, cell) {
    const number = this.lines.length;
    const box = element("input", { type: "checkbox", checked: number < COLOURS, title: `plot ${label}` });
    box.setAttribute("aria-label", `plot ${label}`);
    const name = `--line${number % COLOURS}`;
    box.style.accentColor = `var(${name})`;
    cell.append(box);
    const line = { series: new Series(), name, box };
    this.lines.push(line);
    return line;
  }

  startDrawing() {
    if (this.drawing) return;
    this.drawing = true;
    byId("plotpane").hidden = false;
    const frame = () => {
      if (!this.paused) this.draw();
      requestAnimationFrame(frame);
    };
    frame();
  }

  draw() {
    const style = getComputedStyle(document.documentElement);
    const shown = this.lines.filter(({ box }) => box.checked);
    const lines = shown.map(({ series, name }) => ({ series, colour: style.getPropertyValue(name) }));
    this.plot.draw(lines, this.time.now(performance.now() / 1000));
  }

  pause() {
    this.paused = !this.paused;
    this.pauseButton.setAttribute("aria-pressed", String(this.paused));
    this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
  }
}

// The form that loads a net.

async function load(event) {
  if (event.submitter && new URL(event.submitter.formAction).pathname === "/eval/") return; // a page of its own
  event.preventDefault();
  const form = event.target;
  const place = byId("loaderror");
  const body = new URLSearchParams(new FormData(form));
  let answer;
  try {
    answer = await daemon.ask(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  } catch (error) {
    say(place, error instanceof Restarted ? error.message : "no connection to the daemon");
    return;
  }
  const view = await answer.json();
  if (answer.ok) {
    location.assign(view.uri);
    return;
  }
  showProblem(place, view);
  if (view.line) select(byId("dionet"), view.line, view.column);
}

function showProblem(place, { message, remedy, reasons = [], net }) {
  const items = reasons.map(({ block, port, text }) => element("li", {}, [block, port, text].filter(Boolean).join(": ")));
  place.replaceChildren(element("p", { textContent: message }));
  if (items.length > 1) place.append(element("ul", {}, ...items));
  place.append(element("p", { className: "hint", textContent: `What to do: ${remedy}.` }));
  if (net) place.append(element("a", { href: net, textContent: "The rejected net" }));
  place.hidden = false;
}

// select marks the character at a line and column, both counted from 1. A column is one character, whatever its code.
function select(area, line, column) {
  const lines = area.value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const at = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
  area.focus();
  area.setSelectionRange(at, at + 1);
}

// The pages of what the protocol does not tell: rules, slots, executors, sessions, devices, the log. The daemon renders
// them, and what has changed is put in place.

class LivePage {
  constructor(region) {
    this.region = region;
    this.shown = region.innerHTML; // as the daemon has written it; people open details since
    this.link = byId("link");
    setInterval(() => document.hidden || this.refresh(), LOOK_OFTEN);
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
  }

  async refresh() {
    let page;
    try {
      const answer = await daemon.ask(location.href, { headers: { Accept: "text/html" } });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      if (!daemon.over) this.tell("connection lost, trying again", "bad");
      return;
    }
    this.tell("live", "good");
    const fresh = page.getElementById("live") ?? page.getElementById("main");
    if (fresh.innerHTML !== this.shown && !this.inUse()) this.replace(fresh);
  }

  tell(text, state) {
    this.link.textContent = text;
    this.link.className = state;
  }

  // inUse tells that somebody is marking text here, which would be lost.
  inUse() {
    const selection = getSelection();
    return !selection.isCollapsed && this.region.contains(selection.anchorNode);
  }

  // replace keeps the place: the focus, by its address or else by its number, what is open, and how far tables are scrolled.
  replace(fresh) {
    this.shown = fresh.innerHTML;
    const links = () => [...this.region.querySelectorAll("a, button, summary, [tabindex]")];
    const open = [...this.region.querySelectorAll("details")].map((e) => e.open);
    const focus = links().indexOf(document.activeElement);
    const href = document.activeElement?.getAttribute("href");
    const scrolled = [...this.region.querySelectorAll(".scroll")].map((e) => e.scrollLeft);
    this.region.replaceChildren(...fresh.childNodes);
    [...this.region.querySelectorAll(".scroll")].forEach((e, i) => (e.scrollLeft = scrolled[i] ?? 0));
    [...this.region.querySelectorAll("details")].forEach((e, i) => (e.open = open[i] ?? false));
    if (focus < 0) return;
    const again = links();
    (again.find((e) => href && e.getAttribute("href") === href) ?? again[focus])?.focus({ preventScroll: true });
  }
}

// The catalogue.

function search(event) {
  const words = event.target.value.toLowerCase().split(/\s+/);
  let found = 0;
  for (const row of byId("primitives").tBodies[0].rows) {
    const text = `${row.textContent} ${row.dataset.words}`.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    found += row.hidden ? 0 : 1;
  }
  byId("nofind").hidden = found > 0;
}

// toSearch lets the key / lead to the search, unless somebody is writing.
function toSearch(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  byId("search").focus();
}

async function copy(event) {
  const area = byId("dionet");
  area.select();
  await navigator.clipboard.writeText(area.value);
  event.target.textContent = "Copied";
}

daemon.onover(outdated);
const list = byId("nets");
const net = byId("net");
if (list || net) {
  const connection = connect();
  if (list) new NetList(list, connection);
  if (net) new NetPage(net, connection);
}
const log = byId("debuglog");
if (log) new DebugPage(log, showState);
const cell = byId("cell");
if (cell) new CellPage(cell, byId("link"), CLASSES);
const live = document.querySelector("[data-live]");
if (live) new LivePage(live).refresh();
byId("load")?.addEventListener("submit", load);
byId("search")?.addEventListener("input", search);
if (byId("search")) document.addEventListener("keydown", toSearch);
const copyButton = byId("copy");
if (copyButton && navigator.clipboard) {
  copyButton.hidden = false;
  copyButton.addEventListener("click", copy);
}
