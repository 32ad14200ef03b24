import type { EndOfLink, Graph } from "../wire";
import { nanoseconds } from "./cost";
import { Excerpt } from "./excerpt";
import { lines } from "./fold";
import type { Reach } from "./view";

interface Props {
  graph: Graph;
  node: number;
  open: boolean;
  folded: boolean; // its formula is shown
  reach: Reach | null;
  setReach: (reach: Reach | null) => void;
  goTo: (node: number) => void;
  toggle: (node: number) => void;
  takeApart: ((node: number) => void) | null; // where formulas are shown
  close: () => void;
}

/** Details shows everything about the selected node. */
export function Details({ graph, node: id, open, folded, reach, setReach, goTo, toggle, takeApart, close }: Props) {
  const node = graph.nodes[id];
  if (!node) return null;
  const type = node.type === undefined ? undefined : graph.types[node.type];
  const feeds = graph.links.filter((link) => link.to.node === id && !(link.from.node === id || graph.nodes[link.from.node]?.parent === id));
  const recorded = graph.links.find((link) => link.debug && (link.to.node === id || (link.source ?? link.from).node === id));
  return (
    <aside className="details" aria-label="Selected node">
      <button className="close" onClick={close} aria-label="Close">×</button>
      <h2>{node.path || graph.net}</h2>
      {type && <p><a href={type.uri}>{node.type}</a> {type.doc}</p>}
      {node.fragment && !type && <p>fragment</p>}
      {node.fragment && <button onClick={() => toggle(id)}>{open ? "Close fragment" : "Open fragment"}</button>}
      {node.formula && <pre className="formula" tabIndex={0} aria-label="Formula">{lines(node.formula.text).join("\n")}</pre>}
      {node.formula && takeApart && <button onClick={() => takeApart(id)}>{folded ? "Take the formula apart" : "Show the formula"}</button>}
      <dl>
        {node.order !== undefined && node.order !== null && <><dt>Executed</dt><dd>{node.order + 1}. in each cycle</dd></>}
        {node.constant && <><dt>Executed</dt><dd>once, as it is constant</dd></>}
        {(node.guards ?? []).length > 0 && <><dt>Only if</dt><dd>{(node.guards ?? []).map((end) => <Port key={`${end.node}.${end.port}`} graph={graph} end={end} goTo={goTo} />)}</dd></>}
        {type?.cost !== undefined && type.cost !== null && !node.constant && <><dt>Takes</dt><dd>{nanoseconds(type.cost)} in each cycle <small>({graph.costs})</small></dd></>}
        {node.device && <><dt>Device</dt><dd><a href={node.device.uri}>{node.device.name}</a></dd></>}
        {node.publishes && <><dt>Publishes</dt><dd>{node.publishes}</dd></>}
        {(node.rules ?? []).length > 0 && <><dt>Read by</dt><dd>{(node.rules ?? []).map((rule) => <a key={rule.uri} href={rule.uri}>{rule.name} </a>)}</dd></>}
        {recorded && <><dt>Recorded</dt><dd><a href={`${graph.uri}debug`}>values of {recorded.to.node === id ? recorded.to.port : recorded.from.port}</a></dd></>}
        <dt>Text</dt><dd>line {node.line}, column {node.column}</dd>
      </dl>
      <Excerpt graph={graph} line={node.line} column={node.column} />
      {(node.params ?? []).length > 0 && (
        <table>
          <caption>Parameters</caption>
          <tbody>
            {(node.params ?? []).map((p) => (
              <tr key={p.name} className={p.given ? "" : "default"}><th scope="row">{p.name}</th><td>{p.value}{!p.given && <small> default</small>}</td></tr>
            ))}
          </tbody>
        </table>
      )}
      {node.in.length > 0 && (
        <table>
          <caption>In ports</caption>
          <tbody>
            {node.in.map((p) => {
              const link = feeds.find((l) => l.to.port === p.name);
              const source = link && (link.source ?? link.from);
              return (
                <tr key={p.name}>
                  <th scope="row">{p.name}</th>
                  <td>{p.type}</td>
                  <td>{source === undefined ? "open" : source.node < 0 ? "from nowhere" : <Port graph={graph} end={source} goTo={goTo} />}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {node.out.length > 0 && (
        <table>
          <caption>Out ports</caption>
          <tbody>{node.out.map((p) => <tr key={p.name}><th scope="row">{p.name}</th><td>{p.type}</td></tr>)}</tbody>
        </table>
      )}
      {!node.fragment && <Steps reach={reach} setReach={setReach} />}
    </aside>
  );
}

/** Steps chooses how much of what is before or behind a node is shown at full strength. */
function Steps({ reach, setReach }: { reach: Reach | null; setReach: (reach: Reach | null) => void }) {
  const choice = reach === null ? "all" : reach.backward ? "before" : "behind";
  return (
    <fieldset>
      <legend>Show</legend>
      {(["all", "before", "behind"] as const).map((c) => (
        <label key={c}>
          <input type="radio" name="reach" checked={choice === c} onChange={() => setReach(c === "all" ? null : { steps: reach?.steps ?? 3, backward: c === "before" })} />
          {{ all: "everything", before: "what feeds it", behind: "what follows" }[c]}
        </label>
      ))}
      {reach && (
        <label>
          steps <input type="number" min={1} max={99} value={reach.steps} onChange={(e) => setReach({ ...reach, steps: Math.min(99, Math.max(1, Number(e.target.value) || 1)) })} />
        </label>
      )}
    </fieldset>
  );
}

function Port({ graph, end, goTo }: { graph: Graph; end: EndOfLink; goTo: (node: number) => void }) {
  return (
    <button className="link" onClick={() => goTo(end.node)}>
      {graph.nodes[end.node]?.path}.{end.port}
    </button>
  );
}
