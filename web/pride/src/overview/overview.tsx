import { useAnswer } from "../daemon";
import { graphOf } from "../route";
import { Trouble } from "../trouble";
import type { Nets } from "../wire";

/** Overview shows what there is in the cell. */
export function Overview() {
  const { answer, error } = useAnswer<Nets>("/nets/", 1000);
  return (
    <section aria-labelledby="nets">
      <h1 id="nets">Nets</h1>
      <Trouble error={error} />
      {answer && answer.nets.length === 0 && <p>No net is loaded.</p>}
      {answer && answer.nets.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label="Table of nets">
          <table>
            <thead>
              <tr><th>Net</th><th>State</th><th>Cycle</th><th>Session</th><th>Description</th></tr>
            </thead>
            <tbody>
              {answer.nets.map((net) => (
                <tr key={net.name}>
                  <td><a href={graphOf(net.name)}>{net.name}</a></td>
                  <td><span className="state" data-state={net.state}>{net.state}</span></td>
                  <td>{net.cycle}</td>
                  <td>{net.session}</td>
                  <td>{net.description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
