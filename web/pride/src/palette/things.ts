import { useEffect, useMemo, useState } from "react";

import { daemon, useAnswer } from "../daemon";
import { useTopic } from "../topics";
import { values } from "../overview/parts";
import type { Graph, NetEntry, Primitives } from "../wire";
import { ofDevices, ofGraph, ofIncidents, ofNets, ofRules, ofSessions, ofTypes, views, type Thing } from "./find";

/** mostGraphs is the number of nets whose ports are found, running nets first: each graph is requested when the palette opens. */
const mostGraphs = 20;

/** useThings returns all things that can be found; those that are still being requested are added as they come. */
export function useThings(): Thing[] {
  const nets = useTopic("nets").rows;
  const devices = useTopic("devices").rows;
  const rules = useTopic("rules").rows;
  const sessions = useTopic("sessions").rows;
  const incidents = useTopic("incidents").rows;
  const types = useAnswer<Primitives>("/primitives/").answer;
  const ports = usePorts(values(nets));
  return useMemo(
    () => [
      ...views,
      ...ofNets(values(nets)),
      ...ofDevices(values(devices)),
      ...ofRules(values(rules)),
      ...ofSessions(values(sessions)),
      ...ofIncidents(values(incidents)),
      ...ofTypes(types?.primitives ?? []),
      ...ports,
    ],
    [nets, devices, rules, sessions, incidents, types, ports],
  );
}

/** usePorts returns the ports of nets, requested one net after the other, so that a large cell does not get many requests at once. */
function usePorts(nets: readonly NetEntry[]): Thing[] {
  const [ports, setPorts] = useState<Thing[]>([]);
  const wanted = nets
    .filter((n) => n.state !== "REJECTED" && n.state !== "UNLOADED")
    .toSorted((a, b) => Number(b.state === "RUNNING") - Number(a.state === "RUNNING"))
    .slice(0, mostGraphs)
    .map((n) => n.name)
    .toSorted()
    .join("\n");
  useEffect(() => {
    const gone = new AbortController();
    const ask = async () => {
      const found: Thing[] = [];
      for (const net of wanted === "" ? [] : wanted.split("\n")) {
        try {
          found.push(...ofGraph(await daemon.get<Graph>(`/nets/${encodeURIComponent(net)}/graph`, gone.signal)));
        } catch {
          if (gone.signal.aborted) return; // a net that has gone has no ports to be found
        }
      }
      setPorts(found);
    };
    void ask();
    return () => gone.abort();
  }, [wanted]);
  return ports;
}
