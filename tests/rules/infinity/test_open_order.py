"""Orders that several people declare: what the forms ask, the lines that they become, and what is refused."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import assume, given, strategies as st

from bot.rules import infinity
from bot.rules.errors import BadInputError, NotOfferedError, PlayerError, UnknownWordError
from bot.rules.game import Choice, Offer, OpenTo, Side
from bot.rules.infinity.orders.open_order import close_order, declare_form, order_fields
from bot.rules.infinity.orders.order import OpenOrder
from bot.rules.infinity.orders.play import State
from bot.rules.infinity.table import pieces
from bot.rules.infinity.troopers.declared import Action, Order
from bot.rules.infinity.troopers.trooper import Roster, Trooper, line_name, parse, with_states
from bot.rules.infinity.turn.player_turn import TURN, PlayerTurn

RIFLE: Final = "BS 12, CC 13, PH 11, WIP 13, ARM 1, BTS 0, W 1, Combi: B3 PS 7 N ARM +3@16 -3@32"
ROSTER: Final = {
    "Angus": parse("Angus", f"{RIFLE}, Pistol: B2 PS 6 +3@8 -3@16"),
    "Murat": parse("Murat", RIFLE),
    "Flo": parse("Flo", "BS 11, PH 10, WIP 13, ARM 1, Flamer: PS 6 N ARM direct"),
    "Ana": parse(
        "Ana", "BS 11, PH 10, WIP 13, ARM 3, BTS 6, W 2, Mimetism (-3), Shotgun: B2 PS 6 +6@8 0@16, Sword: CC PS 6"
    ),
    "Bo": parse("Bo", "BS 11, PH 12, ARM 0"),
}


class Dice:
    def __init__(self, *faces: int) -> None:
        self.faces = list(faces)

    def __call__(self, sides: int) -> int:
        assert sides == 20
        return self.faces.pop(0) - 1


def begun(who: str, whom: str, roster: Mapping[str, Trooper] = ROSTER) -> State:
    return infinity.start(pieces.declare({"who": who, "whom": whom, "order": ""}, roster), Dice())


def offered(state: State, key: str) -> Offer:
    return next(offer for offer in infinity.offers(state) if offer.key == key)


def asked(state: State, key: str) -> dict[str, list[str]]:
    """The fields of a form, with the values of their options."""
    return {field.key: [option.value for option in field.options] for field in offered(state, key).fields}


def take(state: State, key: str, player: int = 0, **filled: str) -> State:
    every = {field.key: "" for field in offered(state, key).fields}
    return infinity.choose(state, Choice(key, filled=every | filled, player=player), Dice())


def lines(state: State) -> tuple[str, ...]:
    assert isinstance(state.declared, OpenOrder)
    return state.declared.lines


def made(state: State) -> Order:
    """The rolls that the lines so far make."""
    assert isinstance(state.declared, OpenOrder)
    return close_order(state.declared)


def test_the_form_offers_who_can_act_and_who_can_be_hit() -> None:
    held = ROSTER | {
        "Murat": with_states(ROSTER["Murat"], ("Unconscious",)),
        "Flo": with_states(ROSTER["Flo"], ("Dead",)),
    }
    who, whom, typed = order_fields(held)
    assert [option.value for option in who.options] == ["Ana", "Angus", "Bo"]
    assert [(option.value, option.detail) for option in whom.options] == [
        *(("Ana", ""), ("Angus", ""), ("Bo", ""), ("Murat", "Unconscious"))
    ]
    assert (typed.key, typed.required, who.several, whom.several) == ("order", False, True, True)
    assert [field.key for field in order_fields({"Ana": ROSTER["Ana"]})] == ["order"], "nobody to attack"
    assert order_fields({})[0].required


def test_only_what_has_several_answers_is_asked() -> None:
    state = begun("Angus, Murat, Flo", "Ana")
    assert asked(state, "attack-1") == {
        "weapon": ["Combi", "Pistol"],
        "at": ["0-8", "8-16", "16-24", "24-32"],
        "around": asked(state, "attack-2")["around"],
        "more": [],
    }
    assert list(asked(state, "attack-2")) == ["at", "around", "more"], "one weapon, one target"
    assert list(asked(state, "attack-3")) == ["around", "more"], "a Direct Template has no range"
    assert asked(begun("Murat", "Ana, Bo"), "attack-1")["target"] == ["Ana", "Bo"]
    (target,) = [field for field in offered(begun("Murat", "Ana, Bo"), "attack-1").fields if field.key == "target"]
    assert target.value == "Ana, Bo", "one trooper attacks all who were picked"
    (target,) = [field for field in offered(begun("Murat, Flo", "Ana, Bo"), "attack-1").fields if field.key == "target"]
    assert target.value == ""


def test_each_form_becomes_a_line() -> None:
    state = begun("Angus, Murat", "Ana, Bo")
    assert [offer.key for offer in infinity.offers(state)] == ["attack-1", "attack-2", "withdraw"]
    state = take(state, "attack-1", weapon="Pistol", target="Ana", at="0-8", around="cover, surprise -3", more="-3 sd")
    assert lines(state) == ("Angus Pistol at 0-8 cover surprise -3 -3 sd vs Ana",)
    state = take(state, "attack-1", target="Bo", at="8-16")
    assert lines(state)[1] == "Murat Combi at 8-16 vs Bo"
    assert [offer.key for offer in infinity.offers(state)] == ["react-4", "react-5", "aro", "roll", "withdraw"]
    assert asked(state, "react-4")["does"] == ["Shotgun", "Sword", "dodge", "reset"]
    state = take(state, "react-4", does="Shotgun", around="cover")
    state = take(state, "react-5", does="dodge", more="rolls 9")
    assert lines(state)[2:] == ("Ana Shotgun cover vs Angus", "Bo dodge rolls 9")
    state = infinity.choose(state, Choice("roll"), Dice(9, 4, 3, 5, 6, 7, 8, 10))
    assert infinity.dice_count(state.declared) == 8
    mods = {str(roll.name): [mod.text for mod in roll.mods] for roll in state.declared.rolls}
    assert mods["Ana"] == [
        "+6 Range up to 8 inches (Shotgun)",
        "-3 Partial Cover (Angus)",
        "-3 Surprise Attack (Angus)",
    ]


def test_burst_over_several_targets_is_split() -> None:
    state = take(begun("Murat", "Ana, Bo"), "attack-1", target="Ana, Bo", at="8-16")
    assert lines(state) == ("Murat Combi at 8-16 b2 vs Ana", "Murat Combi at 8-16 b1 vs Bo")
    template = take(begun("Flo", "Ana, Bo"), "attack-1", target="Ana, Bo")
    assert lines(template) == ("Flo Flamer vs Ana, Bo",)
    assert [roll.action for roll in made(template).rolls] == [Action.DIRECT]
    with pytest.raises(BadInputError, match="Use at most 2: one die each"):
        take(begun("Angus", "Ana, Bo, Flo"), "attack-1", weapon="Pistol", target="Ana, Bo, Flo", at="0-8")
    with pytest.raises(PlayerError, match="That's already set"):
        take(begun("Murat", "Ana, Bo"), "attack-1", target="Ana, Bo", at="8-16", more="b2")
    bare = ROSTER | {"Bo": parse("Bo", "BS 11")}
    assert lines(take(begun("Bo", "Ana", bare), "attack-1")) == ("Bo vs Ana",), "BS without a weapon"


def test_a_reaction_against_one_of_several_attackers() -> None:
    state = begun("Angus, Murat", "Ana")
    state = take(take(state, "attack-1", weapon="Combi", at="0-8"), "attack-1", at="8-16")
    assert asked(state, "react-4")["whom"] == ["Angus", "Murat"]
    with pytest.raises(BadInputError, match="Name the target of Ana: Angus or Murat"):
        take(state, "react-4", does="Shotgun")
    assert lines(take(state, "react-4", does="Shotgun", whom="Murat"))[2] == "Ana Shotgun vs Murat"
    assert lines(take(state, "react-4", does="dodge"))[2] == "Ana dodge"
    assert [offer.key for offer in infinity.offers(take(state, "react-4", does="dodge"))] == [
        *("aro", "roll", "withdraw")
    ]


def test_others_add_their_troopers() -> None:
    state = take(begun("Murat", "Ana"), "attack-1", at="8-16")
    assert asked(state, "aro")["who"] == ["Angus", "Flo", "Ana", "Bo"]
    state = take(state, "aro", 1, who="Bo", aro="dodge vs Murat")
    assert lines(state)[1] == "Bo dodge @1 vs Murat"
    state = take(state, "aro", 2, aro="Cleo 11 @1")
    assert lines(state)[2] == "Cleo 11 @1 vs Murat", "whom the line names plays it"
    state = take(state, "react-4", 2, does="Shotgun")
    assert lines(state)[3] == "Ana Shotgun @2 vs Murat"
    saved = {roll.name: roll.profile.player for roll in made(state).rolls if roll.profile}
    assert saved == {"Murat": 0, "Bo": 1, "Cleo": 1, "Ana": 2}
    offers = [
        offer
        for offer in infinity.offers(take(begun("Murat", "Ana"), "attack-1", at="8-16"))
        if offer.may is OpenTo.JOINS
    ]
    assert [(item.key, item.side) for item in offers] == [("react-4", Side.DEFENDER), ("aro", Side.DEFENDER)]


def test_a_reaction_is_one_roll_against_those_who_act() -> None:
    """Nobody adds an attack of the active player's troopers, or of friends, as an ARO."""
    state = take(begun("Angus, Murat", "Ana"), "attack-1", weapon="Pistol", at="0-8", more="b1")
    state = take(state, "attack-1", at="8-16", more="b1")
    for aro in ("Murat 40 vs Ana", "Angus Combi at 5 vs Ana"):
        with pytest.raises(
            BadInputError, match=r"Use a trooper without a roll in this order; call a second one `(Angus|Murat) #2`"
        ):
            take(state, "aro", aro=aro)
    with pytest.raises(BadInputError, match=r"a reaction against a trooper who is acting\. Example: `Flo 11 vs Angus`"):
        take(state, "aro", who="Flo", aro="Flamer vs Ana")
    assert lines(take(state, "aro", aro="Zed 11 vs Murat"))[-1] == "Zed 11 vs Murat"


