// The sub-agents that one call began.
import type { Lane } from "../reducer/view";
import { h } from "./dom";
import type { ItemList } from "./item_list";
import { LaneView } from "./lane_view";
import type { Context } from "./view";

export class LanesView {
  readonly el = h("div", "lanes");
  private readonly views = new Map<string, LaneView>();

  constructor(private readonly redraw: () => void, private readonly list: () => ItemList) {}

  update(lanes: readonly Lane[], context: Context): void {
    const keys = new Set(lanes.map((lane) => lane.key));
    for (const [key, view] of this.views) if (!keys.has(key)) this.drop(key, view);
    for (const lane of lanes) {
      let view = this.views.get(lane.key);
      if (!view) {
        view = new LaneView(this.redraw, this.list, "name");
        this.views.set(lane.key, view);
        this.el.append(view.el);
      }
      view.update(lane, context);
    }
  }

  heads(replyId: string, callId: string): HTMLElement[] {
    for (const view of this.views.values()) {
      const found = view.heads(replyId, callId);
      if (found.length > 0) return found;
    }
    return [];
  }

  dispose(): void {
    for (const [key, view] of this.views) this.drop(key, view);
  }

  private drop(key: string, view: LaneView): void {
    view.dispose();
    view.el.remove();
    this.views.delete(key);
  }
}
