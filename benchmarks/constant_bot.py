"""Rollcall with parts of an answer replaced by what they gave the first time; see ``benchmarks.ablation``.

CONSTANT names the parts: ``declare`` (the typed words of an attack), ``open`` (the roll: rules, chance, the stored ply)
and ``card`` (embed, picture and buttons).
"""

import io
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import discord

from bot.cli import commands
from bot.sessions.sessions import Sessions
from bot.ui.roll import roll_message

Act = TypeVar("Act", bound=Callable[..., Awaitable[Any]])


def once(act: Act) -> Act:
    """The same, done once."""
    first: list[Any] = []

    async def again(*given: Any, **named: Any) -> Any:
        if not first:
            first.append(await act(*given, **named))
        return first[0]

    return cast("Act", again)


def with_new_file(act: Act) -> Act:
    """The parts of a message: a picture can be sent only once, so each message has a copy of it."""
    first: list[tuple[dict[str, Any], bytes]] = []

    async def again(*given: Any, **named: Any) -> dict[str, Any]:
        if not first:
            parts = await act(*given, **named)
            first.append((parts, parts["file"].fp.read()))
        parts, picture = first[0]
        return {**parts, "file": discord.File(io.BytesIO(picture), "dice.png", description=parts["file"].description)}

    return cast("Act", again)


def main(constant: list[str]) -> int:
    """Run the bot with these parts constant."""
    if "declare" in constant:
        roll_message.declare = once(roll_message.declare)
    if "open" in constant:
        Sessions.open = once(Sessions.open)  # type: ignore[method-assign]  # that is the purpose
    if "card" in constant:
        roll_message.current_message = with_new_file(roll_message.current_message)
    return commands.command("run")


if __name__ == "__main__":
    sys.exit(main(os.environ["CONSTANT"].split()))
