import { graphOf, sessionOf } from "../route";
import { useTopic } from "../topics";
import { Trouble } from "../trouble";
import type { Session } from "../wire";
import { Hint, Plain, State, Table, values } from "./parts";

/** SessionList lists sessions with their nets. */
export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  if (sessions.length === 0) return <Hint>No session is open.</Hint>;
  return (
    <ul className="list">
      {sessions.map((s) => (
        <li key={s.name} data-session={s.name}>
          <a href={sessionOf(s.name)}>{s.name}</a> {s.description} <small>{s.nets.length} {s.nets.length === 1 ? "net" : "nets"}</small>
        </li>
      ))}
    </ul>
  );
}

/** SessionsView shows all sessions. */
export function SessionsView() {
  const { rows, error } = useTopic("sessions");
  return (
    <>
      <h1>Sessions <Plain uri="/sessions/" /></h1>
      <Trouble error={error} />
      {rows && <section className="panel" aria-label="All sessions"><SessionList sessions={values(rows)} /></section>}
    </>
  );
}

/** SessionView shows a session: the nets that belong together. */
export function SessionView({ name }: { name: string }) {
  const { rows, error } = useTopic("sessions");
  const session = rows?.get(name);
  return (
    <>
      <h1>{name} {session && <><small>{session.description}</small> <Plain uri={session.uri} /></>}</h1>
      <Trouble error={error} />
      {rows && !session && <p className="notice bad" role="alert" data-gone>Session {name} has ended, or never was. <a href="#/sessions">All sessions</a></p>}
      {session && session.nets.length === 0 && <Hint>It has no nets.</Hint>}
      {session && session.nets.length > 0 && (
        <Table label="Nets of the session" columns={["Net", "State"]}>
          {session.nets.map((net) => (
            <tr key={net.name}>
              <th scope="row"><a href={graphOf(net.name)}>{net.name}</a></th>
              <td><State state={net.state} /></td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
