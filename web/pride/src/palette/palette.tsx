import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import { find } from "./find";
import { step } from "./step";
import { useThings } from "./things";
import "./palette.css";

/** mostFound is how many things are listed. */
const mostFound = 50;

/** Palette finds anything by its name: a text field with a list below it, used by keys alone. */
export default function Palette({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const chosen = useRef<HTMLLIElement>(null);
  const [query, setQuery] = useState("");
  const [place, setPlace] = useState(0);
  const list = useId();
  const found = find(useThings(), query, mostFound);
  const at = Math.min(place, Math.max(found.length - 1, 0));

  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: "nearest" });
  });

  const go = (place: number) => {
    const thing = found[place];
    if (!thing) return;
    close();
    window.location.assign(thing.to);
  };
  const press = (e: KeyboardEvent) => {
    const next = step(e.key, at, found.length);
    if (next !== null) setPlace(next);
    else if (e.key === "Enter") go(at);
    else return;
    e.preventDefault();
  };

  return (
    <dialog ref={dialog} className="palette" aria-label="Find anything" onClose={close} onClick={(e) => e.target === dialog.current && close()}>
      <input
        type="text"
        role="combobox"
        aria-label="Find nets, ports, devices, rules, sessions, incidents, types and views"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${list}-${at}` : undefined}
        placeholder="Find anything by its name"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(e) => {
          setQuery(e.target.value);
          setPlace(0);
        }}
        onKeyDown={press}
        autoFocus
      />
      <ul role="listbox" id={list} aria-label="What was found">
        {found.map((thing, i) => (
          <li key={`${thing.kind} ${thing.to} ${thing.name}`} id={`${list}-${i}`} ref={i === at ? chosen : null} role="option" aria-selected={i === at} onClick={() => go(i)}>
            <span className="kind">{thing.kind}</span> <b>{thing.name}</b> <span className="about">{thing.about}</span>
          </li>
        ))}
      </ul>
      <p role="status">{found.length === 0 ? "Nothing has all of these words." : found.length === mostFound ? `The best ${mostFound}` : `${found.length} found`}</p>
    </dialog>
  );
}
