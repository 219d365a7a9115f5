"""The languages of the bot: which exist, who reads which, and how each translates a message.

The code's English is the key of every catalog. The others are gettext catalogs beside this module, compiled by ``make
messages`` and loaded on first use; missing messages are English. Plurals follow the catalog, lists and numbers
Unicode's CLDR. To add a language: ``README.md`` here.
"""

import gettext
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bot.rules.text import InContext, list_in_english

if TYPE_CHECKING:
    from babel import Locale  # loaded on first use of a language other than English

FOLDER: Final = Path(__file__).parent
DOMAIN: Final = "rollcall"
COUNTED: Final = "after a number"
"""The context of every counted noun."""
TEMPLATES: Final = (*FOLDER.glob("*.pot"),) or (*FOLDER.glob("*/LC_MESSAGES/*.mo"),)
"""The static odds page has no templates, only compiled data."""
DOMAINS: Final = (DOMAIN, *sorted({template.stem for template in TEMPLATES} - {DOMAIN}))
"""A language's catalogs: a shared one, and one per game."""


@dataclass(frozen=True)
class Language:
    """English, and what the others do in their own way. ``key`` is Discord's name of it, or that name's beginning.

    ``region``: a locale of Discord that writes numbers in another way.
    """

    key: str = "en"
    name: str = "English"
    region: str = ""

    def message(self, english: str) -> str:
        """Translate a message; its placeholders stay."""
        return english

    def verbatim(self, typed: str) -> str:
        """Return a name or code unchanged; only a test's language alters it."""
        return typed

    def count(self, number: int, item: str, many: str) -> str:
        """Return a number with its noun, given in both English forms."""
        return f"{number:,} {self.unit(number, item, many)}"

    def unit(self, number: Fraction | int, item: str, many: str) -> str:
        """Return the noun beside a number, given in both English forms."""
        return item if number == 1 else many

    def names(self, names: Sequence[str], word: str) -> str:
        """Join a list; ``word`` is ``and`` or ``or``."""
        return list_in_english(names, word)

    def number(self, english: str) -> str:
        """Localize an English number with decimals or percent: ``12.5%``."""
        return english

    def between(self, sign: str) -> str:
        """The sign between two texts, with its spaces: ``; ``."""
        return sign


class Translated(Language):
    @cached_property
    def catalog(self) -> gettext.NullTranslations:
        """Messages of all domains; none if the catalogs were not compiled."""
        named = [str(self.locale), self.key]
        first, *others = (gettext.translation(domain, FOLDER, named, fallback=True) for domain in DOMAINS)
        for other in others:
            first.add_fallback(other)
        return first

    @cached_property
    def locale(self) -> "Locale":
        from babel import Locale

        return Locale.parse(self.region or self.key, sep="-")

    @cached_property
    def signs(self) -> dict[int, str]:
        """Translation table for the characters of an English number."""
        signs: Mapping[str, Any] = self.locale.number_symbols["latn"]
        return str.maketrans({".": signs["decimal"], ",": signs["group"], "%": self.percent})

    @cached_property
    def percent(self) -> str:
        """The percent sign, with a space before it if used."""
        pattern = str(self.locale.percent_formats[None].pattern)
        return pattern[pattern.rindex("0") + 1 :]

    @cached_property
    def cache(self) -> dict[str, str]:
        """Translated messages so far; gettext keeps its header under ""."""
        return {"": ""}

    def message(self, english: str) -> str:
        key = f"{english.context}\x04{english}" if isinstance(english, InContext) else english  # as gettext writes it
        result = self.cache.get(key)
        if result is None:
            result = self.catalog.gettext(key)
            if result is key:  # a noun alone that elsewhere follows a number
                result = self.catalog.npgettext(COUNTED, key, key, 1)
            if result is key:  # in no catalog, perhaps typed by a user: don't cache
                return english
            self.cache[key] = result
        return result

    def count(self, number: int, item: str, many: str) -> str:
        return f"{self.number(f'{number:,}')} {self.unit(number, item, many)}"

    def unit(self, number: Fraction | int, item: str, many: str) -> str:
        # After a fraction French counts as for the whole number below it, the others as for two ("2,5 trafienia").
        whole = int(number) if self.key == "fr" or int(number) == number else 2
        return self.catalog.npgettext(COUNTED, item, many, whole)

    def names(self, names: Sequence[str], word: str) -> str:
        from babel.lists import format_list

        return format_list(names, "or" if word == "or" else "standard", self.locale)

    def number(self, english: str) -> str:
        return english.translate(self.signs)

    def between(self, sign: str) -> str:
        return f"\xa0{sign}" if self.key == "fr" and sign[:1] in (";", ":") else sign


ENGLISH: Final = Language()
LANGUAGES: Final[Mapping[str, Language]] = {
    language.key: language
    for language in (
        ENGLISH,
        Translated("de", "Deutsch"),
        Translated("es", "Español"),
        Translated("fr", "Français"),
        Translated("it", "Italiano"),
        Translated("pt-BR", "Português do Brasil"),
        Translated("pl", "Polski"),
    )
}


REGIONS: Final = {"es-419": Translated("es", "Español", "es-419")}


def fingerprint() -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(FOLDER.rglob("*.mo")))).hexdigest()


def forget() -> None:
    """Drop the cached catalogs."""
    for language in (*LANGUAGES.values(), *REGIONS.values()):
        for name in ("catalog", "cache"):
            language.__dict__.pop(name, None)


@lru_cache(maxsize=64)
def of_locale(locale: str) -> Language:
    """The language of one of Discord's locales: ``es-419`` is Spanish, ``en-GB`` English, and so is what we lack."""
    return REGIONS.get(locale) or LANGUAGES.get(locale) or LANGUAGES.get(locale.partition("-")[0]) or ENGLISH
