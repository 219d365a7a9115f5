"""Anything that four people can press on a board, in any order: two owners, a GM, and somebody who only looks on.

What the board offers to somebody works, and changes nothing but what they may change. To anybody else it is refused
with a sentence that names who may, and nothing changes. After every press the books are in order.
"""

import asyncio
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

import discord
import pytest
import simcord
from hypothesis import HealthCheck, Phase as Steps, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from simcord.enums import ComponentType

import bot.runtime.maintenance
import bot.runtime.status
import bot.sessions.links
import bot.store.blocks
import bot.ui.core.responses
from bot.rules.xwing.cards.deck import DAMAGE_CARDS, DECKS
from bot.rules.xwing.table import controls
from bot.rules.xwing.table.match import MATCH, Match, Phase, leaving_ships, match_of, ships_of, waiting_ships
from bot.rules.xwing.table.obstacles import HAZARDS
from bot.rules.xwing.table.ship import Ship
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.settings import Settings
from bot.store.tracked_messages import EVERYBODY, MessageKind
from bot.ui.core.board_controls import FINGERPRINTS, HISTORY, name_mark
from bot.ui.live import live_messages
from tests import books
from tests.conftest import LATER, MAX_REST, PatientEnv
from tests.examples import share_of

Found = TypeVar("Found")
SQUADS: Final[Mapping[str, Mapping[str, Any]]] = {
    "Ana": {"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker"}, {"id": "bluesquadronescort"}]},
    "Bo": {"faction": "galacticempire", "pilots": [{"id": "howlrunner"}, {"id": "academypilot"}]},
}
PEOPLE: Final = ("Ana", "Bo", "Cleo", "Gil")
"""Ana and Bo own ships, Cleo looks on, Gil is a GM."""
OWNERS: Final = ("Ana", "Bo")
ALWAYS: Final = ("Undo", "Select your ship")
NAMES: Final = st.sampled_from(PEOPLE)
RANGES: Final = ("1", "2", "3")
ONLY: Final = "Only people who play here, or a GM, can do that: "
REASONS: Final = (
    "I can't tell whose points these are",
    "`takes` was",
    "can have at most",
    "is ionized",
    "has a lock on",
    "can't do that now",
)
"""Why what a form offers may be impossible together."""


