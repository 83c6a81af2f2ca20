// What a view folds a run into: messages and progress of the agent itself, and the same for each of its sub-agents.
import type { Msg, WireEvent } from "../protocol";
import { growingMsg } from "./blocks";
import { Fold, inputOf } from "./fold";
import { type LaneId, laneKey, laneOf } from "./lane";
import { emptyProgress, type Progress, progressFrom, pushProgress } from "./progress";

/** One agent's messages and progress, as JSON. */
export interface TrackJson {
  msgs: Msg[];
  progress: Partial<Progress>;
}

/** One agent's messages and progress. */
export class Track {
  constructor(private readonly fold: Fold = new Fold(), readonly progress: Progress = emptyProgress()) {}

  static from({ msgs, progress }: TrackJson): Track {
    return new Track(new Fold(msgs.map(growingMsg)), progressFrom(progress));
  }

  get msgs(): readonly Msg[] {
    return this.fold.msgs;
  }

  get msg(): Msg | undefined {
    return this.fold.msgs.at(-1);
  }

  /** Ids of its replies. */
  get ids(): ReadonlySet<string> {
    return this.fold.ids;
  }

  push(event: WireEvent): void {
    pushProgress(this.progress, event, (id) => inputOf(this.msgs, id));
    this.fold.take(event);
  }
}

/** A sub-agent's track. */
export interface Lane extends LaneId {
  readonly key: string;
  readonly track: Track;
  /** How many lanes of the same path there are up to this one, from 1. */
  readonly nth: number;
}

export class View {
  private readonly byKey = new Map<string, Lane>();
  private readonly counts = new Map<string, number>();
  /** In the order of their first events. */
  readonly lanes: Lane[] = [];

  constructor(readonly main: Track = new Track()) {}

  static from(whole: TrackJson & { lanes?: readonly (LaneId & TrackJson)[] | undefined }): View {
    const view = new View(Track.from(whole));
    for (const lane of whole.lanes ?? []) view.add(lane, Track.from(lane));
    return view;
  }

  push(event: WireEvent): void {
    const id = laneOf(event, this.main.ids);
    if (!id) return this.main.push(event);
    (this.byKey.get(laneKey(id)) ?? this.add(id, new Track())).track.push(event);
  }

  private add({ source, parent_reply_id, parent_tool_call_id }: LaneId, track: Track): Lane {
    const nth = (this.counts.get(source) ?? 0) + 1;
    const id = { source, parent_reply_id, parent_tool_call_id };
    const lane: Lane = { ...id, key: laneKey(id), track, nth };
    this.counts.set(source, nth);
    this.byKey.set(lane.key, lane);
    this.lanes.push(lane);
    return lane;
  }
}
