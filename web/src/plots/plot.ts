// One plot with a cursor that all plots share, and a line at the time shown.

import uPlot from "uplot";
import { short } from "../data/numbers";
import { band, peaks, spectra, type SpectralPeak } from "../data/spectrum";
import { element } from "../page/element";
import type { PlotGroup } from "./groups";

/** Colours that people with colour-blindness tell apart too (Okabe and Ito), light and dark. */
const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#b0579a", "#b88600", "#3a9fd6", "#555f6e"];
const DARK = ["#58b4f0", "#ff8a3d", "#2fd0a0", "#e79bcf", "#f0b93a", "#8fd3ff", "#c3ccd8"];
const HEIGHT = 186;
/** Room for the numbers of the axes. */
const [BELOW, BESIDE] = [24, 52];

export class Plot {
  readonly node: HTMLElement;
  private chart: uPlot | null = null;
  private readonly marker = element("div", { class: "now" });
  private readonly frame = element("div", { class: "plot-frame" });
  private readonly note = element("p", { class: "quiet plot-note" });
  private readonly title = element("span", { class: "plot-title" });
  private readonly switch: HTMLButtonElement;
  private dark = false;
  /** The part of time whose spectrum is shown; none where the curves are. */
  private spectral: [number, number] | null = null;
  /** Told when curves give way to a spectrum or come back. */
  onSwitch: () => void = () => {};

  constructor(
    public group: PlotGroup,
    private readonly sync: string,
    private readonly seek: (time: number) => void,
    private readonly range: () => [number, number],
  ) {
    this.switch = element("button", { type: "button", class: "tool spectrum", click: () => this.toggle() });
    this.node = element("section", { class: "plot", "data-plot": group.key }, element("h3", {}, this.title, this.switch), this.frame, this.note);
    new ResizeObserver(() => this.chart?.setSize({ width: this.frame.clientWidth, height: HEIGHT })).observe(this.frame);
  }

  /** Whether a spectrum is shown instead of the curves. */
  get isSpectrum(): boolean {
    return this.spectral !== null;
  }

  /** From the curves, as far as they are shown, to their spectrum, and back. */
  private toggle(): void {
    const shown = this.chart?.scales.x;
    this.spectral = this.spectral !== null ? null : [shown?.min ?? this.range()[0], shown?.max ?? this.range()[1]];
    this.onSwitch();
  }

  private label(): void {
    const { title, note } = this.group;
    const span = this.spectral?.map((t) => short(t)).join(" to ");
    this.title.replaceChildren(this.spectral === null ? title : `Spectrum: ${title}`, this.spectral === null ? "" : element("span", { class: "unit" }, `${span} s, Hann window`));
    this.switch.textContent = this.spectral === null ? "Spectrum" : "Curves";
    this.switch.title = this.spectral === null ? "Amplitude spectrum of the part of time shown" : "Back to the curves";
    this.note.textContent = this.spectral === null ? (note ?? "") : this.group.thinned ? "From the extremes of groups of rows: amplitudes of fast vibrations are too small. The result files have all rows." : "";
    this.note.hidden = this.note.textContent === "";
  }

  /** Makes the chart, which needs a width. */
  build(dark: boolean): void {
    this.dark = dark;
    this.chart?.destroy();
    this.chart = null;
    this.frame.replaceChildren();
    this.label();
    if (this.spectral !== null) return this.buildSpectrum(this.spectral);
    const colours = dark ? DARK : LIGHT;
    const series = this.series(colours);
    const options: uPlot.Options = {
      width: Math.max(this.frame.clientWidth, 200),
      height: HEIGHT,
      series: [{ label: "t", value: (_, x) => (x === null ? "–" : `${x.toFixed(3)} s`) }, ...series],
      scales: { x: { time: false, range: (_, low, high) => (low === null || low === high ? this.range() : [low, high]) } },
      axes: this.axes("time, s"),
      cursor: { sync: { key: this.sync, setSeries: false }, drag: { x: true, y: false, uni: 8 }, points: { size: 7 } },
      legend: { live: true },
    };
    this.chart = new uPlot(options, this.data(), this.frame);
    this.chart.over.append(this.marker);
    this.listen(this.chart.over);
    this.chart.root.setAttribute("role", "img");
    this.chart.root.setAttribute("aria-label", `${this.group.title} against time`);
  }

