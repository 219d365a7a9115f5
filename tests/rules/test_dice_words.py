"""The words that people type around dice in seven languages: all of them, in every position.

A word that changes dice is read, asked or refused; no label begins with it, ends in it, or consists of it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Final

import pytest

from bot.rules.anydice import declare, notation, words
from bot.rules.anydice.notation import parse
from bot.rules.anydice.reader import ParseError
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError, PlayerError
from tests.sampling import Part

POSITIONS: Final = (
    "1d20 {}",
    "2d6+3 goblin {}",
    "goblin {} 2d6",
    "1d20 [{}]",
    "1d20; 2d6 {}",
)
SHORT: Final = 4
"""In a channel of another language, words of fewer letters may be anything."""


def listed(language: str) -> Iterator[tuple[str, str]]:
    """Each word that changes dice, with what it is in English."""
    for english, typed in words.TABLES[language].items():
        if english not in words.PLAIN and english not in words.FAIR:
            yield from ((english, word) for word in typed)


def stays_a_label(text: str, word: str, language: str) -> bool:
    """Whether the word silently stands at an end of the label of a roll."""
    try:
        lines = parse(text, language=language).lines
    except PlayerError:
        return False
    plain = words.folded(word)[0]
    labels = [words.folded(line.label)[0] for line in lines]
    return any(f" {label} ".startswith(f" {plain} ") or f" {label} ".endswith(f" {plain} ") for label in labels)


@pytest.mark.parametrize("language", words.TABLES)
def test_no_label_has_a_word_that_changes_dice_at_an_end(
    language: str, part: Part[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every word, in some of the positions. What a refusal would suggest is asked by ``test_nearest``."""
    monkeypatch.setattr(notation, "nearest", lambda *_: "")
    wrong = []
    for _, word in listed(language):
        for position in part(POSITIONS, 6):
            wrong += [position.format(word)] if stays_a_label(position.format(word), word, language) else []
            if len(words.folded(word)[0]) >= SHORT and stays_a_label(position.format(word), word, words.ENGLISH):
                wrong.append(f"{position.format(word)} (in a channel that speaks English)")
    assert wrong == []


ENDINGS: Final = {
    "de": ("e", "en", "er", "es", "t"),
    "fr": ("e", "es", "s", "er", "ez", "ant", "é"),
    "es": ("o", "a", "os", "as", "es", "ar", "ando"),
    "it": ("o", "a", "i", "e", "are", "ando", "ato"),
    "pl": ("y", "a", "ą", "ę", "ego", "ymi", "ach"),
    "pt-BR": ("o", "a", "os", "as", "s", "ar", "ando"),
}
BETWEEN: Final = ("rok {} rok d20 +4 dc 12", "d20 rok {} +4", "rok +4 {} d6 rok", "attack {} rok +2", "d8 -1 rok {}")


def inflections(language: str) -> Iterator[str]:
    """Each long word that changes dice and others that may, with their forms; short ones as they are."""
    table = words.TABLES[language]
    plain = (*table["articles"], *table["joins"], *table["of"], *table["numbers"][0])
    folded = {*map(itemgetter(0), map(words.folded, plain))}
    changing = {word for _, typed in listed(language) for word in typed.split() if words.folded(word)[0] not in folded}
    yield from sorted(changing)
    stems = [word[:-1] for word in changing if len(word) >= 5]
    stems += [word[:-1] for word in table["unsure"] if word[-1] == "*"]
    yield from (f"{stem}{end}" for stem in sorted(stems) for end in ENDINGS[language])
    yield from (word for word in table["unsure"] if word[-1] != "*")


