"""The games of the page, by their names in the terminal."""

from collections.abc import Mapping
from typing import Final

from bot.site import albion, anydice, infinity, warsurge, xwing
from bot.site.forms import Form

FORMS: Final[Mapping[str, Form]] = {
    "xwing": xwing.FORM,
    "infinity": infinity.FORM,
    "warsurge": warsurge.FORM,
    "albion": albion.FORM,
    "dice": anydice.FORM,
}
