"""Markers, the Lieutenant and hidden troops as plans (rules page, Secrets)."""

import pytest

from bot.render.infinity import troopers as cards
from bot.rules.errors import PlayerError
from bot.rules.game import OpensPlace
from bot.rules.infinity.table import army, controls, markers
from bot.rules.infinity.troopers.trooper import Trooper
from bot.rules.infinity.turn.player_turn import turn_of
from bot.rules.plans import Commitment, Leaf
from bot.rules.text import Name
from tests.rules.infinity.table import ANA, BO, NAMES, Table, faces
from tests.rules.infinity.test_turn import COMBI, TROOPERS

NINJA = f"BS 11, PH 13, WIP 13, ARM 1, W 1, Camouflage, Mimetism (-6), {COMBI}"
MARKED = {**TROOPERS, "Shade": (ANA, NINJA)}


def first(sides: int) -> int:
    return sides - sides


def placed(it: Table, player: int = ANA, sheet: str = "camo -3 1-2") -> Commitment:
    """A player is ready with a sheet of markers, or of secrets."""
    asked = markers.plan_form(it.pieces, player, sheet)
    fixed = Commitment(
        name=asked.name, owner=player, sheet=asked.sheet, of=tuple(place.of for place in asked.places), root=""
    )
    done = markers.finish_planning({**it.pieces, fixed.name: fixed}, fixed, first)
    it.pieces |= {fixed.name: fixed, **done.changes}
    return fixed


def opened(it: Table, of: str, choice: str | None) -> str:
    leaf = None if choice is None else Leaf(of, choice, "")
    done = markers.reveal_place(it.pieces, of, leaf, {}, first)
    it.pieces = {name: item for name, item in {**it.pieces, **done.changes}.items() if item is not None}
    return str(done.sentence)


def test_markers_come_to_the_table_with_what_the_rules_make_public() -> None:
    it = Table(MARKED)
    asked = markers.plan_form(it.pieces, ANA, "camo -3 1-2")
    assert [place.of for place in asked.places] == ["CAMO 1", "CAMO 2"]
    assert [option.value for option in asked.places[0].options] == ["Shade", "Ada", "Bea", "Cas", "Dot", "-"]
    placed(it)
    assert it.trooper("CAMO 1").states == ("Camouflaged",)
    assert str(cards.lines(it.trooper("CAMO 1"))) == "Camouflaged\nMimetism (-3)\nAutomated: Mimetism (-3)"
    assert markers.sheet_for(it.pieces, "CAMO -6", 3) == "camo -6 3-5", "of everybody's markers none has another's name"


def test_the_number_of_a_marker_that_has_left_is_given_to_no_other() -> None:
    """Its sheet may be closed still, and whose it is nobody else plans for."""
    it = Table(MARKED)
    placed(it)
    del it.pieces["CAMO 1"], it.pieces["CAMO 2"]
    assert markers.sheet_for(it.pieces, "CAMO -3", 2) == "camo -3 3-4"
    with pytest.raises(PlayerError, match="CAMO 1 and CAMO 2: already on the table"):
        markers.plan_form(it.pieces, BO, "camo -3 1-2")


def test_a_marker_gives_no_order_of_its_own_and_is_not_attacked() -> None:
    it = Table(MARKED, faces(*[15] * 9))
    it.press("start")
    alone = it.line()
    it = Table(MARKED, faces(*[15] * 9))
    placed(it)
    it.press("start")
    assert it.line() == alone
    it.press("end")
    it.press("start", player=BO)
    with pytest.raises(PlayerError, match="CAMO 1 is in the Camouflaged state"):
        it.order("Hector combi at 10 vs CAMO 1")


def test_discover_needs_a_roll_and_a_failure_counts_for_the_turn() -> None:
    it = Table(MARKED, faces(19, 3, 5))
    placed(it)
    it.press("start", player=BO)
    it.order("Hector discover at 10 vs CAMO 1")
    it.take("roll")
    assert it.state is not None
    assert it.states("CAMO 1") == ("Camouflaged",)
    with pytest.raises(PlayerError, match="Hector has already failed to discover CAMO 1 this turn"):
        it.order("Hector discover at 10 vs CAMO 1")
    it.order("Zond discover at 10 vs CAMO 1")
    it.take("roll")
    assert it.states("CAMO 1") == ()
    after = [
        (name, offer.then) for name, offer in controls.next_offers(it.pieces) if isinstance(offer.then, OpensPlace)
    ]
    assert after == [("CAMO 1", OpensPlace("CAMO 1"))]


