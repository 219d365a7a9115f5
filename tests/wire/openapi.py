"""Checks request bodies by Discord's own OpenAPI description, reduced to the requests that we make."""

import functools
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from tests.wire.reduce_openapi import REDUCED
from tests.wire.world import Json

Rule = Callable[[Any, Any, Any, Any], Iterator[ValidationError]]
JUDGED = 1024
"""So many bodies are remembered: every bot registers the same commands, which take half a second to judge."""


class Description:
    """Discord's description, asked about one body at a time."""

    def __init__(self, document: Json) -> None:
        self._document = document
        # Discord documents that it takes ids as numbers too; discord.py numbers new attachments and sends
        # permissions as text. Neither is a slip of the bot.
        schemas = document["components"]["schemas"]
        schemas["SnowflakeType"] = {"type": ["string", "integer"], "pattern": schemas["SnowflakeType"]["pattern"]}
        self._types: dict[str, list[object]] = {
            f"#/components/schemas/{name}": item["properties"]["type"]["enum"]
            for name, item in schemas.items()
            if "enum" in item.get("properties", {}).get("type", {})
        }
        rules = {name: self._by_type(Draft202012Validator.VALIDATORS[name]) for name in ("oneOf", "anyOf")}
        self._validator = extend(Draft202012Validator, rules)  # type: ignore[no-untyped-call]  # jsonschema leaves it untyped
        self._paths = [(path.strip("/").split("/"), path) for path in document["paths"]]
        self._judged = functools.lru_cache(JUDGED)(self._judge)

    def complaints(self, method: str, path: str, body: Any) -> list[str]:
        """What is wrong with the body of a request; empty when nothing is."""
        template = self._template(path, method)
        if template is None:
            return [f"{method} {path}: {REDUCED.name} does not have this request; see reduce_openapi.py"]
        return [f"{method} {path}: {complaint}" for complaint in self._judged(method, template, json.dumps(body))]

    def _judge(self, method: str, template: str, body: str) -> tuple[str, ...]:
        operation = self._document["paths"][template][method.lower()]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        validator = self._validator({"allOf": [schema], "components": self._document["components"]})
        return tuple(_to_text(validator.iter_errors(json.loads(body))))

    def _by_type(self, rule: Rule) -> Rule:
        """Return the rule for those branches of a union that are of the value's ``type``.

        If there are some: the others fail, and take most of the time.
        """

        def judged(validator: Any, branches: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
            kind = value.get("type") if isinstance(value, dict) else None
            meant = [branch for branch in branches if kind in self._types.get(branch.get("$ref", ""), (kind,))]
            yield from rule(validator, meant if kind is not None and meant else branches, value, schema)

        return judged

    def _template(self, path: str, method: str) -> str | None:
        asked = path.strip("/").split("/")
        fitting = [
            (sum(part.startswith("{") for part in parts), template)
            for parts, template in self._paths
            if len(parts) == len(asked)
            and all(part.startswith("{") or part == given for part, given in zip(parts, asked, strict=True))
        ]
        known = (template for _, template in sorted(fitting) if method.lower() in self._document["paths"][template])
        return next(known, None)


def _to_text(errors: Iterable[ValidationError]) -> list[str]:
    """Each error at the place it truly is: unions are told apart by their ``type``, as Discord does."""
    texts: list[str] = []
    for error in errors:
        branches: dict[object, list[ValidationError]] = {}
        for inner in error.context or ():
            branches.setdefault(inner.schema_path[0], []).append(inner)
        meant = [branch for branch in branches.values() if not any(_is_other(inner) for inner in branch)]
        if meant:
            texts += _to_text(meant[0])
        else:
            place = error.json_path.removeprefix("$").lstrip(".") or "the body"
            texts.append(f"{place}: {_shortened(error.message)}")
    return texts


def _shortened(text: str) -> str:
    """Jsonschema quotes the whole value first and says what is wrong with it last: keep both ends."""
    return text if len(text) < 240 else f"{text[:100]} ... {text[-100:]}"


def _is_other(error: ValidationError) -> bool:
    """Does the error only say that this branch of a union is about something else?"""
    place = list(error.relative_path)
    return place == ["type"] or (not place and error.validator == "type")


@functools.cache
def description() -> Description:
    """What Discord takes of the requests that we make."""
    return Description(json.loads(REDUCED.read_text(encoding="utf-8")))
