// Folds streams with the TypeScript reducer, for tests in Python: one JSON line in, one out.
// In: a list of events, or {"init": message, "events": [...]}. Out: the messages.   --progress: {"msgs": [...], "progress": {...}}
import { build } from "esbuild";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const entry = `
  export { Fold, inputOf } from "./reducer/fold";
  export { growingMsg } from "./reducer/blocks";
  export { emptyProgress, pushProgress } from "./reducer/progress";`;
const bundle = await build({
  stdin: { contents: entry, resolveDir: fileURLToPath(new URL("../src", import.meta.url)) },
  bundle: true, format: "esm", write: false, target: "es2022",
});
const code = Buffer.from(bundle.outputFiles[0].contents).toString("base64");
const { Fold, growingMsg, emptyProgress, pushProgress, inputOf } = await import(`data:text/javascript;base64,${code}`);
const withProgress = process.argv.includes("--progress");

for await (const line of createInterface({ input: process.stdin })) {
  const stream = JSON.parse(line);
  const events = Array.isArray(stream) ? stream : stream.events;
  const fold = new Fold(stream.init ? [growingMsg(stream.init)] : []);
  const progress = emptyProgress();
  for (const event of events) {
    if (withProgress) pushProgress(progress, event, (id) => inputOf(fold.msgs, id));
    fold.push(event);
  }
  process.stdout.write(`${JSON.stringify(withProgress ? { msgs: fold.msgs, progress } : fold.msgs)}\n`);
}
