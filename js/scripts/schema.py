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


if __name__ == "__main__":
    json.dump(plain(Wire.model_json_schema(mode="serialization", schema_generator=FieldsFirst)), sys.stdout, indent=1)
