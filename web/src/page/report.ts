// The page of one run.

import { Recording } from "../data/recording";
import { Table } from "../data/table";
import type { PageData, RunData } from "../data/types";
import { about, again, assumptions, bodies, card, closures, ledger, warnings } from "../facts/facts";
import { controllers } from "../facts/controllers";
import { Modes } from "../facts/modes";
import { SystemModes } from "../facts/system-modes";
import { short } from "../data/numbers";
import { greatestOf, greatestOver, offered, QUANTITIES } from "../data/quantity";
import { groups, most } from "../plots/groups";
import { PlotPanel } from "../plots/panel";
import { fittingScale } from "../stage/size";
import { Stage, type StageLook } from "../stage/stage";
import { Clock } from "./clock";
import { element } from "./element";
import { header, warningBadge } from "./header";
import { legend, lookPanel } from "./look-panel";
import { isDark, toggleTheme } from "./theme";
import { labelled } from "./picture";
import { Live } from "./live";
import { Pace } from "./pace";
import { story } from "./story";
import { fittingSpeed, Timeline } from "./timeline";

export class Report {
  readonly recording: Recording;
  readonly table: Table;
  readonly clock: Clock;
  readonly stage: Stage;
  readonly panel: PlotPanel;
  readonly look: StageLook;
  private readonly modes: Modes;
  private readonly system: SystemModes;
  private systemMode: { mode: number; recording: Recording } | null = null;
  private readonly banner = element("div", { class: "banner", hidden: true });
  private shown: { body: number; row: number; amplitude: number } | null = null;
  private readonly pace = new Pace();
  private readonly live: Live | null = null;
  private legend: HTMLElement;
  private doubts: HTMLElement;
  /** Frames whose deformation is in the greatest values. */
  private seen = 0;
  private last = 0;
  /** Pictures drawn so far, for those who measure. */
  pictures = 0;

