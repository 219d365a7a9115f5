"""Infinity."""

from dataclasses import replace
from typing import Final

from bot.games.game import Board, Chances, Commands, Game, GameTable, OddsCard, Question, read_help, read_samples
from bot.odds.infinity import json_odds, partner, sides
from bot.render import infinity as cards
from bot.render.infinity import odds as odds_card, troopers
from bot.rules import infinity as rules
from bot.rules.game import Variant
from bot.rules.infinity.orders import open_order, play
from bot.rules.infinity.table import controls, markers, pieces
from bot.rules.infinity.troopers import declared, skills, states
from bot.rules.infinity.troopers.trooper import Trooper, public, troopers_of
from bot.rules.infinity.turn import player_turn
from bot.rules.text import Code, Noun, Text


def of_infinity(order: declared.Order, _: tuple[str, str]) -> Question:
    if len(order.rolls) > 2:
        return ()
    named = [(roll.name or side, roll) for roll, side in zip(order.rolls, "AB", strict=False)]
    sides = [f"{name} SV {roll.attribute} b{roll.burst}" for name, roll in named]
    text = " vs ".join(sides) if len(sides) > 1 else f"{sides[0]} normal vs B"
    result = rules.declare({"order": text, "edition": order.edition})
    assert isinstance(result, declared.Order), "a text without AROs"  # noqa: S101 - states it
    same = tuple(replace(roll, name=mine.name) for roll, mine in zip(result.rolls, order.rolls, strict=False))
    is_same = same == order.rolls and len(result.meetings) == len(order.meetings)
    return ({"order": text, "edition": order.edition},) if is_same else ()


GAME: Final = Game(
    rules=rules,
    odds=json_odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(sides.count, odds_card.card, asked=of_infinity),
        luck=sides.luck,
        results=sides.roll_results,
        moves=partner.moves,
    ),
    table=GameTable(
        pieces=pieces,
        changes=pieces,
        facts=troopers.facts,
        size=lambda held: len(troopers_of(held)),
        piece=Noun("trooper", "troopers"),
        seen=lambda piece: public(piece) if isinstance(piece, Trooper) else piece,
        board=Board(
            controls=controls,
            picture=troopers.picture,
            summary=troopers.summary,
            headline=troopers.summary,
            is_running=player_turn.runs,
            beside=((Text("Units"), "units"), (Text("Courtesy List"), "courtesy")),
            select=Text("Select your trooper"),
            left=Text("That trooper has left the table. The card is up to date now; look again."),
            not_shown=Text("None of your troopers is selected on the board. Select one there, then press again."),
        ),
        planning=markers,
        due=markers.due_reveals,
        declare=pieces.declare,
        form=open_order.declare_form,
        played_by=pieces.by_side,
        rolling=pieces.rolling_names,
        about=pieces.about,
        is_out=troopers.is_out,
    ),
    help=replace(read_help(rules.KEY), counted=skills.skill_help() + states.state_help()),
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
    forced=play.count_forced,
    samples=read_samples(rules.KEY),
)
