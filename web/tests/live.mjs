// A run that goes on, looked at by two browsers that come and go: node tests/live.mjs SUPPLE SCENARIO
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromiumOrSkip, check, checkTime, ended } from "./browsers.mjs";

const [supple, scenario] = process.argv.slice(2);
const browser = await chromiumOrSkip();
const folder = mkdtempSync(join(tmpdir(), "supple-live-"));
const run = spawn(supple, ["view", scenario, "-o", join(folder, "run"), "--port", "0"]);
try {
  const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]();
  const address = /http:\S+/.exec((await lines.next()).value)[0];
  const begun = performance.now();
  check("it is for this machine alone", address.startsWith("http://127.0.0.1:"), address);
  const errors = [];
  const open = async () => {
    const page = await (await browser.newContext({ viewport: { width: 1000, height: 700 } })).newPage();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address);
    await page.waitForFunction(() => window.supple?.recording.count > 5);
    return page;
  };
  const state = (page) => page.evaluate(() => ({ rows: window.supple.recording.count, shown: window.supple.clock.time, newest: window.supple.clock.end }));
  const one = await open();
  await one.waitForTimeout(3000);
  const second = await state(one);
  const late = (performance.now() - begun) / 1000 - second.newest;
  checkTime("it keeps up with real time", Math.abs(late) < 1, `${late.toFixed(2)} s late at ${second.newest.toFixed(2)} s`);
  checkTime("the view follows", second.newest - second.shown < 0.6, `${(second.newest - second.shown).toFixed(2)} s behind`);
  const other = await open();
  await one.reload();
  await one.waitForFunction(() => window.supple?.recording.count > 5);
  const [again, beside] = [await state(one), await state(other)];
  check("a reload loses nothing", again.rows >= second.rows, `${again.rows} rows after ${second.rows}`);
  check("a second reader sees the same", Math.abs(again.rows - beside.rows) <= 12, `${again.rows} and ${beside.rows} rows`);
  check("nothing was complained about", errors.length === 0, errors.join(" | "));
} finally {
  await browser.close();
  run.kill("SIGINT");
  await new Promise((done) => run.on("close", done));
  rmSync(folder, { recursive: true, force: true });
}
ended();
