"""A card as an embed: the order of reading, and never more than Discord takes."""

from dataclasses import replace

from bot.render.card import Card, Strip, Tile
from bot.rules.text import Text
from bot.ui.core.card_messages import COLORS, embed, footer, picture

CARD = Card(
    title=Text("X-Wing attack"),
    outcome=Text("2 hits get through."),
    strips=(Strip(Text("Attack dice"), (Tile("red", "hit"), Tile("red", "hit"))),),
    turn=Text("Ana, it's your turn."),
    trail=(Text("Attack dice rolled: focus, hit"), Text("Focus changes: focus → hit")),
    facts=((Text("Attacker: Ana"), Text("weapon value 2")), (Text("Nothing"), Text(""))),
    small=Text("Ruleset 2.5"),
    alt=Text("Attack dice: hit, hit"),
    ahead="attacker",
)


def test_the_outcome_comes_first_then_the_turn_and_the_story_stands_under_the_picture() -> None:
    shown = embed(CARD)
    assert shown.title == "2 hits get through."
    assert shown.author.name == "X-Wing attack"
    assert shown.description == "**Ana, it's your turn.**"
    assert [(field.name, field.value) for field in shown.fields] == [
        ("Attacker: Ana", "weapon value 2"),
        ("Nothing", "none"),
    ], "Discord refuses a field without a value"
    assert (shown.footer.text or "").splitlines() == [
        "Attack dice rolled: focus, hit.",
        "Focus changes: focus → hit.",
        "Ruleset 2.5",
    ]


def test_typed_names_do_not_format_and_the_footer_needs_no_escaping() -> None:
    name = "**A** `b` _c_ ||d||"
    shown = embed(
        replace(
            CARD,
            outcome=Text(f"{name} wins."),
            turn=Text(f"{name}!"),
            facts=((Text(name), Text(name)),),
            trail=(Text(name),),
        )
    )
    escaped = r"\*\*A\*\* \`b\` \_c\_ \|\|d\|\|"
    assert shown.title == f"{escaped} wins."
    assert shown.description == f"**{escaped}!**"
    assert (shown.fields[0].name, shown.fields[0].value) == (escaped, escaped)
    assert (shown.footer.text or "").startswith(name)


def test_the_color_says_who_is_ahead_and_differs_for_each() -> None:
    colors = {ahead: embed(replace(CARD, ahead=ahead)).color for ahead in COLORS}
    assert colors["passed"] == colors["defender"] != colors["attacker"] == colors["failed"]
    assert colors["unchecked"] is None, "no stripe where nothing was checked"
    assert len(set(colors.values())) == 5


def test_a_card_without_dice_has_no_picture() -> None:
    bare = replace(CARD, strips=())
    assert picture(bare) is None
    assert embed(bare).image.url is None


def test_a_picture_is_named_in_the_embed_and_says_its_dice_in_words() -> None:
    file = picture(CARD)
    assert file is not None
    assert embed(CARD).image.url == f"attachment://{file.filename}"
    assert file.description == "Attack dice: hit, hit"
    long = picture(replace(CARD, alt=Text("x" * 3000)))
    assert long is not None
    assert long.description is not None
    assert len(long.description) == 1024


def test_the_embed_has_the_alt_text_of_its_picture_too() -> None:
    """Discord keeps both apart; an embed's may be as long as an attachment's."""
    assert embed(CARD).to_dict()["image"] == {"url": "attachment://dice.png", "description": "Attack dice: hit, hit"}
    assert embed(replace(CARD, alt=Text(""))).to_dict()["image"] == {"url": "attachment://dice.png"}
    assert dict(embed(replace(CARD, alt=Text("x" * 3000))).to_dict()["image"])["description"] == "x" * 1024


def test_a_long_story_keeps_its_beginning_and_its_end() -> None:
    story = tuple(Text(f"Step {number} of a long story: hit → blank → hit") for number in range(200))
    told = footer(replace(CARD, trail=story)).splitlines()
    assert told[0] == f"{story[0]}."
    assert told[1] == "…"
    assert told[-2:] == [f"{story[-1]}.", CARD.small]
    assert sum(map(len, told)) < 1400


def test_a_title_is_cut_where_discord_takes_no_more() -> None:
    assert embed(replace(CARD, title=Text("x" * 300))).author.name == "x" * 256


def test_an_outcome_too_long_for_a_title_is_told_whole_beneath() -> None:
    outcome = " ".join(f"Angus-{number} beats Ortega-{number}, 1 hit." for number in range(20))
    shown = embed(replace(CARD, outcome=Text(outcome)))
    assert shown.title is not None
    assert len(shown.title) <= 256
    assert shown.title.endswith("…")
    assert (shown.description or "").startswith(outcome)


def test_lines_without_end_are_cut() -> None:
    for trail in (("x" * 5000,), ("x" * 5000, "y" * 5000), ("x" * 5000, "y" * 5000, "z")):
        assert len(footer(replace(CARD, trail=tuple(map(Text, trail))))) <= 2048


def test_no_line_ends_between_a_number_and_its_unit() -> None:
    card = Card(
        Text("WARSURGE"),
        Text("1 HP lost."),
        facts=((Text("Chances"), Text("any HP loss: 80%")),),
        small=Text("Luck: 4% of 12 rolls"),
    )
    shown = embed(card)
    assert shown.title == "1\N{NO-BREAK SPACE}HP lost."
    assert shown.fields[0].value == "any HP loss: 80%"
    assert shown.footer.text == "Luck: 4% of 12 rolls"
