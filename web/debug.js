// The debugging log of a net: what stood on its recorded ports, cycle by cycle. Here it may grow longer than the ring of the
// daemon, so that one can go back through the cycles.

import { Restarted, daemon } from "./instance.js";
import { Plot, Series, components } from "./plot.js";

const LOOK_AGAIN = 500; // ms
const COLOURS = 8;
const MOST = 20000; // cycles that are kept

// Log holds the rows of a debugging log in the order of their cycles, the newest ones.
export class Log {
  constructor(most = MOST) {
    this.most = most;
    this.rows = [];
    this.found = new Map(); // lines by port, until there are new rows
  }

  get newest() {
    return this.rows.at(-1)?.cycle ?? 0;
  }

  // add takes rows that follow, and tells whether there were any.
  add(rows) {
    const news = rows.filter(({ cycle }) => cycle > this.newest);
    this.rows = this.rows.concat(news).slice(-this.most);
    this.found.clear();
    return news.length > 0;
  }

  // lines are the numbers of a port over time, for each component its name and points. Where there is no value is a gap.
  lines(port) {
    if (!this.found.has(port)) this.found.set(port, this.#lines(port));
    return this.found.get(port);
  }

  #lines(port) {
    const lines = new Map();
    for (const { time, values } of this.rows) {
      const parts = values[port] === null ? [] : components(values[port]);
      for (const [suffix] of parts) if (!lines.has(suffix)) lines.set(suffix, []);
      const found = new Map(parts);
      for (const [suffix, points] of lines) points.push([time, found.get(suffix) ?? NaN]);
    }
    return lines;
  }
}

// DebugPage plots the log, and shows the values of one cycle in the table.
export class DebugPage {
  // showState puts the state of a net into a badge.
  constructor(root, showState) {
    const find = (id) => root.querySelector(`#${id}`);
    this.address = root.dataset.address;
    this.showState = showState;
    this.cells = [...(find("ports")?.tBodies[0].rows ?? [])].map((row) => row.cells);
    if (this.cells.length === 0) return;
    Object.assign(this, {
      badge: find("state"), message: find("message"), pane: find("plotpane"), slider: find("cycle"), name: find("cyclename"),
      pauseButton: find("pause"), log: new Log(), plot: new Plot(find("plot"), 20, { least: 1, most: 1000 }), switches: new Map(), paused: false,
    });
    find("valuecycle")?.remove();
    this.slider.addEventListener("input", () => {
      this.pause(true);
      this.show();
    });
    this.pauseButton.addEventListener("click", () => this.pause(!this.paused));
    addEventListener("resize", () => this.show());
    find("plot").addEventListener("zoom", () => this.show());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.show());
    this.follow();
  }

  // follow fetches what is new for as long as the net may go on.
  async follow() {
    if (!document.hidden && !this.paused && !(await this.fetch())) return;
    setTimeout(() => this.follow(), LOOK_AGAIN);
  }

  async fetch() {
    try {
      const answer = await daemon.ask(`${this.address}?after=${this.log.newest}`, { headers: { Accept: "application/json" } });
      const view = await answer.json();
      this.say(answer.ok ? "" : `${view.message}; what is shown here stays`);
      if (!answer.ok) return false;
      this.showState(this.badge, view.state);
      if (this.log.add(view.rows)) this.update();
      return !["REJECTED", "TERMINATED", "UNLOADED"].includes(view.state);
    } catch (error) {
      if (error instanceof Restarted) return false;
      this.say("no connection to the daemon, trying again");
      return true;
    }
  }

  say(text) {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }

  pause(paused) {
    this.paused = paused;
    this.pauseButton.setAttribute("aria-pressed", String(paused));
    this.pauseButton.textContent = paused ? "Go on" : "Pause";
    if (!paused) this.update();
  }

  // update shows the newest cycle.
  update() {
    this.pane.hidden = false;
    for (const { values } of this.log.rows.slice(-100)) {
      values.forEach((text, port) => {
        if (text !== null) for (const [suffix] of components(text)) this.switch(port, suffix);
      });
    }
    this.slider.max = this.log.rows.length - 1;
    this.slider.value = this.slider.max;
    this.show();
  }

  // show shows the cycle that the slider is at.
  show() {
    const row = this.log.rows[this.slider.value];
    if (!row) return;
    this.name.textContent = `${row.cycle}, ${row.time} s`;
    this.slider.setAttribute("aria-valuetext", `cycle ${row.cycle}`);
    row.values.forEach((text, port) => {
      this.cells[port][2].textContent = text ?? "";
    });
    this.draw(row.time);
  }

  draw(mark) {
    const style = getComputedStyle(document.documentElement);
    const lines = [];
    for (const { box, colour, port, suffix } of this.switches.values()) {
      const points = box.checked ? this.log.lines(port).get(suffix) : undefined;
      if (!points) continue;
      const series = new Series(points.length);
      for (const [time, value] of points) series.push(time, value);
      lines.push({ series, colour: style.getPropertyValue(colour) });
    }
    const [first, last] = [this.log.rows[0].time, this.log.rows.at(-1).time];
    this.plot.seconds = Math.max(last - first, 1e-6) * 1.02;
    const end = Math.max(mark + this.plot.span / 2, first + this.plot.span); // what is marked is seen
    this.plot.draw(lines, Math.min(last, end), mark);
  }

  // switch makes the switch of a line, with its colour. The first few are on.
  switch(port, suffix) {
    const key = `${port} ${suffix}`;
    if (this.switches.has(key)) return;
    const cells = this.cells[port];
    const number = this.switches.size;
    const label = `plot ${cells[1].textContent}${suffix}`;
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: number < COLOURS, title: label });
    const colour = `--line${number % COLOURS}`;
    box.setAttribute("aria-label", label);
    box.style.accentColor = `var(${colour})`;
    box.addEventListener("change", () => this.show());
    cells[0].append(box);
    this.switches.set(key, { box, colour, port, suffix });
  }
}
