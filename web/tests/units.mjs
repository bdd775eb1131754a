// Units and rounding in the plots of a report: node tests/units.mjs REPORT
//
// One angle of the report is put to rounding level first: as if the hinge did not move.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumOrSkip, check, ended } from "./browsers.mjs";

const DATA = /(<script type="application\/json" id="supple-data">)(.*?)(<\/script>)/s;
const text = readFileSync(process.argv[2], "utf8");
const data = JSON.parse(DATA.exec(text)[2]);
const { table } = data.runs[0];
const points = Buffer.from(table.times, "base64").length / 8;
const angles = table.columns.map((column, i) => ({ ...column, i })).filter(({ name, unit }) => name.startsWith("hinge.") && unit === "rad");
const still = angles[angles.length - 1];
const values = Buffer.from(table.values, "base64");
for (let k = 0; k < points; k++) values.writeFloatLE(1e-11 * Math.sin(k), 4 * (still.i * points + k));
table.values = values.toString("base64");

const browser = await chromiumOrSkip();
const folder = mkdtempSync(join(tmpdir(), "supple-units-"));
try {
  const report = join(folder, "report.html");
  writeFileSync(report, text.replace(DATA, (_, start, __, end) => start + JSON.stringify(data).replaceAll("<", "\\u003c") + end));
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true })).newPage();
  await page.goto(pathToFileURL(report).href);
  await page.waitForFunction(() => window.supple?.pictures > 0);
  const plots = await page.evaluate(() =>
    window.supple.panel.plots.map(({ group, chart }) => ({
      key: group.key,
      unit: group.unit,
      note: group.note ?? "",
      axes: chart?.axes.map((axis) => axis.label),
      series: group.series.map(({ label, values }) => ({ label, most: Math.max(...values.map((x) => Math.abs(x ?? 0))) })),
    })),
  );
  check("no plot has radians", plots.every(({ unit }) => !unit.startsWith("rad")), [...new Set(plots.map(({ unit }) => unit))].join(", "));
  const shown = plots.filter(({ axes }) => axes !== undefined);
  check("axes tell what they show", shown.length > 0 && shown.every(({ axes, unit }) => axes[0] === "time, s" && (unit === "1" || axes[1] === unit.replace("°", "degrees"))), shown.map(({ axes }) => axes.join(" | ")).join("; "));
  const hinges = plots.find(({ key }) => key === "hinge rad");
  const factor = { "°": 180 / Math.PI, turns: 0.5 / Math.PI, "µrad": 1e6 }[hinges.unit];
  const apart = angles
    .filter(({ i }) => i !== still.i)
    .map(({ name, i }) => {
      const most = Math.max(...Array.from({ length: points }, (_, k) => Math.abs(values.readFloatLE(4 * (i * points + k)))));
      return Math.abs(hinges.series.find(({ label }) => `hinge.${label}` === name).most - factor * most);
    });
  check("angles are those of the table", apart.length > 0 && Math.max(...apart) < 1e-4, `in ${hinges.unit}`);
  const flat = hinges.series.find(({ label }) => `hinge.${label}` === still.name);
  check("what is rounding is zero, and said", flat.most === 0 && hinges.note.includes(flat.label), hinges.note);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
ended();
