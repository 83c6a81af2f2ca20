// Tokens, calls and speed. What a provider did not say is not shown as a zero.
import type { Msg } from "../protocol";
import { type Progress, seconds } from "../reducer/progress";
import type { RunState } from "../state";
import { fill, h, show } from "./dom";
import { count, duration, plural, tenths } from "./format";

export class Footer {
  readonly el = h("footer", "foot");
  private drawn = "";

  update(state: RunState): void {
    const stats = statsOf(state.msgs, state.progress);
    const key = `${state.progress.unknown_usage} ${stats.join("|")}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const least = state.progress.unknown_usage > 0 && state.msg?.usage;
    const title = least ? "The provider gave no usage for some calls: these are at least the tokens used." : "";
    fill(this.el, ...stats.map((text) => h("span", "stat", title ? { title } : {}, text)));
    show(this.el, stats.length > 0);
  }
}

export function statsOf(msgs: readonly Pick<Msg, "usage">[], progress: Progress): string[] {
  const sum = { in: 0, cached: 0, out: 0 };
  for (const { usage } of msgs) {
    sum.in += usage?.input_tokens ?? 0;
    sum.cached += usage?.cache_input_tokens ?? 0;
    sum.out += usage?.output_tokens ?? 0;
  }
  const least = progress.unknown_usage > 0 ? "≥ " : "";
  const known = sum.in > 0 || sum.out > 0;
  return [
    known && `${least}${count(sum.in)} in`,
    known && sum.cached > 0 && `${least}${count(sum.cached)} cached`,
    known && `${least}${count(sum.out)} out`,
    !known && progress.unknown_usage > 0 && "usage unknown",
    progress.model_calls > 0 && plural(progress.model_calls, "model call"),
    ...speed(progress),
    progress.other_events > 0 && plural(progress.other_events, "other event"),
  ].filter((text): text is string => Boolean(text));
}

/** Of the newest model call: seconds to its first token, and output tokens per second from there to its end. */
function speed(progress: Progress): string[] {
  const first = seconds(progress.model_started_at, progress.first_content_at);
  const rest = seconds(progress.first_content_at, progress.model_ended_at);
  const rate = rest !== null && rest > 0 ? progress.model_output_tokens / rest : 0;
  const words = first === null ? [] : [`first token ${duration(first)}`];
  return rate > 0 ? [...words, `${tenths(rate)} tok/s`] : words;
}
