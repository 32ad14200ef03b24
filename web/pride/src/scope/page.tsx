import { useEffect, useState } from "react";

import { daemon } from "../daemon";
import { stream } from "../stream/stream";
import { useStreamState } from "../stream/use";
import type { Nets } from "../wire";
import { secondsOf, watch } from "./live";
import { Scope } from "./scope";
import type { Source } from "./source";
import { ScopeView } from "./view";

/** cycleOf asks for the cycle of a net. */
async function cycleOf(net: string): Promise<number | null> {
  const { nets } = await daemon.get<Nets>("/nets/");
  return secondsOf(nets.find((n) => n.name === net)?.cycle ?? "");
}

const source: Source = { run: (setup, wanted, sink) => watch(stream, cycleOf, setup, wanted, sink) };

/** ScopePage is the scope at its address. */
export default function ScopePage({ setup }: { setup: string }) {
  const [scope] = useState(() => new Scope(source));
  const connection = useStreamState();
  useEffect(() => () => scope.stop(), [scope]);
  return (
    <>
      {connection === "lost" && <p className="error" role="alert">The connection to the daemon is cut. What was watched comes back by itself.</p>}
      <ScopeView key={setup} scope={scope} analyst={null} store={null} more={[]} />
    </>
  );
}
