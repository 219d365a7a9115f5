"""What a component's id says, and what it may not say."""

import pytest
from hypothesis import assume, given, strategies as st

from bot.sessions.roll import Address, Secrecy
from bot.ui.core import components
from bot.ui.core.components import (
    AdvisedAddress,
    AnswerAddress,
    ApplySuggestion,
    At,
    BoardAddress,
    CommandAddress,
    CommandButton,
    EditForm,
    FilledForm,
    NewRoll,
    NextAddress,
    PlanAddress,
    RematchAddress,
    ReplayAddress,
    SavedAddress,
    TurnsAddress,
)
from bot.ui.dispatch import router
from bot.ui.live import live_page
from bot.ui.roll import explanation, secret_rolls, tutorial
from cogs import help as help_cog, infinity, initiative, privacy, ruleset, saved, table, xwing
from cogs.xwing import attack, score, squads
from tests.rows import for_each_row

OFFERS = st.from_regex(r"[a-z0-9-]{1,40}", fullmatch=True)
ON_CARDS: dict[str, At] = {
    "rc1:17:3:focus": Address(17, 3, "focus"),
    "rc1:17:3:advice-damage": Address(17, 3, "advice-damage"),
    "rc1:17:0:seal-word-1234567890123456789": Address(17, 0, "seal-word-1234567890123456789"),
    "rc1:do:17:3:done:": AdvisedAddress(17, 3, "done"),
    "rc1:do:17:3:lock:1.red2": AdvisedAddress(17, 3, "lock", ("1", "red2")),
    "rc1:on:0123abcd:undo": BoardAddress("0123abcd", "undo"),
    "rc1:on:0123abcd:give-focus:0123456789ab.ba9876543210": BoardAddress(
        "0123abcd", "give-focus", ("0123456789ab", "ba9876543210")
    ),
    "rc1:next:17:0123456789ab:attack": NextAddress(17, "0123456789ab", "attack"),
    "rc1:new:infinity": NewRoll("infinity"),
    "rc1:new:infinity:order:": NewRoll("infinity", "order"),
    "rc1:new:infinity::1234567890123456789": NewRoll("infinity", opponent=1234567890123456789),
    "rc1:new:infinity:::secret": NewRoll("infinity", secrecy=Secrecy.SECRET),
    "rc1:saved:9": SavedAddress(9),
    "rc1:typed:/roll dice:6#4d6kh3 label:Strength": CommandButton("/roll dice:6#4d6kh3 label:Strength"),
    "rc1:turns:0123abcd:next": TurnsAddress("0123abcd", "next"),
    "rc1:filled:xwing-odds:attacker:Luke range:2": FilledForm("xwing-odds", "attacker:Luke range:2"),
    "rc1:command:xwing-attack:blind": CommandAddress("xwing-attack", Secrecy.BLIND),
    "rc1:rematch:xwing:7:ask": RematchAddress("xwing", 7, "ask"),
    "rc1:rematch:xwing:7:accept:12": RematchAddress("xwing", 7, "accept", 12),
    "rc1:replay:7": ReplayAddress(7),
    "rc1:plan:xwing:ready": PlanAddress("xwing", "ready"),
    "rc1:plan:xwing:form:1:round 2": PlanAddress("xwing", "form", 1, "round 2"),
    "rc1:fix:command:roll:secret": EditForm("command:roll:secret"),
    "rc1:instead:dice:2d6*10:17:3:answer-defender": ApplySuggestion("dice", "2d6*10", "17:3:answer-defender"),
    "rc1:table:clear": AnswerAddress("table", "clear"),
}
"""Ids that are on messages in channels."""


@given(st.integers(0, 10**18 - 1), st.integers(0, 10**9 - 1), OFFERS)
def test_an_address_is_read_as_it_was_written_and_fits_an_id(session: int, ply: int, offer: str) -> None:
    written = components.write(Address(session, ply, offer))
    assert written == f"rc1:{session}:{ply}:{offer}"
    assert components.read(written) == Address(session, ply, offer)
    assert len(written) <= 100, "Discord takes no longer id"


@for_each_row(("custom_id", "at"), ON_CARDS.items(), ids=str)
def test_ids_on_cards_keep_their_meaning(custom_id: str, at: At) -> None:
    assert components.read(custom_id) == at
    assert components.read(components.write(at)) == at


def test_ids_of_each_kind_are_tried() -> None:
    assert {type(at) for at in ON_CARDS.values()} == set(components.KINDS)


@pytest.mark.parametrize("kind", components.KINDS)
@given(data=st.data())
def test_whatever_reads_is_of_one_kind_and_means_the_same_when_it_is_written_again(
    kind: type[At], data: st.DataObject
) -> None:
    custom_id = data.draw(st.from_regex(components.READING[kind][0], fullmatch=True))
    at = components.read(custom_id)
    if len(custom_id) > 100:
        assert at is None
        return
    assert at is not None
    assert type(at) is kind or kind is AnswerAddress, "answers have no word of their own"
    assert components.read(components.write(at)) == at


@given(st.text())
def test_any_other_text_is_no_address(text: str) -> None:
    assume(not text.startswith("rc1:"))
    assert components.read(text) is None
    read = components.read(f"rc1:{text}")
    assert read is None or components.read(components.write(read)) == read


