"""Card sets as text: known ones, differences, and a server's own."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from bot.odds.size_limit import check
from bot.render.card import Card
from bot.render.xwing.fleet import TITLE
from bot.rules.errors import BadTextError
from bot.rules.text import EMPTY, N_, Code, Count, Name, Sentences, Shown, Text, english
from bot.rules.xwing.cards.card_diff import compare, without_rows
from bot.rules.xwing.cards.card_import import from_bytes, imported
from bot.rules.xwing.cards.card_sets import OWN, POOLS, SHELF, CardSet, parsed
from bot.rules.xwing.cards.pilots import index
from bot.rules.xwing.cards.rows import coverage_of

CARD_SETS: Final = Text("{game} · card sets", game=TITLE)
MAX_NAMED: Final = 40
"""Maximum cards listed; the others are counted."""


def overview(sets: Sequence[CardSet]) -> str:
    """Return each set in two lines: name and numbers of cards, and how far they are automated."""
    newest = {card_set.key: card_set.name for card_set in reversed(sets)}
    lines = list[str]()
    for cards in sets:
        older = EMPTY if newest[cards.key] == cards.name else Text("older; matches that started with it keep it")
        key = Code(f"{cards.key}: {english(cards.title)}")
        lines.append(english(Sentences([key, counts(cards), older], " · ")))
        lines.append(f"  {english(coverage(cards))}")
    return "\n".join(lines)


def counts(cards: CardSet) -> Text:
    """Return ``90 ships, 734 pilots, 635 upgrades``."""
    ships, pilots = Count(len(cards.ships), "ship", "ships"), Count(len(cards.pilots), "pilot", "pilots")
    return Sentences([ships, pilots, Count(len(cards.upgrades), "upgrade", "upgrades")], ", ")


@lru_cache(maxsize=8)
def coverage(cards: CardSet) -> Text:
    """Return how many cards are automated, asked about, reminders, and played by hand."""
    chassis = {cards.chassis(pilot) for pilot in cards.pilots} - {""}
    every = (("pilot", cards.pilots), ("upgrade", cards.upgrades), ("chassis", chassis))
    result = Counter(coverage_of(f"{kind}:{item}", cards.pool) for kind, ids in every for item in ids)
    return Text(
        "Dice effects: {counted} automated, {asked} ask first, {reminded} reminders only, {not_counted} by hand.",
        counted=result["counted"],
        asked=result["asked"],
        reminded=result["reminded"],
        not_counted=result["not counted"],
    )


def comparison(new: CardSet, old: CardSet) -> str:
    """Return new, removed, and changed cards by kind, and new cards without rows."""
    head = Text("{new}: {counts}. Compared with {old}:", new=new.title, counts=counts(new), old=old.title)
    lines = [english(head)]
    for heading, cards in parts(new, old):
        lines += [f"{english(heading)}:", *(f"  {english(line)}" for line in cut(cards, MAX_NAMED))]
    return "\n".join(lines if len(lines) > 1 else [*lines, english(Text("Nothing was added, removed, or changed."))])


def parts(new: CardSet, old: CardSet) -> Iterator[tuple[Text, Sequence[Shown]]]:
    """Yield new, removed, and changed cards by kind: an open heading, and a line for each card."""
    for kind, result in compare(new, old).items():
        yield from ((Text(said, kind=Text(kind), n=len(cards)), cards) for said, cards in result if cards)
    if unknown := without_rows(new, old):
        yield Text("New cards to play by hand ({n})", n=len(unknown)), list(map(Name, unknown))


MAX_SHOWN: Final = 12
"""Maximum names on a card, like ``MAX_NAMED``."""


def of_server(own: str, chosen: Shown) -> Card:
    """Return a server's card sets with its own ("" for none); ``chosen``: its setting as text."""
    check(len(own), 0)
    sets = [*([parsed(own)] if own else []), *(SHELF.of(name) for name in SHELF.files())]
    newest = {card_set.key: card_set.name for card_set in reversed(sets)}
    shown = (card_set for card_set in sets if newest[card_set.key] == card_set.name)
    facts = tuple((card_set.title, Sentences([counts(card_set), coverage(card_set)], "\n")) for card_set in shown)
    message = N_(
        "The setting “X-Wing cards” is “{chosen}” for you here. Change it for yourself with /prefer, or "
        "for a channel or the server with /ruleset set."
    )
    outcome = Text("I know {sets}.", sets=Count(len(sets), "card set", "card sets"))
    return Card(CARD_SETS, outcome, facts=facts, small=Text(message, chosen=chosen))


def removed_card(own: CardSet) -> Card:
    outcome, small = Text("{set} was removed.", set=own.title), Text("Ships that came with it keep their cards.")
    return Card(title=CARD_SETS, outcome=outcome, small=small)


def cut(lines: Sequence[Shown], most: int) -> list[Shown]:
    more = len(lines) - most
    return list(lines) if more <= 0 else [*lines[:most], Text("and {n} more", n=more)]


# A server's own set. A worker handles it, because a set has thousands of cards. The stored form loads in a few
# milliseconds: compact, at most ``MAX_KEPT``, with its pilot index.

MAX_KEPT: Final = 1_000_000
"""Maximum characters; the set of 2025 has 350,000."""


def import_uploaded_set(name: str, as_of: str, before: str, content: bytes) -> tuple[str, Card]:
    """Return an uploaded set's text and its differences from ``before``. Raises ``PlayerError`` if it is invalid."""
    read = imported(from_bytes(name, content), OWN, as_of, {pool: SHELF.of(pool) for pool in POOLS})
    new = parsed(read.encode(errors="replace").decode())  # JSON can escape invalid characters
    head = {"set": {"key": new.key, "as_of": new.as_of, "pool": new.pool}}
    rows = {part: getattr(new, part) for part in ("ships", "pilots", "upgrades", "aliases")}
    text = json.dumps({**head, **rows, "index": index(new)}, ensure_ascii=False, separators=(",", ":"))
    if len(text) > MAX_KEPT:
        raise BadTextError(Text("Its cards have more than {most} characters. Send fewer cards.", most=MAX_KEPT))
    old = parsed(before) if before else SHELF.of(new.pool)
    outcome = Text("This server now has its own card set: {counts}.", counts=counts(new))
    facts = tuple((heading, Sentences(cut(lines, MAX_SHOWN), "\n")) for heading, lines in parts(new, old))
    message = N_(
        "Compared with {old}. Squads use it if it has their cards, unless someone prefers another "
        "set. Ships on a table keep their cards."
    )
    return text, Card(CARD_SETS, outcome, facts=facts, small=Text(message, old=old.title))
