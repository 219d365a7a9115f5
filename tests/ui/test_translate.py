"""The door between texts and what is sent: every text is said in the language, and nothing else is touched."""

from dataclasses import dataclass

import pytest

from bot.languages.translate import translate, translate_fields, using_language
from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.text import Code, Count, Name, Names, Sentences, Shown, Text, as_text, with_plain
from bot.rules.xwing.dice.typed_sides import parse
from bot.ui.core.components import fit
from tests.pseudo import Invented


@dataclass(frozen=True)
class Page:
    title: Shown
    lines: tuple[Shown, ...]
    facts: tuple[tuple[Shown, Shown], ...] = ()


def loud(message: str) -> str:
    """A language that is English in capitals."""
    return "".join(
        part if part.startswith("{") else part.upper()
        for part in message.replace("}", "}|").replace("{", "|{").split("|")
    )


LUKE = Text("{ship} has {tokens}.", ship="Luke", tokens=Count(2, "token", "tokens"))


def test_english_says_itself() -> None:
    assert as_text(translate(LUKE)) is LUKE
    assert translate_fields((LUKE, "x")) == (Text("Luke has 2 tokens."), "x")


def test_a_language_says_messages_and_leaves_names() -> None:
    with using_language(Invented(how=loud)):
        assert translate(LUKE) == "Luke HAS 2 TOKENS."
        assert translate(Count(1, "token", "tokens")) == "1 TOKEN"
        assert translate(Names(["Luke", Text("a droid"), "Han"], "or")) == "Luke, A DROID, OR Han"
        assert translate(Names([])) == ""
        assert translate(Sentences([LUKE, "", Text("Done.")])) == "Luke HAS 2 TOKENS. DONE."
        assert translate("Luke") == "Luke"
        assert translate(Text("{{}} {a}", a=Text("b"))) == "{} B"
    assert translate(LUKE) == "Luke has 2 tokens."


def test_a_text_is_cut_in_the_language_that_is_spoken() -> None:
    double = Text("Roll {dice} dice", dice=3)
    assert fit(double, 11) == "Roll 3 dice"
    assert type(fit(double, 11)) is str, "what is sent holds no parts"
    with using_language(Invented(how=lambda message: f"{message} and {message}")):
        assert fit(double, 11) == "Roll 3 dic…"
        assert fit(double, 8) == "Roll 3…", "no blank before the dots"
        assert fit(double, 27) == "Roll 3 dice and Roll 3 dice"


def test_all_that_is_plain_data_is_said() -> None:
    page = Page(Text("Ships"), (LUKE, Name("Han")), ((Text("Hull"), Code("4")),))
    with using_language(Invented(how=loud)):
        assert translate_fields(page) == Page(
            Code("SHIPS"), (Code("Luke HAS 2 TOKENS."), Name("Han")), ((Code("HULL"), Code("4")),)
        )
        assert translate_fields({"content": Text("Hi"), "count": 3, "view": None}) == {
            "content": "HI",
            "count": 3,
            "view": None,
        }


def test_names_in_a_text_are_changed_and_its_messages_are_not() -> None:
    text = Sentences([Text("@1 hits {who}.", who="@1"), Text("So do {names}.", names=Names(["@1", "@2"]))])
    changed = with_plain(text, lambda plain: plain.replace("@1", "Ana"))
    assert changed == "@1 hits Ana. So do Ana and @2."
    assert isinstance(changed, Sentences)
    assert with_plain("@1", lambda plain: plain.replace("@1", "Ana")) == "Ana"
    assert with_plain(Count(1, "@1", "@1"), lambda _: "x") == "1 @1"


@pytest.mark.parametrize(
    "typed", ["change 1 focus to treffer", "change 1 treffer to hit", "reroll 1 treffer", "crits x"]
)
def test_a_refusal_advises_the_words_that_it_would_take(typed: str) -> None:
    with pytest.raises(PlayerError) as refused:
        parse(typed, Side.ATTACKER, "with")
    with using_language(Invented(how=loud)):
        _, _, advised = translate(refused.value.text).partition("YOU CAN USE: ")
    assert advised
    advised = advised.replace(" OR ", " or ")
    assert advised == advised.lower(), "what is typed is said in no language"
