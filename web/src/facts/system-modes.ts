// Modes of the whole system at the end of the run, by frequency.

import { short } from "../data/numbers";
import type { RunData } from "../data/types";
import { element } from "../page/element";
import { card } from "./facts";

/** Damping ratios below this are rounding. */
const ROUNDED = 5e-7;

export class SystemModes {
  readonly node: HTMLElement;

  constructor({ recording }: RunData, show: (mode: number) => void) {
    const modes = recording.modes ?? [];
    const rows = modes.map((mode, i) =>
      element(
        "tr",
        {},
        element("td", {}, element("button", { type: "button", class: "tool system-mode", "aria-label": `Show system mode ${i + 1} in the view`, click: () => show(i) }, "Show")),
        element("td", { class: "number" }, `${short(mode.frequency)}`),
        element("td", { class: "number" }, Math.abs(mode.damping_ratio) < ROUNDED ? "0" : `${short(100 * mode.damping_ratio)} %`),
        element("td", {}, mode.members),
      ),
    );
    this.node = card(
      "System modes",
      element("p", { class: "quiet" }, "Vibrations of the whole system about its last configuration. Driven hinges are locked, those with springs and those that float are free, as by supple modes --system."),
      element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...["", "Hz", "Damping", "Most of the kinetic energy in"].map((text) => element("th", {}, text)))), element("tbody", {}, ...rows))),
    );
    this.node.hidden = modes.length === 0;
  }
}
