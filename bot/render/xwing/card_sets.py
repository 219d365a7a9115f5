"""Card sets in words: those that the bot knows, and what one has that another has not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from bot.render.card import Card
from bot.render.xwing.fleet import TITLE
from bot.rules.text import EMPTY, N_, Code, Count, Name, Sentences, Text, Words, english, labelled
from bot.rules.xwing.cards.card_diff import Difference, compare, without_rows
from bot.rules.xwing.cards.card_rows import known
from bot.rules.xwing.cards.card_sets import CardSet

NAMED_MOST: Final = 40
"""So many cards are named one by one; the others are counted."""


def overview(sets: Sequence[CardSet]) -> str:
    """Every set in two lines: its name and how many cards it has, and how far they are known at the dice."""
    newest = {one.key: one.name for one in reversed(sets)}
    lines: list[str] = []
    for cards in sets:
        older = EMPTY if newest[cards.key] == cards.name else Text("older; matches that began with it keep it")
        lines += [
            " · ".join(
                english(one) for one in (Code(f"{cards.key}: {english(cards.title)}"), counts(cards), older) if one
            ),
            f"  {english(coverage(cards))}",
        ]
    return "\n".join(lines)


def counts(cards: CardSet) -> Text:
    """``90 ships, 734 pilots, 635 upgrades``."""
    ships, pilots = Count(len(cards.ships), "ship", "ships"), Count(len(cards.pilots), "pilot", "pilots")
    return Sentences([ships, pilots, Count(len(cards.upgrades), "upgrade", "upgrades")], ", ")


@lru_cache(maxsize=8)
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
        return f"{english(head)}\n{english(Text('Nothing is new, gone or changed.'))}"
    told = [part for kind, one in found.items() for part in parts(kind, one)]
    if unknown := without_rows(new, old):
        told.append((Text("Nothing is counted for these new cards ({n})", n=len(unknown)), list(map(Name, unknown))))
    lines = [line for heading, cards in told for line in (f"{english(heading)}:", *indented(cut(cards, NAMED_MOST)))]
    return "\n".join([english(head), *lines])


def indented(lines: list[Words]) -> list[str]:
    return [f"  {english(line)}" for line in lines]


KINDS: Final = {"ships": N_("ships"), "pilots": N_("pilots"), "upgrades": N_("upgrades")}


def parts(kind: str, one: Difference) -> Iterator[tuple[Text, Sequence[Words]]]:
    """What is new, gone and changed of one kind of card: a heading without an end, and a line for each card."""
    changed = [labelled(Name(card.label), Sentences(card.how, "; ")) for card in one.changed]
    every = (
        (Text("New {kind} ({n})", kind=Text(KINDS[kind]), n=len(one.new)), list(map(Name, one.new))),
        (Text("Gone {kind} ({n})", kind=Text(KINDS[kind]), n=len(one.gone)), list(map(Name, one.gone))),
        (Text("Changed {kind} ({n})", kind=Text(KINDS[kind]), n=len(changed)), changed),
    )
    return ((heading, lines) for heading, lines in every if lines)


SHOWN_MOST: Final = 12
"""As ``NAMED_MOST``, on a card."""


def sets_card(sets: Sequence[CardSet], chosen: Words) -> Card:
    """The sets as a card; ``chosen`` is what is set here, in words."""
    newest = {one.key: one.name for one in reversed(sets)}
    return Card(
        title=Text("{game} · card sets", game=TITLE),
        outcome=Text("I know {sets}.", sets=Count(len(sets), "card set", "card sets")),
        facts=tuple(
            (one.title, Sentences([counts(one), coverage(one)], "\n")) for one in sets if newest[one.key] == one.name
        ),
        small=Text(
            "The setting xwing_cards is “{chosen}” for you here. Change it for yourself with /prefer, for a channel or "
            "the server with /ruleset set.",
            chosen=chosen,
        ),
        ahead="nobody",
    )


def comparison_card(new: CardSet, old: CardSet) -> Card:
    """A set that a server keeps from now on, and how it differs from another."""
    found = compare(new, old)
    told = [part for kind, one in found.items() for part in parts(kind, one)]
    if unknown := without_rows(new, old):
        told.append((Text("Nothing is counted for these new cards ({n})", n=len(unknown)), list(map(Name, unknown))))
    return Card(
        title=Text("{game} · card sets", game=TITLE),
        outcome=Text("This server has a card set of its own now: {counts}.", counts=counts(new)),
        facts=tuple((heading, Sentences(cut(lines, SHOWN_MOST), "\n")) for heading, lines in told),
        small=Text(
            "Compared with {old}. Squads whose cards it knows go to it, unless somebody prefers another. Ships on a "
            "table keep their cards.",
            old=old.title,
        ),
        ahead="nobody",
    )


def removed_card(own: CardSet) -> Card:
    return Card(
        title=Text("{game} · card sets", game=TITLE),
        outcome=Text("{set} is forgotten.", set=own.title),
        small=Text("Ships that came with it keep their cards."),
        ahead="nobody",
    )


def cut(lines: Sequence[Words], most: int) -> list[Words]:
    """The first lines, and how many more there are."""
    more = len(lines) - most
    return list(lines) if more <= 0 else [*lines[:most], Text("and {n} more", n=more)]