def test_whoever_was_under_a_marker_stands_there_with_its_states() -> None:
    it = Table(MARKED)
    placed(it)
    it.press("start")
    it.press("state", "CAMO 1", begins="Targeted")
    assert opened(it, "CAMO 1", "Shade") == "reveals CAMO 1: it is Shade"
    assert it.states("Shade") == ("Targeted",)
    assert "CAMO 1" not in it.pieces
    assert opened(it, "CAMO 2", "-") == "reveals CAMO 2: a mine, a decoy, or nothing"
    assert "CAMO 2" not in it.pieces


def test_a_marker_of_which_nothing_is_kept_any_more_can_be_opened_too() -> None:
    it = Table(MARKED)
    placed(it)
    assert opened(it, "CAMO 1", None) == "reveals CAMO 1: it was never assigned"


def test_a_marker_that_is_nobodys_or_there_already_is_one_sentence() -> None:
    it = Table(MARKED)
    asked = markers.plan_form(it.pieces, ANA, "camo -3 1-2")
    with pytest.raises(PlayerError, match="CAMO 9 isn't one of your markers"):
        markers.check(it.pieces, ANA, asked, "CAMO 9", "Shade")
    with pytest.raises(PlayerError, match="Only your own troopers can be under CAMO 1"):
        markers.check(it.pieces, ANA, asked, "CAMO 1", "Hector")
    secrets = markers.plan_form(it.pieces, ANA)
    with pytest.raises(PlayerError, match="at most 3,000"):
        markers.check(it.pieces, ANA, secrets, f"Hidden {ANA}-1", "x" * 3001)
    placed(it)
    with pytest.raises(PlayerError, match="CAMO 1 and CAMO 2: already on the table"):
        markers.plan_form(it.pieces, BO, "camo -3 1-2")
    for sheet in ("camo -3 2-1", "camo -3 1-9", "round 3"):
        with pytest.raises(PlayerError, match="Use `/infinity marker`"):
            markers.plan_form(it.pieces, ANA, sheet)
    with pytest.raises(PlayerError, match="You have no troopers here"):
        markers.plan_form(it.pieces, 9, "")


def test_a_marker_may_spend_an_order_of_any_group() -> None:
    it = Table(MARKED, faces(*[15] * 9))
    placed(it)
    it.press("start")
    assert it.press("plain", "CAMO 1", what="moves") == "orders CAMO 1, no roll (Regular Order)"
    assert it.states("CAMO 1") == ("Camouflaged",)


def test_the_list_of_secrets_has_the_same_lines_for_everybody() -> None:
    it = Table(MARKED)
    for player, leader in ((ANA, "Ada"), (BO, "")):
        asked = markers.plan_form(it.pieces, player)
        assert [place.of for place in asked.places] == [
            f"Lieutenant {player}",
            *(f"Hidden {player}-{at}" for at in range(1, 10)),
        ]
        assert asked.places[0].proposed == leader
    placed(it, sheet="secrets")
    it.press("start")
    labels = {
        offer.key: str(offer.label) for offer in controls.table_offers(it.pieces) if isinstance(offer.then, OpensPlace)
    }
    assert labels == {f"open-{ANA}": "Reveal a secret"}
    assert opened(it, f"Lieutenant {ANA}", "Ada") == "reveals the Lieutenant: Ada"


def test_a_hidden_line_may_be_as_long_as_its_field() -> None:
    it = Table(MARKED)
    asked = markers.plan_form(it.pieces, ANA, "secrets")
    markers.check(it.pieces, ANA, asked, f"Hidden {ANA}-2", "x" * markers.MAX_CHOICE)
    with pytest.raises(PlayerError):
        markers.check(it.pieces, ANA, asked, f"Hidden {ANA}-2", "x" * (markers.MAX_CHOICE + 1))


