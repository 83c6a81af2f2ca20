// Folds streams with the TypeScript reducer, for tests in Python: one JSON line in, one out.
// In: a list of events, or {"init": message, "events": [...]}. Out: the messages.   --progress: {"msgs", "progress", "lanes": [{"source", …, "msgs", "progress"}]}
// --wire: in a list of snapshots and batches, as a view gets them; out as with --progress.
import { build } from "esbuild";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const entry = `
  export { Fold } from "./reducer/fold";
  export { growingMsg } from "./reducer/blocks";
  export { Track, View } from "./reducer/view";
  export { RunState } from "./state";`;
const bundle = await build({
  stdin: { contents: entry, resolveDir: fileURLToPath(new URL("../src", import.meta.url)) },
  bundle: true, format: "esm", write: false, target: "es2022",
});
const code = Buffer.from(bundle.outputFiles[0].contents).toString("base64");
const { Fold, growingMsg, Track, View, RunState } = await import(`data:text/javascript;base64,${code}`);
const withProgress = process.argv.includes("--progress");

function folded(stream) {
  const events = Array.isArray(stream) ? stream : stream.events;
  const view = new View(new Track(new Fold(stream.init ? [growingMsg(stream.init)] : [])));
  for (const event of events) view.push(event);
  return withProgress ? whole(view) : view.main.msgs;
}

/** Messages and progress of the agent and of its sub-agents. */
function whole({ main, lanes }) {
  const each = lanes.map(({ source, parent_reply_id, parent_tool_call_id, track }) => ({
    source, parent_reply_id, parent_tool_call_id, msgs: track.msgs, progress: track.progress,
  }));
  return { msgs: main.msgs, progress: main.progress, lanes: each };
}

function received(messages) {
  const state = new RunState();
  for (const message of messages) {
    if (message.type === "snapshot") state.applySnapshot(message, 0);
    else if (!state.applyBatch(message, 0)) throw new Error(`The batch from ${message.seq0} does not follow ${state.seq}.`);
  }
  return whole(state);
}

const answer = process.argv.includes("--wire") ? received : folded;
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
