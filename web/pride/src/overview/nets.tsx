import { useAnswer } from "../daemon";
import { deviceOf, factsOf, graphOf, ruleOf, sessionOf } from "../route";
import { useTopic } from "../topics";
import { Trouble } from "../trouble";
import type { Net, NetEntry, Refused } from "../wire";
import { Fact, Hint, Panel, Plain, State, Table, grouped, milliseconds, percent, values } from "./parts";

/** NetTable lists nets, the newest first. */
export function NetTable({ nets }: { nets: readonly NetEntry[] }) {
  if (nets.length === 0) return <Hint>No net is loaded.</Hint>;
  return (
    <Table label="Table of nets" columns={["Net", "State", "Description", "Cycle", "Session"]}>
      {nets.toReversed().map((net) => (
        <tr key={net.name} data-net={net.name}>
          <th scope="row"><a href={graphOf(net.name)}>{net.name}</a></th>
          <td><State state={net.state} /></td>
          <td className="wide">{net.description}</td>
          <td>{net.cycle}</td>
          <td>{net.session && <a href={sessionOf(net.session)}>{net.session}</a>}</td>
        </tr>
      ))}
    </Table>
  );
}

/** NetsView shows all nets. */
export function NetsView() {
  const { rows, error } = useTopic("nets");
  return (
    <>
      <h1>Nets <Plain uri="/nets/" /></h1>
      <Trouble error={error} />
      {rows && <NetTable nets={values(rows)} />}
    </>
  );
}

/**
 * useNet returns everything about a net. It asks again when the state changes, and once a second while the net exists: values and inputs
 * come and go. A net is gone when it existed and does not any more.
 */
function useNet(name: string) {
  const { rows } = useTopic("nets");
  const entry = rows?.get(name);
  const asked = useAnswer<Net>(`/nets/${encodeURIComponent(name)}/`, rows && !entry ? undefined : 1000, entry?.state);
  return { ...asked, state: entry?.state ?? asked.answer?.state, gone: rows !== null && entry === undefined && asked.answer !== null };
}

/** NetHead is above each view of a net: its state, and why it has stopped. */
export function NetHead({ name, view }: { name: string; view: "graph" | "facts" }) {
  const { answer, state, gone } = useNet(name);
  const tab = (of: typeof view, to: string, text: string) => <a href={to} aria-current={of === view ? "page" : undefined}>{text}</a>;
  return (
    <div className="nethead">
      <h1>{name} {state && !gone && <State state={state} />} {answer && <small>{answer.description}</small>}</h1>
      <nav className="tabs" aria-label={`Views of ${name}`}>
        {tab("graph", graphOf(name), "Graph")}
        {tab("facts", factsOf(name), "Facts")}
        <Plain uri={answer?.uri ?? "/nets/"} />
      </nav>
      {gone && <p className="notice bad" role="alert" data-gone>Net {name} was unloaded. What is shown here is what was known of it. <a href="#/nets">All nets</a></p>}
      {answer && !gone && <Why net={answer} />}
    </div>
  );
}

/** together puts refusals that have the same device, cycle and reason into one list: an arm refuses all its joints at once. */
function together(refused: readonly Refused[]): [Refused, ...Refused[]][] {
  const lists = new Map<string, [Refused, ...Refused[]]>();
  for (const r of refused) {
    const key = JSON.stringify([r.device, r.cycle, r.reason]);
    const list = lists.get(key);
    if (list) list.push(r);
    else lists.set(key, [r]);
  }
  return [...lists.values()];
}

/** Why shows why a net does not run as intended. */
export function Why({ net }: { net: Net }) {
  return (
    <>
      {net.ended && (
        <p className={net.ended.cause === "terminated" ? "notice" : "notice busy"} data-ended>
          Ended: <b>{net.ended.cause}</b>, cycle {grouped(net.ended.cycle)}{net.ended.reason && <>. {net.ended.reason}</>}
        </p>
      )}
      {together(net.refused ?? []).map(([first, ...others]) => (
        <p className="notice bad" role="alert" data-refused={first.device} key={`${first.device} ${first.channel}`}>
          <a href={deviceOf(first.device)}>{first.device}</a> does not follow since cycle {grouped(first.cycle)}: {first.reason} ({[first, ...others].map((r) => r.channel).join(", ")})
        </p>
      ))}
      {net.problems?.map((p) => (
        <p className="notice bad" key={`${p.block} ${p.port} ${p.text}`}>
          {p.line !== undefined && <>line {p.line}, column {p.column}: </>}{p.block}{p.port && <> port {p.port}</>}: {p.text}
        </p>
      ))}
    </>
  );
}

/** NetFacts shows everything about a net except its graph. */
export function NetFacts({ name }: { name: string }) {
  const { answer: now, error, gone } = useNet(name);
  return (
    <>
      <NetHead name={name} view="facts" />
      {!gone && <Trouble error={error} />}
      {!now && !error && <p role="status">Loading…</p>}
      {now && (
        <div className="grid">
          <Panel id="facts" title="Facts">
            <dl className="facts">
              <Fact name="Cycle">{now.cycle}, {now.realtime ? "real-time" : "less important"}</Fact>
              <Fact name="Primitives">{grouped(now.primitives)}</Fact>
              <Fact name="Session">{now.session && <a href={sessionOf(now.session)}>{now.session}</a>}</Fact>
              <Fact name="Ended">{now.ended && `${now.ended.cause}, cycle ${grouped(now.ended.cycle)}`}</Fact>
              <Fact name="Recorded ports">{now.recorded && <a href={`${now.uri}debug`}>{now.recorded}</a>}</Fact>
              <Fact name="Text"><a href={`${now.uri}dio`}>as it was sent</a> <a href={`${now.uri}xml`}>XML</a></Fact>
            </dl>
          </Panel>
          <Pairs id="values" title="Values" of={now.values} />
          <Pairs id="inputs" title="Inputs" of={now.inputs} />
          {now.statistics && (
            <Panel id="statistics" title="Statistics">
              <dl className="facts">
                <Fact name="Cycles">{grouped(now.statistics.cycles)}</Fact>
                <Fact name="Overruns">{grouped(now.statistics.overruns)}</Fact>
                <Fact name="Late, missed">{grouped(now.statistics.late)}, {grouped(now.statistics.missed)}</Fact>
                <Fact name="Share of its CPU">{percent(now.statistics.share)}</Fact>
                <Fact name="Execution / ms">mean {milliseconds(now.statistics.execution.mean)}, at most {milliseconds(now.statistics.execution.max)}</Fact>
              </dl>
            </Panel>
          )}
          {now.rules && now.rules.length > 0 && (
            <Panel id="rules" title="Rules" count={now.rules.length}>
              <ul className="list">
                {now.rules.map((r) => (
                  <li key={r.id}><a href={ruleOf(r.id)}>Rule {r.id}</a> <State state={r.state} /> {r.description ?? r.condition}</li>
                ))}
              </ul>
            </Panel>
          )}
        </div>
      )}
    </>
  );
}

/** Pairs are names with their values. */
function Pairs({ id, title, of }: { id: string; title: string; of: { [key: string]: string } }) {
  const list = Object.entries(of);
  if (list.length === 0) return null;
  return (
    <Panel id={id} title={title} count={list.length}>
      <dl className="facts values">
        {list.map(([name, value]) => (
          <Fact key={name} name={name}>{value}</Fact>
        ))}
      </dl>
    </Panel>
  );
}

