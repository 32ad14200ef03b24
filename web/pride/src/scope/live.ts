import type { Samples } from "../stream/samples";
import type { Stream } from "../stream/stream";
import type { ProbedPort, ProbePort } from "../stream/wire";
import type { Described, Sink, Wanted } from "./source";
import { componentsOf, normed } from "./shape";
import type { Origin, Setup } from "./setup";

/** Prober is what is needed of a stream: values of ports of one net. */
export type Prober = Pick<Stream, "probe">;

/** Cycles tells how many seconds lie between two ticks of a net; null when nobody knows. */
export type Cycles = (net: string) => Promise<number | null>;

/** rate is how many times a second samples come. */
const rate = 20;

interface Wanting {
  channel: number;
  port: ProbePort;
}

/** byNet sorts the channels of a setup by the net that they are ports of. */
function byNet(setup: Setup): Map<string, Wanting[]> {
  const nets = new Map<string, Wanting[]>();
  setup.channels.forEach(({ source }, channel) => {
    if (!("net" in source)) return;
    const list = nets.get(source.net) ?? [];
    list.push({ channel, port: { path: source.path, port: source.port } });
    nets.set(source.net, list);
  });
  return nets;
}

/** isPort reports whether a channel is a port of a net: its values come as probes. */
export const isPort = (of: Origin) => "net" in of;

/** watch shows ports of nets as their values come, until it is ended. The daemon sums up what shares a pixel. */
export function watch(probes: Prober, cycles: Cycles, setup: Setup, wanted: Wanted, sink: Sink): () => void {
  const described: (Described | null)[] = setup.channels.map(() => null);
  const periods = new Map<string, number | null>();
  const ends = new Map<string, () => void>();
  let ended = false;
  const tell = () => {
    if (!ended && described.every((d, i) => d !== null || !isPort(setup.channels[i]?.source ?? { device: "", figure: "" }))) {
      sink.described(described.map((d, i) => describedOf(d, setup.channels[i]?.source, periods)));
    }
  };
  const begin = (net: string, list: readonly Wanting[]) => {
    const ask = (ports: readonly Wanting[]) => {
      ends.get(net)?.();
      const end = probes.probe(
        { net, ports: ports.map((w) => w.port), rate, pixels: wanted.pixels, window: wanted.window },
        (block) => take(block, ports, sink),
        (problem) => {
          ends.delete(net);
          const message = problem.where ? `${problem.where}: ${problem.message}` : problem.message;
          if (ends.size > 0) sink.trouble(message);
          else sink.failed(message);
        },
        (told) => {
          if (told.some((p, i) => normed(p.type) && !p.constant && !ports[i]?.port.norm)) {
            ask(ports.map((w, i) => (normed(told[i]?.type ?? "") && !told[i]?.constant ? { ...w, port: { ...w.port, norm: true } } : w)));
            return;
          }
          told.forEach((p, i) => {
            const channel = ports[i]?.channel ?? -1;
            described[channel] = formOf(p);
            sink.torn(channel);
          });
          tell();
        },
      );
      ends.set(net, end);
    };
    ask(list);
    cycles(net).then(
      (period) => {
        periods.set(net, period);
        tell();
      },
      () => {}, // without it differences have no ticks
    );
  };
  const nets = byNet(setup);
  for (const [net] of nets) ends.set(net, () => {});
  for (const [net, list] of nets) begin(net, list);
  return () => {
    ended = true;
    for (const end of ends.values()) end();
  };
}

function formOf(port: ProbedPort): Described {
  if (port.constant) return { type: port.type, components: [""], period: null, constant: port.value ?? "" };
  return { type: port.type, components: componentsOf(port.type, port.components, port.numbers), period: null };
}

function describedOf(d: Described | null, of: Origin | undefined, periods: ReadonlyMap<string, number | null>): Described {
  const form = d ?? { type: "", components: [""], period: null };
  return of && "net" in of ? { ...form, period: periods.get(of.net) ?? null } : form;
}

function take(block: Samples, ports: readonly Wanting[], sink: Sink): void {
  ports.forEach(({ channel }, i) => {
    const column = block.columns[i];
    if (column && column.words > 0) sink.samples(channel, { ticks: block.ticks, column }, i === 0 ? block.lost : 0, block.lost > 0);
  });
}

/** secondsOf reads a cycle as the daemon writes it: 1ms, 500µs, 2 s. */
export function secondsOf(cycle: string): number | null {
  const found = /^([\d.]+)\s*(ns|µs|us|ms|s)$/.exec(cycle.trim());
  if (!found) return null;
  const unit = { ns: 1e-9, µs: 1e-6, us: 1e-6, ms: 1e-3, s: 1 }[found[2] ?? ""] ?? NaN;
  const seconds = Number(found[1]) * unit;
  return seconds > 0 ? seconds : null;
}
