// Modes of the whole system where the run ended, by frequency, and what they are about.

import { short } from "../data/numbers";
import type { RunData } from "../data/types";
import { element } from "../page/element";
import { card } from "./facts";

/** Damping ratios below this are rounding. */
const ROUNDED = 5e-7;

export class SystemModes {
  readonly node: HTMLElement;

  constructor({ recording, damping }: RunData, show: (mode: number) => void) {
    const modes = recording.modes ?? [];
    const rows = modes.map((mode, i) =>
      element(
        "tr",
        {},
        element("td", {}, element("button", { type: "button", class: "tool system-mode", "aria-label": `Show system mode ${i + 1} in the view`, click: () => show(i) }, "Show")),
        element("td", { class: "number" }, `${short(mode.frequency)}`),
        element("td", { class: "number" }, Math.abs(mode.damping_ratio) < ROUNDED ? "0" : `${short(100 * mode.damping_ratio)} %`),
        element("td", {}, mode.members),
        element("td", {}, mode.strained ?? "–"),
      ),
    );
    const about = recording.modes_about;
    const heads = ["", "Hz", "Damping", "Kinetic energy in", "Strain energy in"];
    this.node = card(
      "System modes",
      about !== undefined && element("p", { class: "quiet" }, about.state),
      ...(damping ?? []).map((text) => element("p", { class: "quiet" }, text)),
      about?.none ? element("p", { class: "quiet" }, `No modes: ${about.none}`) : null,
      modes.length > 0 && element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", {}, text)))), element("tbody", {}, ...rows))),
      about?.command ? element("div", { class: "command" }, element("code", {}, about.command)) : null,
    );
    this.node.hidden = modes.length === 0 && !about?.none && (damping ?? []).length === 0;
  }
}
