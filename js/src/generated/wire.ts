// Generated from the Python models by `npm run types`: do not edit.

/**
 * What a rule says about a matching call.
 */
export type PermissionBehavior = "allow" | "deny" | "ask" | "passthrough";
/**
 * Where a tool call stands.
 */
export type ToolCallState = "pending" | "asking" | "allowed" | "submitted" | "finished";
/**
 * How a tool result ended, or that it has not.
 */
export type ToolResultState = "success" | "error" | "interrupted" | "denied" | "running";
/**
 * Why a reply ended.
 */
export type ReplyFinishedReason = "completed" | "interrupted" | "exceed_max_iters" | "error";
/**
 * What kind of failure ended a reply.
 */
export type ErrorType =
  | "authentication"
  | "permission"
  | "rate_limit"
  | "invalid_request"
  | "upstream"
  | "connection"
  | "internal"
  | "setup"
  | "unknown";
/**
 * Why one model call ended.
 */
export type FinishedReason = "interrupted" | "completed";

/**
 * Root of the schema from which the TypeScript types are generated.
 */
export interface Wire {
  from_browser: Hello | Sync | Decide | Result | Shown | Stop | Fetch;
  from_kernel: Snapshot | Batch | Ack | Refused;
  final: Final;
  msg: Msg;
  event:
    | ReplyStartEvent
    | ReplyEndEvent
    | ModelCallStartEvent
    | ModelCallEndEvent
    | TextBlockStartEvent
    | TextBlockDeltaEvent
    | TextBlockEndEvent
    | ThinkingBlockStartEvent
    | ThinkingBlockDeltaEvent
    | ThinkingBlockEndEvent
    | DataBlockStartEvent
    | DataBlockDeltaEvent
    | DataBlockEndEvent
    | HintBlockEvent
    | ToolCallStartEvent
    | ToolCallDeltaEvent
    | ToolCallEndEvent
    | ToolResultStartEvent
    | ToolResultTextDeltaEvent
    | ToolResultDataDeltaEvent
    | ToolResultEndEvent
    | ExceedMaxItersEvent
    | RequireUserConfirmEvent
    | RequireExternalExecutionEvent
    | UserConfirmResultEvent
    | ExternalExecutionResultEvent
    | UserInterruptEvent
    | CustomEvent;
  recorded: Recorded;
}
/**
 * A view is shown.
 */
export interface Hello {
  v: 1;
  type: "hello";
  view: string;
}
/**
 * The browser lost something, or wants to know whether it did.
 */
export interface Sync {
  v: 1;
  type: "sync";
  have: number;
}
/**
 * A person approved or denied a call.
 */
export interface Decide {
  v: 1;
  id: string;
  reply_id: string;
  tool_call_id: string;
  digest: string;
  type: "decide";
  approved: boolean;
  input: string | null;
  rules: PermissionRule[] | null;
  note: string | null;
}
/**
 * One rule of an agent's permissions; suggested with a prompt and returned with an approval.
 */
export interface PermissionRule {
  tool_name: string;
  rule_content: string | null;
  behavior: PermissionBehavior;
  source: string;
}
/**
 * A person gave the result of a call that runs outside.
 */
export interface Result {
  v: 1;
  id: string;
  reply_id: string;
  tool_call_id: string;
  digest: string;
  type: "result";
  output: string;
  state: "success" | "error";
}
/**
 * A person can see the card of a call for the first time in this page; the first page counts.
 */
export interface Shown {
  v: 1;
  id: string;
  reply_id: string;
  tool_call_id: string;
  digest: string;
  type: "shown";
}
/**
 * A person pressed Stop.
 */
export interface Stop {
  v: 1;
  id: string;
  type: "stop";
}
/**
 * The browser wants the bytes of a data block that were withheld; they come as the buffer of the `ack`.
 */
export interface Fetch {
  v: 1;
  id: string;
  type: "fetch";
  reply_id: string;
  block_id: string;
  tool_call_id: string | null;
}
/**
 * Everything up to `seq`, folded; may be applied at any time and any number of times.
 */
