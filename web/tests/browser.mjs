// Opens reports in a real browser, without a network and from the disk, and checks that they work.
//
//   node tests/browser.mjs REPORT [--frames-per-second LEAST] [--pictures FOLDER]
//
// Ends with status 77 and a reason where there is no browser to test in.
import { mkdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumOrSkip, check, checkTime, ended } from "./browsers.mjs";

const words = process.argv.slice(2);
const option = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
const report = resolve(words[0] ?? "report.html");
const leastRate = Number(option("--frames-per-second") ?? 0);
const pictures = option("--pictures");
const MOST_BYTES = 5e6;

/** Share of pixels that differ between two pictures of the view. */
async function difference(page, one, other) {
  return page.evaluate(
    async ([a, b]) => {
      const pixels = async (text) => {
        const picture = new Image();
        picture.src = text;
        await picture.decode();
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const context = canvas.getContext("2d");
        context.drawImage(picture, 0, 0);
        return context.getImageData(0, 0, picture.width, picture.height).data;
      };
      const [x, y] = [await pixels(a), await pixels(b)];
      let different = 0;
      for (let i = 0; i < x.length; i += 4) if (Math.abs(x[i] - y[i]) + Math.abs(x[i + 1] - y[i + 1]) + Math.abs(x[i + 2] - y[i + 2]) > 40) different++;
      return (4 * different) / x.length;
    },
    [one, other].map((picture) => `data:image/png;base64,${picture.toString("base64")}`),
  );
}