@pytest.mark.parametrize(
    ("who", "whom", "sentence"),
    [
        ("Angus", "", "`whom` was missing. Use at least one target"),
        ("", "Ana", "`who` was missing. Use at least one attacking trooper"),
        ("Angus, Ana", "ana", "`whom` was `Ana`. Use enemies of the attackers"),
        ("Zed", "Ana", "`who` was `Zed`. Use a trooper in this channel"),
        ("Angus, Murat, Flo, Ana, Bo, A, B", "C", "at most 6 troopers in one order"),
    ],
)
def test_what_cannot_be_an_order(who: str, whom: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        begun(who, whom)
    assert sentence in str(refused.value)


def test_what_cannot_be_said_of_an_attack() -> None:
    state = begun("Angus", "Ana")
    with pytest.raises(BadInputError, match="`distance to Angus` was missing"):
        take(state, "attack-1", weapon="Combi")
    with pytest.raises(BadInputError, match="Use at most 16 inches, the maximum range of the Pistol"):
        take(state, "attack-1", weapon="Pistol", at="16-24")
    with pytest.raises(UnknownWordError, match="The sign is missing"):
        take(state, "attack-1", weapon="Combi", at="0-8", more="3")
    with pytest.raises(UnknownWordError, match="I don't understand `vs` in `more`"):
        take(state, "attack-1", weapon="Combi", at="0-8", more="vs Bo")
    with pytest.raises(BadInputError, match="Pick troopers or type the order, not both"):
        pieces.declare({"who": "Angus", "whom": "Ana", "order": "Angus 12"}, ROSTER)
    with pytest.raises(NotOfferedError):
        infinity.choose(state, Choice("roll"), Dice())


def test_a_trooper_called_like_another_with_its_weapon() -> None:
    held = ROSTER | {"Murat Combi": parse("Murat Combi", RIFLE)}
    with pytest.raises(
        BadInputError, match="Use a trooper whose name and weapon together aren't another trooper's name"
    ):
        take(begun("Murat", "Ana", held), "attack-1", at="0-8")


def test_nobody_acts_who_is_down() -> None:
    down = ROSTER | {"Ana": with_states(ROSTER["Ana"], ("Unconscious",))}
    with pytest.raises(PlayerError, match="Ana is Unconscious and can't act"):
        begun("Ana", "Angus", down)
    with pytest.raises(PlayerError, match="Ana is Unconscious and can't act"):
        pieces.declare({"order": "Ana Shotgun at 5 vs Angus", "open": True}, down)
    state = take(begun("Murat", "Ana, Bo", down), "attack-1", target="Ana, Bo", at="8-16")
    assert [offer.key for offer in infinity.offers(state)] == ["react-5", "aro", "roll", "withdraw"]
    with pytest.raises(PlayerError, match="Ana is Unconscious and can't act"):
        take(state, "aro", aro="ana dodge")
    assert "Ana" not in asked(state, "aro")["who"]


def test_an_order_without_a_trooper_of_the_channel_takes_lines() -> None:
    state = infinity.start(pieces.declare({"order": "Angus 12 vs Ortega", "open": True}, {}), Dice())
    assert [offer.key for offer in infinity.offers(state)] == ["aro", "roll", "withdraw"]
    assert list(asked(state, "aro")) == ["aro"]
    for number in range(11):
        state = take(state, "aro", aro=f"Fusilier #{number + 1} 11")
    assert [offer.key for offer in infinity.offers(state)] == ["roll", "withdraw"], "there is room for 12 lines"


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=32)


