import { useEffect, useMemo, useState } from "react";

import { daemon } from "../daemon";
import { stream } from "../stream/stream";
import { useLink } from "../topics";
import type { Nets } from "../wire";
import { captureOf, describedOf } from "./caught";
import { isPort, secondsOf, watch } from "./live";
import { useScope } from "./plots";
import { analyst, files, offered, opened, scope as scopeOf, store as storeOf } from "./remote";
import { Scope } from "./scope";
import { emptySetup, fromFile } from "./setup";
import type { Archive, Offered, Source } from "./source";
import { ScopeView } from "./view";

/** cycleOf asks for the cycle of a net. */
async function cycleOf(net: string): Promise<number | null> {
  const { nets } = await daemon.get<Nets>("/nets/");
  return secondsOf(nets.find((n) => n.name === net)?.cycle ?? "");
}

/** unnamed is what the daemon calls the scope of this page while its setup has no name. */
const unnamed = `unnamed ${Math.random().toString(36).slice(2, 8)}`;

/** source watches ports as they come; everything else is a scope in the daemon. */
const source: Source = {
  run(setup, wanted, sink) {
    if (setup.trigger.kind === "none" && setup.channels.every((c) => isPort(c.source))) return watch(stream, cycleOf, setup, wanted, sink);
    return scopeOf(stream, setup, unnamed, sink);
  },
};

const store = storeOf(daemon);

const archive: Archive = {
  links: (setup) => files(setup.name || unnamed),
  async open(file) {
    const captured = await opened(daemon, file);
    return { channels: captured.facts.channels.map((c) => ({ name: c.name, described: describedOf(c) })), capture: captureOf(captured) };
  },
};

/** ScopePage is the scope at its address, which may name a setup. */
export default function ScopePage({ setup: name }: { setup: string }) {
  const [scope] = useState(() => new Scope(source));
  const connection = useLink();
  const [more, setMore] = useState<Offered[]>([]);
  const { lanes, setup, capture } = useScope(scope);
  useEffect(() => () => scope.stop(), [scope]);
  useEffect(() => {
    offered(daemon).then(setMore, () => setMore([])); // without them there are the ports
  }, []);
  useEffect(() => {
    if (name === scope.get().setup.name) return;
    scope.change(emptySetup());
    if (name === "") return;
    let gone = false;
    store.load(name).then(
      (kept) => {
        if (gone) return;
        scope.change(kept);
        scope.start();
      },
      (e: unknown) => !gone && scope.say(e instanceof Error ? e.message : String(e)),
    );
    return () => {
      gone = true;
    };
  }, [scope, name]);
  const ask = useMemo(() => {
    if (!capture || fromFile(setup) || setup.trigger.kind === "none") return null;
    return analyst(daemon, setup.name || unnamed, lanes.map((l) => ({ name: l.channel.name, components: l.described?.components ?? [""] })), capture.trigger);
  }, [setup, lanes, capture]);
  return (
    <>
      {connection === "lost" && <p className="error" role="alert">The connection to the daemon is cut. What was watched comes back by itself.</p>}
      <ScopeView scope={scope} cut={connection === "lost"} analyst={ask} store={store} archive={archive} more={more} />
    </>
  );
}
