// The page of the cell: arms in space, their joints within their limits, and what the nets that run say. The daemon is asked
// again and again, never twice at a time, and the pictures between two answers are made here.

import { daemon } from "./instance.js";
import { sensible } from "./numbers.js";
import { bounded, tickText, zoomByWheel } from "./plot.js";
import { Camera, Floor, Scene, Trail, VIEWS, between, onTheWay, placed, posture, pull, stretch, together, within } from "./scene.js";

const LOOK_AGAIN = 60; // ms between the beginnings of two questions
const LATER = 1000; // ms, while there is no answer

const TIP = 24; // pixels around a flange where it is taken hold of

const GOOD = { operational: "good", offline: "bad", "safe-operational": "busy" };

// people writes a position for them: angles in degrees.
export function people(value, unit) {
  if (value === null) return "NaN";
  if (unit === "rad") return `${fixed((value * 180) / Math.PI, 1)}°`;
  return unit === "m" ? `${fixed(value, 3)} m` : fixed(value, 3);
}

// fixed writes a number with so many decimals; what is nothing then has no sign.
function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
}

// bar is where in a bar of 100 what is measured begins, how long it is, and where the mark of what is commanded begins. It is
// undefined when limits or values are not known.
export function bar({ min, max, measured, commanded }) {
  if (![min, max, measured, commanded].every(Number.isFinite) || !(min < max)) return undefined;
  const share = (v) => Math.min(Math.max((100 * (v - min)) / (max - min), 0), 100);
  const rest = share(Math.min(Math.max(0, min), max));
  const at = share(measured);
  return { x: Math.min(rest, at), width: Math.abs(at - rest), mark: 0.99 * share(commanded) };
}

// shape is what tables depend on: who is there, with how many joints, and whether it can be drawn.
const shape = (arms) => JSON.stringify(arms);

const element = (tag, properties = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
};

// Pushing has a force act on the tip of an arm, the newest that is wanted: never two requests are on their way.
class Pushing {
  constructor(address) {
    this.address = address;
    this.acts = false;
  }

  act([x, y, z]) {
    this.acts = x !== 0 || y !== 0 || z !== 0;
    this.wanted = new URLSearchParams({ force: `{x:${x.toFixed(3)},y:${y.toFixed(3)},z:${z.toFixed(3)}}` });
    if (!this.sending) this.#send();
  }

  async #send() {
    this.sending = true;
    while (this.wanted) {
      const body = this.wanted;
      this.wanted = undefined;
      try {
        await fetch(this.address, { method: "POST", body, headers: { Accept: "application/json" } });
      } catch {
        // the page says already that the daemon is away
      }
    }
    this.sending = false;
  }

  // leave lets go when the page goes.
  leave() {
    if (this.acts) navigator.sendBeacon(this.address, new URLSearchParams({ force: "{x:0,y:0,z:0}" }));
  }
}

const LET_GO = [0, 0, 0];
const PUSH = 25; // N
const PUSH_LASTS = 1000; // ms

// Arm is the section of one arm.
class Arm {
  constructor(section, camera) {
    this.#pushed(section.querySelector(".push"));
    this.badge = section.querySelector(".state");
    this.cause = section.querySelector(".cause");
    this.rows = [...section.querySelectorAll(".joints tbody tr")];
    this.canvas = section.querySelector("canvas");
    if (this.canvas) this.scene = new Scene(this.canvas, camera);
    this.trail = new Trail();
  }

