"""Infinity."""

from dataclasses import replace
from typing import Final

from bot.games.game import Board, Chances, Commands, Game, OddsCard, Question, Table, written_help, written_samples
from bot.odds.infinity import json_words, partner, sides
from bot.render import infinity as cards
from bot.render.infinity import odds as odds_card
from bot.render.infinity import troopers
from bot.rules import infinity as rules
from bot.rules.game import Variant
from bot.rules.infinity import controls, declared, markers, open_order, pieces, play, skills, states, turn
from bot.rules.text import Code, Text


def of_infinity(order: declared.Order, _: tuple[str, str]) -> Question:
    if len(order.rolls) > 2:
        return ()
    named = [(one.name or side, one) for one, side in zip(order.rolls, "AB", strict=False)]
    sides = [f"{name} SV {one.attribute} b{one.burst}" for name, one in named]
    text = " vs ".join(sides) if len(sides) > 1 else f"{sides[0]} normal vs B"
    made = rules.declare({"order": text, "edition": order.edition})
    assert isinstance(made, declared.Order), "a text without AROs"  # noqa: S101 - states it
    same = tuple(replace(one, name=mine.name) for one, mine in zip(made.rolls, order.rolls, strict=False))
    is_same = same == order.rolls and len(made.meetings) == len(order.meetings)
    return ({"order": text, "edition": order.edition},) if is_same else ()


GAME: Final = Game(
    rules=rules,
    odds=json_words.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(sides.count, odds_card.card, asked=of_infinity),
        luck=sides.luck,
        results=sides.roll_results,
        moves=partner.moves,
    ),
    table=Table(
        pieces=pieces,
        changes=pieces,
        facts=troopers.facts,
        seen=troopers.seen,
        board=Board(
            controls=controls,
            picture=lambda _held, _owners: None,  # troopers are told in words
            summary=troopers.summary,
            headline=troopers.summary,
            is_running=turn.runs,
            beside=((Text("Courtesy List"), Code("courtesy")),),
            select=Text("Select your trooper"),
            left=Text("That trooper has left the table. You see how things stand now; look again."),
            not_shown=Text("The board shows none of your troopers. Select one of yours there, then press again."),
        ),
        planning=markers,
        due=markers.due,
        declare=pieces.declare,
        form=open_order.declare_form,
        played_by=pieces.by_side,
        rolling=pieces.rolling,
        about=pieces.about,
        is_out=troopers.is_out,
    ),
    help=replace(written_help(rules.KEY), counted=skills.told() + states.told()),
    commands=Commands(rolls=("roll", "versus", "order", "save")),
    variants=(
        Variant(
            word="edition",
            title=Text("Infinity edition"),
            values={"n5": Code("N5"), "n4": Code("N4"), "n3": Code("N3")},
            built_in="n5",
            personal=True,
        ),
    ),
    not_secret=pieces.not_secret,
    forced=play.forced,
    samples=written_samples(rules.KEY),
)