@pytest.mark.parametrize("language", words.OTHERS)
def test_no_form_of_a_word_that_changes_dice_is_between_words_of_a_label(
    language: str, part: Part[tuple[str, str]]
) -> None:
    fair = {word for word, meant in words.means(language).items() if set(meant) <= set(words.FAIR)}
    every = [word for word in inflections(language) if words.folded(word)[0] not in fair]
    assert [word for word in every if not words.may_change(f"rok {word} rok", language)] == []
    for word, place in part([(word, place) for word in every for place in BETWEEN], 100):
        text = place.format(word)
        result = notation.whatever_words(text, language, ParseError(text, 0))
        labels = [line.label for meant, _, _ in result for line in meant.lines]
        assert not any(word in label.split() for label in labels), text


@pytest.mark.parametrize(
    ("language", "text", "means"),
    [
        ("fr", "JS constitution +4 dd 10", '1d20+4>=10 "JS constitution"'),
        ("it", "Tiro su Percezione +4 CD 15", '1d20+4>=15 "su Percezione"'),
        ("es", "ataque con desventaja, modificador +6", '2d20kl1+6 "ataque modificador"'),
        ("pl", "rzut obronny na Mądrość +2 ST 13", '1d20+2>=13 "obronny Mądrość"'),
        ("pl", "rzuć statystyki: sześć razy 4k6 odrzucając najniższą", '6#4d6dl1 "statystyki"'),
        ("pl", "2k10 + 1k6 od ognia", '2d10+1d6 "od ognia"'),
        ("pl", "inicjatywa +2 dla 4 goblinów", '4#1d20+2 "inicjatywa goblinów"'),
        ("de", "STA-Probe 62", 'coc 62 "STA-Probe"'),
        ("de", "Probe auf MU 13 KL 12 IN 14 FW 7 erschwert um 1", "dsa fw 7 mod -1 13 12 14"),
        ("de", "Sinnesschärfe 13/14/14 FW 8", 'dsa fw 8 13 14 14 "Sinnesschärfe"'),
        ("it", "tiro per colpire +9 CA 17 danno 1d10+5", '1d20+9>=17 "per colpire"; 1d10+5 "danno"'),
        ("it", "1d20+5 attacco con lo spadone", '1d20+5 "attacco con lo spadone"'),
        ("fr", "Légende des 5 Anneaux 7g4", "7d10!!kh4"),
        ("fr", "WJDR Esquive 38", 'wfrp 38 "Esquive"'),
    ],
)
def test_other_words_are_a_label_in_their_language(language: str, text: str, means: str) -> None:
    assert parse(text, language=language).full_text == means


@pytest.mark.parametrize("language", words.OTHERS)
def test_a_word_for_a_secret_roll_is_no_label(language: str) -> None:
    for word in words.TABLES[language]["secret"]:
        with pytest.raises(NotUnderstoodError):
            parse(f"{word} 1d20+3", language=language)


def understood(text: str, language: str) -> str:
    result = declare({"dice": text, "language": language})
    assert not result.label, result.label
    return str(result.expression.canonical_text)