def test_a_hidden_line_reverses_no_line_and_mentions_nobody() -> None:
    it = Table(MARKED)
    placed(it, sheet="secrets")
    told = opened(it, f"Hidden {ANA}-2", "behind\u202e <@&1> the wall")
    assert told == "reveals line 2 of the secrets: behind ‹@&1> the wall"


def test_somebody_hidden_becomes_a_trooper_when_the_line_says_one() -> None:
    it = Table(MARKED)
    placed(it, sheet="secrets")
    told = opened(it, f"Hidden {ANA}-2", "Croc: BS 12, PH 12, W 1, Mimetism (-6)")
    assert told == "reveals line 2 of the secrets: Croc"
    assert (it.trooper("Croc").owner, it.trooper("Croc").stats["PH"]) == (ANA, 12)
    it.press("start")
    it.press("state", "Shade", begins="Undeployed")
    opened(it, f"Hidden {ANA}-1", "shade")
    assert it.states("Shade") == ("Undeployed",), "it enters by the order of its own"
    before = it.pieces
    opened(it, f"Hidden {ANA}-3", "behind the crate; a mine")
    assert it.pieces == before


def test_who_is_the_lieutenant_is_nowhere_public() -> None:
    """Names, the board, the Courtesy List, and what an order may have cost instead."""
    trooper, other = (Trooper("Fus", {"WIP": 12}, skills=skills) for skills in (("Lieutenant",), ()))
    assert set(army.enlist({}, [trooper, other])) == {"Fus #1", "Fus #2"}
    it = Table(TROOPERS, faces(*[15] * 9))
    it.press("start")
    shown = [str(line) for fact in cards.facts(it.pieces, NAMES) for line in fact]
    shown += [str(line) for fact in cards.courtesy(it.pieces, NAMES).facts for line in fact]
    assert not [line for line in shown if "Lieutenant" in line]
    for name in ("Ada", "Bea"):
        it.press("order", name, target="Zond", at="8-16", weapon="Combi")
        it.take("roll")
        assert "paid-lieutenant" in [offer.key for offer in controls.table_offers(it.pieces)], name


@pytest.mark.parametrize(("kind", "state"), [("holo", "Holoecho"), ("decoy", "Decoy")])
def test_of_several_figures_one_is_real_and_a_hit_opens_them(kind: str, state: str) -> None:
    it = Table({**TROOPERS, "Holly": (BO, f"{NINJA}, Holoprojector, Decoy")}, faces(3, 19, 19))
    sheet = placed(it, BO, f"{kind} 1-3")
    names = [f"{kind.upper()} {number}" for number in (1, 2, 3)]
    assert sheet.of == tuple(names)
    asked = markers.plan_form(it.pieces, BO, f"{kind} 4-4")
    assert asked.places[0].options[0].value == "Holly", "who has the skill stands first"
    assert it.states(names[0]) == (state,)
    it.press("start")
    it.order(f"Bea combi at 10 vs {names[1]}")
    it.take("roll")
    assert [str(offer.label) for name, offer in controls.next_offers(it.pieces) if offer.key == "reveal"] == [
        f"Reveal {name}" for name in names
    ]
    assert opened(it, names[1], "-") == f"reveals {names[1]}: a mine, a decoy, or nothing"
    assert opened(it, names[0], "Holly") == f"reveals {names[0]}: it is Holly"
    assert it.states("Holly") == ()
    assert names[0] not in it.pieces


HIDDEN = "Croc: BS 12, PH 12, W 1, Combat Jump (+3), Mimetism (-6) [group 2, 31 points]"


@pytest.mark.parametrize(
    ("face", "line", "said"),
    [
        (15, HIDDEN, "Combat Jump: 15 against PH 15, it lands"),
        (16, HIDDEN, "Combat Jump: 16 against PH 15, so it enters from its own table edge, as a model"),
        (11, HIDDEN.replace("(+3)", "(PH=11)"), "Combat Jump: 11 against PH 11, it lands"),
    ],
)
def test_a_combat_jump_is_a_roll_of_whoever_enters(face: int, line: str, said: str) -> None:
    it = Table(MARKED)
    placed(it, sheet="secrets")
    of = f"Hidden {ANA}-1"
    done = markers.reveal_place(it.pieces, of, Leaf(of, line, ""), {"how": "jump"}, lambda _: face - 1)
    assert str(done.sentence) == f"reveals line 1 of the secrets: Croc. {said}"
    result = done.changes["Croc"]
    assert (result.group, result.points, result.owner) == (2, 31, ANA)


