// The line of time below the view: play, seek, speed.

import type { Clock } from "./clock";
import { element, icon } from "./element";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const STEPS = 2000;
/** Seconds that a run plays at most, and at least, unless the user chooses a speed. */
const [LONGEST, SHORTEST] = [30, 3];

/** The speed at which a run of some seconds plays at first: real time, but long runs in half a minute and short ones slowly. */
export function fittingSpeed(seconds: number): number {
  if (!(seconds > 0)) return 1;
  const speed = Math.max(1, seconds / LONGEST) * Math.min(1, seconds / SHORTEST);
  return Number(speed.toPrecision(2));
}

export class Timeline {
  readonly node: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly told: HTMLElement;
  private readonly button: HTMLButtonElement;

  constructor(
    private readonly clock: Clock,
    events: { time: number; name: string }[],
  ) {
    this.button = element("button", { type: "button", class: "play", title: "Play or pause (space)", click: () => clock.toggle() }, icon("play"));
    this.slider = element("input", { type: "range", min: "0", max: String(STEPS), value: "0", step: "any", "aria-label": "Time", class: "time", input: () => {
      clock.take(clock.start + (Number(this.slider.value) / STEPS) * (clock.end - clock.start));
    } });
    this.told = element("output", { class: "told-time" });
    const speeds = element("select", { "aria-label": "Speed", title: "Speed", change: () => (clock.speed = Number(speeds.value)) });
    const offered = [...new Set([...SPEEDS, clock.speed])].sort((a, b) => a - b);
    for (const speed of offered) speeds.append(element("option", { value: String(speed), selected: speed === clock.speed }, `${speed}×`));
    const loop = element("input", { type: "checkbox", checked: true, change: () => (clock.loop = loop.checked) });
    const marks = element("div", { class: "event-marks" });
    for (const event of events.slice(0, 200)) {
      const share = (event.time - clock.start) / (clock.end - clock.start || 1);
      marks.append(element("button", { type: "button", class: "event-mark", style: `left:${100 * share}%`, title: `${event.name}, ${event.time.toFixed(4)} s`, "aria-label": event.name, click: () => clock.take(event.time) }));
    }
    this.node = element(
      "div",
      { class: "timeline" },
      this.button,
      element("div", { class: "slider-frame" }, this.slider, marks),
      this.told,
      speeds,
      element("label", { class: "check" }, loop, "Loop"),
    );
    clock.listen(() => this.show());
    this.show();
  }

  private show(): void {
    const { time, start, end, playing } = this.clock;
    this.slider.value = String(end > start ? ((time - start) / (end - start)) * STEPS : 0);
    this.slider.style.setProperty("--share", `${end > start ? (100 * (time - start)) / (end - start) : 0}%`);
    this.slider.setAttribute("aria-valuetext", `${time.toFixed(3)} seconds`);
    this.told.textContent = `${time.toFixed(2)} / ${end.toFixed(2)} s`;
    const wanted = playing ? "pause" : "play";
    if (!this.button.querySelector(`.icon-${wanted}`)) this.button.replaceChildren(icon(wanted));
    this.button.setAttribute("aria-label", playing ? "Pause" : "Play");
  }
}
