import { Axis, type Span } from "./axis";
import { snapped, stepped } from "./cursors";
import { curvesOf, type Curve, type Shape } from "./shape";
import { capacityFor, Ring } from "./samples";
import type { Capture, Described, Part, Phase, Sink, Source } from "./source";
import { emptySetup, fromFile, sameOrigin, type Channel, type Setup } from "./setup";

/** Lane is a channel as it is drawn: its form, and its newest samples. */
export interface Lane {
  readonly channel: Channel;
  readonly index: number;
  readonly described: Described | null;
  readonly shape: Shape;
  readonly curves: readonly Curve[];
  readonly ring: Ring;
}

/** State is the part of the scope that the page shows in words. It changes rarely; samples are not part of it. */
export interface State {
  setup: Setup;
  lanes: readonly Lane[];
  running: boolean;
  phase: Phase;
  problem: string | null;
  /** number and time of the newest capture */
  capture: { number: number; trigger: number; forced: boolean; late: readonly string[]; from: number; to: number } | null;
  lost: number;
  taken: "a" | "b" | null;
  follows: boolean;
  /** whether lines share one plot */
  together: boolean;
}

type Listener = () => void;

/** settles is the time in ms without a change after which a running scope gets the new setup: handles are dragged. */
const settles = 200;

/** The shortest and the longest time that is asked for at once, in seconds. */
const leastWindow = 0.01;
const mostWindow = 3600;

