// Bundles the page into one HTML file, dist/page.html: all scripts and styles in it, nothing fetched.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { outputFiles } = await build({
  entryPoints: ["src/main.ts"],
  outdir: "dist",
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
});

const text = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text;
// In a script `</script` would end it and `<!--` change it. Both can only stand in texts and regular expressions, where a backslash does no harm.
const script = text(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const page = readFileSync("index.html", "utf8")
  .replace("<!--supple:style-->", () => text(".css"))
  .replace("<!--supple:script-->", () => script);
mkdirSync("dist", { recursive: true });
writeFileSync("dist/page.html", page);
