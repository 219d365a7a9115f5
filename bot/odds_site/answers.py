"""A question of the page and its answer, both as JSON, called by ``worker.js`` in the browser.

A question is ``{"game", "language", "shared": {field: text}, "asks": [{field: text}, ...]}``; an answer has HTML, and
never a traceback: a URL's content is treated as a stranger's input.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from bot.games import by_terminal
from bot.games.game import Form, Words
from bot.html.chart import chart
from bot.html.html import EMPTY, Html, escaped, filled_tag, join_html, tag
from bot.languages import ENGLISH, LANGUAGES, Language
from bot.languages.translate import translate, using_language
from bot.odds.luck import UncountableLuckError
from bot.odds_site.forms import FORMS, fields
from bot.odds_site.infinity import keep_files as keep_files  # worker.js calls it
from bot.odds_site.rolls import rolls
from bot.render.card import Bars, Card
from bot.rules.errors import PlayerError, with_field_names
from bot.rules.text import Code, Shown, Text, english

MAX_TEXT: Final = 20_000
NO_QUESTION: Final = Text("This link contains no question. Fill in the form below.")
TOO_LARGE: Final = Text("That's too much to calculate exactly here. Use fewer dice, tokens, or effects.")
TYPED: Final = re.compile(r"`([^`]*)`")


def answer(text: str) -> str:
    """Return the answer as JSON. ``fields``: what is asked now, ``cards``: the answer, ``error``: a sentence where
    there is none. All three are HTML.

    ``question``: shared words and choices for a link, without the visitor's files; only if these were used. With
    ``rolls`` in the question, ``rolls`` has a roll of each choice instead of ``fields`` and ``cards``.
    """
    language: Language = ENGLISH
    result, labels = dict[str, object](), dict[str, Shown]()
    try:
        key, language, shared, asks, is_roll = read(text)
        form = FORMS[key]
        labels |= {field.key: field.label for field in (*form.shared, *form.asked)}
        labels |= {f"{side}{name}": label for side in ("attacker.", "target.") for name, label in labels.items()}
        labels |= {"file": form.files} if form.files is not None else {}
        with using_language(language):
            if is_roll:
                result["rolls"] = list(rolls(by_terminal()[key], form, shared, asks))
            else:
                result.update(answer_choices(form, shared, asks, labels))  # keep answers before an error
    except (PlayerError, UncountableLuckError, MemoryError, RecursionError) as error:
        with using_language(language):
            why = with_field_names(error, labels).text if isinstance(error, PlayerError) else TOO_LARGE
            result["error"] = tag("p", sentence(translate(why)), class_="error")
    return json.dumps(result)


def answer_choices(
    form: Form, shared: Words, asks: Sequence[Words], labels: dict[str, Shown]
) -> Iterator[tuple[str, object]]:
    """Yield the fields first, so that they exist even if the question fails; ``labels`` gets theirs."""
    asked = [form.fields(shared, ask) if form.fields is not None else form.asked for ask in asks]
    labels |= {field.key: field.label for shown in asked for field in shown}
    choices = enumerate(zip(asked, asks, strict=True))
    yield (
        "fields",
        join_html([tag("fieldset", *fields(shown, item, f"ask-{at}", form.presets)) for at, (shown, item) in choices]),
    )
    yield "cards", join_html([card_html(card) for card in form.cards(shared, asks)])
    if form.spell_out is not None and (question := form.spell_out(shared, asks)) is not None:
        yield "question", question


def headline(text: str) -> tuple[str, str]:
    """Return a question and its number in English, for a link's preview. Raises as ``answer``."""
    key, _, shared, asks, _ = read(text)
    card = next(iter(FORMS[key].cards(shared, asks)))
    return english(card.title), english(card.outcome)


def read(text: str) -> tuple[str, Language, Words, list[Words], bool]:
    """Parse a question: its game, ..., and whether it asks for a roll. Raises ``PlayerError``."""
    try:
        raw = json.loads(text[: 4 * MAX_TEXT])
    except (ValueError, RecursionError):
        raise PlayerError(NO_QUESTION) from None
    key = str(raw.get("game")) if isinstance(raw, dict) else ""
    if key not in FORMS or not isinstance(raw.get("asks"), list):
        raise PlayerError(NO_QUESTION)
    asks, language = [words(item) for item in raw["asks"][: FORMS[key].most]] or [{}], str(raw.get("language"))
    return key, LANGUAGES.get(language, ENGLISH), words(raw.get("shared", {})), asks, raw.get("rolls") is True


def words(raw: object) -> Words:
    """Return the fields that were filled in. Raises ``PlayerError``."""
    if not isinstance(raw, dict) or not all(isinstance(item, str) for item in raw.values()):
        raise PlayerError(NO_QUESTION)
    return {str(key)[:40]: item[:MAX_TEXT] for key, item in raw.items() if item.strip()}


def sentence(text: str) -> Html:
    parts = TYPED.split(text)
    return join_html([tag("code", Code(part)) if at % 2 else escaped(Code(part)) for at, part in enumerate(parts)])


def card_html(card: Card) -> Html:
    """A card of odds: its outcome first, then the chart, then the numbers."""
    drawn = chart(card.figure, translate(card.alt)) if isinstance(card.figure, Bars) else EMPTY
    rows = list[Html]()
    for name, value in card.facts:
        lines = (tag("span", Code(part), class_="line") for part in translate(value).split("\n"))
        rows.append(tag("div", tag("dt", name), tag("dd", *lines)))
    small = tag("p", sentence(translate(card.small)), class_="small")
    return tag(
        "article",
        tag("h2", card.title),
        tag("p", card.outcome, class_="outcome"),
        drawn or (EMPTY if rows else filled_tag("p", card.alt)),
        filled_tag("dl", *rows),
        tag("details", tag("summary", Text("How is this calculated?")), small) if card.small else None,
    )
