"""The cases of the golden files of Infinity: what each declares, without what it tells of the result."""

from collections.abc import Mapping
from typing import Any, Final

from bot.rules.game import Offer, RequiredSetting

TOLD: Final = (
    *("note", "why", "source", "expect", "passes", "fails", "threshold", "total", "nothing", "p_nothing"),
    *("a_wins", "b_wins", "p_a_wins", "p_b_wins", "hits_crits", "a_hits_crits", "b_hits_crits", "hits_on_a"),
    *("a_by_successes", "b_by_successes", "a_beats_both", "a_beaten_by_both", "a_beats_1", "a_beats_2"),
    *("wounds_on_a", "wounds_on_b", "mean_wounds_on_a", "mean_wounds_on_b"),
)


def declaration(case: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a case that declare; the Success Value of a Saving Roll is a result."""
    told = (*TOLD, "sv") if "ps" in case or "dam" in case else TOLD
    return {key: value for key, value in case.items() if key not in told}


def is_save(offer: Offer) -> bool:
    """Whether an offer makes a Saving Roll with what is known; a Guts Roll asks for a value first."""
    known = all(field.value or not field.required for field in offer.fields)
    return bool(offer.fields) and offer.leave is not RequiredSetting.BY_HAND and known
