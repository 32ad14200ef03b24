import type { Daemon } from "../daemon";
import { decodeCapture, type Captured } from "../stream/capture";
import type { Stream } from "../stream/stream";
import type { Figures, List, Measured, Setup as WireSetup, Spectrum } from "../stream/wire";
import { captureOf, describedOf } from "./caught";
import type { Setup } from "./setup";
import type { Analyst, Measures, Offered, Sink, Store } from "./source";

/** flow is how long the captures are, in seconds, that follow each other where nothing triggers. */
const flow = 0.1;

/** wired is a setup as the daemon takes it. Every scope has a name there. */
export function wired(setup: Setup, name: string): WireSetup {
  const trigger = setup.trigger.kind === "none" ? { kind: "none" } : setup.trigger;
  return { ...setup, name: setup.name || name, trigger, mode: setup.trigger.kind === "none" && setup.mode === "normal" ? "auto" : setup.mode } as WireSetup;
}

/** scope runs a scope in the daemon. Without a trigger its captures follow each other, and are shown as they come. */
export function scope(stream: Pick<Stream, "scope">, setup: Setup, name: string, sink: Sink): () => void {
  const live = setup.trigger.kind === "none";
  const sent = wired(setup, name);
  let caught = false;
  let stopped = false; // which the daemon says before it sends what it has caught
  return stream.scope(live ? { ...sent, mode: "auto", before: 0, after: flow } : sent, {
    begun(channels) {
      sink.described(channels.map(describedOf));
      channels.forEach((_, i) => sink.torn(i));
    },
    capture(captured) {
      const capture = captureOf(captured);
      if (live) {
        capture.parts.forEach((part, i) => sink.samples(i, part, i === 0 ? capture.lost : 0, capture.lost > 0));
        return;
      }
      sink.capture(capture);
      caught = true;
      if (stopped) sink.phase("done");
    },
    phase(phase) {
      if (live) return;
      if (phase === "armed" || phase === "triggered") sink.phase(phase);
      else stopped = phase === "stopped";
      if (stopped && caught) sink.phase("done");
    },
    failed: (problem) => sink.failed(problem.where ? `${problem.where}: ${problem.message}` : problem.message),
  });
}

const address = (name: string, of = "") => `/scope/${encodeURIComponent(name)}/${of}`;

/** store keeps setups in the daemon. */
export const store = (daemon: Daemon): Store => ({
  async names() {
    return (await daemon.get<List>("/scope/")).setups.map((s) => s.name);
  },
  async load(name) {
    return asSetup(await daemon.get<WireSetup>(address(name)));
  },
  async save(setup) {
    await daemon.send("POST", address(setup.name), JSON.stringify(wired(setup, setup.name)));
  },
  async remove(name) {
    await daemon.send("DELETE", address(name));
  },
});

/** asSetup completes what the daemon leaves out. */
function asSetup(s: WireSetup): Setup {
  return { holdoff: 0, ...s } as Setup;
}

/** analyst asks about the newest capture of a name, in seconds from its trigger on. */
export function analyst(daemon: Daemon, name: string, channels: readonly { name: string; components: readonly string[] }[], trigger: number): Analyst {
  const span = (from: number, to: number) => `from=${from - trigger - margin}&to=${to - trigger + margin}`;
  return {
    async measures(from, to) {
      const { capture, measures } = await daemon.get<{ capture: number; measures: Measured[] }>(address(name, `measures?${span(from, to)}`));
      const of = (c: { name: string; components: readonly string[] }): (Measures | null)[] => c.components.map((component) => measures.find((m) => m.channel === c.name && (m.component ?? "") === component) ?? null);
      return { capture, channels: channels.map(of) };
    },
    async spectrum(channel, component, from, to, window) {
      const c = channels[channel];
      const query = new URLSearchParams({ channel: c?.name ?? "", component: c?.components[component] ?? "", window });
      return daemon.get<Spectrum>(address(name, `spectrum?${query}&${span(from, to)}`));
    },
  };
}

/** margin makes up for what numbers of seconds since 1970 cannot tell. */
const margin = 1e-6;

/** files are where the newest capture of a name can be had. */
export const files = (name: string) => ({ csv: address(name, "capture.csv"), mcap: address(name, "capture.mcap") });

/** opened reads a file with a capture. */
export async function opened(daemon: Daemon, file: Blob): Promise<Captured> {
  const captured = decodeCapture(await (await daemon.send("POST", "/scope/open", file)).arrayBuffer());
  if (!captured) throw new Error("the daemon has not answered with a capture");
  return captured;
}

/** offered are the figures of devices and executors. */
export async function offered(daemon: Daemon): Promise<Offered[]> {
  const { devices, executors } = await daemon.get<Figures>("/scope/figures");
  return [
    ...devices.flatMap((d) => d.figures.map((figure) => ({ source: { device: d.name, figure }, text: `${d.name}: ${figure}`, type: "device" }))),
    ...executors.flatMap((e) => e.figures.map((figure) => ({ source: { executor: e.name, figure }, text: `${e.name}: ${figure}`, type: "executor" }))),
  ];
}