READ: Final = {
    "de": {
        "1W20 mit Nachteil": "2d20kl1",
        "1w20+5 vorteil": "2d20kh1+5",
        "zwei W6": "2d6",
        "W66": "d66",
        "4W6 behalte die höchsten 3": "4d6kh3",
        "4W6 die besten 3": "4d6kh3",
        "4W6 ohne niedrigsten": "4d6dl1",
        "4W6 streiche den niedrigsten": "4d6dl1",
        "das Beste von 2W20": "2d20kh1",
        "hoechste von 2W20": "2d20kh1",
        "1W20+5 gegen 15": "1d20+5>=15",
        "1W20+5 SG 15": "1d20+5>=15",
        "6W10 explodierend": "6d10!",
        "würfle 3W6": "3d6",
        "3W6 plus zwei": "3d6+2",
        "6#4W6 ohne niedrigsten": "6#4d6dl1",
    },
    "fr": {
        "1d20 avec avantage": "2d20kh1",
        "1d20 desavantage": "2d20kl1",
        "4d6 garder 3": "4d6kh3",
        "4d6 sans le plus bas": "4d6dl1",
        "4d6 garder les 3 plus hauts": "4d6kh3",
        "deux d6": "2d6",
        "le meilleur de 2d20": "2d20kh1",
        "1d20 moins 2": "1d20-2",
        "1d20 contre 15": "1d20>=15",
        "3d6 explosif": "3d6!",
    },
    "es": {
        "1d20 con ventaja": "2d20kh1",
        "4d6 quita el menor": "4d6dl1",
        "4d6 los 3 mejores": "4d6kh3",
        "3d6 más 2": "3d6+2",
        "3d6 menos 2": "3d6-2",
        "dos d6": "2d6",
        "el mejor de 2d20": "2d20kh1",
        "1d20 CD 15": "1d20>=15",
    },
    "it": {
        "1d20 con svantaggio": "2d20kl1",
        "4d6 tieni i 3 migliori": "4d6kh3",
        "4d6 scarta il più basso": "4d6dl1",
        "due d6": "2d6",
        "il migliore di 2d20": "2d20kh1",
        "1d20 contro 12": "1d20>=12",
    },
    "pl": {
        "k20 z przewagą": "2d20kh1",
        "1k20 z utrudnieniem": "2d20kl1",
        "dwie k6": "2d6",
        "4k6 odrzuć najniższą": "4d6dl1",
        "4k6 zachowaj 3 najwyższe": "4d6kh3",
        "5k3": "5d3",
        "k66": "d66",
    },
    "pt-BR": {
        "1d20 com vantagem": "2d20kh1",
        "4d6 descarte o menor": "4d6dl1",
        "4d6 os 3 maiores": "4d6kh3",
        "dois d6": "2d6",
        "o melhor de 2d20": "2d20kh1",
        "1d20 CD 14": "1d20>=14",
    },
}


@pytest.mark.parametrize("language", READ)
def test_a_channel_reads_its_own_words_and_english_ones(language: str) -> None:
    assert {text: understood(text, language) for text in READ[language]} == READ[language]
    assert understood("1d20+5 adv", language) == "2d20kh1+5"
    assert understood("4d6 drop lowest", language) == "4d6dl1"


KINDS: Final[list[Mapping[str, str]]] = json.loads(
    Path(__file__).with_name("dice_kinds.json").read_text(encoding="utf-8")
)
"""Kinds of phrases, each in all languages."""


def meaning(text: str, language: str) -> list[str]:
    """What a text rolls, or what it asks, whatever its label is called."""
    try:
        return [f"{line.canonical_text} {line.system}" for line in parse(text, language=language).lines]
    except AmbiguousTextError as question:
        return [re.sub('"[^"]*"', "a label", choice) for choice in question.choices]


@pytest.mark.parametrize("language", words.OTHERS)
def test_a_kind_of_phrase_means_the_same_in_every_language(language: str) -> None:
    english = {kind["en"]: meaning(kind["en"], words.ENGLISH) for kind in KINDS}
    assert {kind["en"]: meaning(kind[language], language) for kind in KINDS} == english


@pytest.mark.parametrize(
    ("text", "language", "means"),
    [
        ("1W20 mit Nachteil", "en", "2d20kl1"),
        ("1d20 con ventaja", "de", "2d20kh1"),
        ("4d6 garder 3", "en", "4d6kh3"),
        ("zwei W6", "en", "2d6"),
    ],
)
def test_words_of_other_languages_are_asked(text: str, language: str, means: str) -> None:
    with pytest.raises(AmbiguousTextError) as question:
        declare({"dice": text, "language": language})
    assert question.value.choices[0] == means


def test_a_marked_label_may_hold_any_word() -> None:
    assert parse('1W20 "mit Nachteil"', language="de").line.label == "mit Nachteil"
    assert parse("1W20 # Vorteil", language="de").line.label == "Vorteil"


