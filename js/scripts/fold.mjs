// Folds streams with the TypeScript reducer, for tests in Python: one JSON line in, one out.
// In: a list of events, or {"init": message, "events": [...]}. Out: the messages.   --progress: {"msgs": [...], "progress": {...}}
// --wire: in a list of snapshots and batches, as a view gets them; out as with --progress.
import { build } from "esbuild";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const entry = `
  export { Fold, inputOf } from "./reducer/fold";
  export { growingMsg } from "./reducer/blocks";
  export { emptyProgress, pushProgress } from "./reducer/progress";
  export { RunState } from "./state";`;
const bundle = await build({
  stdin: { contents: entry, resolveDir: fileURLToPath(new URL("../src", import.meta.url)) },
  bundle: true, format: "esm", write: false, target: "es2022",
});
const code = Buffer.from(bundle.outputFiles[0].contents).toString("base64");
const { Fold, growingMsg, emptyProgress, pushProgress, inputOf, RunState } = await import(`data:text/javascript;base64,${code}`);
const withProgress = process.argv.includes("--progress");

function folded(stream) {
  const events = Array.isArray(stream) ? stream : stream.events;
  const fold = new Fold(stream.init ? [growingMsg(stream.init)] : []);
  const progress = emptyProgress();
  for (const event of events) {
    if (withProgress) pushProgress(progress, event, (id) => inputOf(fold.msgs, id));
    fold.push(event);
  }
  return withProgress ? { msgs: fold.msgs, progress } : fold.msgs;
}

function received(messages) {
  const state = new RunState();
  for (const message of messages) {
    if (message.type === "snapshot") state.applySnapshot(message, 0);
    else if (!state.applyBatch(message, 0)) throw new Error(`The batch from ${message.seq0} does not follow ${state.seq}.`);
  }
  return { msgs: state.msgs, progress: state.progress };
}

const answer = process.argv.includes("--wire") ? received : folded;
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
