// What happened, at the top of the page: an answer to each question that people ask first.

import type { Answer, RunData } from "../data/types";
import { element } from "./element";

/** No line ends within a power of ten. */
const whole = (text: string) => text.replace(/e-(?=\d)/g, "e-\u2060");

function tile({ topic, headline, detail, tone }: Answer): HTMLElement {
  return element(
    "div",
    { class: `answer ${tone}` },
    element("span", { class: "answer-topic" }, topic),
    element("span", { class: "answer-headline" }, whole(headline)),
    element("span", { class: "answer-detail" }, ...detail.split("; ").map((part) => element("span", {}, part))),
  );
}

/** The answers of a run; nothing for runs that go on, and for older ones. */
export function story(run: RunData): HTMLElement | null {
  const answers = run.answers ?? [];
  return answers.length === 0 ? null : element("section", { class: "story", "aria-label": "What happened" }, ...answers.map(tile));
}

/** The answers of two runs under each other, in a table. */
export function stories(runs: RunData[]): HTMLElement | null {
  const topics = [...new Set(runs.flatMap((run) => (run.answers ?? []).map((answer) => answer.topic)))];
  if (topics.length === 0) return null;
  const cell = (run: RunData, topic: string) => {
    const found = run.answers?.find((answer) => answer.topic === topic);
    return found === undefined ? element("td", {}, "–") : element("td", { title: found.detail, class: found.tone }, found.headline);
  };
  return element(
    "section",
    { class: "card scroll stories" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, element("th", {}), ...topics.map((topic) => element("th", {}, topic)))),
      element("tbody", {}, ...runs.map((run, i) => element("tr", {}, element("th", {}, "AB"[i]), ...topics.map((topic) => cell(run, topic))))),
    ),
  );
}
