import { useTopic, type Told } from "../topics";
import { Trouble } from "../trouble";
import { DeviceTable } from "./devices";
import { LogLines, matching } from "./log";
import { NetTable } from "./nets";
import { Panel, values } from "./parts";
import { ExecutorTable, IncidentTable, newest, Strip } from "./realtime";
import { newestFirst, RuleList } from "./rules";
import { SessionList } from "./sessions";
import type { ReactNode } from "react";

/** few is how many rows of a long list are shown; the others are in a view of their own. */
const few = 5;

/** Overview shows what the cell consists of, and what has happened. */
export function Overview() {
  return (
    <>
      <h1 className="unseen">Overview</h1>
      <Strip />
      <div className="grid overview">
        <Of topic={useTopic("nets")} id="nets" title="Nets" to="#/nets" show={(nets) => <NetTable nets={nets} />} />
        <Of topic={useTopic("devices")} id="devices" title="Devices" to="#/devices" show={(devices) => <DeviceTable devices={devices} />} />
        <Of topic={useTopic("rules")} id="rules" title="Rules" to="#/rules" show={(rules) => <RuleList rules={newestFirst(rules).slice(0, few)} />} />
        <Of topic={useTopic("executors")} id="executors" title="Executors" to="#/realtime" show={(executors) => <ExecutorTable executors={executors} />} />
        <Of topic={useTopic("incidents")} id="incidents" title="Incidents" to="#/realtime" show={(incidents) => <IncidentTable incidents={newest(incidents).slice(0, few)} />} />
        <Of topic={useTopic("sessions")} id="sessions" title="Sessions" to="#/sessions" show={(sessions) => <SessionList sessions={sessions} />} />
        <Of topic={useTopic("log")} id="log" title="Log" to="#/log" show={(lines) => <LogLines lines={matching(lines, "", "").slice(0, 2 * few)} />} />
      </div>
    </>
  );
}

/** Of is the panel of a topic. */
function Of<T>({ topic, id, title, to, show }: { topic: Told<T>; id: string; title: string; to: string; show: (rows: T[]) => ReactNode }) {
  return (
    <Panel id={id} title={title} to={to} count={topic.rows?.size}>
      <Trouble error={topic.error} />
      {topic.rows && show(values(topic.rows))}
    </Panel>
  );
}
