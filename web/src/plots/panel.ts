// All plots of a page: which are shown, a common cursor, a common part of time.

import uPlot from "uplot";
import type { Clock } from "../page/clock";
import { element } from "../page/element";
import type { PlotGroup } from "./groups";
import { Plot } from "./plot";

const SYNC = "time";

export class PlotPanel {
  readonly node: HTMLElement;
  private readonly plots: Plot[];
  private readonly list = element("div", { class: "plot-list" });
  private readonly shown = new Set<Plot>();
  private dark = false;
  private zooming = false;

  constructor(
    groups: PlotGroup[],
    private readonly clock: Clock,
  ) {
    uPlot.sync(SYNC);
    this.plots = groups.map((group) => new Plot(group, SYNC, (time) => clock.take(time), () => [clock.start, clock.end > clock.start ? clock.end : clock.start + 1]));
    const chips = element("div", { class: "chips", role: "group", "aria-label": "Plots shown" });
    const more = element("div", { class: "chips" });
    for (const plot of this.plots) {
      const chip = element("button", { type: "button", class: "chip", "aria-pressed": String(plot.group.first), click: () => {
        const on = chip.getAttribute("aria-pressed") !== "true";
        chip.setAttribute("aria-pressed", String(on));
        this.toggle(plot, on);
      } }, plot.group.title);
      (plot.group.first ? chips : more).append(chip);
      plot.onSwitch = () => this.build(plot);
      plot.node.hidden = true;
      this.list.append(plot.node);
    }
    const hint = element("p", { class: "hint" }, "Hover over a plot to read values, click to go to a time, drag to zoom, double-click to reset.");
    this.node = element("div", { class: "plots" }, chips, more.childElementCount > 0 && element("details", { class: "more" }, element("summary", {}, `${more.childElementCount} more plot${more.childElementCount > 1 ? "s" : ""}`), more), hint, this.list);
    clock.listen((time) => this.shown.forEach((plot) => plot.show(time)));
  }

  /** To be called when the panel is in the page and has a width. */
  start(dark: boolean): void {
    this.dark = dark;
    this.plots.filter((plot) => plot.group.first).forEach((plot) => this.toggle(plot, true));
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.shown.forEach((plot) => this.build(plot));
  }

  private toggle(plot: Plot, on: boolean): void {
    plot.node.hidden = !on;
    if (!on) {
      this.shown.delete(plot);
      return;
    }
    this.shown.add(plot);
    this.build(plot);
  }

  private build(plot: Plot): void {
    plot.build(this.dark);
    plot.onZoom((range) => {
      if (this.zooming) return;
      this.zooming = true;
      this.shown.forEach((other) => other !== plot && other.zoom(range));
      this.zooming = false;
      this.shown.forEach((other) => other.show(this.clock.time));
    });
    plot.show(this.clock.time);
  }

  /** Shows numbers that have come since. */
  refresh(groups: PlotGroup[]): void {
    this.zooming = true;
    this.plots.forEach((plot) => plot.refresh(groups.find((group) => group.key === plot.group.key)));
    this.zooming = false;
    this.shown.forEach((plot) => plot.show(this.clock.time));
  }
}