  /** Axes with what they show: to the right as given, upwards the unit of the curves. */
  private axes(across: string): uPlot.Axis[] {
    const [ink, line] = this.dark ? ["#aab6c6", "#2b3646"] : ["#5a6675", "#e3e8ef"];
    const font = "11px system-ui, sans-serif";
    const axis: uPlot.Axis = { stroke: ink, font, labelFont: font, labelSize: 14, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, values: (_, ticks) => ticks.map((x) => short(x)) };
    const { unit } = this.group;
    return [
      { ...axis, size: BELOW, gap: 3, label: across },
      { ...axis, size: BESIDE, gap: 4, label: unit === "1" ? undefined : unit.replace("°", "degrees") },
    ];
  }

  private series(colours: string[]): uPlot.Series[] {
    // Two runs of one column share a colour.
    const paired = this.group.series.some((one) => one.dashed && !one.own);
    return this.group.series.map((one, i) => ({
      label: one.label,
      stroke: colours[(paired ? i >> 1 : i) % colours.length],
      width: 1.5,
      dash: one.dashed ? [6, 4] : !paired && i >= colours.length ? [2, 3] : undefined,
      points: { show: this.group.times.length < 3, size: 5 },
      value: (_: uPlot, x: number | null) => (x === null ? "–" : short(x)),
    }));
  }

  private buildSpectrum(span: [number, number]): void {
    const found = spectra(this.group.times, this.group.series.map((one) => one.values), span, this.group.thinned ?? false);
    if (found === null) {
      this.frame.append(element("p", { class: "quiet" }, "Fewer than 16 points in this part of time: too few for a spectrum."));
      return;
    }
    const [top, marked] = [band(found), peaks(found, 4)];
    const options: uPlot.Options = {
      width: Math.max(this.frame.clientWidth, 200),
      height: HEIGHT,
      series: [{ label: "f", value: (_, x) => (x === null ? "–" : `${short(x)} Hz`) }, ...this.series(this.dark ? DARK : LIGHT)],
      scales: { x: { time: false, range: (_, low, high) => (low === null || (low <= 0 && high > top) ? [0, top] : [low, high]) }, y: { range: (_, __, high) => [0, 1.18 * (high || 1)] } },
      axes: this.axes("frequency, Hz"),
      cursor: { drag: { x: true, y: false, uni: 8 }, points: { size: 7 } },
      hooks: { draw: [(chart) => this.mark(chart, marked)] },
      legend: { live: true },
    };
    this.chart = new uPlot(options, [found.frequencies, ...found.amplitudes], this.frame);
    this.chart.root.setAttribute("role", "img");
    this.chart.root.setAttribute("aria-label", `Spectrum of ${this.group.title}; peaks at ${marked.map((peak) => `${short(peak.frequency)} Hz`).join(", ")}`);
  }

  /** Writes the frequencies of peaks above them. */
  private mark(chart: uPlot, marked: SpectralPeak[]): void {
    const g = chart.ctx;
    g.save();
    g.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    g.fillStyle = this.dark ? "#e6ebf2" : "#1b2430";
    const { left, width } = chart.bbox;
    const drawn: [number, number][] = [];
    for (const { frequency, amplitude } of marked) {
      const [x, y] = [chart.valToPos(frequency, "x", true), chart.valToPos(amplitude, "y", true)];
      if (x < left || x > left + width) continue;
      const text = `${short(frequency)} Hz`;
      const half = 0.5 * g.measureText(text).width;
      if (drawn.some(([at, reach]) => Math.abs(at - x) < reach + half)) continue;
      drawn.push([x, half]);
      g.textAlign = x + half > left + width ? "right" : x - half < left ? "left" : "center";
      g.fillText(text, x, y - 5 * devicePixelRatio);
    }
    g.restore();
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
    if (this.chart === null || this.spectral !== null) return;
    const at = this.chart.valToPos(time, "x");
    const inside = at >= 0 && at <= this.chart.over.clientWidth;
    this.marker.style.transform = `translateX(${at}px)`;
    this.marker.style.display = inside ? "block" : "none";
  }

  /** Shows numbers that have come since. */
  refresh(group: PlotGroup | undefined): void {
    const { unit } = this.group;
    if (group !== undefined) this.group = group;
    if (this.chart === null || this.spectral !== null) return;
    // Curves that have grown may have another unit.
    if (this.group.unit !== unit) this.onSwitch();
    else this.chart.setData(this.data());
  }

  zoom(range: [number, number]): void {
    if (this.spectral !== null) return;
    this.chart?.setScale("x", { min: range[0], max: range[1] });
  }

  /** Calls back when the user has chosen a part of time. */
  onZoom(told: (range: [number, number]) => void): void {
    if (this.spectral !== null) return;
    this.chart?.hooks.setScale?.push((chart, key) => {
      if (key === "x" && chart.scales.x.min !== undefined && chart.scales.x.max !== undefined) told([chart.scales.x.min!, chart.scales.x.max!]);
    });
  }
}
