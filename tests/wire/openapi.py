"""Discord's own OpenAPI description as a judge of request bodies; where the file is absent nothing is judged.

The file is looked for where DISCORD_OPENAPI says, else as ``shared/discord-openapi.json`` beside the checkout.
"""

import functools
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from tests.wire.world import Json

REPOSITORY = Path(__file__).parents[2]


class Description:
    """Discord's description, asked about one body at a time."""

    def __init__(self, document: Json) -> None:
        self._document = document
        # Discord documents that it takes ids as numbers too; discord.py numbers new attachments and sends
        # permissions as text. Neither is a slip of the bot.
        schemas = document["components"]["schemas"]
        schemas["SnowflakeType"] = {"type": ["string", "integer"], "pattern": schemas["SnowflakeType"]["pattern"]}
        self._paths = [(path.strip("/").split("/"), path) for path in document["paths"]]

    def complaints(self, method: str, path: str, body: Any) -> list[str]:
        """What is wrong with the body of a request; empty when nothing is."""
        operation = self._operation(path, method)
        if operation is None:
            return [f"{method} {path}: Discord has no such request"]
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            return [f"{method} {path}: Discord takes no JSON body here"]
        judge = Draft202012Validator({"allOf": [schema], "components": self._document["components"]})
        return [f"{method} {path}: {said}" for said in _told(judge.iter_errors(body))]

    def _operation(self, path: str, method: str) -> Json | None:
        asked = path.strip("/").split("/")
        fitting = [
            (sum(part.startswith("{") for part in parts), template)
            for parts, template in self._paths
            if len(parts) == len(asked)
            and all(part.startswith("{") or part == given for part, given in zip(parts, asked, strict=True))
        ]
        for _, template in sorted(fitting):
            found = self._document["paths"][template].get(method.lower())
            if found is not None:
                return dict(found)
        return None


def _told(errors: Iterable[ValidationError]) -> list[str]:
    """Each error at the place it truly is: unions are told apart by their ``type``, as Discord does."""
    said: list[str] = []
    for error in errors:
        branches: dict[object, list[ValidationError]] = {}
        for inner in error.context or ():
            branches.setdefault(inner.schema_path[0], []).append(inner)
        meant = [branch for branch in branches.values() if not any(_is_other(inner) for inner in branch)]
        if meant:
            said += _told(meant[0])
        else:
            place = error.json_path.removeprefix("$").lstrip(".") or "the body"
            said.append(f"{place}: {_shortened(error.message)}")
    return said


def _shortened(text: str) -> str:
    """jsonschema quotes the whole value first and says what is wrong with it last: keep both ends."""
    return text if len(text) < 240 else f"{text[:100]} ... {text[-100:]}"


def _is_other(error: ValidationError) -> bool:
    """Does the error only say that this branch of a union is about something else?"""
    place = list(error.relative_path)
    return place == ["type"] or (not place and error.validator == "type")


@functools.cache
def description() -> Description | None:
    """The description, or None where its file is absent."""
    asked = os.environ.get("DISCORD_OPENAPI")
    places = [Path(asked)] if asked else [p / "shared" / "discord-openapi.json" for p in REPOSITORY.parents]
    for place in places:
        if place.is_file():
            return Description(json.loads(place.read_text(encoding="utf-8")))
    return None