const browser = await chromiumOrSkip();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
  const page = await context.newPage();
  const [errors, requests] = [[], []];
  // What the graphics driver says about screenshots is not the page's.
  page.on("console", (message) => message.text().includes("GL Driver Message") || errors.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => request.url().startsWith("data:") || request.url().startsWith("blob:") || requests.push(request.url()));
  page.on("dialog", (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const bytes = statSync(report).size;
  check("the file is small", bytes < MOST_BYTES, `${(bytes / 1e6).toFixed(2)} MB`);
  await page.goto(pathToFileURL(report).href);
  await page.waitForFunction(() => window.supple?.pictures > 0);
  check("it asks for nothing but itself", requests.length === 1, requests.join(" "));

  // What happened stands at the top, before everything else, and the head agrees with it.
  const told_story = await page.$$eval(".answer", (tiles) => tiles.map((tile) => ({ topic: tile.querySelector(".answer-topic").textContent, headline: tile.querySelector(".answer-headline").textContent, tone: tile.className })));
  if ((await page.locator(".stage-frame.second").count()) === 0) {
    check("what happened is told", told_story.length >= 2 && told_story.every(({ headline }) => headline.length > 0), told_story.map(({ topic, headline }) => `${topic}: ${headline}`).join("; "));
    const order = await page.evaluate(() => document.querySelector(".story").getBoundingClientRect().bottom <= document.querySelector("main").getBoundingClientRect().top);
    check("before the view and the plots", order);
    const doubts = (await page.locator(".warnings li").count()) > 0 || told_story.some(({ tone }) => /fair|bad/.test(tone));
    const badge = await page.locator(".title .badge").first().getAttribute("class");
    check("the head is green only where nothing is doubtful", doubts === !badge.includes("good"), badge);
    check("motors and energy have an answer", told_story.some(({ topic }) => topic === "Computation"), "");
  } else check("what happened in both runs is told", (await page.locator(".stories tbody tr").count()) === 2);

  // Plots answer to the cursor, all at the same time.
  const plots = await page.locator(".plot:not([hidden]) .u-over").count();
  check("there are plots", plots > 0, String(plots));
  await page.evaluate(() => {
    window.supple.clock.playing = false;
    window.supple.clock.seek(window.supple.clock.start);
  });
  const over = page.locator(".plot:not([hidden]) .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
  const told = () => page.$$eval(".plot:not([hidden]) .u-legend tr:first-child .u-value", (cells) => cells.map((cell) => cell.textContent));
  await page.waitForFunction(() => document.querySelector(".plot:not([hidden]) .u-legend .u-value")?.textContent !== "–").catch(() => {});
  const before = await told();
  check("plots respond to the cursor", before.length === plots && before.every((text) => /\d/.test(text)), before.join(", "));
  // A run of one row has nothing to follow, to play or to bend.
  const length = await page.evaluate(() => window.supple.clock.end - window.supple.clock.start);
  if (length > 0) {
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.5 * box.height);
    await page.waitForTimeout(100);
    const after = await told();
    check("and follow it", after.every((text, i) => text !== before[i] && /\d/.test(text)), after.join(", "));
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
    const time = await page.evaluate(() => (window.supple.clock.time - window.supple.clock.start) / (window.supple.clock.end - window.supple.clock.start));
    check("a click goes to its time", Math.abs(time - 0.6) < 0.1, time.toFixed(3));
    const state = () => page.evaluate(() => window.supple.clock.playing);
    await page.locator(".stage-frame canvas").first().focus();
    await page.keyboard.press(" ");
    check("space plays", await state());
    await page.keyboard.press(" ");
    check("space pauses", !(await state()));
  }

  // What moves is seen to move, also where bodies are points.
  const moves = await page.evaluate(() => {
    const { recording } = window.supple;
    if (recording === undefined || recording.count < 2) return 0;
    const [a, b] = [0, 1].map(() => new Float32Array(recording.length));
    recording.sample(recording.start, a);
    recording.sample(recording.start + 0.4 * (recording.end - recording.start), b);
    return Math.max(...a.map((x, i) => Math.abs(x - b[i])));
  });
  if (moves > 0.1) {
    const shot = async (share) => {
      await page.evaluate(([share]) => {
        const { clock, look } = window.supple;
        look.paths = false;
        clock.seek(clock.start + share * (clock.end - clock.start));
      }, [share]);
      await page.waitForTimeout(200);
      return page.locator(".stage-frame canvas").first().screenshot();
    };
    const share = await difference(page, await shot(0), await shot(0.4));
    check("the motion is seen", share > 0.001, `${(100 * share).toFixed(2)} % of the pixels`);
    await page.evaluate(() => (window.supple.look.paths = true));
  }
  const size = await page.locator(".size-note").first().textContent();
  check("the view tells how large things are", /^Grid squares [\d.]+ (µm|mm|m)(; |$)/.test(size), size);
  const scale = await page.evaluate(() => window.supple.look.scale);
  const ghost = await page.evaluate(() => window.supple.look.ghost);
  check("and how much larger the deformation is, with a ghost", scale === 1 || (size.includes(`deformation ${scale} times as large`) && ghost), size);

  // Long runs play in half a minute.
  const seconds = await page.evaluate(() => (window.supple.clock.end - window.supple.clock.start) / window.supple.clock.speed);
  check("it plays in half a minute at most", seconds <= 31, `${seconds.toFixed(1)} s`);

  // A spectrum has the frequency of a sine, and comes and goes.
  const spectrum = page.locator(".plot:not([hidden]) .spectrum").first();
  await spectrum.click();
  const shown = page.locator(".plot:not([hidden])").first();
  check("a spectrum is shown", (await shown.locator("h3").textContent()).startsWith("Spectrum") && (length === 0 || (await shown.locator(".u-legend th").first().textContent()) === "f"));
  await spectrum.click();
  check("and the curves come back", !(await shown.locator("h3").textContent()).startsWith("Spectrum"));

  // The arm bends as far as the slider says.
  const flexible = (await page.locator("input.scale").count()) > 0;
  if (flexible && length > 0) {
    const canvas = page.locator(".stage-frame canvas").first();
    const shot = async (scale) => {
      await page.evaluate(
        ([s]) => {
          window.supple.look.scale = s;
          window.supple.look.ghost = window.supple.look.paths = false;
          window.supple.clock.seek(window.supple.clock.start + 0.25 * (window.supple.clock.end - window.supple.clock.start));
        },
        [scale],
      );
      await page.waitForTimeout(200);
      return canvas.screenshot();
    };
    const fitting = await page.evaluate(() => window.supple.look.scale);
    const [straight, bent] = [await shot(0), await shot(Math.max(fitting, 2))];
    const share = await difference(page, straight, bent);
    check("the arm visibly bends with exaggeration", share > 0.003, `${(100 * share).toFixed(2)} % of the pixels`);
    await page.evaluate(([s]) => Object.assign(window.supple.look, { scale: s, ghost: true, paths: true }), [fitting]);
  }

  // Colours tell what is chosen, and the legend says so.
  const colours = page.locator("select[data-look=colour]").first();
  if (flexible && length > 0) {
    const canvas = page.locator(".stage-frame canvas").first();
    const offered = await colours.locator("option").allTextContents();
    check("deflection, curvature and nothing can be chosen as colours", ["deflection", "curvature", "none"].every((name) => offered.includes(name)), offered.join(", "));
    await page.evaluate(() => {
      Object.assign(window.supple.look, { ghost: false, paths: false });
      window.supple.clock.seek(window.supple.clock.start + 0.25 * (window.supple.clock.end - window.supple.clock.start));
    });
    const shots = {};
    for (const name of offered) {
      await colours.selectOption(name);
      await page.waitForTimeout(150);
      shots[name] = await canvas.screenshot();
      const shown = page.locator(".legend:not([hidden])");
      const words = name === "none" ? "" : await shown.first().textContent();
      const title = { deflection: /^Deflection.* m?m$/, strain: /^Strain of the outer fibre.*(µm|mm)\/m$/, curvature: /^Curvature.* 1\/m$/, none: /^$/ }[name];
      check(`the legend tells ${name}`, title.test(words) && (name !== "none" || (await shown.count()) === 0), words);
    }
    for (const name of offered.filter((one) => one !== "deflection")) {
      const share = await difference(page, shots.deflection, shots[name]);
      check(`${name} looks unlike deflection`, share > 0.0005, `${(100 * share).toFixed(2)} % of the pixels`);
    }
    await colours.selectOption("deflection");
    await page.evaluate(() => Object.assign(window.supple.look, { ghost: true, paths: true }));
  }

  // Curvatures are those of the line that is drawn: of the circle through three neighbouring nodes.
  const bent = await page.evaluate(() => {
    const { recording } = window.supple;
    let [most, apart, looks] = [0, 0, 0];
    if (recording === undefined) return { most, apart, looks };
    const found = [];
    for (const body of recording.bodies) {
      const line = body.data.line;
      if (body.strain === null || line.length < 8) continue;
      const [amplitudes, told] = [new Float64Array(body.columns), new Float64Array(3)];
      for (let f = 0; f < recording.count; f += Math.max(1, Math.floor(recording.count / 20))) {
        const eta = recording.eta(f, body);
        body.amplitudes(eta, 1, amplitudes);
        const at = (n) => {
          const u = new Float64Array(3);
          body.deflection(line[n], amplitudes, u);
          return [0, 1, 2].map((i) => body.positions[3 * line[n] + i] + u[i]);
        };
        for (let n = 2; n < line.length - 2; n++) {
          const [a, b, c] = [at(n - 1), at(n), at(n + 1)];
          const [p, q, r] = [[0, 1, 2].map((i) => b[i] - a[i]), [0, 1, 2].map((i) => c[i] - b[i]), [0, 1, 2].map((i) => c[i] - a[i])];
          const cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
          const circle = (2 * Math.hypot(...cross)) / (Math.hypot(...p) * Math.hypot(...q) * Math.hypot(...r));
          body.strainAt(n, eta, told);
          found.push([Math.hypot(told[1], told[2]), circle]);
        }
      }
    }
    for (const [own, circle] of found) {
      most = Math.max(most, own);
      apart = Math.max(apart, Math.abs(own - circle));
    }
    return { most, apart, looks: found.length };
  });
  if (bent.looks > 0) check("curvatures are those of the line that is drawn", bent.most > 0 && bent.apart < 0.1 * bent.most, `${(100 * bent.apart / bent.most).toFixed(1)} % of the greatest in ${bent.looks} places`);

  // Nodes are drawn where the run recorded them.
  const apart = await page.evaluate(async () => {
    const { table, stage, recording, clock, look } = window.supple;
    if (recording === undefined) return [0, 0];
    const columns = table.columns.map((column) => column.name);
    let [most, looks] = [0, 0];
    recording.bodies.forEach((body, k) =>
      body.data.node_names.forEach((name, n) => {
        const x = columns.indexOf(`node.${body.name}.${name}.x`);
        if (name === "" || x < 0 || table.times.length !== recording.times.length) return;
        for (let i = 0; i < table.times.length; i += 7) {
          clock.seek(table.times[i]);
          stage.draw(clock.time, { ...look, scale: 1 });
          const at = stage.system.nodePlace(k, n).toArray();
          at.forEach((value, c) => (most = Math.max(most, Math.abs(value - table.values[x + c][i]))));
          looks++;
        }
      }),
    );
    return [most / stage.sphere.radius, looks];
  });
  if (apart[1] > 0) check("nodes are drawn where they were recorded", apart[0] < 1e-5, `${apart[0].toExponential(1)} of the size in ${apart[1]} frames`);

  // Pictures per second while it plays.
  if (length > 0) {
    // A machine that is busy with something else gets three tries.
    let rate = 0;
    for (let i = 0; i < 3 && (i === 0 || rate < leastRate); i++) {
      const found = await page.evaluate(async () => {
        const page = window.supple;
        page.clock.seek(page.clock.start);
        if (!page.clock.playing) page.clock.toggle();
        await new Promise((done) => setTimeout(done, 500));
        const [count, start] = [page.pictures, performance.now()];
        await new Promise((done) => setTimeout(done, 3000));
        const rate = (page.pictures - count) / ((performance.now() - start) / 1000);
        if (page.clock.playing) page.clock.toggle();
        return rate;
      });
      rate = Math.max(rate, found);
    }
    checkTime("it runs smoothly", rate >= leastRate, `${rate.toFixed(1)} pictures per second`);
  }

  // A mode of the whole system in the view.
  const systemMode = page.locator(".system-mode").first();
  if ((await systemMode.count()) > 0 && (await systemMode.isVisible())) {
    await systemMode.click();
    check("a system mode is shown", (await page.locator(".banner").textContent()).startsWith("System mode 1"));
    const canvas = page.locator(".stage-frame canvas").first();
    await page.waitForTimeout(300);
    const one = await canvas.screenshot();
    await page.waitForTimeout(700);
    const share = await difference(page, one, await canvas.screenshot());
    check("and moves", share > 0.0005, `${(100 * share).toFixed(2)} % of the pixels`);
    await page.keyboard.press("Escape");
    check("and is left again", !(await page.locator(".banner").isVisible()));
  }

  // A mode in the view, dark, small.
  const shape = page.locator(".shape-button").first();
  if ((await shape.count()) > 0) {
    await shape.click();
    check("a mode shape is shown", await page.locator(".banner").isVisible());
    await page.keyboard.press("Escape");
    check("and left again", !(await page.locator(".banner").isVisible()));
  }
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  check("it is dark where the user likes it dark", dark === "rgb(16, 21, 29)", dark);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(200);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check("it fits a telephone", wide <= 390, `${wide} pixels wide`);
  check("nothing was complained about", errors.length === 0, errors.join(" | "));
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => {
      window.scrollTo(0, 0);
      window.supple.clock.seek(window.supple.clock.start + 0.27 * (window.supple.clock.end - window.supple.clock.start));
    });
    await page.waitForTimeout(300);
    await page.screenshot({ path: resolve(pictures, "report.png") });
  }
} finally {
  await browser.close();
}
ended();
