// Two runs side by side: one camera, one time, columns over each other and their differences.

import { Recording } from "../data/recording";
import { Table } from "../data/table";
import { short } from "../data/numbers";
import { greatestOver, offered } from "../data/quantity";
import type { PageData, RunData } from "../data/types";
import { told } from "../data/units";
import { about, again, card } from "../facts/facts";
import { type Compared, compared } from "../plots/compared";
import { PlotPanel } from "../plots/panel";
import { fittingScale } from "../stage/size";
import { Stage, type StageLook } from "../stage/stage";
import { Clock } from "./clock";
import { element, icon } from "./element";
import { outcome } from "./header";
import { stories } from "./story";
import { legend, lookPanel } from "./look-panel";
import { Pace } from "./pace";
import { labelled } from "./picture";
import { isDark, toggleTheme } from "./theme";
import { fittingSpeed, Timeline } from "./timeline";

export class Compare {
  readonly clock: Clock;
  readonly stages: Stage[];
  readonly panel: PlotPanel;
  readonly look: StageLook;
  private readonly pace = new Pace();
  pictures = 0;

  constructor(page: HTMLElement, data: PageData) {
    const runs = data.runs;
    const recordings = runs.map((run) => new Recording(run.recording.scene, run.recording.motion));
    const tables = runs.map((run) => new Table(run.table));
    const moving = recordings.filter((recording) => recording.count > 0);
    this.clock = new Clock(Math.min(...moving.map((r) => r.start), Infinity), Math.max(...moving.map((r) => r.end), -Infinity));
    if (moving.length === 0) [this.clock.start, this.clock.end] = [0, 0];
    this.clock.time = this.clock.start;
    this.clock.speed = fittingSpeed(this.clock.end - this.clock.start);
    const greatest = greatestOver(recordings);
    const flexible = recordings.some((recording) => recording.bodies.some((body) => body.modes > 0));
    this.look = { scale: 1, ghost: flexible, frames: false, colour: flexible ? "deflection" : "none", paths: true, names: false, follow: false, mode: null };
    const found = compared(tables, recordings);
    this.panel = new PlotPanel(found.groups, this.clock);
    const frames = runs.map(() => element("div", { class: "stage-frame" }));
    const left = element("div", { class: "left" }, element("div", { class: "stages" }, ...frames));
    const theme = () => {
      toggleTheme();
      this.dress();
    };
    page.append(
      head(runs, theme),
      stories(runs) ?? "",
      element("main", {}, left, this.panel.node),
      element("div", { class: "facts", id: "facts" }, differences(found), summaries(runs), ...runs.map(again)),
      about(data.supple),
    );
    this.stages = recordings.map((recording, i) => new Stage(frames[i], recording, greatest));
    this.look.scale = Math.min(...recordings.map((recording, i) => fittingScale(recording, 2 * this.stages[i].sphere.radius)));
    let scale = legend(this.look.colour, greatest, recordings);
    const changed = () => {
      this.stages.forEach((stage) => (stage.dirty = true));
      if (scale.dataset.quantity !== this.look.colour) scale.replaceWith((scale = legend(this.look.colour, greatest, recordings)));
    };
    frames[0].append(lookPanel(this.look, offered(recordings), changed, (view) => this.stages[0].look(view), () => this.save()));
    frames.forEach((frame, i) => frame.append(element("div", { class: "stage-title" }, `${"AB"[i]}: ${runs[i].label}`)));
    if (flexible) frames[1].append(scale);
    frames[1].classList.add("second");
    left.append(new Timeline(this.clock, []).node);
    this.link();
    this.clock.listen(changed);
    this.panel.start(isDark());
    document.addEventListener("keydown", (event) => this.key(event));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.dress());
    this.dress();
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Whoever turns one camera turns the other. */
  private link(): void {
    let busy = false;
    this.stages.forEach((stage) =>
      stage.controls.addEventListener("change", () => {
        if (busy) return;
        busy = true;
        for (const other of this.stages.filter((one) => one !== stage)) {
          other.camera.position.copy(stage.camera.position);
          other.controls.target.copy(stage.controls.target);
          other.controls.update();
          other.dirty = true;
        }
        busy = false;
      }),
    );
    this.stages[0].look("fit");
  }

  private dress(): void {
    this.stages.forEach((stage) => stage.setDark(isDark()));
    this.panel.setDark(isDark());
  }

