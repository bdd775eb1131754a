// Columns that two runs have in common: over each other, and their differences.

import type { Recording } from "../data/recording";
import type { Table } from "../data/table";
import { deflections, kindOf, type PlotGroup } from "./groups";

export interface ComparedColumn {
  name: string;
  unit: string;
  greatest: number;
  time: number;
  /** The greatest difference in relation to the greatest value of either. */
  relative: number;
}

export interface Compared {
  groups: PlotGroup[];
  columns: ComparedColumn[];
  /** Names of columns that only one run has. */
  alone: string[];
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
  const tips = deflections(recording).map(({ label, values }) => ({
    name: `deflection.${label}`,
    unit: "m",
    description: "",
    times: recording.times,
    values,
    at: (times: number[]) => between(recording.times, values, times),
  }));
  return [...own, ...tips];
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

/** Plots of what both runs have: A in lines, B dashed, and B − A beside them. */
export function compared(tables: Table[], recordings: Recording[]): Compared {
  const [a, b] = tables.map((table, i) => numbers(table, recordings[i]));
  const theirs = new Map(b.map((one) => [one.name, one]));
  const found = new Map<string, { both: PlotGroup; difference: PlotGroup; order: number }>();
  const columns: ComparedColumn[] = [];
  for (const own of a) {
    const other = theirs.get(own.name);
    if (other === undefined || other.unit !== own.unit) continue;
    const kind = own.name.startsWith("deflection.") ? { key: "deflection", title: "Tip deflection", label: own.name.slice(11), first: true, order: 4 } : kindOf(own);
    const key = `${kind.key} ${own.times === tables[0].times ? "" : "frames"}`;
    const values = other.at(own.times);
    const apart = values.map((value, i) => (value === null || own.values[i] === null ? null : value - own.values[i]!));
    const entry = found.get(key) ?? {
      both: { key: kind.key, title: kind.title, unit: own.unit, times: own.times, series: [], first: kind.first && kind.order < 6 },
      difference: { key: `difference ${kind.key}`, title: `Δ ${kind.title}`, unit: own.unit, times: own.times, series: [], first: kind.first },
      order: kind.order,
    };
    entry.both.series.push({ label: `A ${kind.label}`, values: own.values }, { label: `B ${kind.label}`, values, dashed: true });
    entry.difference.series.push({ label: kind.label, values: apart });
    found.set(key, entry);
    const place = apart.reduce<number>((best, x, i) => (x !== null && Math.abs(x) > Math.abs(apart[best] ?? -1) ? i : best), 0);
    const size = Math.max(...[own.values, values].map((list) => list.reduce<number>((m, x) => Math.max(m, Math.abs(x ?? 0)), 0)));
    const greatest = Math.abs(apart[place] ?? NaN);
    if (Number.isFinite(greatest)) columns.push({ name: own.name, unit: own.unit, greatest, time: own.times[place], relative: size > 0 ? greatest / size : 0 });
  }
  const common = new Set(columns.map((one) => one.name));
  const alone = [...a, ...b].map((one) => one.name).filter((name) => !common.has(name));
  const groups = [...found.values()].sort((x, y) => x.order - y.order).flatMap((entry) => [entry.both, entry.difference]);
  return { groups, columns, alone };
}
