"""Print the JSON schema of everything that crosses the wire; `npm run types` turns it into TypeScript."""

from __future__ import annotations

import json
import sys
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from nb_agentscope.widget._protocol import Wire


class FieldsFirst(GenerateJsonSchema):
    """Growing models serialise through a wrapper that adds nothing to their shape: describe their fields."""

    def ser_schema(self, schema: Any) -> JsonSchemaValue | None:
        """None: describe what is wrapped."""
        return None if schema["type"] == "function-wrap" else super().ser_schema(schema)


def plain(node: Any) -> Any:
    """Drop titles and defaults; a serialised object always has all its properties."""
    if isinstance(node, list):
        return [plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}  # a description beside a reference would make a second, unnamed type of it
    kept = {
        key: {name: plain(value) for name, value in item.items()} if key in ("properties", "$defs") else plain(item)
        for key, item in node.items()
        if key in ("properties", "$defs") or key not in ("title", "default")
    }
    if "properties" in kept:
        kept["required"] = list(kept["properties"])
        kept.setdefault("additionalProperties", False)
    return kept


def by_name(node: Any, names: dict[str, str]) -> Any:
    """Refer to a definition wherever it was written out once more, or each place would get a type of its own."""
    if isinstance(node, list):
        return [by_name(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    name = names.get(json.dumps(node, sort_keys=True))
    return {"$ref": f"#/$defs/{name}"} if name else {key: by_name(item, names) for key, item in node.items()}


def schema() -> Any:
    """The whole schema."""
    whole = plain(Wire.model_json_schema(mode="serialization", schema_generator=FieldsFirst))
    types = whole.pop("$defs")
    names = {json.dumps(item, sort_keys=True): name for name, item in types.items()}
    inside = {name: {key: by_name(value, names) for key, value in item.items()} for name, item in types.items()}
    return {**by_name(whole, names), "$defs": inside}


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=1)
