import type { Lane } from "./scope";

/** How many colours and dashes there are. */
export const colours = 8;
export const dashes = 4;

/** Drawn is a curve of a plot: which of which channel, and how. */
export interface Drawn extends Look {
  lane: number;
  curve: number;
}

/** Group is the curves that one plot draws. */
export interface Group {
  key: string;
  lanes: readonly Lane[];
  curves: Drawn[];
  shape: Lane["shape"];
}

/** Look is how a curve is drawn: its colour and, when lines share a plot, its dashes, so that the colours are not necessary. */
export interface Look {
  colour: number;
  dash: number;
}

/** looksOf returns the looks of the curves of each lane. */
export function looksOf(lanes: readonly Lane[], together: boolean): Look[][] {
  let n = 0;
  return lanes.map((lane) =>
    lane.curves.map((_, curve) => {
      const all = n++;
      return { colour: all % colours, dash: lane.shape !== "lines" ? 0 : together ? (all + Math.floor(all / colours)) % dashes : curve % dashes };
    }),
  );
}

/** groupsOf puts every channel into a plot of its own, or all lines into one. */
export function groupsOf(lanes: readonly Lane[], together: boolean): Group[] {
  const looks = looksOf(lanes, together);
  const of = (lane: Lane): Drawn[] => lane.curves.map((_, curve) => ({ lane: lane.index, curve, ...(looks[lane.index]?.[curve] ?? { colour: 0, dash: 0 }) }));
  const lines = lanes.filter((l) => l.shape === "lines");
  const single = (l: Lane): Group => ({ key: `${l.index} ${l.channel.name} ${l.described?.type}`, lanes: [l], curves: of(l), shape: l.shape });
  if (!together || lines.length < 2) return lanes.map(single);
  const all: Group = { key: `all ${lines.map((l) => l.channel.name).join()}`, lanes: lines, curves: lines.flatMap((l) => of(l)), shape: "lines" };
  return [all, ...lanes.filter((l) => l.shape !== "lines").map(single)];
}
