// A browser to test in, and what tests say.
import { existsSync } from "node:fs";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGUMENTS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const SKIPPED = 77;

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}

/** A browser; without one the program ends with status 77 and says why. */
export async function chromiumOrSkip() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (!executablePath) skip("there is no Chromium; install it, or name one in the variable CHROMIUM");
  const playwright = await import("playwright-core").catch(() => skip("playwright-core is not there; run `npm ci` in web"));
  return playwright.chromium.launch({ executablePath, args: ARGUMENTS });
}

let failures = 0;

export function check(what, good, told = "") {
  console.log(`${good ? "ok  " : "FAIL"} ${what}${told === "" ? "" : `: ${told}`}`);
  if (!good) failures++;
}

/** A check by the clock: told always, a failure only where SUPPLE_JUDGE_TIMES is set, because a busy machine is not a broken page. */
export function checkTime(what, good, told) {
  if (process.env.SUPPLE_JUDGE_TIMES) check(what, good, told);
  else console.log(`${good ? "ok  " : "slow"} ${what}: ${told}`);
}

/** Ends the program. */
export function ended() {
  process.exit(failures === 0 ? 0 : 1);
}