def test_a_label_of_plain_words_stays_as_it_was_typed() -> None:
    assert parse("4W6 Stärke", language="de").line.label == "Stärke"
    assert parse("2W6 Feuer mit Gift", language="de").line.label == "Feuer mit Gift"
    assert parse("1d20 épée", language="fr").line.label == "épée"
    assert parse("würfle 1d20+2 Angriff - Schwert", language="de").line.label == "Angriff - Schwert"


@pytest.mark.parametrize("language", words.OTHERS)
@pytest.mark.parametrize(
    "place",
    [
        *(
            "{} d10",
            "{} d10 +2",
            "d10 {}",
            "d10 {} +2",
            "d10 {} +2 rok",
            "d10 +2 {}",
            "d10 +2 {} -1",
            "d10 +2 {} -1 rok",
        ),
        *("rok d10 {} +2", "1d8+3 {} + 2d6", "1d8+3 {} + 2d6 rok", "rok 1d8+3 {} + 2d6", "d10 {} + d6 rok"),
    ],
)
def test_no_word_vanishes(place: str, language: str) -> None:
    """Unknown words are in the label, in a die's note, or refused."""
    vanished = []
    for word in ("dragon", "zmok", "Żubr", "bière", "Straße"):
        try:
            written = parse(place.format(word), language=language).full_text
        except PlayerError:
            continue
        vanished += [] if word in written and ("rok" in written or "rok" not in place) else [written]
    assert vanished == []


REFUSED: Final = [
    ("de", "vergleichende Probe +5 gegen +3"),
    ("fr", "force +5 contre force +3"),
    ("es", "tirada enfrentada: mi atletismo +6 contra su acrobacias +3"),
    ("it", "forza +5 contro forza +3"),
    ("pl", "rzut przeciwstawny: moja atletyka +6 kontra jego akrobatyka +3"),
    ("pl", "siła +5 przeciw +3"),
    ("pt-BR", "teste oposto: atletismo +6 contra acrobacia dele +3"),
    ("en", "+7 vs +4"),
    ("es", "Anima d100 abierto + 85"),
    ("en", "anima d100 open-ended + 85"),
    ("fr", "boule de feu 8d6, moitié si réussite"),
    ("de", "Feuerball 8W6, halber Schaden bei Erfolg"),
    ("pl", "kula ognia 8k6, połowa jeśli sukces"),
]


@pytest.mark.parametrize(("language", "text"), REFUSED)
def test_a_text_without_a_right_form_gets_no_suggestion(language: str, text: str) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        parse(text, language=language)
    is_opposed = "+" in text and "100" not in text
    assert ("/contest" in str(refusal.value)) == is_opposed
    assert "something similar" not in str(refusal.value)
    assert not refusal.value.nearest


@pytest.mark.parametrize(
    ("language", "text", "near"),
    [
        ("es", "tirada de percecpion +3 con vantaja", "2d20kh1+3"),
        ("pl", "rztu na percpecję +3 z przewga", "2d20kh1+3"),
        ("pt-BR", "teste de percpção +3 com vantajem", "2d20kh1+3"),
        ("de", "STA-Probe 62, Verlust 1/1W6", "coc 62"),
    ],
)
def test_a_suggestion_keeps_what_was_meant(language: str, text: str, near: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(f"`{near}")):
        parse(text, language=language)


def test_savage_worlds_is_known_by_its_german_abbreviation() -> None:
    (line,) = parse("SaWo Schießen W10 +1", language="de").lines
    assert (line.system, line.canonical_text, line.label) == ("sw", "max(1d10!, 1d6!)+1", "Schießen")


@pytest.mark.parametrize(
    ("language", "text"), [("de", "Attribute auswürfeln 4W6 drop lowest"), ("fr", "tirage des caracs 4d6 drop lowest")]
)
def test_a_set_of_stats_is_six_rolls(language: str, text: str) -> None:
    assert understood(text, language) == "6#4d6dl1"