  private tick(now: number): void {
    this.clock.tick(now);
    const quality = this.pace.next(now, this.clock.playing);
    for (const stage of this.stages) {
      stage.setQuality(quality);
      if (stage.dirty) stage.draw(this.clock.time, this.look);
    }
    this.pictures++;
    requestAnimationFrame((next) => this.tick(next));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.key !== " " || event.ctrlKey || event.metaKey || ["BUTTON", "SELECT", "SUMMARY"].includes(target.tagName)) return;
    this.clock.toggle();
    event.preventDefault();
  }

  private save(): void {
    this.stages.forEach((stage, i) => {
      stage.draw(this.clock.time, this.look);
      const picture = labelled(stage.canvas, `${"AB"[i]}: t = ${this.clock.time.toFixed(3)} s; ${stage.words(this.look)}`, isDark());
      element("a", { href: picture.toDataURL("image/png"), download: `${"AB"[i]} ${this.clock.time.toFixed(2)} s.png` }).click();
    });
  }
}

function head(runs: RunData[], theme: () => void): HTMLElement {
  return element(
    "header",
    {},
    element(
      "div",
      { class: "title" },
      element("span", { class: "brand" }, "Supple"),
      element("h1", {}, "Two runs"),
      ...runs.flatMap((run, i) => [element("span", { class: "scenario" }, `${"AB"[i]}: ${run.label}`), outcome(run)]),
      element("button", { type: "button", class: "tool theme", title: "Light or dark theme", "aria-label": "Light or dark theme", click: theme }, icon("moon")),
    ),
  );
}

/** Rows of the table of differences. */
const MOST_ROWS = 60;

/** The columns that are farthest apart, in relation to how large they are, first. */
function differences({ columns, alone, otherShapes }: Compared): HTMLElement {
  const different = columns.filter((one) => one.greatest > 0).sort((a, b) => b.relative - a.relative);
  const same = columns.filter((one) => one.greatest === 0).map((one) => one.name);
  const rows = different.slice(0, MOST_ROWS).map((one) =>
    element(
      "tr",
      {},
      element("td", {}, one.name),
      element("td", { class: "number" }, told(one.greatest, one.unit)),
      element("td", { class: "number" }, `${short(one.time)} s`),
      element("td", { class: "number" }, `${short(100 * one.relative)} %`),
    ),
  );
  const heads = ["Column", "Max difference", "At", "Relative to its range"];
  return card(
    "Differences B − A",
    rows.length > 0
      ? element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", {}, text)))), element("tbody", {}, ...rows)))
      : element("p", { class: "quiet" }, same.length > 0 ? "The runs do not differ." : "The runs have no common column over a common time span."),
    different.length > MOST_ROWS && element("p", { class: "quiet" }, `and ${different.length - MOST_ROWS} more columns`),
    same.length > 0 && element("p", { class: "quiet" }, `The same in both runs: ${same.slice(0, 30).join(", ")}${same.length > 30 ? " …" : ""}`),
    otherShapes.length > 0 && element("p", { class: "quiet" }, `Modal coordinates are not compared where the shapes differ (${otherShapes.join(", ")}): compare deflections instead.`),
    alone.length > 0 && element("p", { class: "quiet" }, `In one run only: ${alone.slice(0, 30).join(", ")}${alone.length > 30 ? " …" : ""}`),
  );
}

function summaries(runs: RunData[]): HTMLElement {
  const rows: [string, (run: RunData) => string][] = [
    ["Outcome", ({ summary }) => [summary.outcome.state, summary.outcome.reason].filter(Boolean).join(": ")],
    ["Simulated", ({ summary }) => `${short(summary.start_time)} to ${short(summary.end_time)} s`],
    ["Computing time", ({ summary }) => `${short(summary.wall_time)} s`],
    ["Integrator", ({ summary }) => `${summary.integrator.name}, ${summary.integrator.step !== null ? `step ${short(summary.integrator.step)} s` : `tolerance ${short(summary.integrator.relative_tolerance)}`}`],
    ["Steps", ({ summary: { statistics: s } }) => `${s.accepted_steps}, ${s.rejected_steps} rejected`],
    ["Evaluations", ({ summary }) => String(summary.statistics.evaluations)],
    ["Bodies and modes", ({ recording: { scene } }) => `${scene.bodies.length}, ${scene.bodies.reduce((sum, body) => sum + body.modes, 0)}`],
    ["Energy at the end", ({ summary: { ledger: l } }) => (l === null ? "–" : told((l.kinetic ?? 0) + (l.elastic ?? 0) + (l.gravitational ?? 0) + (l.stored ?? 0), "J"))],
    ["Balance error", ({ summary }) => (summary.ledger === null ? "–" : told(summary.ledger.balance_error, "J"))],
    ["Warnings", ({ summary }) => String(summary.warnings.length)],
  ];
  return card(
    "Runs",
    element(
      "div",
      { class: "scroll" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, element("th", {}), ...runs.map((run, i) => element("th", {}, `${"AB"[i]}: ${run.label}`)))),
        element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("td", {}, name), ...runs.map((run) => element("td", {}, value(run)))))),
      ),
    ),
  );
}
