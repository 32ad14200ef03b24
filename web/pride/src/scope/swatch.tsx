import { colours, type Look } from "./groups";
import { dashes } from "./theme";

/** Swatch shows how a curve is drawn, beside its name. */
export function Swatch({ look: { colour, dash }, block }: { look: Look; block?: boolean }) {
  return (
    <svg className={`swatch curve-${colour % colours}`} width="26" height="12" aria-hidden="true">
      {block ? <rect x="1" y="2" width="24" height="8" fill="currentColor" /> : <line x1="0" y1="6" x2="26" y2="6" stroke="currentColor" strokeWidth="2.5" strokeDasharray={(dashes[dash % dashes.length] ?? []).join(" ")} />}
    </svg>
  );
}
