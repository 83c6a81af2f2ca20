// node dev/build.mjs scenes.json out-dir: writes a page with the scenes (title, events, upTo, elapsed) to look at in a browser.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [scenes, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const bundle = await build({ entryPoints: [here("page.ts")], bundle: true, format: "esm", write: false });
const asset = (name) => readFileSync(here(`../../nb_agentscope/static/${name}`), "utf8");
copyFileSync(here("../../nb_agentscope/static/widget.js"), `${out}/widget.js`);
writeFileSync(`${out}/page.js`, bundle.outputFiles[0].contents);
writeFileSync(`${out}/index.html`, `<!doctype html><meta charset="utf-8"><title>Scenes</title>
<style>${asset("widget.css")}</style>
<style>body { margin: 24px; font-family: system-ui; background: #fff; color: #222 } .scene { max-width: 860px }
body[data-jp-theme-light=false] { background: #111; color: #ddd } h2 { font-size: 13px; font-weight: 400; opacity: .6; margin: 22px 0 6px }</style>
<body><main></main>
<script type="module">
import factory from "./widget.js";
import { showScenes } from "./page.js";
const theme = new URLSearchParams(location.search).get("theme");
if (theme) document.body.dataset.jpThemeLight = String(theme === "light");
await showScenes(factory, ${readFileSync(scenes, "utf8").replaceAll("<", "\\u003c")}, document.querySelector("main"));
document.body.dataset.ready = "yes";
</script>`);