export interface Snapshot {
  v: 1;
  type: "snapshot";
  n: number;
  seq: number;
  msgs: Msg[];
  progress: {
    [k: string]: unknown;
  };
  status: "running" | "waiting" | "finished";
  pending: Pending[];
  elapsed_s: number;
  live: boolean;
  lanes: LaneState[];
}
/**
 * One message of a conversation; an agent's reply is one assistant message.
 *
 * Assignments are not validated, and the role check is made at construction only, as in AgentScope.
 *
 * Raises:
 *     pydantic.ValidationError: At construction, when the role does not allow one of the blocks (a user may send text and
 *         data, the system only text) or a field is wrong.
 */
export interface Msg {
  name: string;
  content: (TextBlock | ThinkingBlock | HintBlock | ToolCallBlock | ToolResultBlock | DataBlock)[];
  role: "user" | "assistant" | "system";
  id: string;
  metadata: {
    [k: string]: unknown;
  };
  created_at: string;
  usage: Usage | null;
  finished_at: string | null;
  finished_reason: ReplyFinishedReason | null;
  structured_output: {
    [k: string]: unknown;
  } | null;
  error: ErrorInfo | null;
}
/**
 * Text that the user sees; markdown by convention.
 */
export interface TextBlock {
  type: "text";
  text: string;
  id: string;
  created_at: string;
  finished_at: string | null;
}
/**
 * What the model thought; further fields (e.g. a provider's `signature`) are kept.
 */
export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  id: string;
  created_at: string;
  finished_at: string | null;
  [k: string]: unknown;
}
/**
 * Something the agent was told beside the user's messages, e.g. by its runtime or by another agent.
 */
export interface HintBlock {
  type: "hint";
  hint: string | (TextBlock | DataBlock)[];
  id: string;
  source: string | null;
  created_at: string;
  finished_at: string | null;
}
/**
 * An image, audio, video or any other file.
 */
export interface DataBlock {
  type: "data";
  id: string;
  source: Base64Source | URLSource;
  name: string | null;
  created_at: string;
  finished_at: string | null;
}
/**
 * Bytes inline, as standard padded base64; the text is not checked at construction.
 */
export interface Base64Source {
  type: "base64";
  data: string;
  media_type: string;
}
/**
 * Bytes behind an absolute URL, which is normalised.
 */
export interface URLSource {
  type: "url";
  url: string;
  media_type: string;
}
/**
 * A tool call of the model; `input` is the raw JSON text of its arguments.
 */
export interface ToolCallBlock {
  type: "tool_call";
  id: string;
  name: string;
  input: string;
  state: ToolCallState;
  suggested_rules: PermissionRule[];
  created_at: string;
  finished_at: string | null;
}
/**
 * What a tool call gave; its `id` is the call's.
 */
export interface ToolResultBlock {
  type: "tool_result";
  id: string;
  name: string;
  output: string | (TextBlock | DataBlock)[];
  state: ToolResultState;
  metadata: {
    [k: string]: unknown;
  };
  created_at: string;
  finished_at: string | null;
}
/**
 * Tokens of one or several model calls, as the provider counted them.
 */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_input_tokens: number;
  cache_creation_input_tokens: number;
}
/**
 * Why a reply failed, in words a user may see.
 */
export interface ErrorInfo {
  type: ErrorType;
  message: string;
}
/**
 * A call that waits for a person.
 */
export interface Pending {
  reply_id: string;
  tool_call_id: string;
  name: string;
  input: string;
  digest: string;
  kind: "confirm" | "external";
  repaired: boolean;
  suggested_rules: PermissionRule[];
  asked_at: string | null;
  source: string | null;
}
/**
 * One sub-agent, folded.
 */
export interface LaneState {
  source: string;
  parent_reply_id: string | null;
  parent_tool_call_id: string | null;
  msgs: Msg[];
  progress: {
    [k: string]: unknown;
  };
}
/**
 * The events of the records `seq0` to `seq1` (exclusive), tidied, neighbouring deltas joined.
 */
