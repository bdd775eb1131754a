// The head of the page: what ran, how it ended, the numbers that tell most.

import { short } from "../data/numbers";
import type { RunData, Summary } from "../data/types";
import { told } from "../data/units";
import { element, icon } from "./element";

const OUTCOMES: Record<string, [string, string]> = {
  finished: ["good", "Finished"],
  stopped: ["good", "Stopped by event"],
  interrupted: ["fair", "Interrupted"],
  failed: ["bad", "Failed"],
  running: ["fair", "Not ended"],
};

/** How the run ended. Green is for runs about which there is nothing to say: no warning, no answer that is not as it should be. */
export function outcome(run: RunData): HTMLElement {
  const { state, reason } = run.summary.outcome;
  const [own, text] = OUTCOMES[state] ?? ["fair", state];
  const tones = (run.answers ?? []).map((answer) => answer.tone);
  const doubtful = run.summary.warnings.length > 0 || tones.includes("fair") || tones.includes("bad");
  const kind = own === "good" && doubtful ? (tones.includes("bad") ? "bad" : "fair") : own;
  const worst = (run.answers ?? []).find((answer) => answer.tone === kind);
  const why = own === "good" && worst !== undefined && kind !== "good" ? `; see ${worst.topic.toLowerCase()}` : "";
  return element("span", { class: `badge ${kind}`, title: reason ?? "" }, (state === "stopped" && reason ? `Stopped by ${reason}` : text) + why);
}

function fact(name: string, value: string): HTMLElement {
  return element("div", { class: "fact" }, element("span", { class: "fact-name" }, name), element("span", { class: "fact-value" }, value));
}

/** How many warnings there are, with the way to them. */
export function warningBadge(summary: Summary): HTMLElement {
  const count = summary.warnings.length;
  return element("a", { class: "badge fair warning-count", href: "#facts", hidden: count === 0 }, `${count} warning${count > 1 ? "s" : ""}`);
}

/** The head of a run, or of a model that is only looked at. */
export function header(run: RunData, theme: () => void, still = false): HTMLElement {
  const { summary, recording } = run;
  const modes = recording.scene.bodies.reduce((sum, body) => sum + body.modes, 0);
  const balance = summary.ledger?.balance_error;
  return element(
    "header",
    {},
    element(
      "div",
      { class: "title" },
      element("span", { class: "brand" }, "Supple"),
      element("h1", {}, summary.model, element("span", { class: "scenario" }, summary.scenario)),
      !still && outcome(run),
      warningBadge(summary),
      element("button", { type: "button", class: "tool theme", title: "Light or dark theme", "aria-label": "Light or dark theme", click: theme }, icon("moon")),
    ),
    (run.answers ?? []).length === 0 && element(
      "div",
      { class: "facts-line" },
      !still && fact("simulated", `${short(summary.end_time - summary.start_time)} s`),
      (summary.wall_time ?? 0) > 0 && fact("computing time", `${short(summary.wall_time)} s`),
      (summary.wall_time ?? 0) > 0 && fact("speed", summary.real_time_factor === null ? "–" : `${short(Number(summary.real_time_factor.toPrecision(3)))}× real time`),
      fact("bodies", String(recording.scene.bodies.length)),
      fact("modes", String(modes)),
      !still && fact("integrator", summary.integrator.name),
      balance !== undefined && balance !== null ? fact("energy balance error", told(balance, "J")) : null,
    ),
    summary.outcome.state === "failed" && element("p", { class: "failure" }, `The run ended early at ${short(summary.end_time)} s: ${summary.outcome.reason ?? "no reason given"}`),
  );
}
