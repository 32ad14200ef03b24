import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { padded, settled, timeText } from "./axis";
import { runs, trace, Trace } from "./curve";
import { numberText } from "./cursors";
import { colours, type Drawn } from "./groups";
import type { Lane, Scope } from "./scope";
import { levelsOf } from "./setup";
import { dashes, theme, type Theme } from "./theme";

/** left is the width of the axis of values, the same in all plots, so that their times are one above the other. */
export const left = 72;
const right = 12;

/** level makes the line of a value that never changes. */
function level(value: number, width: number, out: Trace): void {
  out.length = 0;
  out.add(0, value, true);
  out.add(width, value, false);
}

/** Plot is a canvas with curves on the axis of the scope. */
export class Plot {
  private readonly u: uPlot;
  private readonly traces = new Map<Drawn, Trace>();
  private readonly theme: Theme = theme();
  private range: [number, number] | null = null;
  private origin = 0;
  private readonly watch: ResizeObserver;
  private readonly sight: IntersectionObserver;
  private seen = true;
  private readonly forget: () => void;
  /** moved is called back when the plot was drawn, for what stands on it. */
  moved: ((plot: Plot) => void) | null = null;

  constructor(
    root: HTMLElement,
    private readonly scope: Scope,
    private readonly curves: readonly Drawn[],
    label: string,
    last: boolean,
  ) {
    const font = "12px system-ui, sans-serif";
    const lines = this.lane(curves[0])?.shape === "lines";
    const grid = { stroke: this.theme.line, width: 1 };
    this.u = new uPlot(
      {
        width: Math.max(120, root.clientWidth),
        height: Math.max(40, root.clientHeight),
        padding: [lines ? 10 : 4, right, last ? 0 : 4, 0],
        legend: { show: false },
        scales: { x: { time: false, auto: false, range: [0, 1] }, y: { auto: false, range: [0, 1] } },
        axes: [
          { show: true, size: last ? 28 : 0, space: 84, stroke: this.theme.quiet, font, grid, ticks: { show: last, stroke: this.theme.line }, values: (_, splits) => (last ? splits.map((s) => timeText(s, this.scope.axis.span)) : splits.map(() => "")) },
          { show: true, size: left, stroke: this.theme.quiet, font, grid: lines ? grid : { show: false }, ticks: { show: lines, stroke: this.theme.line }, values: (_, splits) => splits.map((s) => (lines ? numberText(Number(s.toPrecision(6))) : "")) },
        ],
        series: [{}, { show: true, paths: () => null, points: { show: false } }],
        cursor: {
          y: lines,
          points: { show: false },
          sync: { key: "scope", scales: ["x", null] },
          drag: { x: true, y: false, setScale: false },
          bind: {
            mousedown: (_u, _t, handler) => (e) => (e.shiftKey || e.button !== 0 ? null : (handler(e), null)),
            dblclick: () => () => {
              this.scope.look((axis) => axis.fit(this.scope.extent()));
              return null;
            },
          },
        },
        hooks: {
          draw: [() => this.paint()],
          setSelect: [
            (u) => {
              const { left, width } = u.select;
              if (width > 4) {
                const from = this.origin + u.posToVal(left, "x");
                const to = this.origin + u.posToVal(left + width, "x");
                this.scope.look((axis) => axis.show(from, to));
              }
              if (width > 0) u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      [[0, 1], [null, null]],
      root,
    );
    const canvas = this.u.ctx.canvas;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label);
    this.pointer();
    this.watch = new ResizeObserver(() => {
      this.u.setSize({ width: Math.max(120, root.clientWidth), height: Math.max(40, root.clientHeight) });
      this.scope.width(this.u.over.clientWidth);
      this.update();
    });
    this.watch.observe(root);
    this.sight = new IntersectionObserver((entries) => {
      this.seen = entries.at(-1)?.isIntersecting ?? true;
      if (this.seen) this.update();
    });
    this.sight.observe(root);
    this.forget = scope.onFrame(() => this.update());
    this.update();
  }

  destroy(): void {
    this.forget();
    this.watch.disconnect();
    this.sight.disconnect();
    this.u.destroy();
  }

  private lane(of: Drawn | undefined): Lane | undefined {
    return of && this.scope.get().lanes[of.lane];
  }

  /** pointer makes clicks place cursors, and drags with Shift, or a finger, move what is seen. */
  private pointer(): void {
    const over = this.u.over;
    let begin: { x: number; from: number; to: number } | null = null;
    let pressed = 0;
    over.addEventListener("pointerdown", (e) => {
      pressed = e.clientX;
      if (!e.shiftKey && e.pointerType !== "touch") return;
      over.setPointerCapture(e.pointerId);
      begin = { x: e.clientX, from: this.scope.axis.from, to: this.scope.axis.to };
    });
    over.addEventListener("pointermove", (e) => {
      if (!begin) return;
      const by = ((begin.x - e.clientX) / over.clientWidth) * (begin.to - begin.from);
      const { from, to } = begin;
      if (Math.abs(e.clientX - begin.x) > 3) this.scope.look((axis) => axis.show(from + by, to + by));
    });
    const end = () => (begin = null);
    over.addEventListener("pointercancel", end);
    over.addEventListener("pointerup", (e) => {
      end();
      const taken = this.scope.get().taken;
      if (taken && Math.abs(e.clientX - pressed) <= 3) this.scope.move(taken, this.timeAt(e.clientX));
    });
    over.addEventListener(
      "wheel",
      (e) => {
        if (!e.ctrlKey) return; // the wheel alone scrolls the page
        e.preventDefault();
        const around = this.timeAt(e.clientX);
        this.scope.look((axis) => axis.zoom(e.deltaY < 0 ? 0.8 : 1.25, axis.follows ? axis.to : around));
      },
      { passive: false },
    );
  }

  private timeAt(clientX: number): number {
    const box = this.u.over.getBoundingClientRect();
    return this.scope.axis.from + ((clientX - box.left) / box.width) * this.scope.axis.span;
  }

  /** valueAt is the value at a place of the page. */
  valueAt(clientY: number): number {
    return this.u.posToVal(clientY - this.u.over.getBoundingClientRect().top, "y");
  }

  /** place is how far below the upper edge of the plot a value is, in pixels; null when it is out of sight. */
  place(value: number): number | null {
    const y = this.u.valToPos(value, "y");
    return y >= 0 && y <= this.u.over.clientHeight ? y + this.u.over.offsetTop : null;
  }

  /** step is what an arrow key adds to a level. */
  get step(): number {
    return this.range ? (this.range[1] - this.range[0]) / 100 : 0.01;
  }

  private update(): void {
    if (!this.seen || this.u.over.clientWidth === 0) return;
    const { axis } = this.scope;
    this.origin = this.scope.origin();
    let low = Infinity;
    let high = -Infinity;
    const width = this.u.bbox.width;
    for (const curve of this.curves) {
      const lane = this.lane(curve);
      const value = lane?.curves[curve.curve]?.value;
      if (!lane || !value || lane.shape !== "lines") continue;
      let t = this.traces.get(curve);
      if (!t) this.traces.set(curve, (t = new Trace()));
      trace(lane.ring, value, axis.from, axis.to, width, t);
      const constant = lane.described?.constant;
      if (constant !== undefined && constant !== "" && Number.isFinite(Number(constant))) level(Number(constant), width, t);
      for (let i = 0; i < t.length; i++) {
        const [x, y] = [t.x[i] ?? 0, t.y[i] ?? 0];
        if (x < 0 || x > width) continue;
        if (y < low) low = y;
        if (y > high) high = y;
      }
    }
    for (const level of this.levels()) {
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
    this.range = settled(this.range, padded(low <= high ? [low, high] : null));
    const [min, max] = this.range;
    this.u.batch(() => {
      this.u.scales["x"]!.range = () => [axis.from - this.origin, axis.to - this.origin];
      this.u.scales["y"]!.range = () => [min, max];
      this.u.setScale("x", { min: axis.from - this.origin, max: axis.to - this.origin });
      this.u.setScale("y", { min, max });
      this.u.redraw(false);
    });
    this.moved?.(this);
  }

  /** levels are those of the trigger, if it watches a curve of this plot. */
  private levels(): number[] {
    const { trigger } = this.scope.get().setup;
    if (this.lane(this.curves[0])?.shape !== "lines" || !this.curves.some((c) => this.lane(c)?.channel.name === trigger.channel)) return [];
    return levelsOf(trigger).flatMap((l) => trigger[l] ?? []);
  }

  private paint(): void {
    const u = this.u;
    const g = u.ctx;
    const { left: x0, top: y0, width, height } = u.bbox;
    const { axis, a, b } = this.scope;
    const ratio = uPlot.pxRatio;
    g.save();
    g.beginPath();
    g.rect(x0, y0, width, height);
    g.clip();
    const x = (time: number) => x0 + ((time - axis.from) / axis.span) * width;
    const y = (value: number) => u.valToPos(value, "y", true);
    const vertical = (time: number, colour: string, dash: readonly number[]) => {
      g.strokeStyle = colour;
      g.lineWidth = ratio;
      g.setLineDash(dash.map((d) => d * ratio));
      g.beginPath();
      g.moveTo(Math.round(x(time)) + 0.5, y0);
      g.lineTo(Math.round(x(time)) + 0.5, y0 + height);
      g.stroke();
      g.setLineDash([]);
    };
    const capture = this.scope.get().capture;
    if (capture && !capture.forced) vertical(capture.trigger, this.theme.bad, [2, 3]);
    for (const curve of this.curves) {
      const lane = this.lane(curve);
      if (!lane) continue;
      const colour = this.theme.curves[curve.colour % colours] ?? this.theme.ink;
      if (lane.shape === "lines") this.line(curve, colour, y);
      else this.blocks(lane, colour);
    }
    g.setLineDash([5 * ratio, 4 * ratio]);
    g.strokeStyle = this.theme.bad;
    g.lineWidth = 1.2 * ratio;
    for (const level of this.levels()) {
      g.beginPath();
      g.moveTo(x0, y(level));
      g.lineTo(x0 + width, y(level));
      g.stroke();
    }
    g.setLineDash([]);
    if (a !== null) vertical(a, this.theme.accent, []);
    if (b !== null) vertical(b, this.theme.accent, [6, 3]);
    g.restore();
  }

  private line(curve: Drawn, colour: string, y: (value: number) => number): void {
    const t = this.traces.get(curve);
    if (!t) return;
    const g = this.u.ctx;
    const x0 = this.u.bbox.left;
    const ratio = uPlot.pxRatio;
    g.strokeStyle = colour;
    g.fillStyle = colour;
    g.lineWidth = 1.6 * ratio;
    g.lineJoin = "round";
    g.setLineDash((dashes[curve.dash % dashes.length] ?? []).map((d) => d * ratio));
    g.beginPath();
    const sparse = t.length > 2 && t.length < this.u.bbox.width / (10 * ratio);
    for (let i = 0; i < t.length; i++) {
      const px = x0 + (t.x[i] ?? 0);
      const py = y(t.y[i] ?? 0);
      if (t.moves[i]) g.moveTo(px, py);
      else g.lineTo(px, py);
    }
    g.stroke();
    g.setLineDash([]);
    for (let i = 0; i < t.length; i++) {
      const alone = t.moves[i] === 1 && (i + 1 === t.length || t.moves[i + 1] === 1); // no line would show it
      if (alone || sparse) g.fillRect(x0 + (t.x[i] ?? 0) - 2 * ratio, y(t.y[i] ?? 0) - 2 * ratio, 4 * ratio, 4 * ratio);
    }
  }

  /** blocks draws a Boolean as bars, and a state as bands with its names. */
  private blocks(lane: Lane, colour: string): void {
    const g = this.u.ctx;
    const { left: x0, top: y0, width, height } = this.u.bbox;
    const ratio = uPlot.pxRatio;
    const [top, bottom] = [y0 + 3 * ratio, y0 + height - 3 * ratio];
    g.font = `${12 * ratio}px system-ui, sans-serif`;
    g.textBaseline = "middle";
    g.textAlign = "left";
    for (const run of runs(lane.ring, 0, this.scope.axis.from, this.scope.axis.to, width)) {
      const begin = x0 + Math.max(-2, run.begin);
      const end = Math.max(begin + ratio, x0 + Math.min(width + 2, run.end));
      const mixed = run.low !== run.high;
      g.fillStyle = colour;
      g.strokeStyle = colour;
      g.lineWidth = 1.4 * ratio;
      if (lane.shape === "bars") {
        if (mixed || run.low !== 0) g.fillRect(begin, top, end - begin, bottom - top);
        else g.fillRect(begin, bottom - 2 * ratio, end - begin, 2 * ratio);
        continue;
      }
      if (mixed) {
        g.fillRect(begin, top, end - begin, bottom - top);
        continue;
      }
      g.globalAlpha = run.low % 2 === 0 ? 0.14 : 0.3;
      g.fillRect(begin, top, end - begin, bottom - top);
      g.globalAlpha = 1;
      g.strokeRect(begin, top, end - begin, bottom - top);
      const name = lane.described?.states?.[run.low] ?? String(run.low);
      if (g.measureText(name).width + 8 * ratio < end - begin) {
        g.fillStyle = this.theme.ink;
        g.fillText(name, Math.max(begin, x0) + 5 * ratio, (top + bottom) / 2);
      }
    }
  }
}
