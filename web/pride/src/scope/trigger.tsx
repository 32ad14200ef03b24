import { useAnswer } from "../daemon";
import type { Devices, Nets, Rules } from "../wire";
import { NumberField } from "./number";
import { useScope } from "./plots";
import type { Scope } from "./scope";
import { asks, fromFile, kinds, modes, ofKind, slopes, withLevel, type Kind, type Mode, type Slope, type Trigger } from "./setup";

const kindTexts: Record<Kind, string> = {
  none: "none: show what comes",
  edge: "edge: a value passes a level",
  level: "level: a value is beyond a level",
  window: "window: a value enters or leaves a range",
  runt: "runt: a pulse that does not reach the other level",
  rule: "a rule fires",
  state: "a net has a state",
  incident: "an incident of real time",
  fault: "a device fails",
};

const modeTexts: Record<Mode, string> = {
  auto: "auto: record also when nothing triggers",
  normal: "normal: record whenever it triggers",
  single: "single: record once, then stop",
};

const slopeTexts: Record<Slope, string> = { rising: "rising", falling: "falling", either: "either" };

const netStates = ["READY", "SCHEDULED", "RUNNING", "CANCELLING", "TERMINATED", "REJECTED"];

/** Triggers shows the trigger and the extent of a capture. */
export function Triggers({ scope }: { scope: Scope }) {
  const { setup } = useScope(scope);
  const t = setup.trigger;
  const set = (trigger: Trigger) => scope.change({ ...setup, trigger });
  const needed = asks[t.kind];
  return (
    <fieldset className="panel" disabled={fromFile(setup)}>
      <legend>Trigger</legend>
      <label className="field">
        Kind{" "}
        <select value={t.kind} onChange={(e) => set(ofKind(e.target.value as Kind, t, setup.channels))}>
          {kinds.map((k) => (
            <option key={k} value={k} disabled={asks[k].includes("channel") && setup.channels.length === 0}>{kindTexts[k]}</option>
          ))}
        </select>
      </label>
      {needed.includes("channel") && (
        <label className="field">
          Channel{" "}
          <select value={t.channel} onChange={(e) => set({ ...t, channel: e.target.value })}>
            {setup.channels.map((c) => (
              <option key={c.name}>{c.name}</option>
            ))}
          </select>
        </label>
      )}
      {needed.includes("level") && <NumberField label="Level" value={t.level ?? 0} onChange={(v) => set(withLevel(t, "level", v))} />}
      {needed.includes("low") && <NumberField label="Lower level" value={t.low ?? 0} onChange={(v) => set(withLevel(t, "low", v))} />}
      {needed.includes("high") && <NumberField label="Upper level" value={t.high ?? 0} onChange={(v) => set(withLevel(t, "high", v))} />}
      {needed.includes("hysteresis") && <NumberField label="Hysteresis" value={t.hysteresis ?? 0} min={0} onChange={(v) => set({ ...t, hysteresis: v })} />}
      {needed.includes("slope") && (
        <label className="field">
          Slope{" "}
          <select value={t.slope} onChange={(e) => set({ ...t, slope: e.target.value as Slope })}>
            {slopes.map((s) => (
              <option key={s} value={s}>{slopeTexts[s]}</option>
            ))}
          </select>
        </label>
      )}
      {needed.includes("above") && <Choice name="Beyond" value={t.above ?? true} yes="above the level" no="below the level" onChange={(above) => set({ ...t, above })} />}
      {needed.includes("inside") && <Choice name="When it" value={t.inside ?? false} yes="enters the range" no="leaves the range" onChange={(inside) => set({ ...t, inside })} />}
      {needed.includes("rule") && <RuleField trigger={t} set={set} />}
      {needed.includes("net") && <NetField trigger={t} set={set} />}
      {needed.includes("device") && <DeviceField trigger={t} set={set} />}
      {t.kind !== "none" && (
        <>
          <label className="field">
            Mode{" "}
            <select value={setup.mode} onChange={(e) => scope.change({ ...setup, mode: e.target.value as Mode })}>
              {modes.map((m) => (
                <option key={m} value={m}>{modeTexts[m]}</option>
              ))}
            </select>
          </label>
          <NumberField label="Before (ms)" value={setup.before} unit={0.001} min={0} onChange={(before) => scope.change({ ...setup, before })} />
          <NumberField label="After (ms)" value={setup.after} unit={0.001} min={0} onChange={(after) => scope.change({ ...setup, after })} />
          <NumberField label="Holdoff (ms)" value={setup.holdoff} unit={0.001} min={0} onChange={(holdoff) => scope.change({ ...setup, holdoff })} />
        </>
      )}
    </fieldset>
  );
}

function Choice({ name, value, yes, no, onChange }: { name: string; value: boolean; yes: string; no: string; onChange: (v: boolean) => void }) {
  return (
    <label className="field">
      {name}{" "}
      <select value={String(value)} onChange={(e) => onChange(e.target.value === "true")}>
        <option value="true">{yes}</option>
        <option value="false">{no}</option>
      </select>
    </label>
  );
}

interface Of {
  trigger: Trigger;
  set: (t: Trigger) => void;
}

function RuleField({ trigger, set }: Of) {
  const { answer } = useAnswer<Rules>("/rules/");
  const rules = answer?.rules ?? [];
  return (
    <label className="field">
      Rule{" "}
      <select value={trigger.rule ?? ""} onChange={(e) => set({ ...trigger, rule: e.target.value })}>
        <option value="">any rule</option>
        {rules.map((r) => (
          <option key={r.id} value={r.id}>{`${r.id}: ${r.description || r.condition}`.slice(0, 80)}</option>
        ))}
      </select>
    </label>
  );
}

function NetField({ trigger, set }: Of) {
  const { answer } = useAnswer<Nets>("/nets/");
  return (
    <>
      <label className="field">
        Net{" "}
        <select value={trigger.net ?? ""} onChange={(e) => set({ ...trigger, net: e.target.value })}>
          <option value="" disabled>{answer && answer.nets.length === 0 ? "no net is loaded" : "choose"}</option>
          {answer?.nets.map((n) => (
            <option key={n.name} value={n.name}>{n.description ? `${n.name}: ${n.description}`.slice(0, 60) : n.name}</option>
          ))}
        </select>
      </label>
      <label className="field">
        State{" "}
        <select value={trigger.state ?? "RUNNING"} onChange={(e) => set({ ...trigger, state: e.target.value })}>
          {netStates.map((s) => (
            <option key={s}>{s}</option>
          ))}
        </select>
      </label>
    </>
  );
}

function DeviceField({ trigger, set }: Of) {
  const { answer } = useAnswer<Devices>("/devices/");
  return (
    <label className="field">
      Device{" "}
      <select value={trigger.device ?? ""} onChange={(e) => set({ ...trigger, device: e.target.value })}>
        <option value="">any device</option>
        {answer?.devices.map((d) => (
          <option key={d.name}>{d.name}</option>
        ))}
      </select>
    </label>
  );
}