export interface Batch {
  v: 1;
  type: "batch";
  n: number;
  seq0: number;
  seq1: number;
  events: (
    | ReplyStartEvent
    | ReplyEndEvent
    | ModelCallStartEvent
    | ModelCallEndEvent
    | TextBlockStartEvent
    | TextBlockDeltaEvent
    | TextBlockEndEvent
    | ThinkingBlockStartEvent
    | ThinkingBlockDeltaEvent
    | ThinkingBlockEndEvent
    | DataBlockStartEvent
    | DataBlockDeltaEvent
    | DataBlockEndEvent
    | HintBlockEvent
    | ToolCallStartEvent
    | ToolCallDeltaEvent
    | ToolCallEndEvent
    | ToolResultStartEvent
    | ToolResultTextDeltaEvent
    | ToolResultDataDeltaEvent
    | ToolResultEndEvent
    | ExceedMaxItersEvent
    | RequireUserConfirmEvent
    | RequireExternalExecutionEvent
    | UserConfirmResultEvent
    | ExternalExecutionResultEvent
    | UserInterruptEvent
    | CustomEvent
  )[];
  status: "running" | "waiting" | "finished";
  pending: Pending[] | null;
  elapsed_s: number;
}
/**
 * First event of a reply; sent again with the same `reply_id` by services that resume one.
 */
export interface ReplyStartEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "REPLY_START";
  session_id: string;
  reply_id: string;
  name: string;
  role: "user" | "assistant" | "system";
}
/**
 * Last event of a reply; a parked reply has none yet.
 */
export interface ReplyEndEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "REPLY_END";
  session_id: string;
  reply_id: string;
  finished_reason: ReplyFinishedReason;
  error: ErrorInfo | null;
}
/**
 * The agent begins a round; sent once, however often the model is retried.
 */
export interface ModelCallStartEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "MODEL_CALL_START";
  reply_id: string;
  model_name: string;
}
/**
 * The model's answer is complete; 0 input and 0 output tokens mean that usage is unknown.
 */
export interface ModelCallEndEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "MODEL_CALL_END";
  reply_id: string;
  input_tokens: number;
  output_tokens: number;
  cache_input_tokens: number;
  cache_creation_input_tokens: number;
  finished_reason: FinishedReason;
}
/**
 * A text block begins, empty.
 */
export interface TextBlockStartEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TEXT_BLOCK_START";
  reply_id: string;
  block_id: string;
}
/**
 * More text for a block.
 */
export interface TextBlockDeltaEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TEXT_BLOCK_DELTA";
  reply_id: string;
  block_id: string;
  delta: string;
}
/**
 * A text block is complete.
 */
export interface TextBlockEndEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TEXT_BLOCK_END";
  reply_id: string;
  block_id: string;
  text: string | null;
}
/**
 * A thinking block begins, empty.
 */
export interface ThinkingBlockStartEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "THINKING_BLOCK_START";
  reply_id: string;
  block_id: string;
}
/**
 * More thinking for a block.
 */
export interface ThinkingBlockDeltaEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "THINKING_BLOCK_DELTA";
  reply_id: string;
  block_id: string;
  delta: string;
}
/**
 * A thinking block is complete.
 */
export interface ThinkingBlockEndEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "THINKING_BLOCK_END";
  reply_id: string;
  block_id: string;
}
/**
 * A data block begins, empty.
 */
export interface DataBlockStartEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "DATA_BLOCK_START";
  reply_id: string;
  block_id: string;
  media_type: string;
  name: string | null;
}
/**
 * More bytes in base64, or the URL where they are.
 *
 * Raises:
 *     pydantic.ValidationError: Both of `data` and `url` are given, or none.
 */
export interface DataBlockDeltaEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "DATA_BLOCK_DELTA";
  reply_id: string;
  block_id: string;
  media_type: string;
  data: string | null;
  url: string | null;
}
/**
 * A data block is complete.
 */
export interface DataBlockEndEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "DATA_BLOCK_END";
  reply_id: string;
  block_id: string;
}
/**
 * The agent was told something beside the user's messages; complete in one event.
 */
export interface HintBlockEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "HINT_BLOCK";
  reply_id: string;
  block_id: string;
  source: string | null;
  hint: string | (TextBlock | DataBlock)[];
}
/**
 * The model begins a tool call.
 */
export interface ToolCallStartEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TOOL_CALL_START";
  reply_id: string;
  tool_call_id: string;
  tool_call_name: string;
}
/**
 * More of the arguments' raw JSON text; may be empty.
 */