/** Scope holds the setup, samples and view outside of React: samples never pass through the state of a component. */
export class Scope {
  readonly axis = new Axis();
  a: number | null = null;
  b: number | null = null;
  private state: State = {
    setup: emptySetup(), lanes: [], running: false, phase: "stopped", problem: null, capture: null, lost: 0, taken: null, follows: true, together: false,
  };
  private readonly changed = new Set<Listener>();
  private readonly drawn = new Set<Listener>();
  private end: (() => void) | null = null;
  private run = 0;
  private frame = 0;
  private pixels = 800;
  private window = 0; // that was asked for
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private source: Source,
    private readonly nextFrame: (f: () => void) => number = (f) => requestAnimationFrame(f),
  ) {}

  readonly get = (): State => this.state;

  /** subscribe calls back when the state has changed, not when samples have come. */
  readonly subscribe = (f: Listener): (() => void) => {
    this.changed.add(f);
    return () => this.changed.delete(f);
  };

  /** onFrame calls back at most once a frame, when something must be drawn again. */
  onFrame(f: Listener): () => void {
    this.drawn.add(f);
    return () => this.drawn.delete(f);
  }

  private set(more: Partial<State>): void {
    this.state = { ...this.state, ...more, follows: this.axis.follows };
    for (const f of this.changed) f();
    this.draw();
  }

  /** draw requests one drawing of the present state. */
  draw(): void {
    if (this.frame !== 0) return;
    this.frame = this.nextFrame(() => {
      this.frame = 0;
      this.axis.follow(this.newest());
      for (const f of this.drawn) f();
    });
  }

  /** change sets another setup; a running scope goes on with it. */
  change(setup: Setup): void {
    const before = this.state.setup;
    const same = JSON.stringify(setup.channels) === JSON.stringify(before.channels);
    const live = setup.trigger.kind === "none" && before.trigger.kind !== "none";
    if (same && !live) this.set({ setup, problem: null });
    else this.set({ setup, problem: null, lanes: lanesOf(setup, null, this.state.lanes), capture: null, lost: 0 });
    if (this.state.running) this.restart();
  }

  /** restart restarts a running scope when the setup was not changed for a while. */
  private restart(): void {
    clearTimeout(this.again);
    this.again = setTimeout(() => this.start(), settles);
  }

  start(): void {
    this.stopRun();
    const setup = this.state.setup;
    if (setup.channels.length === 0 || fromFile(setup)) {
      this.set({ running: false, phase: "stopped", problem: null });
      return;
    }
    const run = ++this.run;
    const live = setup.trigger.kind === "none";
    this.axis.follows = live || this.axis.follows;
    for (const lane of this.state.lanes) lane.ring.tear();
    this.set({ running: true, phase: live ? "live" : "starting", problem: null, lost: 0 });
    const only = <A extends unknown[]>(f: (...a: A) => void) => (...a: A) => {
      if (this.run === run) f(...a); // what an earlier run still says is old
    };
    const sink: Sink = {
      described: only((list) => this.describe(list)),
      samples: only((channel, part, lost, torn) => this.append(channel, part, lost, torn)),
      capture: only((capture) => this.show(capture)),
      torn: only((channel) => this.state.lanes[channel]?.ring.tear()),
      trouble: only((problem) => this.set({ problem })),
      phase: only((phase) => this.enter(phase)),
      failed: only((problem) => {
        this.stopRun();
        this.set({ running: false, phase: "stopped", problem });
      }),
    };
    this.window = live ? Math.min(mostWindow, Math.max(leastWindow, this.axis.span)) : setup.before + setup.after;
    this.end = this.source.run(setup, { pixels: this.pixels, window: this.window }, sink);
    if (this.run !== run) this.stopRun(); // it failed at once
  }

  stop(): void {
    this.stopRun();
    this.set({ running: false, phase: "stopped" });
  }

  private stopRun(): void {
    clearTimeout(this.again);
    this.run++;
    this.end?.();
    this.end = null;
  }

  private enter(phase: Phase): void {
    if (phase === this.state.phase) return;
    if (phase === "done") this.stopRun();
    this.set({ phase, running: phase !== "done" && this.state.running });
  }

  private describe(list: readonly Described[]): void {
    const same = this.state.lanes.length === list.length && this.state.lanes.every((l, i) => JSON.stringify(l.described) === JSON.stringify(list[i]));
    if (!same) this.set({ lanes: lanesOf(this.state.setup, list, this.state.lanes) });
  }

  private append(channel: number, part: Part, lost: number, torn: boolean): void {
    const lane = this.state.lanes[channel];
    if (!lane) return;
    if (torn) lane.ring.tear();
    if (lost > 0) this.set({ lost: this.state.lost + lost });
    lane.ring.append(part.ticks, part.column);
    this.draw();
  }

  /** open shows a capture of a file instead of the running scope. */
  open(file: string, channels: readonly { name: string; described: Described }[], capture: Capture): void {
    this.stop();
    this.clearCursors();
    this.axis.follows = false;
    const setup: Setup = { ...emptySetup(), channels: channels.map(({ name }) => ({ name, source: { file: `${file}: ${name}` } })) };
    this.set({ setup, problem: null, capture: null, lanes: lanesOf(setup, channels.map((c) => c.described), []) });
    this.show(capture);
  }

  /** show draws a capture instead of the previous one: all of it where all of that was visible, else what is at the same distance from the trigger. */
  show(capture: Capture): void {
    const before = this.state.capture;
    const lanes = this.state.lanes.map((lane, i) => {
      const part = capture.parts[i];
      const samples = part?.ticks.length ?? 0;
      const holds = lane.ring.capacity >= samples && lane.ring.words === (part?.column.words ?? lane.ring.words);
      const ring = holds ? lane.ring : new Ring(part?.column.words ?? lane.ring.words, samples);
      if (!holds) lane.ring.release();
      ring.clear();
      if (part) ring.append(part.ticks, part.column);
      return holds ? lane : { ...lane, ring };
    });
    const of = extent(lanes);
    const origin = capture.trigger;
    if (of) {
      const last = before ? before.trigger : null;
      if (!before || this.axis.follows || fits(this.axis, before)) this.axis.fit(of);
      else this.axis.show(this.axis.from + origin - before.trigger, this.axis.to + origin - before.trigger);
      this.a = carried(this.a, origin, last, of);
      this.b = carried(this.b, origin, last, of);
    }
    this.set({ lanes, lost: capture.lost, capture: { number: capture.number, trigger: capture.trigger, forced: capture.forced, late: capture.late, from: of?.from ?? 0, to: of?.to ?? 0 } });
  }

  /** width sets how many pixels the plots have, for the next run. */
  width(pixels: number): void {
    this.pixels = Math.max(100, Math.min(4000, Math.round(pixels)));
  }

  /** origin is the time that the axis calls zero: the trigger, or the newest tick. */
  origin(): number {
    const c = this.state.capture;
    if (c) return c.trigger;
    const newest = this.newest();
    return Number.isFinite(newest) ? newest : this.axis.to;
  }

  newest(): number {
    let newest = -Infinity;
    for (const { ring } of this.state.lanes) if (ring.length > 0) newest = Math.max(newest, ring.tick(ring.length - 1));
    return newest;
  }

  extent(): Span | null {
    return extent(this.state.lanes);
  }

  /** look changes the visible part, and draws it. */
  look(how: (axis: Axis) => void): void {
    const followed = this.axis.follows;
    how(this.axis);
    const finer = this.window / this.axis.span;
    if (this.state.running && this.state.setup.trigger.kind === "none" && this.axis.follows && (finer > 1.5 || finer < 0.6)) this.restart();
    if (followed !== this.axis.follows) this.set({});
    else this.draw();
  }

  /** follow shows the newest samples as they come. */
  follow(): void {
    this.look((axis) => (axis.follows = true));
  }

  /** take makes a cursor the one that arrows and clicks move; it appears in the middle. */
  take(which: "a" | "b" | null): void {
    if (which !== null && this[which] === null) this.move(which, this.axis.from + this.axis.span * (which === "a" ? 1 / 3 : 2 / 3));
    this.set({ taken: which });
  }

  /** move puts a cursor to the nearest tick. */
  move(which: "a" | "b", time: number): void {
    this[which] = snapped(this.state.lanes.map((l) => l.ring), time);
    this.draw();
  }

  step(which: "a" | "b", ticks: number): void {
    const at = this[which];
    if (at === null) return;
    this[which] = stepped(this.finest(), at, ticks);
    const time = this[which];
    if (time < this.axis.from || time > this.axis.to) this.look((axis) => axis.show(time - axis.span / 2, time + axis.span / 2));
    this.draw();
  }

  /** finest is the ring with the most samples: cursors step from tick to tick of it. */
  private finest(): Ring | undefined {
    return this.state.lanes.reduce<Ring | undefined>((best, l) => (!best || l.ring.length > best.length ? l.ring : best), undefined);
  }

  clearCursors(): void {
    this.a = this.b = null;
    this.set({ taken: null });
  }

  /** arrange puts lines into one plot, or each channel into one of its own. */
  arrange(together: boolean): void {
    this.set({ together });
  }

  /** say shows an error that occurred outside of a run. */
  say(problem: string | null): void {
    this.set({ problem });
  }
}

