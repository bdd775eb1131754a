// What the model is and how it was computed.

import { short } from "../data/numbers";
import type { Recording } from "../data/recording";
import { ROUNDING } from "../data/rounding";
import type { RunData, Summary } from "../data/types";
import { told } from "../data/units";
import { element } from "../page/element";

export function card(title: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return element("section", { class: "card" }, element("h2", {}, title), ...children);
}

function pairs(rows: [string, string][]): HTMLElement {
  return element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

export function bodies(recording: Recording): HTMLElement {
  const { scene } = recording;
  const depth: number[] = [];
  const rows = recording.bodies.map((body, k) => {
    const { data } = body;
    depth[k] = data.parent === null ? 0 : depth[data.parent] + 1;
    const carrier = data.parent === null ? "ground" : recording.bodies[data.parent].name;
    const acts = data.hinge.elements.length > 0 ? ` (${data.hinge.elements.join(", ")})` : "";
    const { mass, mass_centre: c, inertia: j } = data.mass;
    return element(
      "tr",
      {},
      element("td", {}, element("span", { class: "indent", style: `padding-left:${Math.min(depth[k], 12) * 0.8}em` }, body.name)),
      element("td", {}, `${data.hinge.name === body.name ? "" : `${data.hinge.name}, `}${data.hinge.kind} on ${carrier}${acts}`),
      element("td", { class: "number" }, short(mass)),
      element("td", { class: "number" }, c.map(short).join(", ")),
      element("td", { class: "number" }, [0, 1, 2].map((i) => short(j[i][i])).join(", ")),
      element("td", { class: "number" }, String(data.node_count)),
      element("td", { class: "number" }, data.modes > 0 ? String(data.modes) : "rigid"),
    );
  });
  const total = scene.bodies.reduce((sum, body) => sum + body.mass.mass, 0);
  const heads = ["Body", "Hinge", "Mass, kg", "Mass centre, m", "Inertia about mass centre, kg m²", "Nodes", "Modes"];
  return card(
    "Bodies",
    element("p", { class: "quiet" }, `${scene.bodies.length} bodies, ${short(total)} kg in all. Bodies without shapes of their own are drawn as solids of their mass properties, beams with their section where it is known.`),
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", {}, text)))), element("tbody", {}, ...rows))),
  );
}

export function closures(recording: Recording): HTMLElement | null {
  const { closures } = recording.scene;
  if (closures === undefined || closures.length === 0) return null;
  const rows = closures.map((closure) =>
    element(
      "tr",
      {},
      element("td", {}, closure.name),
      element("td", {}, closure.kind),
      element("td", {}, closure.joins.join(", ")),
      element("td", { class: "number" }, String(closure.equations)),
    ),
  );
  const heads = ["Closure", "Kind", "Frames or hinges", "Equations"];
  return card("Closures", element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", {}, text)))), element("tbody", {}, ...rows))));
}

export function assumptions(run: RunData): HTMLElement {
  const { summary } = run;
  const { scene } = run.recording;
  const { integrator: own, statistics: s } = summary;
  const how = own.step !== null ? `step ${short(own.step)} s` : own.relative_tolerance !== null ? `relative tolerance ${short(own.relative_tolerance)}, absolute ${short(own.absolute_tolerance)}` : "";
  const rows: [string, string][] = [
    ["Equations of motion", summary.physics.formulation === "book" ? "Book's recursive Lagrangian" : "spatial operators"],
    ["Elastic rotation", scene.elastic_rotation],
    ["Inertia convention", scene.inertia_convention],
    ["Gravity", `(${scene.gravity.map(short).join(", ")}) m/s²`],
    ["Integrator", [own.name, how].filter(Boolean).join(", ")],
    ["Steps", `${s.accepted_steps} accepted, ${s.rejected_steps} rejected, ${s.evaluations} evaluations`],
  ];
  const terms = summary.physics.bodies.map((body) => element("li", {}, element("b", {}, body.body), `: ${body.terms}`));
  const notes = scene.notes.map((text) => element("li", {}, text));
  return card("Assumptions", pairs(rows), terms.length > 0 && element("ul", { class: "terms" }, ...terms), notes.length > 0 && element("ul", { class: "terms" }, ...notes));
}

const LEDGER: [string, string][] = [
  ["start", "at the start"],
  ["kinetic", "kinetic"],
  ["elastic", "elastic"],
  ["gravitational", "gravitational"],
  ["stored", "in springs and stops"],
  ["work", "work of drives"],
  ["wrench_work", "work of wrenches"],
  ["dissipated", "dissipated by modal damping"],
  ["hinge_dissipated", "dissipated in hinges"],
  ["projection_work", "added by keeping closures closed"],
  ["impact_loss", "lost when closures closed"],
  ["balance_error", "balance error"],
];

export function ledger(summary: Summary): HTMLElement | null {
  const entries = summary.ledger;
  if (entries === null) return null;
  const floor = ROUNDING * (summary.story?.energy ?? 0);
  const is_error = (key: string) => key === "balance_error";
  const rows = LEDGER.filter(([key]) => is_error(key) || Math.abs(entries[key] ?? 0) > floor).map(([key, name]): [string, string] => [name, told(entries[key], "J")]);
  const momentum = summary.momentum;
  const drift: [string, string][] = momentum === null ? [] : [["drift of linear momentum", `${short(momentum.linear_drift)} kg m/s`], ["drift of angular momentum", `${short(momentum.angular_drift)} kg m²/s`]];
  return card("Energy at the end", pairs([...rows, ...drift]));
}

export function warnings(run: RunData): HTMLElement {
  const { summary } = run;
  const list = summary.warnings.map((text) => element("li", {}, text));
  const actions = (event: Summary["events"][number]): string =>
    (event.actions ?? [])
      .map((action) => `${action.closure} ${action.kind}${action.energy_lost === undefined ? "" : ` at ${short(action.closing_speed ?? null)} (m/s or rad/s), ${short(action.energy_lost)} J lost`}`)
      .join("; ");
  const line = (event: Summary["events"][number]): string => [`${event.time.toFixed(6)} s: ${event.name}`, actions(event)].filter((part) => part !== "").join(": ");
  const events = summary.events.slice(0, 40).map((event) => element("li", {}, line(event)));
  const more = Math.max(summary.events.length - 40, 0) + summary.events_not_listed;
  return card(
    "Warnings and events",
    list.length > 0 ? element("ul", { class: "warnings" }, ...list) : element("p", { class: "quiet" }, summary.physics.bodies.length === 0 ? "No warnings." : "No warnings: deflections, slopes and spin stayed where the modes are valid. For whether there are enough modes, see the number of modes at the top."),
    events.length > 0 && element("ul", {}, ...events),
    more > 0 && element("p", { class: "quiet" }, `and ${more} more events`),
  );
}

export function again(run: RunData): HTMLElement {
  const { origin } = run.recording;
  const copy = element("button", { type: "button", class: "tool copy", click: () => void navigator.clipboard?.writeText(origin.command) }, "Copy");
  return card(
    "Reproduce",
    element("div", { class: "command" }, element("code", {}, origin.command), copy),
    element("p", { class: "quiet" }, `Supple ${run.summary.supple}. To rebuild this report only: supple report FOLDER. Input files of the run:`),
    ...origin.files.map((file) =>
      file.text === null
        ? element("p", {}, file.name)
        : element("details", {}, element("summary", {}, file.name), element("pre", {}, file.text)),
    ),
  );
}

export function about(version: string): HTMLElement {
  return element(
    "footer",
    {},
    element("p", {}, `Made by Supple ${version}. One self-contained file that needs no network.`),
    element("p", { class: "quiet" }, "This page contains three.js (© three.js authors, MIT licence) and uPlot (© Leon Sorokin, MIT licence)."),
  );
}
