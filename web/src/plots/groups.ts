// Which columns share a plot, and which plots are shown at first.

import { greatestOf, has, words } from "../data/quantity";
import type { Body, Recording } from "../data/recording";
import type { Table } from "../data/table";
import type { Column } from "../data/types";

export interface Series {
  label: string;
  values: (number | null)[];
  dashed?: boolean;
}

export interface PlotGroup {
  key: string;
  title: string;
  unit: string;
  times: number[];
  series: Series[];
  /** Shown at first. */
  first: boolean;
}

interface Kind {
  key: string;
  title: string;
  label: string;
  first: boolean;
  order: number;
}

/** Titles of plots of closures by the quantity. */
const CLOSURES: Record<string, string> = {
  closed: "Closures that act",
  distance: "Distances at closures",
  angle: "Angles at closures",
  deviation: "Deviations of closures",
  moment: "Moments of closures",
  force: "Forces of closures",
};

/** The plot that a column belongs to. */
export function kindOf(column: Column): Kind {
  const { name, unit } = column;
  const after = (prefix: string) => name.slice(prefix.length);
  const turns = unit.startsWith("rad") || unit === "N m" || unit === "1";
  if (name.startsWith("hinge.")) {
    const title = unit === "1" ? "Hinge attitudes" : turns ? "Hinge angles" : "Hinge displacements";
    return { key: `hinge ${unit}`, title, label: after("hinge."), first: unit !== "1", order: unit === "1" ? 2 : turns ? 0 : 1 };
  }
  if (name.startsWith("speed.")) return { key: `speed ${unit}`, title: turns ? "Hinge rates" : "Hinge speeds", label: after("speed."), first: true, order: 3 };
  if (name.startsWith("force.")) return { key: `force ${unit}`, title: turns ? "Drive torques" : "Drive forces", label: after("force."), first: true, order: 5 };
  if (name.startsWith("acceleration.")) return { key: `acceleration ${unit}`, title: "Hinge accelerations", label: after("acceleration."), first: false, order: 20 };
  if (name === "energy.balance_error") return { key: name, title: "Energy balance error", label: "balance error", first: true, order: 8 };
  if (/^(energy|dissipated)\.|^work\.(drives|wrenches)$/.test(name)) {
    return { key: "energy", title: "Energy ledger", label: name.replace("energy.", "").replace(".", " "), first: true, order: 7 };
  }
  if (name.startsWith("work.")) return { key: "work", title: "Work of each drive", label: after("work."), first: false, order: 9 };
  for (const [prefix, title, order] of [["mode.", "Modes of", 6], ["mode_speed.", "Modal speeds of", 21]] as const) {
    if (!name.startsWith(prefix)) continue;
    const dot = name.lastIndexOf(".");
    return { key: `${prefix}${name.slice(prefix.length, dot)}`, title: `${title} ${name.slice(prefix.length, dot)}`, label: `mode ${name.slice(dot + 1)}`, first: order === 6, order };
  }
  const closed = /^closure\.(.+)\.(closed|distance|angle|deviation|moment|force)(?:\.(\w+))?$/.exec(name);
  if (closed !== null) {
    const [, closure, what, part] = closed;
    return { key: `closure ${what} ${unit}`, title: CLOSURES[what], label: part === undefined ? closure : `${closure}, ${part}`, first: what === "deviation", order: 10 };
  }
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return { key: `${stem} ${unit}`, title: `${stem.replace(/^node\./, "").replace(/_/g, " ")}${column.description && name.startsWith("node.") ? `: ${column.description}` : ""}`, label: dot > 0 ? name.slice(dot + 1) : name, first: false, order: 30 };
}

/** How far the tips of flexible bodies are from where they would be undeformed, in m. */
export function deflections(recording: Recording): { label: string; values: number[] }[] {
  const flexible = recording.bodies.filter((body) => body.modes > 0 && body.nodes > 0).slice(0, 24);
  const u = new Float64Array(3);
  return flexible.map((body) => {
    const [tip, amplitudes] = [body.tip(), new Float64Array(body.columns)];
    const values = recording.times.map((_, f) => {
      body.amplitudes(recording.eta(f, body), 1, amplitudes);
      body.deflection(tip, amplitudes, u);
      return Math.hypot(u[0], u[1], u[2]);
    });
    return { label: `${body.name}, ${body.data.node_names[tip] || "far end"}`, values };
  });
}

/** The plot of the deflections, in mm where that reads better. */
function deflectionGroup(recording: Recording): PlotGroup | null {
  const series = deflections(recording);
  if (series.length === 0 || recording.count === 0) return null;
  const most = Math.max(...series.map((one) => one.values.reduce((m, x) => Math.max(m, x), 0)));
  const small = most < 0.1;
  if (small) series.forEach((one) => (one.values = one.values.map((x) => 1000 * x)));
  return { key: "deflection", title: "Tip deflection", unit: small ? "mm" : "m", times: recording.times, series, first: true };
}

/** Greatest strains of bodies frame by frame, as far as they have been asked for: a run that goes on has ever more. */
const strains = new WeakMap<Body, number[]>();

function strainsOf(recording: Recording, body: Body): number[] {
  const known = strains.get(body) ?? [];
  for (let f = known.length; f < recording.count; f++) known.push(greatestOf(body, "strain", recording.eta(f, body)));
  strains.set(body, known);
  return known;
}

/** The greatest strain along every beam whose section is known. */
function strainGroup(recording: Recording): PlotGroup | null {
  const beams = recording.bodies.filter((body) => has(body, "strain")).slice(0, 24);
  if (beams.length === 0 || recording.count === 0) return null;
  const series = beams.map((body) => ({ label: body.name, values: strainsOf(recording, body) }));
  const { unit, factor } = words("strain", Math.max(...series.map((one) => one.values.reduce((m, x) => Math.max(m, x), 0))));
  series.forEach((one) => (one.values = one.values.map((x) => factor * x)));
  return { key: "strain", title: "Maximum strain of the outer fibre", unit, times: recording.times, series, first: false };
}

/** Plots of a run in the order of the page. */
export function groups(table: Table, recording: Recording): PlotGroup[] {
  const found = new Map<string, { group: PlotGroup; order: number }>();
  table.columns.forEach((column, c) => {
    const kind = kindOf(column);
    const entry = found.get(kind.key) ?? { group: { key: kind.key, title: kind.title, unit: column.unit, times: table.times, series: [], first: kind.first }, order: kind.order };
    entry.group.series.push({ label: kind.label, values: table.values[c] });
    found.set(kind.key, entry);
  });
  const deflection = deflectionGroup(recording);
  if (deflection !== null) found.set("deflection", { group: deflection, order: 4 });
  const strain = strainGroup(recording);
  if (strain !== null) found.set("strain", { group: strain, order: 4.5 });
  return [...found.values()].sort((a, b) => a.order - b.order).map((entry) => entry.group);
}
