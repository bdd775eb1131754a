// Hinges under control: how closely they follow, how much of the limit it takes.

import { short } from "../data/numbers";
import { ROUNDING } from "../data/rounding";
import type { RunData } from "../data/types";
import { told } from "../data/units";
import { element } from "../page/element";
import { card } from "./facts";

export function controllers(run: RunData): HTMLElement | null {
  const loops = run.recording.loops ?? [];
  if (loops.length === 0) return null;
  const { story, end_time, start_time } = run.summary;
  const known = new Set(run.table.columns.map((column) => column.name));
  const missing = new Set<string>();
  const rows = loops.map((loop) => {
    const tracked = story?.tracking.find((one) => `hinge.${one.hinge}` === loop.measured && one.reference === loop.controller);
    const motor = story?.motors.find((one) => one.hinge === loop.hinge);
    if (!known.has(loop.measured)) missing.add("hinges");
    if (!known.has(loop.effort) || (typeof loop.reference === "string" && !known.has(loop.reference))) missing.add("signals");
    const at_end = tracked === undefined || Math.abs(tracked.at_end) > ROUNDING * tracked.greatest ? tracked?.at_end : 0;
    const beyond = motor?.seconds_beyond ?? 0;
    return element(
      "tr",
      {},
      element("td", {}, loop.controller),
      element("td", {}, loop.kind),
      element("td", {}, loop.hinge),
      element("td", { class: "number" }, tracked === undefined ? "no reference" : told(tracked.greatest, tracked.unit)),
      element("td", { class: "number" }, told(at_end, loop.unit)),
      element("td", { class: "number" }, tracked === undefined ? "–" : tracked.settling_time === null ? "not settled" : told((story?.motion_end ?? 0) + tracked.settling_time, "s")),
      element("td", { class: "number" }, told(motor?.peak, loop.effort_unit)),
      element("td", { class: "number" }, told(motor?.rms, loop.effort_unit)),
      element("td", { class: "number" }, told(loop.limit, loop.effort_unit)),
      element("td", { class: `number ${beyond > 0 ? "bad" : ""}` }, loop.limit === null ? "–" : beyond > 0 ? `${told(beyond, "s")} (${short(Number(((100 * beyond) / (end_time - start_time)).toPrecision(2)))} %)` : "never"),
    );
  });
  const heads = ["Controller", "Kind", "Hinge", "Largest error", "At the end", "Settled within 2 % at t =", "Peak effort", "RMS effort", "Limit", "Saturated"];
  return card(
    "Controllers",
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", {}, text)))), element("tbody", {}, ...rows))),
    missing.size > 0 && element("p", { class: "quiet" }, `For plots of reference, error and effort, record ${[...missing].map((word) => `"${word}"`).join(" and ")} in the columns of the scenario.`),
    element("p", { class: "quiet" }, "Margins of the loops, Bode plots and poles of linear designs: supple design … --page."),
  );
}
