"""The commands that the bot registered, and what a person's client sends when one of them is typed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.wire.world import APPLICATION_ID, GUILD_ID, Channel, Json, Person, snowflake


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that somebody attaches; ``url`` is that of ``Wire.file``, where the bot gets it."""

    filename: str
    size: int
    url: str

    def dump(self) -> Json:
        there = {"id": str(snowflake()), "filename": self.filename, "size": self.size, "url": self.url}
        return {**there, "proxy_url": self.url, "content_type": "application/json"}


_SUB = (1, 2)
_KINDS: Mapping[int, type | tuple[type, ...]] = {
    3: str,
    4: int,
    5: bool,
    6: Person,
    7: Channel,
    9: Person,
    10: (int, float),
    11: Attached,
}


class Commands:
    """Registered commands by where they hold: everywhere (None) or in one server."""

    def __init__(self) -> None:
        self._by_scope: dict[int | None, dict[str, Json]] = {}
        self.registrations = 0

    def listed(self, scope: int | None) -> list[Json]:
        return list(self._by_scope.get(scope, {}).values())

    def overwrite(self, scope: int | None, definitions: Iterable[Json]) -> list[Json]:
        """Discord's bulk overwrite: the list becomes the whole set; a name that stays keeps its id."""
        before = self._by_scope.get(scope, {})
        self._by_scope[scope] = {d["name"]: _registered(d, scope, before.get(d["name"])) for d in definitions}
        self.registrations += 1
        return self.listed(scope)

    def add(self, scope: int | None, definition: Json) -> Json:
        known = self._by_scope.setdefault(scope, {})
        known[definition["name"]] = _registered(definition, scope, known.get(definition["name"]))
        self.registrations += 1
        return known[definition["name"]]

    def typed(self, line: str, values: Mapping[str, Any]) -> Json:
        """The ``data`` of an interaction for ``"xwing attack"`` with option values by name.

        LookupError if no such command is registered; ValueError for what a client would not let a person send.
        """
        words = line.split()
        command = self._by_scope.get(GUILD_ID, {}).get(words[0]) or self._by_scope.get(None, {}).get(words[0])
        if command is None:
            known = sorted(name for scope in self._by_scope.values() for name in scope)
            raise LookupError(f"/{words[0]} is not registered; registered are: {', '.join(known) or 'none'}")
        path = [command]
        for word in words[1:]:
            path.append(_named(path[-1], word))
        resolved: dict[str, dict[str, Json]] = {}
        options = _filled(line, path[-1].get("options") or (), values, resolved)
        for step in reversed(path[1:]):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        data: Json = {"id": command["id"], "name": command["name"], "type": 1, "options": options}
        if resolved:
            data["resolved"] = resolved
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return data


def _registered(definition: Json, scope: int | None, before: Json | None) -> Json:
    unset: Json = {"type": 1, "description": "", "options": [], "default_member_permissions": None, "nsfw": False}
    where: Json = {} if scope is None else {"guild_id": str(scope)}
    identity: Json = {
        "id": before["id"] if before else str(snowflake()),
        "application_id": str(APPLICATION_ID),
        "version": str(snowflake()),
    }
    return {**unset, **definition, **where, **identity}


def _named(parent: Json, word: str) -> Json:
    subs = {o["name"]: o for o in parent.get("options") or () if o["type"] in _SUB}
    if word not in subs:
        raise LookupError(f"/{parent['name']} has no subcommand {word!r}, it has: {', '.join(subs) or 'none'}")
    return dict(subs[word])


def _filled(line: str, options: Iterable[Json], values: Mapping[str, Any], resolved: dict[str, Any]) -> list[Json]:
    known = {option["name"]: option for option in options}
    if any(option["type"] in _SUB for option in known.values()):
        raise ValueError(f"/{line} is only a group; name one of: {', '.join(known)}")
    given = {name.removesuffix("_"): value for name, value in values.items() if value is not None}
    if unknown := given.keys() - known.keys():
        raise ValueError(f"/{line} has no option {sorted(unknown)}, it has: {', '.join(known)}")
    if missing := [name for name, option in known.items() if option.get("required") and name not in given]:
        raise ValueError(f"/{line} needs {missing}")
    return [_option(line, known[name], value, resolved) for name, value in given.items()]


def _option(line: str, option: Json, value: object, resolved: dict[str, Any]) -> Json:
    """One filled option, refused where a client would not let it be sent."""
    name, kind = option["name"], option["type"]
    wanted = _KINDS[kind]
    if not isinstance(value, wanted) or (kind in (4, 10) and isinstance(value, bool)):
        raise ValueError(f"/{line} {name}: a client cannot send {value!r} for an option of type {kind}")
    size = len(value) if isinstance(value, str) else value
    if isinstance(size, int | float):
        least = option.get("min_length" if kind == 3 else "min_value", size)
        most = option.get("max_length" if kind == 3 else "max_value", size)
        if not least <= size <= most:
            raise ValueError(f"/{line} {name}: {value!r} is outside {least} to {most}")
    if option.get("choices") and value not in [choice["value"] for choice in option["choices"]]:
        raise ValueError(f"/{line} {name}: {value!r} is not among {[c['value'] for c in option['choices']]}")
    if isinstance(value, Person):
        resolved.setdefault("users", {})[str(value.id)] = value.user()
        resolved.setdefault("members", {})[str(value.id)] = value.member()
        value = str(value.id)
    elif isinstance(value, Channel):
        resolved.setdefault("channels", {})[str(value.id)] = {**value.dump(), "permissions": "0"}
        value = str(value.id)
    elif isinstance(value, Attached):
        file = value.dump()
        resolved.setdefault("attachments", {})[file["id"]] = file
        value = file["id"]
    return {"name": name, "type": kind, "value": value}
