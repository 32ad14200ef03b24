import { colours } from "./groups";

/** Dashes of curves, in pixels of the page. */
export const dashes: readonly (readonly number[])[] = [[], [7, 3], [2, 2], [9, 3, 2, 3]];

/** Theme is the colours of the page as a canvas needs them, in light or dark. */
export interface Theme {
  ink: string;
  quiet: string;
  line: string;
  ground: string;
  raised: string;
  accent: string;
  bad: string;
  curves: string[];
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let known: Theme | null = null;

dark.addEventListener("change", () => {
  known = null;
  for (const f of listeners) f();
});

/** onTheme calls back when the page changes between light and dark. */
export function onTheme(f: () => void): () => void {
  listeners.add(f);
  return () => listeners.delete(f);
}

/** theme resolves the colours, which as properties are those of both light and dark. */
export function theme(): Theme {
  if (known) return known;
  const probe = document.createElement("span");
  document.body.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  known = {
    ink: colour("--ink"), quiet: colour("--quiet"), line: colour("--line"), ground: colour("--ground"), raised: colour("--raised"), accent: colour("--accent"), bad: colour("--bad"),
    curves: Array.from({ length: colours }, (_, i) => colour(`--curve-${i}`)),
  };
  probe.remove();
  return known;
}
