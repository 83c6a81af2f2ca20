"""Which column becomes which attribute of a span: names of OpenTelemetry's GenAI conventions, own ones for the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

OPERATION = "gen_ai.operation.name"

REPLY: dict[str, str | Callable[[Mapping[str, Any]], Any]] = {
    "gen_ai.agent.name": "agent",
    "nb_agentscope.reply_id": "reply_id",
    "nb_agentscope.finished_reason": "finished_reason",
    "nb_agentscope.model_s": "model_s",
    "nb_agentscope.tool_s": "tool_s",
    "nb_agentscope.human_wait_s": "human_wait_s",
    "nb_agentscope.external_wait_s": "external_wait_s",
    "nb_agentscope.overhead_s": "overhead_s",
}
"""Of an `invoke_agent` span."""


def _reported(row: Mapping[str, Any]) -> Any:
    """The provider's own figure, where nobody knows whether it includes cached tokens as the standard name demands."""
    return row.get("input_tokens") if row.get("input_tokens_total") is None else None


MODEL_CALL: dict[str, str | Callable[[Mapping[str, Any]], Any]] = {
    "gen_ai.request.model": "model",
    "gen_ai.agent.name": "agent",
    "gen_ai.usage.input_tokens": "input_tokens_total",  # by the conventions it includes cached tokens
    "gen_ai.usage.output_tokens": "output_tokens",
    "gen_ai.usage.cache_read.input_tokens": "cache_read_input_tokens",
    "gen_ai.usage.cache_creation.input_tokens": "cache_creation_input_tokens",
    "gen_ai.response.time_to_first_chunk": "ttft_s",
    "nb_agentscope.usage.input_tokens_reported": _reported,
    "nb_agentscope.cache_accounting": "cache_accounting",
    "nb_agentscope.model_call_id": "model_call_id",
    "nb_agentscope.status": "status",
    "nb_agentscope.streamed": "streamed",
    "nb_agentscope.tpot_s": "tpot_s",
    "nb_agentscope.total_cost": "total_cost",
}
"""Of a `chat` span."""

TOOL_CALL: dict[str, str | Callable[[Mapping[str, Any]], Any]] = {
    "gen_ai.tool.name": "tool",
    "gen_ai.tool.call.id": "tool_call_id",
    "gen_ai.tool.type": lambda _row: "function",
    "gen_ai.agent.name": "agent",
    "nb_agentscope.tool.kind": "kind",
    "nb_agentscope.tool.state": "state",
    "nb_agentscope.tool.approval": "approval",
    "nb_agentscope.queue_s": "queue_s",
    "nb_agentscope.human_wait_s": "human_wait_s",
}
"""Of an `execute_tool` span."""

TOOL_ARGUMENTS: dict[str, str | Callable[[Mapping[str, Any]], Any]] = {"gen_ai.tool.call.arguments": "args_json"}
"""What it was called with, only if asked for."""


def attributes(
    row: Mapping[str, Any], columns: Mapping[str, str | Callable[[Mapping[str, Any]], Any]]
) -> dict[str, Any]:
    """The attributes of a row; None where the row does not know."""
    return {name: source(row) if callable(source) else row.get(source) for name, source in columns.items()}