@given(NAMES, NAMES, NAMES)
def test_whatever_troopers_are_called_the_forms_fit(attacker: str, target: str, weapon: str) -> None:
    """A line of a form means the troopers and the weapon that were picked, or is refused, as for a weapon ``&``."""
    try:
        item = parse(attacker, f"BS 12, {weapon}: B2 PS 7 N ARM 0@16, Other: B1 PS 5 N 0@8")
        other = parse(target, "BS 11, PH 10")
        assume(line_name(item.name) != line_name(other.name))
        held: Roster = {trooper.name: trooper for trooper in (item, other)}
        state = take(begun(item.name, other.name, held), "attack-1", weapon=item.weapons[0].name, at="0-8")
    except PlayerError:
        return
    roll = made(state).rolls[0]
    assert (roll.name, roll.weapon, made(state).meetings[0].target) == (*(item.name, item.weapons[0], other.name),)


# Two lists, and skills


def owned(name: str, owner: int, *states: str, skills: str = "") -> Trooper:
    return replace(with_states(parse(name, RIFLE + skills), states), owner=owner)


def test_two_lists_of_fifteen_leave_everybody_within_reach_of_the_form() -> None:
    """A list has 25 names: one's own come first among who acts, enemies and then friends in need among the targets."""
    names = [f"A{at:02}" for at in range(15)], [f"B{at:02}" for at in range(15)]
    held = {name: owned(name, number) for number, every in enumerate(names, 1) for name in every}
    held["B14"] = owned("B14", 2, "Unconscious")
    who, whom, _ = order_fields(held, 2)
    assert [option.value for option in who.options][:14] == names[1][:14]
    assert [option.value for option in whom.options][:16] == [*names[0], "B14"]
    for person, mine, theirs in ((1, names[0], names[1]), (2, names[1], names[0])):
        who, whom, _ = order_fields(held, person)
        assert {option.value for option in who.options} >= set(mine) - {"B14"}
        assert {option.value for option in whom.options} >= set(theirs)
        assert len(who.options) == len(whom.options) == 25
    again = declare_form({"who": "B03", "whom": "B04"}, held)
    assert again is not None
    assert again[1] == order_fields(held, 2), "the form that comes again is that of the same person"
    state = take(begun("B03", "A01", held), "attack-1", at="0-16")
    aro = next(field for field in offered(state, "aro").fields if field.key == "who")
    assert {option.value for option in aro.options} >= set(names[0]) - {"A01"}, "an ARO is an enemy's"