  // #pushed makes a push of a button something that ends by itself.
  #pushed(form) {
    if (!form) return;
    this.pushing = new Pushing(form.action);
    const [push, letGo] = form.querySelectorAll("button");
    letGo.hidden = true;
    form.querySelector(".hint").hidden = !form.closest(".arm").querySelector("canvas");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      push.disabled = true;
      this.pushing.act([0, PUSH, 0]);
      setTimeout(() => {
        this.pushing.act(LET_GO);
        push.disabled = false;
      }, PUSH_LASTS);
    });
  }

  // alone tells whether the arm has a picture of its own.
  set alone(is) {
    if (this.canvas) this.canvas.hidden = !is;
  }

  show({ state, cause, joints, ...rest }, now) {
    write(this.badge, state);
    this.badge.className = `state ${GOOD[state] ?? "calm"}`;
    write(this.cause, cause ?? "");
    this.cause.hidden = !cause;
    joints.forEach((joint, i) => this.#row(this.rows[i], joint));
    const told = this.scene && posture({ joints, ...rest });
    if (!told) return;
    const next = placed(told, rest.place);
    this.reach ??= Math.max(stretch(next), 0.2);
    Object.assign(this, { before: this.after ?? next, after: next, since: now, place: rest.place });
    this.trail.pass(now / 1000, next.tip);
  }

  #row(row, joint) {
    row.classList.toggle("fault", Boolean(joint.fault));
    row.title = joint.fault ?? "";
    const b = bar(joint);
    const svg = row.querySelector("svg");
    if (svg && b) {
      const measured = svg.querySelector(".measured");
      measured.setAttribute("x", b.x.toFixed(2));
      measured.setAttribute("width", b.width.toFixed(2));
      svg.querySelector(".commanded").setAttribute("x", b.mark.toFixed(2));
    }
    write(row.cells[2], people(joint.measured, joint.unit));
    write(row.cells[3], people(joint.commanded, joint.unit));
  }

  // at is the arm as it is drawn between two answers; nothing while it is not known.
  at(now, lasts) {
    if (!this.after) return [];
    const { reach, trail } = this;
    return [{ posture: between(this.before, this.after, Math.min((now - this.since) / lasts, 1)), reach, trail }];
  }

  draw(now, lasts) {
    const drawn = this.at(now, lasts);
    if (drawn.length > 0) this.scene.draw(drawn, now / 1000);
  }
}

// Base is the section of a device that drives.
class Base {
  constructor(section, camera) {
    this.badge = section.querySelector(".state");
    this.cause = section.querySelector(".cause");
    this.cells = [...section.querySelectorAll("td.value")];
    const canvas = section.querySelector("canvas");
    canvas.hidden = false;
    this.scene = new Floor(canvas, camera);
    this.trail = new Trail();
  }

  show({ state, cause, x, y, a }, now) {
    write(this.badge, state);
    this.badge.className = `state ${GOOD[state] ?? "calm"}`;
    write(this.cause, cause ?? "");
    this.cause.hidden = !cause;
    [people(x, "m"), people(y, "m"), people(a, "rad")].forEach((text, i) => write(this.cells[i], text));
    if (![x, y, a].every(Number.isFinite)) return;
    Object.assign(this, { before: this.after ?? { x, y, a }, after: { x, y, a }, since: now });
    this.trail.pass(now / 1000, [x, y, 0]);
  }

  draw(now, lasts) {
    if (this.after) this.scene.draw(onTheWay(this.before, this.after, Math.min((now - this.since) / lasts, 1)), this.trail, now / 1000);
  }
}

function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

// Nets are those that run, with their values.
class Nets {
  constructor(root, none) {
    this.root = root;
    this.none = none;
  }

  show(nets, classes) {
    this.none.hidden = nets.length > 0;
    for (const section of [...this.root.children]) {
      if (!nets.some(({ name }) => name === section.dataset.net)) section.remove();
    }
    for (const net of nets) this.#net(net, classes);
  }

  #net({ name, uri, state, description, values, tick }, classes) {
    let section = [...this.root.children].find((e) => e.dataset.net === name);
    if (!section) {
      const head = element("h3", {}, element("a", { href: uri, textContent: name }), " ", element("span"), ` ${description}`);
      section = element("section", {}, head, element("div", { className: "scroll" }, element("table", {}, element("tbody"))), element("p", { className: "hint tick" }));
      section.dataset.net = name;
      this.root.append(section);
    }
    const badge = section.querySelector("h3 span");
    write(badge, state);
    badge.className = `state ${classes[state] ?? "calm"}`;
    const body = section.querySelector("tbody");
    Object.entries(values ?? {}).forEach(([key, text], i) => {
      const row = body.rows[i] ?? body.appendChild(element("tr", {}, element("th", { scope: "row" }), element("td", { className: "value" })));
      write(row.cells[0], key);
      write(row.cells[1], sensible(text));
      row.cells[1].title = text;
    });
    write(section.querySelector(".tick"), tickText(tick));
  }
}

