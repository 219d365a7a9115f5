"""A ruleset as a JSON file, for backups and other servers.

``{"rollcall_ruleset": 1, "settings": {"warsurge_method": {"value": "chart", "locked": true}, "most_dice": 20}}``
"""

import json
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from bot.rules.errors import AllowedWords, BadInputError, PlayerError, UnknownWordError
from bot.rules.json_reader import JsonReader, parse_json
from bot.rules.text import N_, Code, Names, Shown, Text
from bot.ruleset.ruling import Rule, Ruleset
from bot.ruleset.settings import SETTINGS, Setting

FORM: Final = 1
MAX_BYTES: Final = 16_384
EXPORTED: Final = Text("Attach a file from /ruleset export.")


def write(rules: Ruleset) -> bytes:
    """Write the file, one setting per line, in the order of ``SETTINGS``."""
    chosen = {
        setting.key: {"value": rule.value, **({"locked": True} if rule.locked else {})}
        for setting in SETTINGS
        if (rule := rules.get(setting.key))
    }
    lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in chosen.items())
    return f'{{\n  "rollcall_ruleset": {FORM},\n  "settings": {{\n{lines}\n  }}\n}}\n'.encode()


def read(text: str) -> dict[str, Rule]:
    """Read and check a file's ruleset. Raises ``BadInputError`` or ``UnknownWordError`` naming the field."""
    reader = JsonReader(parsed(text))
    reader.take_whole_number("rollcall_ruleset", FORM, FORM)
    settings = reader.take_raw("settings")
    reader.check_all_taken()
    if not isinstance(settings, dict):
        raise BadInputError("settings", settings, Text('Use an object like {"most_dice": 20}.'))
    known = {setting.key: setting for setting in SETTINGS}
    for key in settings:
        if key not in known:
            wanted = Text("Known settings: {known}.", known=Code(", ".join(known)))
            raise UnknownWordError("settings", key, AllowedWords(tuple(known), wanted, is_list=True))
    return {key: read_rule(known[key], value) for key, value in settings.items()}


def read_rule(setting: Setting[Any], given: object) -> Rule:
    """Parse one setting's rule: a bare value, or an object with a value and a lock."""
    if not isinstance(given, dict):
        return Rule(setting.check(given, setting.key))
    reader = JsonReader(given, f"settings.{setting.key}")
    value, locked = reader.take_raw("value"), reader.flag("locked")
    reader.check_all_taken()
    check_lock(setting, locked, lambda item: Code(f"`{item.key}`"))
    return Rule(setting.check(value, setting.key), locked)


def check_lock(
    setting: Setting[Any], locked: bool, name: Callable[[Setting[Any]], Shown] = attrgetter("title")
) -> None:
    """Raise ``PlayerError`` for a lock on a setting that players can neither prefer nor type."""
    if locked and not setting.can_lock:
        message = N_(
            "{setting} can't be locked, because it already applies to everyone. Set it without the lock. "
            "These can be locked: {settings}."
        )
        known = Names(map(name, filter(attrgetter("can_lock"), SETTINGS)))
        raise PlayerError(Text(message, setting=name(setting), settings=known))


def parsed(text: str) -> object:
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        at = Text("line {lineno}, column {colno}: {msg}", lineno=error.lineno, colno=error.colno, msg=Code(error.msg))
        why = Text("I can't read this file: there's an error in {at}. {exported}", at=at, exported=EXPORTED)
        raise PlayerError(why) from None
    except (ValueError, RecursionError):
        raise PlayerError(Text("I can't read this file. {exported}", exported=EXPORTED)) from None
