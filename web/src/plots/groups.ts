// Which columns share a plot, and which plots are shown at first.

import { deflections } from "../data/deflection";
import { greatestOf, has, words } from "../data/quantity";
import type { Body, Recording } from "../data/recording";
import { Sizes } from "../data/rounding";
import type { Table } from "../data/table";
import type { Column, LoopData } from "../data/types";
import { shown, told } from "../data/units";
import { loopGroups } from "./loops";

export interface Series {
  label: string;
  values: (number | null)[];
  dashed?: boolean;
  /** A colour of its own, although it is dashed. */
  own?: boolean;
  /** Below it the numbers are rounding, whatever else is. */
  floor?: number;
}

export interface PlotGroup {
  key: string;
  title: string;
  unit: string;
  times: number[];
  series: Series[];
  /** Shown at first. */
  first: boolean;
  /** Points are the extremes of several rows. */
  thinned?: boolean;
  /** What to know about the curves. */
  note?: string;
}

/** The greatest absolute value of a curve. */
export function most(values: ArrayLike<number | null>): number {
  let greatest = 0;
  for (let i = 0; i < values.length; i++) greatest = Math.max(greatest, Math.abs(values[i] ?? 0));
  return greatest;
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
    return { key: `${prefix}${name.slice(prefix.length, dot)}`, title: `${title} ${name.slice(prefix.length, dot)}`, label: `mode ${name.slice(dot + 1)}`, first: false, order };
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

/** Plots of deflections along the axes of bodies: of the ends of arms, then of bodies. */
function deflectionGroups(recording: Recording): PlotGroup[] {
  if (recording.count === 0) return [];
  const all = deflections(recording);
  const group = (wholeArm: boolean): PlotGroup[] => {
    const found = all.filter((one) => one.wholeArm === wholeArm);
    if (found.length === 0) return [];
    const sizes = found.map((one) => one.components.map(most));
    const greatest = Math.max(...sizes.flat());
    // Axes along which it hardly moves would only hide the others.
    const series = found.flatMap((one, k) =>
      [0, 1, 2]
        .filter((i) => sizes[k][i] > Math.max(0.02 * Math.max(...sizes[k]), 1e-9 * greatest) || (i === 0 && Math.max(...sizes[k]) === 0))
        .map((i) => ({ label: `${one.label}, ${"xyz"[i]}`, values: one.components[i] })),
    );
    return [
      {
        key: wholeArm ? "arm deflection" : "deflection",
        title: wholeArm ? "Deflection of the arm's end from its rigid motion" : "Deflection in body axes",
        unit: "m",
        times: recording.times,
        series,
        first: true,
      },
    ];
  };
  return [...group(true), ...group(false)];
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

/** Draws numbers at rounding level as zero, and says of which curves that is all. Errors of the computation are what they are. */
export function flatten(groups: PlotGroup[], sizes: Sizes): void {
  const judged = groups.filter((group) => !/balance_error|deviation|difference/.test(group.key));
  for (const group of judged) for (const one of group.series) sizes.take(group.unit, most(one.values));
  for (const group of judged) {
    const flat: Series[] = [];
    let below = 0;
    for (const one of group.series) {
      const [greatest, floor] = [most(one.values), Math.max(sizes.floor(group.unit), one.floor ?? 0)];
      if (greatest === 0) continue;
      if (greatest < floor) {
        flat.push(one);
        below = Math.max(below, greatest);
      }
      if (one.values.some((x) => x !== null && x !== 0 && Math.abs(x) < floor)) one.values = one.values.map((x) => (x !== null && Math.abs(x) < floor ? 0 : x));
    }
    if (flat.length > 0) group.note = `Drawn as zero, at rounding level (up to ${told(below, group.unit)}): ${flat.map((one) => one.label).join(", ")}`;
  }
}

/** Turns numbers into the unit that people read them in, the same for all curves. */
export function readable(group: PlotGroup): void {
  const sizes = group.series.map((one) => most(one.values)).filter((size) => size > 0);
  const { unit, factor } = shown(group.unit, Math.max(0, ...sizes), Math.min(...sizes, Math.max(0, ...sizes)));
  group.unit = unit;
  if (factor === 1) return;
  for (const one of group.series) one.values = one.values.map((x) => (x === null ? null : factor * x));
}

/** Plots of a run in the order of the page. */
export function groups(table: Table, recording: Recording, loops: LoopData[] = []): PlotGroup[] {
  const found = new Map<string, { group: PlotGroup; order: number }>();
  const thinned = table.data.rows_per_bin > 1;
  table.columns.forEach((column, c) => {
    const kind = kindOf(column);
    const entry = found.get(kind.key) ?? { group: { key: kind.key, title: kind.title, unit: column.unit, times: table.times, series: [], first: kind.first, thinned }, order: kind.order };
    entry.group.series.push({ label: kind.label, values: table.values[c] });
    found.set(kind.key, entry);
  });
  for (const group of deflectionGroups(recording)) found.set(group.key, { group, order: group.key === "deflection" ? 4 : 3.9 });
  const strain = strainGroup(recording);
  if (strain !== null) found.set("strain", { group: strain, order: 4.5 });
  const controlled = loopGroups(table, loops);
  controlled.forEach((group, i) => found.set(group.key, { group, order: -1 + i / 1000 }));
  const all = [...found.values()].sort((a, b) => a.order - b.order).map((entry) => entry.group);
  const times = [table.times, recording.times].filter((times) => times.length > 0);
  flatten(all, new Sizes(recording, Math.max(0, ...times.map((all) => all[all.length - 1] - all[0]))));
  all.forEach(readable);
  return all;
}