// CellPage is the page as a whole.
export class CellPage {
  constructor(root, link, classes) {
    Object.assign(this, { root, link, classes, camera: new Camera(), arms: new Map(), bases: new Map(), lasts: LOOK_AGAIN });
    this.all = new Scene(root.querySelector("#together"), this.camera);
    this.pause = root.querySelector("#pause");
    this.nets = new Nets(root.querySelector("#running"), root.querySelector("#nonets"));
    this.#views(root.querySelector(".views"));
    root.addEventListener("pointerdown", (event) => this.#grab(event));
    root.addEventListener("keydown", (event) => this.#key(event));
    zoomByWheel(root, "canvas.scene", (factor) => this.#near(factor));
    root.addEventListener("pointermove", (event) => this.#hover(event));
    addEventListener("pagehide", () => this.arms.forEach(({ pushing }) => pushing?.leave()));
    document.addEventListener("visibilitychange", () => document.hidden || this.#wake?.());
    this.#adopt();
    this.#follow();
    const frame = (now) => {
      this.#draw(now);
      for (const base of this.bases.values()) base.draw(now, this.lasts);
      this.#pull();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // #draw draws arms in one picture where they stand apart, otherwise each in its own.
  #draw(now) {
    const arms = [...this.arms.values()].filter(({ scene }) => scene);
    if (this.all.canvas.hidden) {
      for (const arm of arms) arm.draw(now, this.lasts);
      return;
    }
    const drawn = arms.flatMap((arm) => arm.at(now, this.lasts));
    if (drawn.length > 0) this.all.draw(drawn, now / 1000);
  }

  #wake;

  #adopt() {
    this.#letGo();
    this.arms.clear();
    this.bases.clear();
    for (const section of this.root.querySelectorAll(".arm")) this.arms.set(section.dataset.arm, new Arm(section, this.camera));
    for (const section of this.root.querySelectorAll(".base")) this.bases.set(section.dataset.base, new Base(section, this.camera));
  }

  // #follow asks for as long as the page is there. Nobody is asked for a page that is not seen.
  async #follow() {
    for (;;) {
      const began = performance.now();
      const pause = (await this.#ask()) ? LOOK_AGAIN : LATER;
      this.lasts = Math.max(LOOK_AGAIN, performance.now() - began);
      await new Promise((resolve) => {
        this.#wake = resolve;
        if (!document.hidden) setTimeout(resolve, Math.max(0, began + pause - performance.now()));
      });
    }
  }

  async #ask() {
    try {
      const answer = await daemon.ask("/cell/", { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(answer.statusText);
      const cell = await answer.json();
      const told = shape([...cell.arms.map(({ name, joints, axes }) => [name, joints.length, Boolean(axes)]), ...cell.bases.map(({ name }) => name)]);
      if (told !== this.#shown()) await this.#rebuild();
      else {
        const apart = together(cell.arms);
        this.all.canvas.hidden = !apart;
        for (const arm of cell.arms) {
          this.arms.get(arm.name).alone = !apart;
          this.arms.get(arm.name).show(arm, performance.now());
        }
        for (const base of cell.bases) this.bases.get(base.name).show(base, performance.now());
      }
      this.nets.show(cell.nets, this.classes);
      write(this.pause, cell.pause ?? "");
      this.pause.hidden = !cell.pause;
      this.#tell("live", "good");
      return true;
    } catch {
      if (!daemon.over) this.#tell("connection lost, trying again", "bad");
      return false;
    }
  }

  #tell(text, state) {
    write(this.link, text);
    this.link.className = state;
  }

  // #shown is the shape of the tables that are here.
  #shown() {
    return shape([...[...this.arms].map(([name, arm]) => [name, arm.rows.length, Boolean(arm.scene)]), ...this.bases.keys()]);
  }

  // #rebuild puts the tables of the daemon in place when other devices are there.
  async #rebuild() {
    const answer = await daemon.ask("/cell/", { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.root.querySelector("#arms").replaceChildren(...page.getElementById("arms").children);
    this.root.querySelector("#noarms").hidden = page.getElementById("noarms").hidden;
    this.#adopt();
  }

  #views(group) {
    group.hidden = false;
    this.buttons = [...group.querySelectorAll("button")];
    for (const button of this.buttons) button.addEventListener("click", () => this.#look(VIEWS[button.dataset.view], button));
  }

  #look(view, chosen) {
    this.camera.look(view);
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button === chosen));
  }

  #turn(by, up) {
    this.#look({ turn: this.camera.turn - by, tilt: this.camera.tilt + up });
  }

  #grab(event) {
    if (!event.target.matches("canvas.scene")) return;
    const canvas = event.target;
    canvas.setPointerCapture(event.pointerId);
    const held = this.#tipAt(event);
    if (held) {
      this.#hold(canvas, held);
      return;
    }
    let [x, y] = [event.clientX, event.clientY];
    canvas.onpointermove = (move) => {
      this.#turn((move.clientX - x) * 0.008, (move.clientY - y) * 0.008);
      [x, y] = [move.clientX, move.clientY];
    };
    canvas.onpointerup = canvas.onpointercancel = () => (canvas.onpointermove = null);
  }

  // #near goes nearer to what is seen, and tells whether that was possible.
  #near(factor) {
    const before = this.camera.near;
    this.camera.near = bounded(before, factor, 0.4, 6);
    return this.camera.near !== before;
  }

