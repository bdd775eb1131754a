// Bodies with shapes and meshes, without a run: node tests/looks.mjs SUPPLE MODEL COLOUR [AT…]
//
// COLOUR is one that a shape of the model has, as r,g,b from 0 to 255; some of the view must look like it.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { chromiumOrSkip, check, ended } from "./browsers.mjs";

const [supple, model, colour, ...rest] = process.argv.slice(2);
const browser = await chromiumOrSkip();
const run = spawn(supple, ["view", model, "--port", "0", ...rest]);
try {
  const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]();
  const address = /http:\S+/.exec((await lines.next()).value)[0];
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const [errors, requests] = [[], []];
  page.on("console", (message) => message.text().includes("GL Driver Message") || errors.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => /^(data|blob):/.test(request.url()) || requests.push(request.url()));
  await page.goto(address);
  await page.waitForFunction(() => window.supple?.pictures > 0);
  check("it asks for nothing but itself", requests.length === 1, requests.join(" "));
  check("there is neither time nor plot", (await page.locator(".timeline, .plot").count()) === 0);
  check("bodies have shapes", await page.evaluate(() => window.supple.recording.bodies.some((body) => body.hasShapes)));
  const wanted = colour.split(",").map(Number);
  // Of one hue, in whatever light.
  const share = async () => {
    const picture = (await page.locator(".stage-frame canvas").first().screenshot()).toString("base64");
    return page.evaluate(
      async ([text, wanted]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        const pixels = context.getImageData(0, 0, image.width, image.height).data;
        const unit = (rgb) => {
          const size = Math.hypot(...rgb) || 1;
          return rgb.map((x) => x / size);
        };
        const target = unit(wanted);
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4) {
          const own = unit([pixels[i], pixels[i + 1], pixels[i + 2]]);
          if (own.every((x, c) => Math.abs(x - target[c]) < 0.06)) count++;
        }
        return (4 * count) / pixels.length;
      },
      [picture, wanted],
    );
  };
  const seen = await share();
  check("a shape has its colour", seen > 0.002, `${(100 * seen).toFixed(2)} % of the view`);
  const mode = page.locator(".system-mode").first();
  if ((await mode.count()) > 0 && (await mode.isVisible())) {
    await mode.click();
    check("a system mode is shown", (await page.locator(".banner").textContent()).includes("Back to the pose"));
    await page.keyboard.press("Escape");
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(200);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check("it fits a telephone", wide <= 390, `${wide} pixels wide`);
  check("nothing was complained about", errors.length === 0, errors.join(" | "));
} finally {
  await browser.close();
  run.kill("SIGINT");
  await new Promise((done) => run.on("close", done));
}
ended();