class Boards(RuleBasedStateMachine):
    """One channel, one board, and whatever people press there."""

    migrated: Path

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp(prefix="boards"))
        self.file = Path(shutil.copy(self.migrated, self.folder / "rolls.db"))
        self.app: App
        self.env: simcord.Env
        self.people: dict[str, simcord.MemberActor] = {}

    def run(self, act: Coroutine[Any, Any, Found]) -> Found:
        return self.runner.run(act)

    @initialize(seed=st.integers(0, 2**32), first=st.sampled_from(("", *OWNERS)), phases=st.sampled_from((3, 3, 0)))
    def begin(self, seed: int, first: str, phases: int) -> None:
        """Two squads; ``first`` is the first player, or nobody has said so. So many phases have passed."""
        self.run(self.start(seed, first))
        for _ in range(phases):
            self.run(self.people["Ana"].slash(self.channel, "xwing phase"))
        self.run(self.people["Ana"].slash(self.channel, "table show"))

    async def start(self, seed: int, first: str) -> None:
        url = f"sqlite+aiosqlite:///{self.file}"
        chance = Random(seed)
        self.app = App(Settings.model_construct(database_url=url, person_limit=0), rng=chance.randrange, faces=())
        self.env = PatientEnv(self.app, shard_count=1, check_errors=False, settle_timeout=MAX_REST)
        await self.env.start()
        self.guild = self.env.create_guild("The Gaming Club")
        self.channel = self.guild.create_text_channel("dice")
        role = self.guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))
        for name in PEOPLE:
            user = self.env.create_user(name.lower(), global_name=name)
            self.people[name] = self.guild.add_member(user, roles=[role] if name == "Gil" else [])
        for name, squad in SQUADS.items():
            side = {"side": "first"} if name == first else {}
            await self.people[name].slash(self.channel, "xwing squad", text=json.dumps(squad), **side)
        players = await self.app.tables.players(self.here)
        self.numbers = {player.name: number for number, player in players.items()}

    def teardown(self) -> None:
        self.run(self.stop())
        self.runner.close()
        shutil.rmtree(self.folder)

    async def stop(self) -> None:
        if self.people:
            await self.env.shutdown()
            await self.app.close()

    # What there is

    @property
    def here(self) -> Place:
        return Place(self.channel.id, self.guild.id)

    def table(self) -> dict[str, Any]:
        return self.run(self.app.tables.pieces(self.here, "xwing"))

    @property
    def board(self) -> discord.Message:
        number = self.app.live[MessageKind.BOARD, self.channel.id, EVERYBODY].kept.message_id
        return next(item for item in self.channel.history() if item.id == number)

    def controls(self) -> dict[str, Any]:
        """What can be pressed on the board, by its label."""
        result = [item for row in self.board.components for item in getattr(row, "children", ())]
        return {getattr(item, "label", None) or item.placeholder: item for item in result}

    def shown(self) -> list[str]:
        """The ships on which presses act, as the ids on the board say it."""
        if (undo := self.controls().get("Undo")) is None:  # an empty table has buttons to begin with, and no other
            return []
        marks = undo.custom_id.split(":")[4:]
        names = {name_mark(name): name for name in ships_of(self.table())}
        return [names[item[:6]] for item in (marks[0].split(".") if marks else ())]

    def ship_of(self, who: str, offer: str = "") -> str:
        """The ship on which somebody's presses act: their own; for a GM the first that can do it now, or the first one.

        "" for who looks on.
        """
        shown, table = self.shown(), self.table()
        own = [name for name in shown if self.owner(ships_of(table)[name]) == who]
        keys = {name: {item.key: not item.barred for item in controls.offers(table, name)} for name in shown}
        able = [name for name in shown if keys[name].get(offer)] or [name for name in shown if offer in keys[name]]
        return next(iter(own or ((*able, *shown) if who == "Gil" else ())), "")

    def owner(self, ship: Ship) -> str:
        return next((name for name, number in self.numbers.items() if number == ship.owner), "")

    def is_outside(self, who: str, table: Mapping[str, Any]) -> bool:
        """Whether somebody has no ship on the table, or none anymore, and is no GM."""
        return who != "Gil" and all(self.owner(ship) != who for ship in ships_of(table).values())

    def answers(self, result: simcord.InteractionResult) -> str:
        """What one person alone was told; "" where the answer was the board itself or a card."""
        told = [item for item in (result.response, *result.followups) if item is not None and item.ephemeral]
        return " ".join(item.content for item in told)

    # What people do

    @rule(who=NAMES, data=st.data())
    def select(self, who: str, data: st.DataObject) -> None:
        """Somebody's presses act on another ship of theirs; one of somebody else they see alone."""
        self.end_attacks()
        options = self.controls().get("Select your ship")
        if options is None:
            return
        name = data.draw(st.sampled_from([option.label for option in options.options]))
        before, stood = {person: self.ship_of(person) for person in PEOPLE}, self.table()
        pick = self.people[who].select(self.board, [name_mark(name)], custom_id=options.custom_id)
        result = self.run(pick)
        assert self.answers(result) == ""
        owner = self.owner(ships_of(stood)[name])
        match = match_of(stood)
        ready = [ship.name for ship in waiting_ships(match, ships_of(stood)) if self.owner(ship) == owner]
        gives_way = ships_of(stood)[name].engaged and bool(ready)
        wanted = {owner: name} if who in (owner, "Gil") and not gives_way else {}
        for item in OWNERS:
            assert self.ship_of(item) == wanted.get(item, before[item] if item != owner or not gives_way else ready[0])
        assert self.table() == stood

    @rule(who=NAMES, data=st.data())
    def press(self, who: str, data: st.DataObject) -> None:
        """A button of the board, or a line of its list; a form that it opens is filled in."""
        self.end_attacks()
        labels = [label for label, item in self.controls().items() if label not in ALWAYS and not item.disabled]
        if "Undo" not in self.controls():  # the squads were taken back
            return
        self.act(who, data.draw(st.sampled_from(labels)), data)

    @rule(data=st.data(), label=st.sampled_from(("Attack", "Attack", "Engage without attacking")))
    def play_on(self, data: st.DataObject, label: str) -> None:
        """The owner of a ship whose turn it is selects it and presses."""
        self.end_attacks()
        table = self.table()
        match = match_of(table)
        ready = waiting_ships(match, ships_of(table)) if match is not None and match.phase is Phase.ENGAGEMENT else []
        if ready:
            ship = data.draw(st.sampled_from(sorted(ready, key=lambda item: item.name)))
            who = self.people[self.owner(ship)]
            if (options := self.controls().get("Select your ship")) is not None:
                self.run(who.select(self.board, [name_mark(ship.name)], custom_id=options.custom_id))
            assert "Engage without attacking" in self.controls(), "whose turn it is may always engage"
            if label in self.controls() and not self.controls()[label].disabled:
                self.act(self.owner(ship), label, data)

    def act(self, who: str, label: str, data: st.DataObject) -> None:
        """Press, fill in what is asked, and judge what came of it."""
        item, stood = self.controls()[label], self.table()
        ship = self.ship_of(who, (item.custom_id or "::::").split(":")[3])
        if isinstance(item, discord.SelectMenu):
            option = data.draw(
                st.sampled_from([one for one in item.options if one.value not in (HISTORY, FINGERPRINTS, "show-score")])
            )
            label, ship = option.label, self.ship_of(who, option.value)
            result = self.run(self.people[who].select(self.board, [option.value], custom_id=item.custom_id))
        else:
            result = self.run(self.people[who].click(self.board, custom_id=item.custom_id))
        if result.modal is not None:
            filled = self.fill(result.modal, data)
            result = self.run(self.people[who].submit_modal(result, filled))
        self.judge(who, label, ship, stood, self.answers(result))

    def fill(self, form: Mapping[str, Any], data: st.DataObject) -> dict[str, Any]:
        """A form filled in with any of what it offers; what may stay empty sometimes does."""
        filled: dict[str, Any] = {}
        for line in form["components"]:
            part = line["component"]
            values = [item["value"] for item in part["options"] if not item["value"].startswith("camera-")]
            if part["custom_id"] == "range":
                values = [item for item in values if item in RANGES]
            if not part.get("required", True) and part["custom_id"] != "takes":
                values.append("")
            value = data.draw(st.sampled_from(values), label=part["custom_id"])
            is_list = part["type"] != ComponentType.RADIO_GROUP
            if value or is_list:
                filled[part["custom_id"]] = ([value] if value else []) if is_list else value
        return filled

    def judge(self, who: str, label: str, ship: str, stood: Mapping[str, Any], told: str) -> None:
        """Whether a press did what it may, for whom it may, and else said who may."""
        now, body = self.table(), stood.get(ship)
        gone = set(leaving_ships(match_of(stood), ships_of(stood)))
        assert gone & set(now) <= set(leaving_ships(match_of(now), ships_of(now))), "who is gone does not come back"
        if label.startswith(("End ", "Begin ", "Roll", "Be the", "The other player", "Points")):
            self.judge_match(who, label, stood, now, told)
        elif not ship:
            is_outside = self.is_outside(who, stood)
            assert told.startswith(ONLY if is_outside else "None of your ships is selected on the board")
            assert now == stood
        elif label in ("Attack", "Bonus attack…"):
            match = match_of(stood)
            assert match is not None
            assert isinstance(body, Ship)
            ready = [item.name for item in waiting_ships(match, ships_of(stood))]
            is_in_turn = body.has_attacked or ship in ready
            if told:
                assert any(part in told for part in ("can't fire", "can't do that now")) or not is_in_turn, told
                assert now == stood
            else:
                assert is_in_turn, f"{ship} attacked, and it was the turn of {ready}"
        elif label == "Plan":  # its form is private, and plays nothing yet
            assert ships_of(now) == ships_of(stood)
        elif told and label != "Look at its cards":  # not possible in the combination that was filled in
            assert any(part in told for part in REASONS), told
            assert now == stood
        else:
            self.judge_consequences(label, ship, stood, now)

    def judge_consequences(self, label: str, ship: str, stood: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """On other ships locks break, wrecks leave, and a token comes that an effect or a form puts there."""
        for name, before in ships_of(stood).items():
            after = now.get(name)
            if name == ship or after == before or label in ("Token on another ship", "Tokens and locks"):
                continue
            assert before.destroyed if after is None else after == replace(before, locks=after.locks)

    def judge_match(self, who: str, label: str, stood: Mapping[str, Any], now: Mapping[str, Any], told: str) -> None:
        match = match_of(stood) or Match()
        if label.startswith("Be the") and who not in ("Gil", self.name_of(match.chooses)):
            assert told == f"Only {self.name_of(match.chooses)} or a GM can choose that."
        elif self.is_outside(who, stood):
            assert told.startswith(ONLY)
        elif label.startswith("Points") and who == "Gil":
            assert told.startswith("I can't tell whose points these are"), "he has no ships"
        else:
            assert told == ""
            assert now[MATCH] != match
            return
        assert now == stood

    def name_of(self, number: int) -> str:
        return next((name for name, item in self.numbers.items() if item == number), "")

    def end_attacks(self) -> None:
        """Whoever's turn it is presses on the cards of attacks until they are over."""
        for _ in range(60):
            open_ = [roll for roll in self.run(self.app.tables.rolls(self.here)) if roll.offers]
            if not open_:
                return
            roll = open_[0]
            card = next(one for one in self.channel.history() if one.id == self.app.links.of(roll))
            offer = roll.offers[0]
            seat = roll.seats.get(offer.side)
            who = self.people[seat.name] if seat is not None else self.people["Bo"]
            item = next(
                one
                for row in card.components
                for one in getattr(row, "children", ())
                if (one.custom_id or "").endswith(f":{offer.key}")
            )
            if isinstance(item, discord.SelectMenu):
                self.run(who.select(card, [item.options[0].value], custom_id=item.custom_id))
            else:
                self.run(who.click(card, custom_id=item.custom_id))
        raise AssertionError("an attack does not end")

    @rule(who=NAMES, data=st.data())
    def press_what_is_not_offered(self, who: str, data: st.DataObject) -> None:
        """A button that is not on the board, for any ship: refused in a sentence, and nothing changes."""
        self.end_attacks()
        stood = self.table()
        ships = ships_of(stood)
        if not ships:
            return
        name = data.draw(st.sampled_from(sorted(ships)))
        offer = data.draw(st.sampled_from(("give-focus", "engage", "attack", "lock", "look", "phase", "be-first", "x")))
        made_up = f"rc1:on:00000000:{offer}:{name_mark(name)}000000"
        item = self.controls()["Undo"]
        message = self.env.backend.get_message(self.channel.id, self.board.id)
        payload = simcord.backend.serializers.message_payload(self.env.backend, message)
        result = self.run(
            self.people[who]._dispatch_interaction(
                simcord.enums.InteractionType.MESSAGE_COMPONENT,
                self.channel,
                {"custom_id": made_up, "component_type": item.type.value},
                extra={"message": payload},
                source_message_id=self.board.id,
            )
        )
        assert self.answers(result)
        assert self.table() == stood

    @rule(who=NAMES)
    def undo(self, who: str) -> None:
        """Whatever it answers, nothing is lost by it: the invariants say so."""
        self.end_attacks()
        if "Undo" in self.controls():
            self.run(self.people[who].click(self.board, custom_id=self.controls()["Undo"].custom_id))

    # What is always true

    @invariant()
    @precondition(lambda self: bool(self.people))
    def the_books_are_in_order(self) -> None:
        assert books.wrong(self.file) == []

    @invariant()
    @precondition(lambda self: bool(self.people))
    def no_card_is_lost_or_doubled_and_no_ship_does_what_it_may_not(self) -> None:
        table = self.table()
        ships, decks = ships_of(table), table.get(DECKS)
        for number in self.numbers.values():
            own = [ship for ship in ships.values() if ship.owner == number]
            lying = Counter[str](title for ship in own for title in (*ship.facedown, *ship.faceup))
            pile = decks.piles.get(str(number), {}) if decks is not None else {}
            assert all(lying[title] + pile.get(title, 0) <= card.copies for title, card in DAMAGE_CARDS.items())
        for ship in ships.values():
            assert self.owner(ship) in OWNERS
            assert set(ship.locks) <= {*ships, *HAZARDS} - {ship.name}
            assert ship.attacks <= 2
            assert all(count > 0 for count in ship.tokens.values())
            assert 0 <= ship.shields_left <= ship.shields
            assert 0 <= ship.force_left <= ship.force


def test_whatever_four_people_press_on_a_board(migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Boards, "migrated", migrated, raising=False)
    monkeypatch.setattr(bot.runtime.maintenance, "TIDY_FIRST", LATER)
    monkeypatch.setattr(bot.runtime.status, "EVERY", LATER)
    monkeypatch.setattr(bot.store.blocks, "EVERY", LATER)
    monkeypatch.setattr(bot.sessions.links, "WAIT", LATER)
    monkeypatch.setattr(bot.ui.core.responses, "DEFER_AFTER", LATER)
    monkeypatch.setattr(live_messages, "PAUSE", 0.0)
    no_shrinking = [Steps.explicit, Steps.reuse, Steps.generate]  # each step is a press in a whole Discord
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    run_state_machine_as_test(
        Boards,
        settings=settings(
            max_examples=share_of(16),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=slow,
            phases=no_shrinking,
        ),
    )