  // #tipAt is the arm that gives way and whose flange is seen where the mouse is, with the picture; fingers turn the view.
  #tipAt(event) {
    if (event.pointerType === "touch") return undefined;
    for (const arm of this.arms.values()) {
      const scene = this.all.canvas.hidden ? arm.scene : this.all;
      if (!arm.pushing || !arm.after || scene?.canvas !== event.target || !scene.middle) continue;
      const { x, y } = scene.see(arm.after.tip);
      const at = [event.offsetX, event.offsetY];
      if (Math.hypot(x - at[0], y - at[1]) < TIP) return { arm, scene, at };
    }
    return undefined;
  }

  #hover(event) {
    if (event.target.matches("canvas.scene")) event.target.classList.toggle("tip", Boolean(this.#held ?? this.#tipAt(event)));
  }

  #held;

  // #hold pulls an arm until the mouse lets go.
  #hold(canvas, held) {
    this.#held = held;
    canvas.onpointermove = (move) => (held.at = [move.offsetX, move.offsetY]);
    canvas.onpointerup = canvas.onpointercancel = () => {
      canvas.onpointermove = null;
      this.#letGo();
    };
  }

  // #pull has the arm that is held feel the thread, which is as long as the arm has not followed.
  #pull() {
    if (!this.#held) return;
    const { arm, scene, at } = this.#held;
    const { x, y, scale } = scene.see(arm.after.tip);
    scene.thread(arm.after.tip, at);
    if (!arm.pushing.sending) arm.pushing.act(within(arm.place, pull(this.camera, at[0] - x, at[1] - y, scale)));
  }

  #letGo() {
    this.#held?.arm.pushing.act(LET_GO);
    this.#held = undefined;
  }

  #key(event) {
    if (!event.target.matches("canvas.scene") || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => this.#turn(-0.1, 0), ArrowRight: () => this.#turn(0.1, 0),
      ArrowUp: () => this.#turn(0, 0.1), ArrowDown: () => this.#turn(0, -0.1),
      "+": () => this.#near(1.15), "-": () => this.#near(1 / 1.15),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
