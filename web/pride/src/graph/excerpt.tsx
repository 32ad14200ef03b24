import { useEffect, useRef, useState } from "react";

import type { Graph } from "../wire";
import { excerptOf, type Excerpted } from "./text";

/** Excerpt shows, on request, where a node stands in the text of the net. */
export function Excerpt({ graph, line, column }: { graph: Graph; line: number; column: number }) {
  const [wanted, setWanted] = useState(false);
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const mark = useRef<HTMLElement>(null);
  const address = `${graph.uri}dio`;
  useEffect(() => {
    if (!wanted || text !== null) return;
    const gone = new AbortController();
    fetch(address, { headers: { Accept: "text/plain" }, signal: gone.signal })
      .then(async (answer) => (answer.ok ? setText(await answer.text()) : setError(`${address}: ${answer.status} ${answer.statusText}`)))
      .catch((e: unknown) => !gone.signal.aborted && setError(String(e)));
    return () => gone.abort();
  }, [wanted, text, address]);
  const part: Excerpted | null = wanted && text !== null ? excerptOf(text, line, column) : null;
  useEffect(() => {
    void mark.current?.scrollIntoView({ block: "nearest" });
  }, [part?.word, part?.before]);
  return (
    <details className="excerpt" onToggle={(e) => setWanted(e.currentTarget.open)}>
      <summary>Show in the text</summary>
      {error && <p className="error" role="alert">{error}</p>}
      {part && <pre tabIndex={0} aria-label={`Text at line ${line}, column ${column}`}>{part.before}<mark ref={mark}>{part.word}</mark>{part.after}</pre>}
      <a href={address}>The whole text</a>
    </details>
  );
}