/**
 * carried is a cursor at the same distance from the trigger as before. One from before the first capture is left out, if it is
 * not within that.
 */
function carried(at: number | null, origin: number, last: number | null, of: Span): number | null {
  if (at === null) return null;
  if (last !== null) return at + origin - last;
  return at >= of.from && at <= of.to ? at : null;
}

/** fits reports whether exactly a part of the time is in sight, but for a hundredth of it. */
function fits(sight: Span, of: Span): boolean {
  const near = (of.to - of.from) / 100;
  return Math.abs(sight.from - of.from) <= near && Math.abs(sight.to - of.to) <= near;
}

function extent(lanes: readonly Lane[]): Span | null {
  let from = Infinity;
  let to = -Infinity;
  for (const { ring } of lanes) {
    if (ring.length === 0) continue;
    from = Math.min(from, ring.tick(0));
    to = Math.max(to, ring.tick(ring.length - 1));
  }
  return from <= to ? { from, to } : null;
}

const wordsOf = (d: Described | null) => d?.components.length ?? 1;

/** lanesOf makes the lanes of a setup. Known lanes of its channels are kept. */
function lanesOf(setup: Setup, list: readonly Described[] | null, before: readonly Lane[]): Lane[] {
  const known = setup.channels.map((channel) => before.find((l) => sameOrigin(l.channel.source, channel.source) && l.channel.component === channel.component));
  const described = setup.channels.map((_, i) => list?.[i] ?? known[i]?.described ?? null);
  const capacity = capacityFor(described.reduce((sum, d) => sum + (wordsOf(d)), 0));
  const lanes = setup.channels.map((channel, index) => {
    const d = described[index] ?? null;
    const { shape, curves } = curvesOf(d, channel.component);
    const was = known[index]?.ring;
    const ring = was && was.words === wordsOf(d) && was.capacity === capacity ? was : new Ring(wordsOf(d), capacity);
    return { channel, index, described: d, shape, curves, ring };
  });
  for (const { ring } of before) if (!lanes.some((lane) => lane.ring === ring)) ring.release();
  return lanes;
}
