// One plot with a cursor that all plots share, and a line at the time shown.

import uPlot from "uplot";
import { short } from "../data/numbers";
import { element } from "../page/element";
import type { PlotGroup } from "./groups";

/** Colours that people with colour-blindness tell apart too (Okabe and Ito), light and dark. */
const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#b0579a", "#b88600", "#3a9fd6", "#555f6e"];
const DARK = ["#58b4f0", "#ff8a3d", "#2fd0a0", "#e79bcf", "#f0b93a", "#8fd3ff", "#c3ccd8"];
const HEIGHT = 168;

export class Plot {
  readonly node: HTMLElement;
  private chart: uPlot | null = null;
  private readonly marker = element("div", { class: "now" });
  private readonly frame = element("div", { class: "plot-frame" });

  constructor(
    public group: PlotGroup,
    private readonly sync: string,
    private readonly seek: (time: number) => void,
    private readonly range: () => [number, number],
  ) {
    this.node = element("section", { class: "plot", "data-plot": group.key }, element("h3", {}, group.title, element("span", { class: "unit" }, group.unit === "1" ? "" : group.unit)), this.frame);
    new ResizeObserver(() => this.chart?.setSize({ width: this.frame.clientWidth, height: HEIGHT })).observe(this.frame);
  }

  /** Makes the chart, which needs a width. */
  build(dark: boolean): void {
    this.chart?.destroy();
    const colours = dark ? DARK : LIGHT;
    const [ink, line] = dark ? ["#aab6c6", "#2b3646"] : ["#5a6675", "#e3e8ef"];
    const axis = { stroke: ink, font: "11px system-ui, sans-serif", grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 } };
    const value = (_: uPlot, x: number | null) => (x === null ? "–" : short(x));
    // Two runs of one column share a colour.
    const paired = this.group.series.some((one) => one.dashed);
    const series = this.group.series.map((one, i) => ({
      label: one.label,
      stroke: colours[(paired ? i >> 1 : i) % colours.length],
      width: 1.5,
      dash: one.dashed ? [6, 4] : !paired && i >= colours.length ? [2, 3] : undefined,
      points: { show: this.group.times.length < 3, size: 5 },
      value,
    }));
    const options: uPlot.Options = {
      width: Math.max(this.frame.clientWidth, 200),
      height: HEIGHT,
      series: [{ label: "t", value: (_, x) => (x === null ? "–" : `${x.toFixed(3)} s`) }, ...series],
      scales: { x: { time: false, range: (_, low, high) => (low === null || low === high ? this.range() : [low, high]) } },
      axes: [
        { ...axis, size: 26, gap: 3 },
        { ...axis, size: 58, gap: 4, values: (_, ticks) => ticks.map((x) => short(x)) },
      ],
      cursor: { sync: { key: this.sync, setSeries: false }, drag: { x: true, y: false, uni: 8 }, points: { size: 7 } },
      legend: { live: true },
    };
    this.chart = new uPlot(options, this.data(), this.frame);
    this.chart.over.append(this.marker);
    this.listen(this.chart.over);
    this.chart.root.setAttribute("role", "img");
    this.chart.root.setAttribute("aria-label", `${this.group.title} against time`);
  }

  private data(): uPlot.AlignedData {
    const clean = (x: number | null) => (x === null || !Number.isFinite(x) ? null : x);
    return [this.group.times, ...this.group.series.map((one) => one.values.map(clean))];
  }

  /** A click, not a drag, goes to its time. */
  private listen(over: HTMLElement): void {
    let down = 0;
    over.addEventListener("mousedown", (event) => (down = event.clientX));
    over.addEventListener("mouseup", (event) => {
      if (Math.abs(event.clientX - down) > 4 || this.chart === null) return;
      this.seek(this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  /** Puts the line at a time. */
  show(time: number): void {
    if (this.chart === null) return;
    const at = this.chart.valToPos(time, "x");
    const inside = at >= 0 && at <= this.chart.over.clientWidth;
    this.marker.style.transform = `translateX(${at}px)`;
    this.marker.style.display = inside ? "block" : "none";
  }

  /** Shows numbers that have come since. */
  refresh(group: PlotGroup | undefined): void {
    if (group !== undefined) this.group = group;
    this.chart?.setData(this.data());
  }

  zoom(range: [number, number]): void {
    this.chart?.setScale("x", { min: range[0], max: range[1] });
  }

  /** Calls back when the user has chosen a part of time. */
  onZoom(told: (range: [number, number]) => void): void {
    this.chart?.hooks.setScale?.push((chart, key) => {
      if (key === "x" && chart.scales.x.min !== undefined && chart.scales.x.max !== undefined) told([chart.scales.x.min!, chart.scales.x.max!]);
    });
  }
}
