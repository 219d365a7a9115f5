"""X-Wing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.games import game
from bot.games.game import Question, Words, numbers, read_fields
from bot.odds import xwing as odds
from bot.odds.xwing import advice, partner
from bot.render import xwing as cards
from bot.render.xwing import fleet, odds as odds_card, phases
from bot.rules import xwing as rules
from bot.rules.game import Side, Variant
from bot.rules.text import Code, Noun, Text
from bot.rules.xwing.attack import attack
from bot.rules.xwing.cards import card_sets
from bot.rules.xwing.dice.declared import Declared as Attack, LineUp
from bot.rules.xwing.dice.typed_sides import SideInput, in_english, write
from bot.rules.xwing.table import aftermath, controls, match, pieces, planning


def of_xwing(line_ups: Sequence[tuple[str, Attack]]) -> Question:
    result = tuple(attack_fields(item) for _, item in line_ups)
    declared = (
        rules.declare({**item, "obstructed": bool(item.get("obstructed"))} | numbers(item, "dice", "agility", "range"))
        for item in result
    )
    asked = (replace(item, tokens="") for _, item in line_ups)
    return result if all(made == item for made, item in zip(declared, asked, strict=True)) else ()


def attack_fields(declared: Attack) -> Words:
    defense = declared.defense or LineUp()
    against = SideInput(line_up=replace(defense, dice=0), hull=declared.hull, shields=declared.shields)
    return read_fields(
        {
            "dice": str(declared.attack.dice),
            "agility": str(defense.dice),
            "range": "" if declared.range is None else str(declared.range),
            "with": write(SideInput(line_up=replace(declared.attack, dice=0)), Side.ATTACKER),
            "against": write(against, Side.DEFENDER),
            "obstructed": "yes" if declared.obstructed else "",
        }
    )


GAME: Final = game.Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=game.Chances(
        card=game.OddsCard(odds.count, odds_card.card, odds_card.EXPLAINED, of_xwing),
        luck=odds.luck,
        stake=rules.stake,
        results=odds.roll_results,
        advice=advice,
        moves=partner.moves,
        targets=partner.targets,
        plan=partner.dial,
    ),
    table=game.GameTable(
        pieces=pieces,
        changes=pieces,
        facts=fleet.facts,
        piece=Noun("ship", "ships"),
        board=game.Board(
            select=Text("Select your ship"),
            left=Text("That ship has left the table. The card is up to date now; look again."),
            not_shown=Text("None of your ships is selected on the board. Select one there, then press again."),
            controls=controls,
            picture=fleet.picture,
            summary=phases.summary,
            headline=phases.headline,
            ends_at=match.ends_at,
            beside=((Text("Score and clock"), "show-score"),),
            begins=((Text("Add a ship"), "xwing-ship-add"), (Text("An attack"), "xwing-attack")),
            secrets=fleet.ship_cards_card,
            told=fleet.step_card,
        ),
        declare=pieces.declare,
        words=("attacker", "defender"),
        seen=pieces.public_view,
        played_by=pieces.by_side,
        follow_ups=aftermath,
        about=lambda state: tuple(pieces.by_side(state.declared).values()),
        planning=planning,
        planned=fleet.dials_card,
        ending=game.MatchEnding(
            winner=match.winner,
            lost=match.lost_ships,
            players=match.players,
            rounds=match.count_rounds,
            rematch=match.rematch,
            decided=match.decided_winner,
            points=lambda table: {one: tally.total for tally in match.tallies(table) for one in tally.players},
            picture=fleet.final_roster,
            clock=match.clock_ends,
            squads=match.squads,
        ),
    ),
    help=replace(game.read_help(rules.KEY), reference=lambda: odds_card.average_table(odds.averages())),
    commands=game.Commands(
        rolls=("attack", "roll"),
        at_table={"tokens": "press"},
        translated={"with": in_english, "against": in_english},
    ),
    variants=(
        Variant(
            word="ruleset",
            title=Text("X-Wing ruleset"),
            values={"2.5": Code("2.5"), "2.0": Code("2.0")},
            built_in="2.5",
        ),
        Variant(
            word="cards",
            title=Text("X-Wing cards"),
            values=card_sets.CardSetChoices(),
            built_in=card_sets.AUTOMATIC,
            personal=True,
            fills=False,
        ),
        Variant(
            word="dials",
            title=Text("X-Wing dials"),
            values={"ask": Text("ask once"), "on": Text("on"), "off": Text("off")},
            built_in="ask",
            fills=False,
        ),
        Variant(
            word="tokens",
            title=Text("X-Wing tokens without ships"),
            values={"press": Text("Press them during the attack"), "none": Text("No tokens")},
            built_in="press",
        ),
    ),
    not_secret=attack.not_secret,
    by_hand_words=("camera",),
    has_undo=True,
    samples=game.read_samples(rules.KEY),
)
