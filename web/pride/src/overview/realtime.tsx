import { useAnswer } from "../daemon";
import { graphOf } from "../route";
import { useTopic } from "../topics";
import { Trouble } from "../trouble";
import type { Cpu, Executor, Fact, Health, Incident, Realtime } from "../wire";
import { Bars, Clock, Gauge, Hint, Panel, Plain, State, Table, grouped, milliseconds, percent, values } from "./parts";

/** Three are the three facts behind the state of real time: rights, machine and record. */
export function Three({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="three">
      {facts.map((f) => (
        <div key={f.name} data-fact={f.name}>
          <dt>{f.name}</dt>
          <dd><State state={f.state} mood={f.ok ? "good" : "busy"} /> <span className="why">{f.text}</span></dd>
        </div>
      ))}
    </dl>
  );
}

/** Strip shows the state of real time in a line. */
export function Strip() {
  const { answer } = useAnswer<Health>("/healthz", 2000);
  if (!answer) return <div className="strip" />;
  return (
    <div className="strip" data-strip>
      <a className="realtime" href="#/realtime"><span>real time</span> <State state={answer.realtime} /></a>
      <Three facts={answer.facts} />
      {answer.open?.map((address) => (
        <p key={address} className="notice bad" role="alert">Everybody who reaches {address} can command this daemon.</p>
      ))}
    </div>
  );
}

/** on is the CPU of an executor in words. */
const on = (cpu: number | null | undefined) => (cpu === undefined || cpu === null ? "any CPU" : `CPU ${cpu}`);

/** ExecutorTable lists executors on their CPUs, with load and jitter. */
export function ExecutorTable({ executors, detailed }: { executors: readonly Executor[]; detailed?: boolean }) {
  if (executors.length === 0) return <Hint>No net has been loaded, so nothing is executed.</Hint>;
  const columns = ["Executor", "Nets", "Load", "Wake-up / ms", "Late", "Missed"];
  return (
    <Table label="Table of executors" columns={detailed ? [...columns, "Busy / ms", "Ticks"] : columns} numbers={["Nets", "Late", "Missed", "Ticks"]}>
      {executors.map((e) => (
        <tr key={`${e.period} ${e.realtime} ${e.cpu}`}>
          <th scope="row">
            {e.period}, {e.realtime ? "real-time" : "less important"}
            <div className="hint">{detailed ? e.thread : on(e.cpu)}{e.rests && "; rests"}</div>
          </th>
          <td className="number">{e.nets}</td>
          <td className="load"><Gauge label={`load ${percent(100 * e.load)}`} share={100 * e.load} /> {percent(100 * e.load)}</td>
          <td className="jitter"><Bars label="wake-up after the tick" of={e.wakeup} /> {milliseconds(e.wakeup.mean)} <span className="hint">≤ {milliseconds(e.wakeup.max)}</span></td>
          <td className="number">{grouped(e.late)}</td>
          <td className="number">{grouped(e.missed)}</td>
          {detailed && <td className="jitter"><Bars label="busy with its nets" of={e.busy} /> {milliseconds(e.busy.mean)} <span className="hint">≤ {milliseconds(e.busy.max)}</span></td>}
          {detailed && <td className="number">{grouped(e.ticks)}</td>}
        </tr>
      ))}
    </Table>
  );
}

/** Cpus shows how much of the CPUs nets take. */
function Cpus({ cpus }: { cpus: readonly Cpu[] }) {
  return (
    <dl className="cpus">
      {cpus.map((c) => (
        <div key={c.cpu ?? -1}>
          <dt>{c.cpu === undefined || c.cpu === null ? "All CPUs" : `CPU ${c.cpu}`}</dt>
          <dd>
            <Gauge label={`${percent(c.taken)} taken`} share={c.taken} limit={c.limit} /> {percent(c.taken)}
            {c.limit !== undefined && <span className="hint"> of {percent(c.limit)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** IncidentTable lists incidents, newest first. */
export function IncidentTable({ incidents }: { incidents: readonly Incident[] }) {
  if (incidents.length === 0) return <Hint>No tick was late, no net took longer than its period, and there was time for all of them.</Hint>;
  return (
    <Table label="Table of incidents" columns={["Time", "What", "Cause", "Net"]}>
      {incidents.map((i) => (
        <tr key={`${i.time} ${i.kind} ${i.net} ${i.period}`} data-incident={i.kind}>
          <td><Clock time={i.time} /></td>
          <td className="wide">{i.what}<div className="hint">{i.period}, {i.realtime ? "real-time" : "less important"}</div></td>
          <td className="wide">{i.cause}</td>
          <td>
            {i.net && (i.uri ? <a href={graphOf(i.net)}>{i.net}</a> : i.net)}
            {i.cycle !== undefined && <div className="hint">cycle {grouped(i.cycle)}</div>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** newest orders incidents by time, the newest first. */
export const newest = (incidents: readonly Incident[]): Incident[] => incidents.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));

/** RealtimeView shows how well ticks are kept. */
export function RealtimeView() {
  const { answer, error } = useAnswer<Realtime>("/realtime/", 2000);
  const executors = useTopic("executors");
  const incidents = useTopic("incidents");
  return (
    <>
      <h1>Real time {answer && <State state={answer.state} />} <Plain uri="/realtime/" /></h1>
      <Trouble error={error} />
      {answer?.reason && <p className="lead">{answer.reason}</p>}
      {answer && <Three facts={answer.facts} />}
      {answer && answer.notes.length > 0 && (
        <Panel id="notes" title="What is missing, and what grants it" count={answer.notes.length}>
          {answer.notes.map((n) => (
            <div className="note" key={n.what}>
              <p>{n.what}</p>
              {n.command && <pre tabIndex={0}>{n.command}</pre>}
            </div>
          ))}
        </Panel>
      )}
      {answer && answer.cpus.length > 0 && <Panel id="cpus" title="What nets take of CPUs"><Cpus cpus={answer.cpus} /></Panel>}
      {executors.rows && <Panel id="executors" title="Executors" count={executors.rows.size}><ExecutorTable executors={values(executors.rows)} detailed /></Panel>}
      {incidents.rows && (
        <Panel id="incidents" title="Incidents" count={answer?.total}>
          <IncidentTable incidents={newest(values(incidents.rows))} />
          {incidents.rows.size > 0 && <Hint>With a late tick, the net is the one that took longest before it.</Hint>}
        </Panel>
      )}
    </>
  );
}
