import { useAnswer } from "../daemon";
import { deviceOf } from "../route";
import { useTopic } from "../topics";
import { Trouble } from "../trouble";
import type { Device, DeviceDetails } from "../wire";
import { Fact, Hint, NetLinks, Panel, Plain, State, Table, values } from "./parts";

/** DeviceTable lists devices by their names. */
export function DeviceTable({ devices }: { devices: readonly Device[] }) {
  if (devices.length === 0) return <Hint>The cell has no device.</Hint>;
  return (
    <Table label="Table of devices" columns={["Device", "State", "Type"]}>
      {devices.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((d) => (
        <tr key={d.name} data-device={d.name}>
          <th scope="row"><a href={deviceOf(d.name)}>{d.name}</a></th>
          <td className="wide"><State state={d.state} /> {d.cause}</td>
          <td>{d.type}</td>
        </tr>
      ))}
    </Table>
  );
}

/** DevicesView shows all devices. */
export function DevicesView() {
  const { rows, error } = useTopic("devices");
  return (
    <>
      <h1>Devices <Plain uri="/devices/" /></h1>
      <Trouble error={error} />
      {rows && <DeviceTable devices={values(rows)} />}
    </>
  );
}

/** Shown is the answer of the page of a device. The core is a device, too, with parameters only. */
type Shown = Pick<DeviceDetails, "name" | "parameters"> & Partial<DeviceDetails>;

/** DeviceView shows a device: its state, its users, and everything that it reports. */
export function DeviceView({ name }: { name: string }) {
  const { rows } = useTopic("devices");
  const device = rows?.get(name);
  const address = `/devices/${encodeURIComponent(name)}/`;
  const { answer, error } = useAnswer<Shown>(address, 1000, device?.state); // nets and values come and go without a change of its state
  const gone = rows !== null && device === undefined && answer !== null;
  const cause = device ? device.cause : answer?.cause;
  const state = device?.state ?? answer?.state;
  const { usedBy = [], dependents = [], uses = [], interfaces = [], pages = [], parameters = [] } = answer ?? {};
  return (
    <>
      <h1>{name} {state && !gone && <State state={state} />} <Plain uri={address} /></h1>
      {gone && <p className="notice bad" role="alert" data-gone>Device {name} was removed. <a href="#/devices">All devices</a></p>}
      {!gone && <Trouble error={error} />}
      {!answer && !error && <p role="status">Loading…</p>}
      {cause && <p className="notice busy" data-cause>{cause}</p>}
      {answer && (
        <div className="grid">
          <Panel id="facts" title="Facts">
            <dl className="facts">
              <Fact name="Type">{answer.type}</Fact>
              <Fact name="Used by nets">{usedBy.length > 0 ? <NetLinks names={usedBy} /> : "none"}</Fact>
              <Fact name="Used by devices">{dependents.length > 0 && <DeviceLinks names={dependents} />}</Fact>
              <Fact name="Uses devices">{uses.length > 0 && <DeviceLinks names={uses} />}</Fact>
            </dl>
          </Panel>
          {parameters.length > 0 && (
            <Panel id="parameters" title="Parameters" count={parameters.length}>
              <dl className="facts values">
                {parameters.map((p) => (
                  <Fact key={p.name} name={p.name}>{p.value}</Fact>
                ))}
              </dl>
            </Panel>
          )}
          {interfaces.map((i) => (
            <Panel key={i.name} id={i.name} title={i.name}>
              {i.parameters.length === 0 && <Hint>It has no parameters.</Hint>}
              {i.parameters.length > 0 && (
                <dl className="facts values">
                  {i.parameters.map((p) => (
                    <Fact key={p.name} name={p.name}>{p.value}</Fact>
                  ))}
                </dl>
              )}
            </Panel>
          ))}
          {pages.length > 0 && (
            <Panel id="pages" title="Pages" count={pages.length}>
              <ul className="list">
                {pages.map((p) => (
                  <li key={p.uri}><a href={p.uri}>{p.description || p.uri}</a></li>
                ))}
              </ul>
            </Panel>
          )}
        </div>
      )}
    </>
  );
}

function DeviceLinks({ names }: { names: readonly string[] }) {
  return (
    <span className="links">
      {names.map((name) => (
        <a key={name} href={deviceOf(name)}>{name}</a>
      ))}
    </span>
  );
}
