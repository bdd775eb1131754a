// A run that goes on: rows and warnings come as events from the server that the page came from.

import { singles } from "../data/numbers";
import type { Summary } from "../data/types";
import { element } from "./element";
import type { Report } from "./report";

/** How far behind the newest row the picture may be, in seconds. */
const BEHIND = 0.4;

interface Row {
  time: number;
  frame: string;
  values: string;
}

export class Live {
  readonly node: HTMLElement;
  private following = true;
  private fresh = false;
  private readonly told = element("span", {}, "Live");

  constructor(
    private readonly report: Report,
    next: number,
    over: (summary: Summary) => void,
  ) {
    const box = element("input", { type: "checkbox", checked: true, change: () => (this.following = box.checked) });
    this.node = element("label", { class: "badge live", title: "Follow the live run" }, box, this.told);
    report.clock.onUser = () => {
      this.following = box.checked = false;
    };
    const events = new EventSource(`/events?from=${next}`);
    events.addEventListener("rows", (event) => this.take(JSON.parse((event as MessageEvent<string>).data) as Row[]));
    events.addEventListener("warning", (event) => report.warn(JSON.parse((event as MessageEvent<string>).data) as string));
    events.addEventListener("over", (event) => {
      events.close();
      this.told.textContent = "Ended";
      this.following = box.checked = false;
      this.refresh();
      over(JSON.parse((event as MessageEvent<string>).data) as Summary);
    });
    events.addEventListener("error", () => (this.told.textContent = events.readyState === EventSource.CLOSED ? "Lost" : "Reconnecting"));
    events.addEventListener("open", () => (this.told.textContent = "Live"));
    setInterval(() => this.refresh(), 250);
  }

  private take(rows: Row[]): void {
    const { recording, table, clock } = this.report;
    for (const row of rows) {
      recording.push(row.time, singles(row.frame));
      table.push(row.time, singles(row.values));
    }
    if (recording.count > 0) {
      clock.start = recording.start;
      clock.end = recording.end;
    }
    this.fresh = true;
  }

  /** Plots are drawn anew a few times per second, the view with every picture. */
  private refresh(): void {
    if (!this.fresh) return;
    this.fresh = false;
    this.report.refresh();
  }

  /** Moves the time shown along with the newest row: steadily, and never far behind. */
  tick(seconds: number): void {
    if (!this.following) return;
    const { clock } = this.report;
    clock.playing = false;
    const next = Math.max(clock.time + seconds, clock.end - BEHIND);
    clock.seek(Math.min(next, clock.end));
  }
}