@pytest.mark.parametrize("texts", [{"who": "Angus"}, {"name": "Angus Combi", "name_b": "Bo"}], ids=["order", "shot"])
def test_a_refused_form_comes_again_while_a_turn_runs(texts: dict[str, str]) -> None:
    during = declare_form(texts, {TURN: PlayerTurn(active=1), **ROSTER})
    assert during is not None
    assert during == declare_form(texts, ROSTER)


def test_a_form_offers_what_the_states_of_a_target_allow() -> None:
    held = {
        "Doc": owned("Doc", 1, skills=", Doctor, Engineer"),
        "Ana": owned("Ana", 1, "Unconscious"),
        "Bot": replace(parse("Bot", "BS 11, PH 10, STR 1"), owner=1, states=("Unconscious",)),
        "Cam": owned("Cam", 2, "Camouflaged"),
        "Bo": owned("Bo", 2),
    }
    assert "weapon" not in asked(begun("Doc", "Bo", held), "attack-1")
    hidden = begun("Doc", "Cam", held)
    assert asked(hidden, "attack-1")["weapon"] == ["Combi", "discover"]
    assert asked(hidden, "attack-1")["at"][0] == "0-8", "a band of Discover ends there"
    assert "intuitive" in asked(hidden, "attack-1")["around"]
    assert lines(take(hidden, "attack-1", weapon="discover", at="0-8")) == ("Doc discover at 0-8 vs Cam",)
    lying = begun("Doc", "Ana", held)
    assert asked(lying, "attack-1")["weapon"] == ["Combi", "doctor", "engineer"]
    assert "coup" in asked(lying, "attack-1")["around"]
    assert made(take(lying, "attack-1", weapon="doctor")).rolls[0].action is Action.DOCTOR
    assert asked(begun("Doc", "Bot", held), "attack-1")["weapon"] == ["Combi", "engineer"], "no Doctor for STR"
    assert "weapon" not in asked(begun("Bo", "Ana", held), "attack-1"), "who is no Doctor"


