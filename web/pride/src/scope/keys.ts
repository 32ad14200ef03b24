/** Command is what a key does while the plots have the focus. */
export type Command =
  | { do: "pan"; part: number }
  | { do: "zoom"; factor: number }
  | { do: "fit" }
  | { do: "follow" }
  | { do: "run" }
  | { do: "cursor"; which: "a" | "b" }
  | { do: "step"; which: "a" | "b"; ticks: number }
  | { do: "clear" };

export interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/**
 * commandOf returns the command of a key; null for keys that are left to the browser. Arrows move the cursor that was taken, and the
 * plots without one.
 */
export function commandOf(e: Key, taken: "a" | "b" | null): Command | null {
  if (e.ctrlKey || e.altKey || e.metaKey) return null;
  switch (e.key) {
    case "ArrowLeft":
    case "ArrowRight": {
      const sign = e.key === "ArrowLeft" ? -1 : 1;
      return taken ? { do: "step", which: taken, ticks: sign * (e.shiftKey ? 10 : 1) } : { do: "pan", part: sign * (e.shiftKey ? 0.5 : 0.1) };
    }
    case "+":
    case "=":
      return { do: "zoom", factor: 0.5 };
    case "-":
    case "_":
      return { do: "zoom", factor: 2 };
    case "Home":
    case "f":
      return { do: "fit" };
    case "End":
      return { do: "follow" };
    case " ":
      return { do: "run" };
    case "a":
    case "b":
      return { do: "cursor", which: e.key };
    case "Escape":
      return { do: "clear" };
    default:
      return null;
  }
}
