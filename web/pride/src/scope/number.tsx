import { useEffect, useState, type ReactNode } from "react";

interface Props {
  label: ReactNode;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  /** what a number of the page is in units of the value: 0.001 for milliseconds */
  unit?: number;
}

/** NumberField is a field for a number; a text that is not a number is marked as an error. */
export function NumberField({ label, value, onChange, min, unit = 1 }: Props) {
  const shown = String(Number((value / unit).toPrecision(9)));
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const number = Number(text.replace(",", "."));
  const good = text.trim() !== "" && Number.isFinite(number) && (min === undefined || number >= min);
  const take = () => {
    if (good) onChange(number * unit);
    else setText(shown);
  };
  return (
    <label className="field">
      {label} <input inputMode="decimal" size={8} value={text} aria-invalid={!good} onChange={(e) => setText(e.target.value)} onBlur={take} onKeyDown={(e) => e.key === "Enter" && take()} />
    </label>
  );
}