def test_with_whom_a_ply_rolls() -> None:
    held = {"Ana": owned("Ana", 1), "Bo": owned("Bo", 2)}
    declared = take(begun("Ana", "Bo", held), "attack-1", at="0-16")
    reacted = take(declared, "react-2", does="Combi")
    assert pieces.rolling_names(declared, reacted) == ("Bo",)
    rolled = infinity.choose(reacted, Choice("roll"), Dice(12, 5, 5, 20))
    assert pieces.rolling_names(reacted, rolled) == (), "what was declared is rolled by whoever presses"
    saved = infinity.choose(rolled, Choice("save"), Dice(20, 20, 20, 20))
    assert pieces.rolling_names(rolled, saved) == ("Bo",)
    named = take(declared, "react-2", does="Combi", player=1)
    rolled = infinity.choose(named, Choice("roll"), Dice(12, 5, 5, 20))
    saved = infinity.choose(rolled, Choice("save"), Dice(20, 20, 20, 20))
    assert pieces.rolling_names(rolled, saved) == (), "the line names who saves"
    waiting = infinity.start(
        pieces.declare({"name": "Ana", "around": "at 8", "name_b": "Bo", "open": True}, held), Dice()
    )
    answered = infinity.choose(
        waiting,
        Choice("react", filled={"sv": "Bo", "kind": "", "around": "", "mods": "", "dice": ""}),
        Dice(1, 2, 3, 4),
    )
    assert pieces.rolling_names(waiting, answered) == ("Bo",)
    save = pieces.declare({"hits": 1, "ammo": "N", "ps": 7, "name": "Bo"}, held)
    assert pieces.by_side(save) == {Side.ATTACKER: "Bo"}, "Saving Rolls alone are made by who is hit"


def test_an_aro_of_a_bystander_needs_no_typing() -> None:
    held = {"Ana": owned("Ana", 1), "Bo": owned("Bo", 2), "Cleo": owned("Cleo", 2), "Dan": parse("Dan", "BS 11, PH 10")}
    state = take(begun("Ana", "Bo", held), "attack-1", at="0-16")
    assert asked(state, "aro")["does"] == ["dodge", "reset", "Combi"], "what anybody may do who is free"
    assert (
        lines(take(state, "aro", who="Cleo", does="Combi", at="0-16", around="cover"))[1]
        == "Cleo Combi at 0-16 cover vs Ana"
    )
    assert lines(take(state, "aro", who="Cleo", does="dodge", aro="-3"))[1] == "Cleo dodge -3"
    with pytest.raises(BadInputError, match="Choose what the trooper does, or type it"):
        take(state, "aro", who="Cleo")
    with pytest.raises(PlayerError):
        take(state, "aro", who="Dan", does="Combi")
