"""Makes ``discord-openapi.json`` beside this file: what of Discord's OpenAPI description our requests are checked by.

    python -m tests.wire.reduce_openapi path/to/openapi.json

The whole description is Discord's, published under the MIT license at https://github.com/discord/discord-api-spec
(``specs``). Of its 1.2 MB the requests in ``REQUESTS`` are kept, with every schema that their bodies refer
to; and of a schema what ``jsonschema`` checks: types, required keys, lengths, bounds, patterns and enums.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.wire.world import Json

REDUCED: Final = Path(__file__).with_name("discord-openapi.json")

REQUESTS: Final = (
    ("put", "/applications/{application_id}/commands"),
    ("post", "/applications/{application_id}/commands"),
    ("put", "/applications/{application_id}/guilds/{guild_id}/commands"),
    ("post", "/applications/{application_id}/guilds/{guild_id}/commands"),
    ("post", "/applications/{application_id}/emojis"),
    ("post", "/channels/{channel_id}/messages"),
    ("patch", "/channels/{channel_id}/messages/{message_id}"),
    ("post", "/interactions/{interaction_id}/{interaction_token}/callback"),
    ("post", "/webhooks/{webhook_id}/{webhook_token}"),
    ("patch", "/webhooks/{webhook_id}/{webhook_token}/messages/@original"),
    ("patch", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"),
)
"""Every request with a JSON body that the bot makes."""

BY_NAME: Final = frozenset({"properties", "patternProperties"})
"""Keywords that hold schemas by name."""
LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords that hold a list of schemas."""
NESTED: Final = frozenset({"items", "additionalProperties", "not", "propertyNames"})
"""Keywords that hold a schema."""
LIMITS: Final = frozenset(
    {
        *("$ref", "type", "const", "enum", "required", "pattern", "minLength", "maxLength", "minimum", "maximum"),
        *("exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    }
)
"""Keywords that say what a value must be."""


def reduced(document: Json) -> Json:
    """The part of Discord's description that our requests are checked by. KeyError where a request is unknown there."""
    paths: dict[str, Json] = {}
    for method, path in REQUESTS:
        body = document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]
        content = {"application/json": {"schema": checked(body)}}
        paths.setdefault(path, {})[method] = {"requestBody": {"content": content}}
    everything = document["components"]["schemas"]
    schemas: dict[str, Any] = {}
    open_names = list(references(paths))
    while open_names:
        name = open_names.pop()
        if name not in schemas:
            schemas[name] = checked(everything[name])
            open_names += references(schemas[name])
    kept = {key: document["info"][key] for key in ("title", "version", "license")}
    about = {
        "x-source": "https://github.com/discord/discord-api-spec, Copyright (c) Discord, MIT license (below); "
        "reduced by tests/wire/reduce_openapi.py to what Rollcall sends",
        "x-licence": MIT,
    }
    return {
        "openapi": document["openapi"],
        "info": kept | about,
        "paths": paths,
        "components": {"schemas": {name: schemas[name] for name in sorted(schemas)}},
    }


def checked(schema: Any) -> Any:
    """A schema without what is only said to readers."""
    if not isinstance(schema, dict):  # true or false
        return schema
    kept: Json = {}
    for key, value in schema.items():
        if key in BY_NAME:
            kept[key] = {name: checked(inner) for name, inner in value.items()}
        elif key in LISTS:
            kept[key] = [checked(inner) for inner in value]
        elif key in NESTED:
            kept[key] = checked(value)
        elif key in LIMITS:
            kept[key] = value
    return kept


def references(part: Any) -> Iterator[str]:
    """The names of the schemas that a part of the description refers to."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref" and isinstance(value, str):
                yield value.removeprefix("#/components/schemas/")
            else:
                yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


MIT: Final = (
    "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated "
    'documentation files (the "Software"), to deal in the Software without restriction, including without limitation '
    "the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and "
    "to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above "
    "copyright notice and this permission notice shall be included in all copies or substantial portions of the "
    'Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT '
    "LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT "
    "SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION "
    "OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER "
    "DEALINGS IN THE SOFTWARE."
)


def main() -> None:
    document = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    REDUCED.write_text(written(reduced(document)), encoding="utf-8")


def written(document: Json) -> str:
    """The text of the file: a line for each request and each schema, so that a change can be read."""

    def lines(part: Json) -> str:
        return ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in part.items())

    head = lines({key: document[key] for key in ("openapi", "info")})
    schemas = lines(document["components"]["schemas"])
    return (
        f'{{{head},\n"paths": {{\n{lines(document["paths"])}\n}},\n"components": {{"schemas": {{\n{schemas}\n}}}}}}\n'
    )


if __name__ == "__main__":
    main()