export interface ToolCallDeltaEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TOOL_CALL_DELTA";
  reply_id: string;
  tool_call_id: string;
  delta: string;
}
/**
 * The arguments are complete; the call has not run yet.
 */
export interface ToolCallEndEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TOOL_CALL_END";
  reply_id: string;
  tool_call_id: string;
}
/**
 * A local tool begins to run, or an external one is asked for.
 */
export interface ToolResultStartEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TOOL_RESULT_START";
  reply_id: string;
  tool_call_id: string;
  tool_call_name: string;
}
/**
 * More text of a result.
 */
export interface ToolResultTextDeltaEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TOOL_RESULT_TEXT_DELTA";
  reply_id: string;
  tool_call_id: string;
  delta: string;
}
/**
 * Data of a result: bytes in base64 (equal block ids are one payload) or a URL.
 *
 * Raises:
 *     pydantic.ValidationError: Both of `data` and `url` are given, or none.
 */
export interface ToolResultDataDeltaEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TOOL_RESULT_DATA_DELTA";
  reply_id: string;
  tool_call_id: string;
  block_id: string;
  media_type: string;
  data: string | null;
  url: string | null;
}
/**
 * A result is complete; `metadata` is here the tool result's own.
 */
export interface ToolResultEndEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "TOOL_RESULT_END";
  reply_id: string;
  tool_call_id: string;
  state: ToolResultState;
}
/**
 * The agent reached its limit of rounds; sent before REPLY_END, kept for older readers.
 */
export interface ExceedMaxItersEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "EXCEED_MAX_ITERS";
  reply_id: string;
  name: string;
}
/**
 * A person must decide on these calls before they run.
 */
export interface RequireUserConfirmEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "REQUIRE_USER_CONFIRM";
  reply_id: string;
  tool_calls: ToolCallBlock[];
}
/**
 * Someone outside the agent must run these calls and give their results.
 */
export interface RequireExternalExecutionEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "REQUIRE_EXTERNAL_EXECUTION";
  reply_id: string;
  tool_calls: ToolCallBlock[];
}
/**
 * Decisions of a person, handed to the agent.
 */
export interface UserConfirmResultEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "USER_CONFIRM_RESULT";
  reply_id: string;
  confirm_results: ConfirmResult[];
}
/**
 * The decision on one call.
 */
export interface ConfirmResult {
  confirmed: boolean;
  tool_call: ToolCallBlock;
  rules: PermissionRule[] | null;
}
/**
 * Results of external calls, handed to the agent.
 */
export interface ExternalExecutionResultEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "EXTERNAL_EXECUTION_RESULT";
  reply_id: string;
  execution_results: ToolResultBlock[];
}
/**
 * A person ends a parked reply.
 */
export interface UserInterruptEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "USER_INTERRUPT";
  reply_id: string;
}
/**
 * A named value outside any reply; readers ignore the names they do not know.
 */
export interface CustomEvent {
  id: string;
  created_at: string;
  metadata: {
    [k: string]: unknown;
  };
  type: "CUSTOM";
  name: string;
  value: {
    [k: string]: unknown;
  };
}
/**
 * Yes to the request `id`; to a sync (id "") that nothing is missing.
 */
export interface Ack {
  v: 1;
  type: "ack";
  n: number;
  id: string;
  media_type: string | null;
}
/**
 * No to the request `id`, and why in one sentence.
 */
export interface Refused {
  v: 1;
  type: "refused";
  n: number;
  id: string;
  reason: string;
  earlier: Earlier | null;
}
/**
 * The decision that came first.
 */
export interface Earlier {
  decision: string;
  by: string | null;
  at: string | null;
}
/**
 * The trait `final`, as JSON text: what a view shows when no kernel answers.
 */
export interface Final {
  msgs: Msg[];
  progress: {
    [k: string]: unknown;
  };
  status: "running" | "waiting" | "finished";
  seq: number;
  elapsed_s: number;
  lanes: LaneState[];
}
/**
 * When and on whose behalf an event was logged.
 */
export interface Recorded {
  seq: number;
  at: string | null;
  mono: number | null;
  dir: "out" | "in";
  by: ("user" | "rule" | "policy" | "code") | null;
}
