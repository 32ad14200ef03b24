import { useCallback, useEffect, useState } from "react";

import { scopeOf } from "../route";
import { useScope } from "./plots";
import type { Scope } from "./scope";
import { fromFile } from "./setup";
import type { Store } from "./source";

/** Setups keeps setups of the scope under a name, in the daemon. */
export function Setups({ scope, store }: { scope: Scope; store: Store }) {
  const { setup } = useScope(scope);
  const [names, setNames] = useState<string[] | null>(null);
  const [name, setName] = useState(setup.name);
  const [said, setSaid] = useState<{ text: string; bad: boolean }>({ text: "", bad: false });
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => setName(setup.name), [setup.name]);
  const attempt = useCallback(
    async (what: () => Promise<string>) => {
      try {
        const text = await what();
        setNames(await store.names());
        setSaid({ text, bad: false });
      } catch (e) {
        setSaid({ text: e instanceof Error ? e.message : String(e), bad: true });
      }
    },
    [store],
  );
  useEffect(() => void attempt(async () => ""), [attempt]);
  return (
    <fieldset className="panel">
      <legend>Setups</legend>
      <form
        className="field"
        onSubmit={(e) => {
          e.preventDefault();
          const named = { ...scope.get().setup, name: name.trim() };
          void attempt(async () => {
            await store.save(named);
            scope.change(named);
            window.history.replaceState(null, "", scopeOf(named.name));
            return `${named.name} is kept.`;
          });
        }}
      >
        <label>Name <input value={name} onChange={(e) => setName(e.target.value)} maxLength={64} required /></label>
        <button type="submit" disabled={name.trim() === "" || setup.channels.length === 0 || fromFile(setup)}>Save</button>
      </form>
      {names?.length === 0 && <p>None is kept yet.</p>}
      <ul className="channels">
        {names?.map((n) => (
          <li key={n}>
            <a className="grow" href={scopeOf(n)} aria-current={n === setup.name ? "page" : undefined}>{n}</a>
            {asked === n ? (
              <>
                <button
                  type="button"
                  onClick={() => {
                    setAsked(null);
                    void attempt(async () => {
                      await store.remove(n);
                      return `${n} was deleted.`;
                    });
                  }}
                >
                  Delete {n}
                </button>
                <button type="button" onClick={() => setAsked(null)}>Keep</button>
              </>
            ) : (
              <button type="button" aria-label={`Delete ${n}`} onClick={() => setAsked(n)}>Delete…</button>
            )}
          </li>
        ))}
      </ul>
      <p role={said.bad ? "alert" : "status"} className={said.bad ? "error" : ""}>{said.text}</p>
    </fieldset>
  );
}
