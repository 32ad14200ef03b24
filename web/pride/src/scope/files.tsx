import { useState } from "react";

import { useScope } from "./plots";
import type { Scope } from "./scope";
import { fromFile } from "./setup";
import type { Archive } from "./source";

/** Files are captures that are saved, and opened again. */
export function Files({ scope, archive }: { scope: Scope; archive: Archive }) {
  const { capture, setup } = useScope(scope);
  const [problem, setProblem] = useState<string | null>(null);
  const links = capture && !fromFile(setup) ? archive.links(setup) : null;
  return (
    <fieldset className="panel">
      <legend>Files</legend>
      {links ? (
        <p>
          Save the newest capture as <a href={links.csv} download>CSV</a> or <a href={links.mcap} download>MCAP</a>.
        </p>
      ) : (
        <p>A capture can be saved as CSV and MCAP.</p>
      )}
      <label className="field">
        Open an MCAP file{" "}
        <input
          type="file"
          accept=".mcap"
          onChange={async (e) => {
            const input = e.currentTarget;
            const file = input.files?.[0];
            if (!file) return;
            setProblem(null);
            try {
              const { channels, capture } = await archive.open(file);
              scope.open(file.name, channels, capture);
            } catch (e) {
              setProblem(e instanceof Error ? e.message : String(e));
            }
            input.value = "";
          }}
        />
      </label>
      {problem && <p className="error" role="alert">{problem}</p>}
    </fieldset>
  );
}
