// The icon beside each word of what an agent is doing.
import type { PhaseKind } from "../reducer/phase";
import type { IconName } from "./icons";

export const PHASE_ICONS: Record<PhaseKind, IconName> = {
  idle: "dots", thinking: "bulb", answering: "pen", calling: "tool", model: "ring", working: "ring", confirm: "hand",
  external: "out", stopped: "stop", failed: "warn", done: "check", limit: "warn", disconnected: "plug",
};
