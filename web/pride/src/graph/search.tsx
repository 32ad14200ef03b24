import { useId, useMemo, useState } from "react";

import type { Graph } from "../wire";
import { find } from "./model";

/** Search finds nodes by name, path or type. */
export function Search({ graph, goTo }: { graph: Graph; goTo: (node: number) => void }) {
  const [words, setWords] = useState("");
  const list = useId();
  const found = useMemo(() => find(graph, words), [graph, words]);
  const first = found[0];
  return (
    <form
      className="search"
      role="search"
      onSubmit={(e) => {
        e.preventDefault();
        if (first !== undefined) goTo(first);
      }}
    >
      <label>
        Find <input type="search" value={words} onChange={(e) => setWords(e.target.value)} placeholder="name or type" aria-controls={found.length > 0 ? list : undefined} />
      </label>
      <span role="status">{words.trim() !== "" && (found.length === 0 ? "nothing found" : `${found.length} found`)}</span>
      {found.length > 0 && (
        <ul id={list}>
          {found.map((node) => (
            <li key={node}>
              <button type="button" onClick={() => goTo(node)}>
                {graph.nodes[node]?.path} <small>{graph.nodes[node]?.type ?? "fragment"}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
