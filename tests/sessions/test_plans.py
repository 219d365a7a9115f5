"""Plans on both engines: nobody learns them, nobody changes them unseen, each opens without the others."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from bot.fair import plans as arithmetic
from bot.games import GAMES
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.pieces import BoardChange
from bot.rules.plans import Commitment, Leaf, PlanEvent, PlanForm, PlanPlace
from bot.rules.text import Name, Text
from bot.rules.xwing.table.ship import Ship, launch
from bot.sessions.events import ignore_event
from bot.sessions.openings import commitment_json, sheet_of
from bot.sessions.personal_data import PersonalData
from bot.sessions.pieces import NotYourPieceError
from bot.sessions.plans import IncompletePlanError, Plans
from bot.sessions.request import Person, Place, Request
from bot.sessions.tables import Tables, UndoneStep
from bot.sessions.undo import UndoRequest as UndoAsked
from bot.store import openings as opening_rows, pieces as piece_rows
from bot.store.database import Database
from bot.store.sessions import DuplicateInteractionError

ANA, BO, CLEO = Person(1, "Ana"), Person(2, "Bo"), Person(3, "Cleo")
HERE = Place(12, 11)
AS_ANA, AS_BO, AS_GM = Request(ANA, HERE), Request(BO, HERE), Request(CLEO, HERE, is_gm=True)
SPEEDS = ("1", "2", "3")


class Speeds:
    """Each ship has a speed to plan, and a fixed list hides how many secrets somebody has."""

    def plan_form(self, table: Mapping[str, Any], player: int, sheet: str = "") -> PlanForm:
        if sheet == "list":
            lines = tuple(PlanPlace(str(at), Text("a line"), is_needed=False) for at in range(1, 5))
            return PlanForm("list", f"list of {player}", Text("Secrets"), lines)
        own = [ship for ship in table.values() if isinstance(ship, Ship) and ship.owner == player]
        return PlanForm(
            "speeds",
            f"speeds of {player}",
            Text("Speeds"),
            tuple(PlanPlace(ship.name, Name(ship.name)) for ship in own),
        )

    def check(self, table: Mapping[str, Any], player: int, asked: PlanForm, of: str, choice: str) -> None:
        if of not in [place.of for place in asked.places] or (asked.sheet != "list" and choice not in SPEEDS):
            raise PlayerError(Text("That cannot be planned."))

    def finish_planning(self, table: Mapping[str, Any], commitment: Commitment, rng: Rng) -> BoardChange:
        return BoardChange({}, Text("is ready"))

    def due(
        self, table: Mapping[str, Any], closed: Sequence[str], own: Mapping[str, str], event: PlanEvent
    ) -> list[str]:
        """A ship whose player plans the highest speed, and one that the table names: its hull is gone."""
        named = [of for of in closed if of in table and table[of].hull == 1]
        return [*named, *(of for of, choice in own.items() if choice == "3" and of not in named)]

    def reveal_place(
        self, table: Mapping[str, Any], of: str, leaf: Leaf | None, filled: Mapping[str, str], rng: Rng
    ) -> BoardChange:
        if leaf is None:
            nothing = Text("has nothing planned for {ship}", ship=of)
            return BoardChange({of: replace(table[of], initiative=1)}, nothing)
        what = Text("shows {ship}: {choice}", ship=of, choice=leaf.choice)
        return BoardChange({of: replace(table[of], agility=int(leaf.choice))} if of in table else {}, what)


@pytest.fixture
async def plans(database: Database, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Plans:
    """Ana has Luke and Wedge, Bo has Vader."""
    game = GAMES["xwing"]
    monkeypatch.setitem(GAMES, "xwing", replace(game, table=replace(game.table, planning=Speeds(), due=Speeds().due)))
    for who, names in ((ANA, ("Luke", "Wedge")), (BO, ("Vader",))):
        number = (await tables.player(HERE, who)).id
        ships = {name: replace(launch(name, hull=3), owner=number) for name in names}
        await tables.step(Request(who, HERE), "xwing", "ships come", lambda _, ships=ships: ships)  # type: ignore[misc]  # a default
    return Plans(database, tables, ignore_event)


async def commitment(tables: Tables, sheet: str = "speeds") -> Commitment:
    commitments = [item for item in (await tables.pieces(HERE, "xwing")).values() if isinstance(item, Commitment)]
    return next(item for item in commitments if item.sheet == sheet)


async def rows(database: Database, table: str) -> list[str]:
    async with database.transaction() as connection:
        return [str(row) for row in (await connection.execute(text(f"SELECT * FROM {table}"))).all()]  # noqa: S608 - our own words


async def test_a_choice_is_kept_where_nobody_else_looks(plans: Plans, tables: Tables, database: Database) -> None:
    before = await rows(database, "ply"), await rows(database, "piece")
    await plans.choose(AS_ANA, "xwing", {"Luke": "3"})
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    assert (await plans.look(AS_ANA, "xwing")).chosen == {"Luke": "2", "Wedge": "1"}
    assert (await plans.look(AS_BO, "xwing")).chosen == {}
    assert (await rows(database, "ply"), await rows(database, "piece")) == before


async def test_what_opens_fits_the_commitment_and_the_others_stay_closed(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    stepped = await plans.fix_plan(AS_ANA, "xwing")
    assert str(stepped.what) == "is ready"
    closed = await commitment(tables)
    assert (closed.of, closed.leaves, closed.opened, len(closed.root)) == (("Luke", "Wedge"), (), (), 64)
    assert closed.root not in repr(closed)
    await plans.open(AS_ANA, "xwing", "Luke")
    opened = await commitment(tables)
    assert opened.root == closed.root
    assert [(leaf.of, leaf.choice, len(leaf.salt)) for leaf in opened.opened] == [("Luke", "2", 64)]
    assert arithmetic.find_mismatch(commitment_json(opened)) == ""
    assert (await tables.pieces(HERE, "xwing"))["Luke"].agility == 2
    other = commitment_json(opened) | {"opened": [{**commitment_json(opened)["opened"][0], "choice": "3"}]}
    assert "not the one that was committed to" in arithmetic.find_mismatch(other)
    assert "does not follow" in arithmetic.find_mismatch(commitment_json(opened) | {"sheet": "another"})


async def test_the_same_choices_have_other_digits_every_time(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "2"})
    await plans.fix_plan(AS_ANA, "xwing")
    first = await commitment(tables)
    await plans.fix_plan(AS_ANA, "xwing")
    second = await commitment(tables)
    assert first.root != second.root == (await commitment(tables)).root
    assert second.replaces == first.root
    assert str(first) == str(replace(second, replaces=""))


async def test_who_planned_nothing_for_a_ship_is_told_before_it_counts(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2"})
    with pytest.raises(IncompletePlanError, match="planned anything for Wedge yet") as told:
        await plans.fix_plan(AS_ANA, "xwing")
    assert told.value.places == ("Wedge",)
    await plans.fix_plan(AS_ANA, "xwing", anyway=True)
    assert (await commitment(tables)).closed_places == ("Luke", "Wedge")


async def test_only_the_owner_plans_and_only_the_owner_or_a_gm_opens(plans: Plans, tables: Tables) -> None:
    with pytest.raises(PlayerError, match="cannot be planned"):
        await plans.choose(AS_BO, "xwing", {"Luke": "2"})
    with pytest.raises(PlayerError, match="Only people who play here"):
        await plans.look(AS_GM, "xwing")
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    with pytest.raises(NotYourPieceError):
        await plans.open(AS_BO, "xwing", "Luke")
    await plans.open(AS_GM, "xwing", "Luke")
    assert (await tables.history(HERE))[0].what == "shows Luke: 2"


async def test_a_line_of_a_list_belongs_to_whose_list_it_is(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"2": "Fennec is the Lieutenant"}, "list")
    await plans.fix_plan(AS_ANA, "xwing", "list")
    assert (await commitment(tables, "list")).of == ("1", "2", "3", "4")
    with pytest.raises(NotYourPieceError):
        await plans.open(AS_BO, "xwing", "2")
    await plans.open(AS_ANA, "xwing", "2")
    assert [leaf.choice for leaf in (await commitment(tables, "list")).opened] == ["Fennec is the Lieutenant"]


async def test_a_press_that_is_delivered_twice_counts_once(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(replace(AS_ANA, interaction_id=71), "xwing")
    kept = await commitment(tables)
    with pytest.raises(DuplicateInteractionError):
        await plans.fix_plan(replace(AS_ANA, interaction_id=71), "xwing")
    assert await commitment(tables) == kept


async def test_ready_is_taken_back_alone_and_a_plan_that_was_seen_is_not(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    assert isinstance(await tables.undo(AS_ANA), UndoneStep)
    assert not [item for item in (await tables.pieces(HERE, "xwing")).values() if isinstance(item, Commitment)]
    assert (await plans.look(AS_ANA, "xwing")).chosen == {"Luke": "2", "Wedge": "1"}
    await plans.fix_plan(AS_ANA, "xwing")
    await plans.open(AS_ANA, "xwing", "Luke")
    asked = await tables.undo(AS_ANA)
    assert isinstance(asked, UndoAsked)
    await tables.answer(AS_BO, asked.request, allow=True)
    assert (await commitment(tables)).opened == ()
    await plans.open(AS_ANA, "xwing", "Luke")
    assert [leaf.choice for leaf in (await commitment(tables)).opened] == ["2"]


async def test_what_is_due_opens_by_itself_and_once(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "3"})
    await plans.fix_plan(AS_ANA, "xwing")
    await plans.open_due(AS_BO, "xwing", PlanEvent())
    assert (await commitment(tables)).opened == (), "what Ana chose is her own business until she acts"
    await plans.open_due(AS_ANA, "xwing", PlanEvent())
    assert [leaf.of for leaf in (await commitment(tables)).opened] == ["Wedge"]
    before = await tables.history(HERE)
    await plans.open_due(AS_ANA, "xwing", PlanEvent())
    await plans.open(AS_BO, "xwing", "Wedge", by_rule=True)
    assert await tables.history(HERE) == before
    await tables.step(AS_ANA, "xwing", "is hit", lambda held: {"Luke": replace(held["Luke"], hull=1)})
    await plans.open_due(AS_BO, "xwing", PlanEvent())
    assert (await commitment(tables)).closed_places == (), "a rule that names the ship opens it, whoever pressed"


async def openings(database: Database, tables: Tables) -> list[tuple[str, str, tuple[str, ...]]]:
    """What is stored of openings: the rule, who pressed, the places."""
    fixed = await commitment(tables)
    async with database.transaction() as connection:
        result = await opening_rows.openings_of(connection, HERE.channel_id, [fixed.root])
    every = [sheet_of("xwing", fixed, item) for item in result.values()]
    return [
        (opening_record.rule, opening_record.by, opening_record.of)
        for sheet in every
        for opening_record in sheet.opened_by
    ]


async def test_an_opening_is_a_stored_fact_that_no_undo_takes_away(
    plans: Plans, tables: Tables, database: Database
) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    assert await openings(database, tables) == []
    await plans.open(AS_ANA, "xwing", "Luke")
    await plans.open(AS_GM, "xwing", "Wedge")
    facts = [("owner", "Ana", ("Luke",)), ("gm", "Cleo", ("Wedge",))]
    assert await openings(database, tables) == facts
    asked = await tables.undo(AS_GM)
    assert isinstance(asked, UndoAsked), "a GM alone never suffices"
    assert asked.people == (ANA.id,)
    with pytest.raises(PlayerError, match="can't answer this request"):
        await tables.answer(replace(AS_BO, is_gm=True), asked.request, allow=True)
    await tables.answer(AS_ANA, asked.request, allow=True)
    assert (await commitment(tables)).closed_places == ("Wedge",)
    assert await openings(database, tables) == facts, "everybody has seen it"
    asked = await tables.undo(AS_ANA)
    assert isinstance(asked, UndoAsked)
    assert asked.people == (BO.id,)


async def test_a_gm_who_plays_opens_nothing_of_the_other_side(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    with pytest.raises(NotYourPieceError, match="a GM who has never had pieces"):
        await plans.open(replace(AS_BO, is_gm=True), "xwing", "Luke")
    assert (await commitment(tables)).opened == ()


async def test_a_gm_who_played_and_is_forgotten_opens_nothing_of_the_other_side(
    plans: Plans, tables: Tables, database: Database
) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    await PersonalData(database).forget(BO.id)
    for gm in (replace(AS_BO, is_gm=True), AS_GM):  # nobody knows any more which of them it was
        with pytest.raises(NotYourPieceError, match="a GM who has never had pieces"):
            await plans.open(gm, "xwing", "Luke")
    assert (await commitment(tables)).opened == ()
    await plans.open(AS_ANA, "xwing", "Luke")


async def test_a_store_that_was_tampered_with_does_not_open(plans: Plans, tables: Tables, database: Database) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    root = (await commitment(tables)).root
    leaves = [[leaf.of, leaf.choice, leaf.salt] for leaf in (await plans.sheets(12, [root]))[root]]
    leaves[0][1] = "3"
    async with database.transaction() as connection:
        change = text("UPDATE plan SET body = :body WHERE root = :root")
        await connection.execute(change, {"body": json.dumps(leaves), "root": root})
    with pytest.raises(
        PlayerError, match="This plan doesn't match its fingerprint, so it was changed after it was locked in"
    ):
        await plans.open(AS_ANA, "xwing", "Luke")
    assert (await commitment(tables)).opened == ()


async def test_who_forgets_data_forgets_plans(plans: Plans, tables: Tables, database: Database) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    people = PersonalData(database)
    own = [entry async for name, entry in people.records(ANA.id) if name == "plans"]
    assert {item["commitment"] for item in own} == {None, (await commitment(tables)).root}
    assert [record async for record in people.records(BO.id) if record[0] == "plans"] == []
    await people.forget(ANA.id)
    assert await rows(database, "plan") == []
    await plans.open(AS_BO, "xwing", "Luke")  # whose ships are nobody's now
    assert (await tables.history(HERE))[0].what == "has nothing planned for Luke"


async def test_a_table_without_plans_asks_for_none(database: Database, tables: Tables) -> None:
    with pytest.raises(PlayerError, match="no private plans"):
        await Plans(database, tables, ignore_event).look(AS_ANA, "warsurge")


async def test_a_ship_that_changes_hands_is_revealed_by_its_new_owner(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    bo = next(player.id for player in (await tables.players(HERE)).values() if player.person_id == BO.id)
    await tables.step(AS_ANA, "xwing", "hands Luke over", lambda held: {"Luke": replace(held["Luke"], owner=bo)})
    with pytest.raises(NotYourPieceError):
        await plans.open(AS_ANA, "xwing", "Luke")
    await plans.open(AS_BO, "xwing", "Luke")
    assert [leaf.choice for leaf in (await commitment(tables)).opened] == ["2"]


async def test_who_was_given_a_ship_gives_it_on_with_its_plan(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    for giver, to in ((AS_ANA, BO), (AS_BO, CLEO)):
        await tables.give(
            giver,
            "xwing",
            to,
            lambda held, new: BoardChange({"Luke": replace(held["Luke"], owner=new)}, Text("gives")),
        )
    for other in (AS_ANA, AS_BO):
        with pytest.raises(NotYourPieceError):
            await plans.open(other, "xwing", "Luke")
    await plans.open(Request(CLEO, HERE), "xwing", "Luke")
    assert [leaf.choice for leaf in (await commitment(tables)).opened] == ["2"]


async def test_a_ship_that_came_under_the_name_of_another_opens_nothing(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    bo = next(player.id for player in (await tables.players(HERE)).values() if player.person_id == BO.id)
    await tables.step(AS_ANA, "xwing", "it is destroyed", lambda _: {"Luke": None})
    await tables.step(AS_BO, "xwing", "another comes", lambda _: {"Luke": replace(launch("Luke", hull=3), owner=bo)})
    with pytest.raises(NotYourPieceError):
        await plans.open(AS_BO, "xwing", "Luke")


async def test_a_gm_who_plays_brings_no_plan_of_the_other_side_about(plans: Plans, tables: Tables) -> None:
    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")

    def change(held: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"Luke": replace(held["Luke"], hull=1)}

    with pytest.raises(NotYourPieceError, match="a GM who has never had pieces"):
        await tables.step(replace(AS_BO, is_gm=True), "xwing", "hurts Luke", change)
    await tables.step(replace(AS_BO, is_gm=True), "xwing", "a phase ends", change, of=())
    await plans.open_due(AS_BO, "xwing", PlanEvent())
    assert [leaf.of for leaf in (await commitment(tables)).opened] == ["Luke"]


async def test_old_plans_go_and_what_is_on_a_table_stays(plans: Plans, tables: Tables, database: Database) -> None:
    async def prune() -> list[str]:
        async with database.transaction() as connection:
            await piece_rows.prune_sheets(connection, HERE.channel_id, 2**40)
        return await rows(database, "plan")

    await plans.choose(AS_ANA, "xwing", {"Luke": "2", "Wedge": "1"})
    await plans.fix_plan(AS_ANA, "xwing")
    fixed = await commitment(tables)
    (left,) = await prune()
    assert fixed.root in left, "the draft went, and the sheet on the table stays"
    await plans.open(AS_ANA, "xwing", "Luke")
    assert [leaf.choice for leaf in (await commitment(tables)).opened] == ["2"]
    await tables.step(AS_ANA, "xwing", "the round ends", lambda _: {fixed.name: None})
    assert await prune() == []
