"""What we send is checked by Discord's own description, and by all of it that speaks of our requests."""

from typing import Any

import pytest

from tests.wire.gateway import Gateway
from tests.wire.interactions import Interactions
from tests.wire.openapi import description
from tests.wire.reduce_openapi import checked, reduced
from tests.wire.rest import Rest

CALLBACK = "/interactions/1/token/callback"
FOLLOW_UP = "/webhooks/1/token"
COMMANDS = "/applications/1/commands"
BUTTON = {"type": 2, "style": 1, "label": "Done", "custom_id": "done"}


def card(**changes: Any) -> dict[str, Any]:
    """An answer with a card and a button, with some of it changed."""
    return {"type": 4, "data": {"embeds": [{"title": "1 hit"}], "components": [row(BUTTON)], **changes}}


def row(*components: Any) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", CALLBACK, card()),
        ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "Wedge", "value": "wedge"}]}}),
        ("POST", FOLLOW_UP, {"content": "hello", "flags": 64}),
        ("PATCH", f"{FOLLOW_UP}/messages/@original", {"content": "hello"}),
        ("PATCH", f"{FOLLOW_UP}/messages/5", {"content": "hello"}),
        ("PATCH", "/channels/1/messages/2", {"content": None, "embeds": []}),
        ("PUT", COMMANDS, [{"name": "roll", "description": "Rolls", "type": 1}]),
    ],
)
def test_a_right_body_passes(method: str, path: str, body: Any) -> None:
    assert description().complaints(method, path, body) == []


@pytest.mark.parametrize(
    ("method", "path", "body", "words"),
    [
        ("POST", CALLBACK, card(content="x" * 2001), ["data.content", "is too long"]),
        ("POST", CALLBACK, card(embeds=[{"title": "x" * 257}]), ["data.embeds[0].title", "is too long"]),
        ("POST", CALLBACK, card(embeds=[{}] * 11), ["data.embeds", "is too long"]),
        ("POST", CALLBACK, card(components=[row({**BUTTON, "style": 9})]), ["components[0].style"]),
        ("POST", CALLBACK, card(components=[row({**BUTTON, "custom_id": "x" * 101})]), ["custom_id", "is too long"]),
        ("POST", CALLBACK, card(components=[row({"type": 2, "label": "Done"})]), ["'style' is a required property"]),
        ("POST", FOLLOW_UP, {"content": 5}, ["content", "is not of type"]),
        ("PATCH", f"{FOLLOW_UP}/messages/@original", {"embeds": "a card"}, ["embeds", "is not of type"]),
        ("POST", "/channels/1/messages", {"content": "x" * 4001}, ["content", "is too long"]),
        ("PATCH", "/channels/1/messages/2", {"content": "x" * 4001}, ["content", "is too long"]),
        ("PUT", COMMANDS, [{"name": "x" * 33, "description": "Rolls"}], ["[0].name", "is too long"]),
        ("PUT", COMMANDS, [{"description": "Rolls"}], ["'name' is a required property"]),
        ("POST", "/applications/1/emojis", {"name": "hit"}, ["'image' is a required property"]),
        ("POST", "/channels/1/threads", {"name": "hello"}, ["discord-openapi.json does not have this request"]),
    ],
)
def test_a_wrong_body_is_refused_at_its_place(method: str, path: str, body: Any, words: list[str]) -> None:
    (complaint,) = description().complaints(method, path, body)
    for word in words:
        assert word in complaint


def test_every_request_with_a_body_that_the_wire_takes_is_described() -> None:
    app = Rest("token", Gateway("token", 41.25, 1), Interactions(), record=False).app()
    taken = [
        (route.method, route.resource.canonical.removeprefix("/api/v10"))
        for route in app.router.routes()
        if route.method in ("POST", "PUT", "PATCH") and route.resource is not None
    ]
    taken = [item for item in taken if not item[1].startswith("/oauth2")]  # RFC 6749; Discord's schema leaves it out
    assert len(taken) >= 9
    for method, path in taken:
        assert not any("does not have" in said for said in description().complaints(method, path, {}))


def test_the_reduction_keeps_what_is_checked_and_every_schema_that_is_needed() -> None:
    schema = {
        "type": "object",
        "title": "A thing",
        "description": "for readers",
        "properties": {"description": {"type": ["string", "null"], "maxLength": 5, "description": "for readers"}},
        "required": ["description"],
        "x-discord-union": "oneOf",
    }
    assert checked(schema) == {
        "type": "object",
        "properties": {"description": {"type": ["string", "null"], "maxLength": 5}},
        "required": ["description"],
    }


def test_a_description_without_our_requests_cannot_be_reduced() -> None:
    with pytest.raises(KeyError):
        reduced({"paths": {}, "components": {"schemas": {}}})