@for_each_row(
    "text",
    [
        *(
            "rc1:1:2:",
            "rc1:1:2:Done",
            "rc1:-1:2:x",
            "rc1:1:2:x y",
            "rc1:1:2:x\n",
            "rc1:٣:2:x",
            "rc2:1:2:x",
            " rc1:1:2:x",
        ),
        *(f"rc1:{10**18}:2:x", f"rc1:1:{10**9}:x", f"rc1:1:2:{'x' * 41}", "rc1:1:2", "rc1:1:2:x:y", "rc1:١:2:x"),
        *("rc1:do:1:2:x:a..b", "rc1:do:1:2:x:.a", f"rc1:do:1:2:x:{'a' * 9}", f"rc1:do:1:2:x:{'.'.join('a' * 50)}"),
        *("rc1:on:0123abc:x", "rc1:on:0123ABCD:x", f"rc1:on:{'0' * 8}:{'x' * 25}"),
        *("rc1:new:", "rc1:new:x:y:z", "rc1:new:x:::all", "rc1:new:infinity:::secret:1", "rc1:saved:x", "rc1:saved:"),
        *("rc1:turns:0123abcd:stop", "rc1:turns:next", "rc1:command:", "rc1:command:roll:all", "rc1:command:a b"),
        *("rc1:rematch:xwing:7:take", "rc1:rematch:xwing:7", "rc1:rematch:xwing:7:ask:x", "rc1:fix:", "rc1:fix:a\n"),
        *("rc1:table", "rc1:table:", "rc1:table:clear:now", "rc1:Table:clear", "x", "", "rc1", "rc1:"),
    ],
)
def test_near_misses_lead_nowhere(text: str) -> None:
    """Two words may read as an answer to a question, but to none that is asked."""
    at = components.read(text)
    assert at is None or isinstance(at, AnswerAddress)
    assert router.route_to(at) == router.Route()


@pytest.mark.parametrize("secrecy", [None, *Secrecy])
@pytest.mark.parametrize("name", ["roll", "xwing attack", "xwing ship add", "infinity versus"])
def test_the_form_of_a_command_can_be_fixed(name: str, secrecy: Secrecy | None) -> None:
    at = CommandAddress(name.replace(" ", "-"), secrecy)
    fix = EditForm(components.write(at).removeprefix("rc1:"))
    assert at.name == name
    assert components.form_of(fix) == at
    assert len(components.write(fix)) <= 100


@pytest.mark.parametrize("form", ["garbage", "1:2", "fix:garbage", "table:clear:now"])
def test_a_form_that_never_was_is_not_fixed(form: str) -> None:
    assert router.route_to(components.form_of(EditForm(form))) == router.Route()


# The table of routes


def test_every_kind_of_address_leads_somewhere() -> None:
    """Apart from those of which the table names single ones, and the button that opens another form."""
    routes: router.Routes = {
        **router.ROUTES,
        **xwing.ROUTES,
        **infinity.ROUTES,
        **ruleset.ROUTES,
        **privacy.ROUTES,
        **help_cog.ROUTES,
        **initiative.ROUTES,
        **saved.ROUTES,
        **table.ROUTES,
    }
    leads = {kind for kind in components.KINDS if kind in routes}
    assert set(components.KINDS) - leads == {Address, AnswerAddress, EditForm, ApplySuggestion}
    single = {at for at in routes if isinstance(at, AnswerAddress)}
    assert single == {
        *(
            table.CLEAR,
            table.KEEP,
            help_cog.PAGE,
            help_cog.ALL,
            attack.AGAIN,
            attack.ANYWAY,
            attack.END_ROUND,
            *(
                AnswerAddress(item, key)
                for item in (tutorial.BEGIN, tutorial.GOOD, tutorial.WORSE)
                for key in tutorial.TRIED
            ),
            privacy.FORGET,
            privacy.KEEP,
            secret_rolls.SHOW,
            *infinity.ROUTES,
            live_page.LAUNCH,
            components.CANCEL,
        ),
        *(squads.FIRST, squads.PASTE, squads.SECOND, squads.REPLACE, squads.ADD, *squads.PASTE_AS.values()),
        *squads.DIALS.values(),
        *(score.POINTS, score.ENDS, score.SCENARIO, score.CLOCK, score.END),
        *(*ruleset.SPEAK, ruleset.STAY),
        *(ruleset.OTHERS, AnswerAddress(explanation.SUBJECT, "luck"), AnswerAddress(explanation.SUBJECT, "xwing")),
    }
    assert not {at.subject for at in single} & set(components.KINDS.values())


def test_what_nobody_wrote_leads_nowhere() -> None:
    for at in (None, AnswerAddress("table", "burn"), NewRoll("chess"), EditForm("fix:table:clear")):
        assert router.route_to(at) == router.Route()


def test_what_is_no_choice_on_a_card_has_its_own_route_and_everything_else_is_a_choice() -> None:
    for key, route in router.ON_CARDS.items():
        assert router.route_to(Address(1, 2, f"{key}7" if key.endswith("-") else key)) is route
    for offer in ("done", "undo-7", "how-7", "advice", "seal-now-7"):
        assert router.route_to(Address(1, 2, offer)) is router.CHOICE
    assert router.route_to(AdvisedAddress(1, 2, "undo")) is router.ROUTES[AdvisedAddress]
