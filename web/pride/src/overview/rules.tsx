import { useAnswer } from "../daemon";
import { ruleOf } from "../route";
import { useTopic } from "../topics";
import { Trouble } from "../trouble";
import type { RecordedRule } from "../wire";
import { Fact, Hint, NetLinks, Panel, Plain, State, Table, grouped, values } from "./parts";

/** newestFirst orders rules by the time of their decision, newest first; those that wait come last. */
export function newestFirst(rules: readonly RecordedRule[]): RecordedRule[] {
  const decided = (r: RecordedRule) => (r.state === "ACTIVE" ? "" : (r.record?.tick ?? ""));
  return rules.toSorted((a, b) => (decided(a) === decided(b) ? b.id - a.id : decided(a) < decided(b) ? 1 : -1));
}

/** RuleList lists rules with the record of each: why it has fired, or why not. */
export function RuleList({ rules }: { rules: readonly RecordedRule[] }) {
  if (rules.length === 0) return <Hint>There are no rules.</Hint>;
  return (
    <ul className="list rules">
      {rules.map((r) => (
        <li key={r.id} data-rule={r.id}>
          <a href={ruleOf(r.id)}>Rule {r.id}</a> <State state={r.state} /> <b>{r.description}</b>{" "}
          <Condition rule={r} />
          {r.record && <div className="account">{r.record.account}</div>}
        </li>
      ))}
    </ul>
  );
}

function Condition({ rule }: { rule: RecordedRule }) {
  if (rule.after) return <span className="condition">own end of <NetLinks names={[rule.after]} /></span>;
  return <code className="condition">{rule.condition || "t"}</code>;
}

/** RulesView shows all rules. */
export function RulesView() {
  const { rows, error } = useTopic("rules");
  return (
    <>
      <h1>Rules <Plain uri="/rules/" /></h1>
      <Trouble error={error} />
      {rows && <section className="panel" aria-label="All rules"><RuleList rules={newestFirst(values(rows))} /></section>}
    </>
  );
}

/** RuleView shows a rule and its record: what it has decided, by which values, and what it has done. */
export function RuleView({ id }: { id: string }) {
  const { rows } = useTopic("rules");
  const row = rows?.get(id);
  const address = `/rules/${encodeURIComponent(id)}`;
  const { answer, error } = useAnswer<RecordedRule>(address, undefined, row);
  const record = answer?.record;
  return (
    <>
      <h1>Rule {id} {answer && <State state={answer.state} />} {answer && <small>{answer.description}</small>} <Plain uri={address} /></h1>
      <Trouble error={error} />
      {!answer && !error && <p role="status">Loading…</p>}
      {record && <p className="notice" data-account>{record.account}</p>}
      {answer && record && (
        <div className="grid">
          <Panel id="facts" title="Facts">
            <dl className="facts">
              <Fact name="Condition"><Condition rule={answer} /> is {record.value}</Fact>
              <Fact name="Stop">{answer.stop.length > 0 && <NetLinks names={answer.stop} />}</Fact>
              <Fact name="Cancel">{answer.cancel.length > 0 && <NetLinks names={answer.cancel} />}</Fact>
              <Fact name="Start">{answer.start.length > 0 && <NetLinks names={answer.start} />}</Fact>
              <Fact name="Failed">{record.failed?.message}</Fact>
              <Fact name="Holder">{record.failed?.holder && <NetLinks names={[record.failed.holder]} />}</Fact>
            </dl>
          </Panel>
          {record.variables.length > 0 && (
            <Panel id="variables" title="Values that it went by">
              <Table label="Values" columns={["Net", "Key", "Value", "Cycle", "State of the net"]}>
                {record.variables.map((v) => (
                  <tr key={`${v.net} ${v.key}`}>
                    <th scope="row"><NetLinks names={[v.net]} /></th>
                    <td>{v.key ?? "own end"}</td>
                    <td>{v.value} {v.why}</td>
                    <td>{grouped(v.cycle)}</td>
                    <td><State state={v.state} /></td>
                  </tr>
                ))}
              </Table>
            </Panel>
          )}
          {record.changes && record.changes.length > 0 && (
            <Panel id="changes" title="What it has done">
              <Table label="Changes" columns={["Net", "Before", "Done"]}>
                {record.changes.map((c) => (
                  <tr key={`${c.action} ${c.net}`}>
                    <th scope="row"><NetLinks names={[c.net]} /></th>
                    <td><State state={c.before} /></td>
                    <td>{c.what}</td>
                  </tr>
                ))}
              </Table>
            </Panel>
          )}
        </div>
      )}
    </>
  );
}
