// Where the page starts: reads its data and shows the runs in it.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { PageData } from "./data/types";
import { element } from "./page/element";
import { Compare } from "./page/compare";
import { Report } from "./page/report";

declare global {
  interface Window {
    /** The page, for tests and for the curious. */
    supple?: unknown;
  }
}

function start(): void {
  const page = document.getElementById("page")!;
  try {
    const data = JSON.parse(document.getElementById("supple-data")!.textContent ?? "") as PageData;
    if (data.format !== "supple-page-1") throw new Error(`data of another version: ${data.format}`);
    document.title = `${data.runs.map((run) => run.label).join(" | ")} – Supple`;
    window.supple = data.kind === "compare" ? new Compare(page, data) : new Report(page, data, data.runs[0]);
  } catch (error) {
    page.append(element("p", { class: "failure" }, `This report cannot be shown: ${(error as Error).message}`));
    throw error;
  }
}

start();