def test_who_makes_no_combat_jump_enters_otherwise() -> None:
    it = Table(MARKED)
    placed(it, sheet="secrets")
    of = f"Hidden {ANA}-1"
    with pytest.raises(PlayerError, match="can't make a Combat Jump"):
        markers.reveal_place(it.pieces, of, Leaf(of, "Croc: BS 12, PH 12", ""), {"how": "jump"}, lambda _: 0)


@pytest.mark.parametrize(
    ("skills", "starts"),
    [
        (("Hidden Deployment", "Camouflage", "Mimetism (-6)"), ""),
        (("Camouflage", "Mimetism (-6)"), "CAMO -6"),
        (("Camouflage", "Mimetism (-3)"), "CAMO -3"),
        (("Impersonation",), "IMP"),
        (("Holoprojector",), "HOLO"),
        (("HoloMask",), "HOLO"),
        (("Decoy",), "DECOY"),
    ],
)
def test_where_somebody_of_a_list_starts_is_in_the_skills(skills: tuple[str, ...], starts: str) -> None:
    trooper = Trooper("Fus", {"BS": 12, "PH": 10}, skills=skills, owner=ANA, group=2, points=17)
    assert markers.starts_unseen(trooper)
    assert markers.kind_for(trooper) == starts
    assert markers.read_secret_line(markers.line_of(trooper), ANA) == trooper


def test_a_name_that_somebody_else_typed_is_no_name_of_whoever_is_hidden() -> None:
    """Copies of a unit: the one that comes later is numbered, whoever took its name first."""
    it = Table(MARKED)
    placed(it, sheet="secrets")
    it.pieces["Croc"] = Trooper("Croc", {"BS": 1}, owner=BO)
    opened(it, f"Hidden {ANA}-1", "Croc: BS 12, PH 12, W 1")
    assert [name for name, item in it.pieces.items() if name.startswith("Croc") and item.owner == ANA] == ["Croc #1"]


@pytest.mark.parametrize(
    ("skills", "figures"),
    [
        ((), ()),
        (("Decoy (1)",), ("1 of 2", "2 of 2", "1 of 1")),
        (("Decoy (2)",), ("1 of 3", "2 of 3", "3 of 3", "1 of 2", "2 of 2", "1 of 1")),
        (("Decoy",), ("1 of 2", "2 of 2", "1 of 1")),
        (("Holoprojector",), ("1 of 3", "2 of 3", "3 of 3", "1 of 2", "2 of 2", "1 of 1")),
        (("HoloMask",), ()),
    ],
)
def test_how_many_figures_a_trooper_may_have_is_in_its_skills(
    skills: tuple[str, ...], figures: tuple[str, ...]
) -> None:
    assert markers.figures_of(Trooper(Name("Ana"), {}, skills=skills)) == figures


def test_the_next_figure_of_a_group_has_its_order_once_the_first_was_nothing() -> None:
    it = Table({**TROOPERS, "Holly": (BO, f"{NINJA}, Holoprojector")}, faces(3, 19, 19))
    placed(it, BO, "holo 1-3 g1 regular")
    opened(it, "HOLO 1", "-")
    assert [it.trooper(f"HOLO {number}").skills for number in (2, 3)] == [("Regular",), ()]


def test_a_line_of_a_secret_is_as_long_as_a_plan_may_be() -> None:
    it = Table(TROOPERS)
    asked = markers.plan_form(it.pieces, ANA, "camo -3 1-2")
    markers.check(it.pieces, ANA, asked, "CAMO 1", "Croc:".ljust(markers.MAX_CHOICE, "x"))
    with pytest.raises(PlayerError):
        markers.check(it.pieces, ANA, asked, "CAMO 1", "Croc:".ljust(markers.MAX_CHOICE + 1, "x"))


def test_a_group_without_orders_is_corrected_from_none() -> None:
    it = Table(TROOPERS)
    it.press("start")
    fields = controls.numbers_offer(turn_of(it.pieces)).fields
    assert [field.value for field in fields] == ["3", "0", "1", "4", "1"]
