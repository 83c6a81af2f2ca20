// Bundles src/ into the files that the Python package ships.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const common = {
  bundle: true, minify: true, target: ["es2022", "chrome123", "firefox120", "safari17.5"], legalComments: "none", charset: "utf8",
  pure: ["console.assert"], // the markdown parser asserts on odd text, which a notebook should not hear of
};
await build({ ...common, entryPoints: [here("../src/widget.ts")], format: "esm", outfile: here("../../nb_agentscope/static/widget.js") });
await build({ ...common, entryPoints: [here("../src/widget.css")], outfile: here("../../nb_agentscope/static/widget.css") });
