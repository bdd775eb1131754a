// Columns that two runs have in common: over each other, and their differences.

import type { Recording } from "../data/recording";
import type { Table } from "../data/table";
import { deflections } from "../data/deflection";
import { kindOf, type PlotGroup, readable } from "./groups";

export interface ComparedColumn {
  name: string;
  unit: string;
  greatest: number;
  time: number;
  /** The greatest difference in relation to the range of both curves, or to their size where they are constant. */
  relative: number;
}

export interface Compared {
  groups: PlotGroup[];
  columns: ComparedColumn[];
  /** Names of columns that only one run has. */
  alone: string[];
  /** Bodies whose modes have other shapes in the other run: their modal coordinates are not compared. */
  otherShapes: string[];
}

/** Numbers of a run by name: its recorded columns and the deflections of its tips. */
interface Numbers {
  name: string;
  unit: string;
  description: string;
  times: number[];
  at: (times: number[]) => (number | null)[];
  values: (number | null)[];
}

function numbers(table: Table, recording: Recording): Numbers[] {
  const own = table.columns.map((column, c) => ({ ...column, times: table.times, values: table.values[c], at: (times: number[]) => table.at(c, times) }));
  const recorded = new Set(own.map((one) => one.name));
  const tips = deflections(recording).flatMap(({ name, wholeArm, components }) =>
    components.map((values, i) => ({
      name: `${wholeArm ? "arm deflection" : "deflection"}.${name}.${"xyz"[i]}`,
      unit: "m",
      description: "",
      times: recording.times,
      values,
      at: (times: number[]) => between(recording.times, values, times),
    })),
  );
  return [...own, ...tips.filter((one) => !recorded.has(one.name))];
}

function between(own: number[], values: number[], times: number[]): (number | null)[] {
  let i = 0;
  return times.map((t) => {
    if (own.length === 0 || t < own[0] || t > own[own.length - 1]) return null;
    while (i < own.length - 2 && own[i + 1] < t) i++;
    const span = own[i + 1] - own[i];
    const w = span > 0 ? (t - own[i]) / span : 0;
    return (1 - w) * values[i] + w * (values[i + 1] ?? values[i]);
  });
}

/** Bodies whose modal coordinates mean the same in both runs: their shapes are the same. */
function sameShapes([a, b]: Recording[]): Set<string> {
  const theirs = new Map(b.bodies.map((body) => [body.name, body.data]));
  const same = a.bodies.filter(({ name, data }) => {
    const other = theirs.get(name);
    return other !== undefined && other.modes === data.modes && other.influence === data.influence && other.positions === data.positions;
  });
  return new Set(same.map((body) => body.name));
}

/** The body of a modal coordinate; null for other columns. */
function modalBody(name: string): string | null {
  return /^mode(?:_speed|_acceleration|_force)?\.(.+)\.[^.]+$/.exec(name)?.[1] ?? null;
}

/** Curves below this part of the greatest of their unit are rounding. */
const ROUNDING = 1e-12;

/** Plots that are open at first where the runs differ: those of the largest relative differences. */
const MOST_OPEN = 2;

function showLargest(all: { both: PlotGroup; difference: PlotGroup; relative: number }[]): void {
  const different = all.filter((entry) => entry.relative > 0).sort((x, y) => y.relative - x.relative);
  if (different.length === 0) return;
  const open = new Set(different.slice(0, MOST_OPEN));
  for (const entry of all) entry.both.first = entry.difference.first = open.has(entry);
}

/** Plots of what both runs have: A in lines, B dashed, and B − A beside them. */
export function compared(tables: Table[], recordings: Recording[]): Compared {
  const [a, b] = tables.map((table, i) => numbers(table, recordings[i]));
  const theirs = new Map(b.map((one) => [one.name, one]));
  const found = new Map<string, { both: PlotGroup; difference: PlotGroup; order: number; relative: number }>();
  const columns: ComparedColumn[] = [];
  const shapes = sameShapes(recordings);
  const otherShapes = new Set<string>();
  const sizes = new Map<string, number>();
  for (const { unit, values } of [...a, ...b]) sizes.set(unit, values.reduce<number>((m, x) => Math.max(m, Math.abs(x ?? 0)), sizes.get(unit) ?? 0));
  for (const own of a) {
    const body = modalBody(own.name);
    if (body !== null && !shapes.has(body)) {
      otherShapes.add(body);
      continue;
    }
    const other = theirs.get(own.name);
    if (other === undefined || other.unit !== own.unit) continue;
    const deflection = /^(arm )?deflection\.(.*)$/.exec(own.name);
    const ofPage = deflection !== null && own.times !== tables[0].times;
    const kind = ofPage
      ? { key: `${deflection[1] ?? ""}deflections`, title: deflection[1] ? "Deflection of the arm's end" : "Tip deflection", label: deflection[2], first: true, order: deflection[1] ? 3.9 : 4 }
      : kindOf(own);
    const key = `${kind.key} ${own.times === tables[0].times ? "" : "frames"}`;
    const values = other.at(own.times);
    const apart = values.map((value, i) => (value === null || own.values[i] === null ? null : value - own.values[i]!));
    const entry = found.get(key) ?? {
      both: { key: kind.key, title: kind.title, unit: own.unit, times: own.times, series: [], first: kind.first && kind.order < 6 },
      difference: { key: `difference ${kind.key}`, title: `Δ ${kind.title}`, unit: own.unit, times: own.times, series: [], first: kind.first },
      order: kind.order,
      relative: 0,
    };
    entry.both.series.push({ label: `A ${kind.label}`, values: own.values }, { label: `B ${kind.label}`, values, dashed: true });
    entry.difference.series.push({ label: kind.label, values: apart });
    found.set(key, entry);
    const place = apart.reduce<number>((best, x, i) => (x !== null && Math.abs(x) > Math.abs(apart[best] ?? -1) ? i : best), 0);
    const [least, most] = [own.values, values].flat().reduce<[number, number]>(([low, high], x) => (x === null ? [low, high] : [Math.min(low, x), Math.max(high, x)]), [Infinity, -Infinity]);
    const large = Math.max(Math.abs(least), Math.abs(most));
    const flat = large <= ROUNDING * (sizes.get(own.unit) ?? 0);
    // Errors of the computation are compared with what they are errors of.
    const error = /^energy\.balance_error$|^closure\..*\.deviation/.test(own.name);
    const size = error ? (sizes.get(own.unit) ?? 0) : most - least > ROUNDING * large ? most - least : large;
    const greatest = Math.abs(apart[place] ?? NaN);
    const relative = size > 0 && !flat ? greatest / size : 0;
    if (Number.isFinite(greatest)) columns.push({ name: own.name, unit: own.unit, greatest, time: own.times[place], relative });
    entry.relative = Math.max(entry.relative, relative || 0);
  }
  showLargest([...found.values()]);
  const common = new Set(columns.map((one) => one.name));
  const alone = [...a, ...b].map((one) => one.name).filter((name) => !common.has(name));
  const groups = [...found.values()].sort((x, y) => x.order - y.order).flatMap((entry) => [entry.both, entry.difference]);
  groups.forEach(readable);
  return { groups, columns, alone: alone.filter((name) => !otherShapes.has(modalBody(name) ?? "")), otherShapes: [...otherShapes] };
}