  constructor(
    page: HTMLElement,
    private readonly data: PageData,
    private readonly run: RunData,
  ) {
    // A model in a pose: nothing moves, nothing was recorded.
    const still = data.kind === "model";
    this.doubts = warnings(run);
    this.recording = new Recording(run.recording.scene, run.recording.motion);
    this.table = new Table(run.table);
    const times = this.recording.count > 0 ? [this.recording.start, this.recording.end] : [this.table.times[0] ?? 0, this.table.times[this.table.times.length - 1] ?? 0];
    this.clock = new Clock(times[0], times[1]);
    if (data.kind === "report") this.clock.speed = fittingSpeed(times[1] - times[0]);
    const greatest = greatestOver([this.recording]);
    this.seen = this.recording.count;
    const flexible = this.recording.bodies.some((body) => body.modes > 0);
    const frame = element("div", { class: "stage-frame" });
    this.look = { scale: 1, ghost: flexible && !still, frames: false, colour: flexible && !still ? "deflection" : "none", paths: !still, names: false, follow: false, mode: null };
    const theme = () => {
      toggleTheme();
      this.dress();
    };
    const plots = groups(this.table, this.recording, run.recording.loops);
    // What stayed zero to the end of a run is not shown at first.
    if (data.kind === "report") plots.forEach((plot) => (plot.first &&= plot.series.some((one) => most(one.values) > 0)));
    this.panel = new PlotPanel(plots, this.clock);
    this.system = new SystemModes(run, (mode) => this.showSystemMode(mode));
    this.modes = new Modes(this.recording.bodies, (body, row) => this.showMode(body, row));
    const left = element("div", { class: "left" });
    page.append(
      header(run, theme, still),
      story(run) ?? "",
      element("main", still ? { class: "still" } : {}, left, still ? "" : this.panel.node),
      element(
        "div",
        { class: "facts", id: "facts" },
        controllers(run) ?? "",
        still && run.summary.warnings.length === 0 ? "" : this.doubts,
        again(run),
        assumptions(run),
        ledger(run.summary) ?? "",
        this.system.node,
        bodies(this.recording),
        closures(this.recording) ?? "",
        card("Mode shapes", element("p", { class: "quiet" }, "Modes of each flexible body with its frame fixed and no load on its nodes. Click a shape to show it in the view."), this.modes.node),
      ),
      about(data.supple),
    );
    left.append(frame);
    this.stage = new Stage(frame, this.recording, greatest);
    this.look.scale = fittingScale(this.recording, 2 * this.stage.sphere.radius);
    this.stage.fitTo(this.look.scale);
    const changed = () => {
      this.stage.dirty = true;
      if (this.legend.dataset.quantity !== this.look.colour) this.showLegend();
    };
    frame.append(lookPanel(this.look, offered([this.recording]), changed, (view) => this.stage.look(view), () => this.save(run), still));
    this.legend = legend(this.look.colour, greatest, [this.recording]);
    if (flexible) frame.append(this.legend);
    frame.append(this.banner);
    if (this.recording.count === 0 && data.kind !== "live") frame.append(element("p", { class: "empty" }, "No motion was recorded: the bodies are drawn with their hinges at zero."));
    if (!still) left.append(new Timeline(this.clock, run.summary.events).node);
    this.clock.listen(changed);
    if (!still) this.panel.start(isDark());
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.dress());
    document.addEventListener("keydown", (event) => this.key(event));
    this.dress();
    if (data.kind === "live") {
      this.live = new Live(this, data.next ?? 0, () => location.reload());
      page.querySelector(".title .badge")?.replaceWith(this.live.node);
    }
    if (data.kind === "report" && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) this.clock.toggle();
    requestAnimationFrame((now) => this.tick(now));
  }

  private dress(): void {
    this.stage.setDark(isDark());
    this.panel.setDark(isDark());
  }

  /** Shows a warning that has come since the page was made. */
  warn(text: string): void {
    const { summary } = this.run;
    if (summary.warnings.includes(text)) return;
    summary.warnings.push(text);
    this.doubts.replaceWith((this.doubts = warnings(this.run)));
    document.querySelector(".warning-count")?.replaceWith(warningBadge(summary));
  }

  /** Shows numbers that have come since the page was made. */
  refresh(): void {
    const [most, { system }] = [greatestOver([this.recording], this.seen), this.stage];
    this.seen = this.recording.count;
    if (QUANTITIES.some((quantity) => most[quantity] > system.greatest[quantity])) {
      QUANTITIES.forEach((quantity) => (most[quantity] = Math.max(most[quantity], system.greatest[quantity])));
      system.greatest = most;
      this.showLegend();
    }
    this.panel.refresh(groups(this.table, this.recording, this.run.recording.loops));
    this.stage.dirty = true;
  }

  private showLegend(): void {
    this.legend.replaceWith((this.legend = legend(this.look.colour, this.stage.system.greatest, [this.recording])));
  }

  private tick(now: number): void {
    this.clock.tick(now);
    this.live?.tick(this.last > 0 ? Math.min((now - this.last) / 1000, 0.25) : 0);
    this.last = now;
    if (this.shown !== null) this.vibrate(now);
    const moving = this.shown !== null || this.systemMode !== null;
    this.stage.setQuality(this.pace.next(now, this.clock.playing || moving));
    if (this.stage.dirty || moving) {
      if (this.systemMode === null) this.stage.draw(this.clock.time, this.look);
      else this.stage.draw((now / 2000) % 1, { ...this.look, scale: 1, ghost: true, paths: false }, this.systemMode.recording);
      this.pictures++;
    }
    this.modes.draw(now);
    requestAnimationFrame((next) => this.tick(next));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.tagName === "SELECT") return;
    const step = (this.clock.end - this.clock.start) / 200;
    const slider = target.tagName === "INPUT" && (target as HTMLInputElement).type === "range";
    if (event.key === " " && target.tagName !== "BUTTON" && target.tagName !== "SUMMARY") this.clock.toggle();
    else if (event.key === "ArrowRight" && !slider) this.clock.take(this.clock.time + step);
    else if (event.key === "ArrowLeft" && !slider) this.clock.take(this.clock.time - step);
    else if (event.key === "Home" && !slider) this.clock.take(this.clock.start);
    else if (event.key === "End" && !slider) this.clock.take(this.clock.end);
    else if (event.key === "f" && !slider) this.stage.look("fit");
    else if (event.key === "Escape" && (this.shown !== null || this.systemMode !== null)) this.hideMode();
    else return;
    event.preventDefault();
  }

  /** Shows a mode of a body in the view, the rest of the system at rest in its present pose. */
  private showMode(k: number, r: number): void {
    const body = this.recording.bodies[k];
    const row = body.data.mode_table?.rows[r];
    if (row === undefined) return;
    const amplitudes = new Float64Array(body.columns);
    body.amplitudes(row.coefficients, 1e-6, amplitudes);
    const u = new Float64Array(3);
    let [moves, turns] = [0, 0];
    for (let n = 0; n < body.nodes; n++) {
      body.deflection(n, amplitudes, u);
      moves = Math.max(moves, 1e6 * Math.hypot(u[0], u[1], u[2]));
      const theta = [0, 1, 2].map((i) => row.coefficients.reduce((sum, c, m) => sum + c * body.influence[6 * (n * body.columns + m) + i], 0));
      turns = Math.max(turns, Math.hypot(theta[0], theta[1], theta[2]));
    }
    const size = 2 * this.stage.sphere.radius;
    const amplitude = Math.min(moves > 0 ? (0.05 * size) / moves : Infinity, turns > 0 ? 0.6 / turns : Infinity);
    this.systemMode = null;
    this.shown = { body: k, row: r, amplitude: Number.isFinite(amplitude) ? amplitude : 0 };
    const eta = Float64Array.from(row.coefficients, (c) => c * this.shown!.amplitude);
    const of = (quantity: "strain" | "curvature") => greatestOf(body, quantity, eta);
    this.stage.system.modeSize = { deflection: this.shown.amplitude * moves, strain: of("strain"), curvature: of("curvature") };
    this.clock.playing = false;
    this.clock.seek(this.clock.time);
    this.banner.replaceChildren(
      `Mode ${r + 1} of ${body.name}${row.hertz === null ? "" : `, ${short(row.hertz)} Hz`}, slowed down and magnified `,
      element("button", { type: "button", class: "tool", click: () => this.hideMode() }, `Back to the ${this.data.kind === "model" ? "pose" : "motion"}`),
    );
    this.banner.hidden = false;
    this.legend.hidden = true;
    this.stage.canvas.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  /** Shows a mode of the whole system in the view. */
  private showSystemMode(mode: number): void {
    const data = this.run.recording.modes?.[mode];
    if (data === undefined) return;
    this.shown = null;
    this.look.mode = null;
    this.systemMode = { mode, recording: new Recording(this.recording.scene, data.motion) };
    this.stage.system.modeSize = greatestOver([this.systemMode.recording]);
    this.clock.playing = false;
    this.clock.seek(this.clock.time);
    this.banner.replaceChildren(
      `System mode ${mode + 1}, ${short(data.frequency)} Hz, slowed down and magnified `,
      element("button", { type: "button", class: "tool", click: () => this.hideMode() }, `Back to the ${this.data.kind === "model" ? "pose" : "motion"}`),
    );
    this.banner.hidden = false;
    this.legend.hidden = true;
    this.stage.canvas.scrollIntoView({ block: "center", behavior: "smooth" });
  }

  private hideMode(): void {
    this.shown = null;
    this.systemMode = null;
    this.look.mode = null;
    this.banner.hidden = true;
    this.showLegend();
    this.stage.dirty = true;
  }

  private vibrate(now: number): void {
    const { body, row, amplitude } = this.shown!;
    const coefficients = this.recording.bodies[body].data.mode_table!.rows[row].coefficients;
    const phase = Math.sin((now / 1000) * 4);
    this.look.mode = { body, eta: Float64Array.from(coefficients, (c) => c * amplitude * phase) };
  }

  private save(run: RunData): void {
    const { stage, look, clock } = this;
    stage.draw(clock.time, look);
    const time = this.data.kind === "model" ? "" : `t = ${clock.time.toFixed(3)} s; `;
    const picture = labelled(stage.canvas, time + stage.words(look), isDark());
    element("a", { href: picture.toDataURL("image/png"), download: `${run.summary.model} ${clock.time.toFixed(2)} s.png` }).click();
  }
}
