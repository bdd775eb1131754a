// Plots of controllers: reference and measured, error, effort and limit, estimate and truth.

import { SINGLE } from "../data/rounding";
import type { Table } from "../data/table";
import type { LoopData } from "../data/types";
import { most, type PlotGroup, type Series } from "./groups";

/** Loops whose plots are shown at first. */
const FIRST = 3;

/** The values of a column. */
function column(table: Table, name: string): number[] | null {
  const place = table.columns.findIndex((one) => one.name === name);
  return place < 0 ? null : table.values[place];
}

export function loopGroups(table: Table, loops: LoopData[]): PlotGroup[] {
  const { times } = table;
  const thinned = table.data.rows_per_bin > 1;
  return loops.flatMap((loop, i): PlotGroup[] => {
    const of = { times, thinned, first: i < FIRST };
    const measured = column(table, loop.measured);
    const reference = typeof loop.reference === "number" ? times.map(() => loop.reference as number) : loop.reference === null ? null : column(table, loop.reference);
    const out: PlotGroup[] = [];
    const seen = loop.measured.replace(/^hinge\./, "");
    if (measured !== null && reference !== null) {
      const series: Series[] = [
        { label: "reference", values: reference, dashed: true, own: true },
        { label: "measured", values: measured, own: true },
      ];
      out.push({ ...of, key: `loop ${loop.controller} ${loop.hinge}`, title: `${loop.controller}: ${seen}, reference and measured`, unit: loop.unit, series });
      const error = measured.map((x, k) => reference[k] - x);
      const floor = SINGLE * Math.max(most(measured), most(reference));
      out.push({ ...of, key: `error ${loop.controller} ${loop.hinge}`, title: `${loop.controller}: tracking error of ${seen}`, unit: loop.unit, series: [{ label: "reference − measured", values: error, floor }] });
    }
    const [asked, acting] = [column(table, loop.effort), column(table, loop.force)];
    if (asked !== null || acting !== null) {
      const series: Series[] = [];
      if (asked !== null) series.push({ label: "asked for", values: asked });
      if (acting !== null) series.push({ label: "in the hinge", values: acting });
      if (loop.limit !== null) for (const sign of [1, -1]) series.push({ label: sign > 0 ? "limit" : "−limit", values: times.map(() => sign * loop.limit!), dashed: true, own: true });
      out.push({ ...of, key: `effort ${loop.controller} ${loop.hinge}`, title: `${loop.controller}: effort on ${loop.hinge}`, unit: loop.effort_unit, series });
    }
    loop.estimates.forEach(([estimate, truth]) => {
      const [guess, value] = [column(table, estimate), column(table, truth)];
      if (guess === null || value === null) return;
      const { unit } = table.columns.find((one) => one.name === truth)!;
      out.push({ ...of, first: false, key: `estimate ${estimate}`, title: `Estimate of ${truth}`, unit, series: [{ label: "truth", values: value }, { label: "estimate", values: guess, dashed: true, own: true }] });
    });
    return out;
  });
}
