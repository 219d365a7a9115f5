"""Card sets in words: those that the bot knows, and what one has that another has not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bot.rules.text import Count, Text
from bot.rules.xwing.card_diff import Difference, compare, without_rows
from bot.rules.xwing.card_rows import known
from bot.rules.xwing.card_sets import CardSet

NAMED_MOST: Final = 40
"""So many cards are named one by one; the others are counted."""


def overview(sets: Sequence[CardSet]) -> str:
    """Every set in two lines: its name and how many cards it has, and how far they are known at the dice."""
    newest = {one.key: one.name for one in reversed(sets)}
    lines: list[str] = []
    for cards in sets:
        older = "" if newest[cards.key] == cards.name else Text("older; matches that began with it keep it")
        lines += [
            " · ".join(filter(None, (f"{cards.key}: {cards.title}", counts(cards), older))),
            f"  {coverage(cards)}",
        ]
    return "\n".join(lines)


def counts(cards: CardSet) -> Text:
    """``90 ships, 734 pilots, 635 upgrades``."""
    return Text(
        "{ships}, {pilots}, {upgrades}",
        ships=Count(len(cards.ships), "ship", "ships"),
        pilots=Count(len(cards.pilots), "pilot", "pilots"),
        upgrades=Count(len(cards.upgrades), "upgrade", "upgrades"),
    )


def coverage(cards: CardSet) -> Text:
    """How many cards are counted, asked, reminded and not counted."""
    chassis = {cards.chassis(pilot) for pilot in cards.pilots} - {""}
    every = (
        *(f"pilot:{one}" for one in cards.pilots),
        *(f"upgrade:{one}" for one in cards.upgrades),
        *(f"chassis:{one}" for one in chassis),
    )
    found = Counter(known(card, cards.pool) for card in every)
    return Text(
        "At the dice: {counted} counted, {asked} asked, {reminded} only reminded, {not_counted} not counted.",
        counted=found["counted"],
        asked=found["asked"],
        reminded=found["reminded"],
        not_counted=found["not counted"],
    )


def comparison(new: CardSet, old: CardSet) -> str:
    """What is new, gone and changed, kind by kind, and which new cards nobody has described yet."""
    head = Text("{new}: {counts}. Compared with {old}:", new=new.title, counts=counts(new), old=old.title)
    found = compare(new, old)
    if all(one.is_empty for one in found.values()):
        return f"{head}\n{Text('Nothing is new, gone or changed.')}"
    lines = [line for kind, one in found.items() for line in difference(kind, one)]
    if unknown := without_rows(new, old):
        lines.append(
            Text("New cards whose texts I do not know, so that I count nothing for them ({n}):", n=len(unknown))
        )
        lines += cut([f"  {label}" for label in unknown])
    return "\n".join([head, *lines])


def difference(kind: str, one: Difference) -> Iterator[str]:
    """The lines for one kind of card."""
    parts = (
        (Text("New {kind} ({n}):", kind=kind, n=len(one.new)), list(one.new)),
        (Text("Gone {kind} ({n}):", kind=kind, n=len(one.gone)), list(one.gone)),
        (
            Text("Changed {kind} ({n}):", kind=kind, n=len(one.changed)),
            [f"{changed.label}: {'; '.join(changed.how)}" for changed in one.changed],
        ),
    )
    for title, cards in parts:
        if cards:
            yield title
            yield from cut([f"  {card}" for card in cards])


def cut(lines: list[str]) -> list[str]:
    more = len(lines) - NAMED_MOST
    return lines if more <= 0 else [*lines[:NAMED_MOST], f"  {Text('and {n} more', n=more)}"]
