"""For every setting: what people type and the value it means, and what is refused. A new setting adds a line."""

from dataclasses import dataclass
from typing import Any, Final

SWITCH: Final = {"on": True, "Off": False, "yes": True, "no": False, " TRUE ": True, "false": False}
NO_SWITCH: Final = ("maybe", "1", "", "onn")


@dataclass(frozen=True, slots=True)
class Case:
    """``typed`` are texts with their values, ``refused`` texts, ``forged`` values that JSON may hold."""

    typed: dict[str, Any]
    refused: tuple[str, ...]
    forged: tuple[object, ...] = ()

    @property
    def values(self) -> list[Any]:
        """The different values."""
        return list(dict.fromkeys(self.typed.values()))


CASES: Final = {
    "games_off": Case(
        {"none": (), "Albion": ("albion",), "any dice, x-wing": ("xwing", "anydice"), " xwing,xwing": ("xwing",)},
        ("chess", "", "x-wing; albion", "xwing,", "none, xwing"),
        (0, True, "xwing", None, ["chess"], [1], {"xwing": True}),
    ),
    "anydice_last_step": Case(
        {"Ask each time": "ask", "own": "own", "the other side's save": "save"}, ("", "mine"), (None, 1)
    ),
    "anydice_versus": Case({"ask": "ask", "At least this number": "least", "MOST": "most"}, ("", "over"), (None, 1)),
    "anydice_explosion": Case({"ask": "ask", "Explodes once": "once", "every": "every"}, ("", "e"), (None, 1)),
    "duels_game": Case(
        {"any game": "any", "Legion": "legion", "killteam": "killteam"}, ("", "chess"), (None, 1, "Legion")
    ),
    "warsurge_method": Case(
        {"Casual": "casual", "balanced": "balanced", "attack dice chart": "chart", "CHART": "chart"},
        ("chartt", "", "c"),
        (1, None, True, "Casual"),
    ),
    "infinity_edition": Case({"N5": "n5", "n4": "n4", " N4 ": "n4", "N3": "n3"}, ("n2", "5"), (5, "N5", "N3")),
    "xwing_ruleset": Case({"2.5": "2.5", " 2.0": "2.0"}, ("2", "2,5", "1.0"), (2.5, 2, "2.00")),
    "xwing_dials": Case({"ask": "ask", "ON": "on", "off": "off"}, ("yes", "true", "asks"), (True, 1, "no")),
    "xwing_tokens": Case(
        {"Press them during the attack": "press", "No tokens": "none", "NONE": "none"}, ("", "no", "off"), (None, False)
    ),
    "xwing_cards": Case(
        {"As in the squad": "auto", "XWA": "xwa", "legacy": "legacy"}, ("yasb", "", "2.5"), (None, 5, "Legacy", "2.0")
    ),
    "most_dice": Case(
        {"6": 6, "100": 100, "20 dice": 20},
        ("5", "101", "-6", "6.0", "²", "９", "9" * 5000),
        (5, 6.0, True, "6", 10**30),
    ),
    "physical_dice": Case(SWITCH, NO_SWITCH, (0, "off")),
    "rerolls": Case(SWITCH, NO_SWITCH, (0, "off")),
    "sealed": Case(SWITCH, NO_SWITCH, (0, "off")),
    "language": Case(
        {"English": "en", "deutsch": "de", "pt-br": "pt-BR", " Polski ": "pl", "server": "server"},
        ("German", "pt", "klingon", ""),
        (0, True, None, "Deutsch", "es-ES"),
    ),
    "look": Case({"Picture": "picture", "emoji": "emoji", "TEXT": "text"}, ("none", "pictures"), (0, None, "Text")),
    "luck": Case(SWITCH, NO_SWITCH, (0, "off")),
    "advice": Case(SWITCH, NO_SWITCH, (0, "off")),
    "turn_ping": Case(
        {"Never": "never", "mention": "mention", "After a minute": "minute"}, ("off", "60"), (0, True, None, "Never")
    ),
    "read_aloud": Case(SWITCH, NO_SWITCH, (0, "off")),
    "gm_role": Case(
        {"<@&42>": 42, "77": 77, "nobody": None, "None": None},
        ("@GM", "0", "<@42>", "-1", "9" * 20),
        (0, True, "42", 2**63),
    ),
    "log_channel": Case(
        {"<#42>": 42, "77": 77, "nowhere": None, "None": None},
        ("#log", "0", "<@42>", "-1", "9" * 20),
        (0, True, "42", 2**63),
    ),
    "keep_days": Case({"1": 1, "3650 days": 3650, "90": 90}, ("0", "3651", "ever"), (0, 1.5, False, "90")),
}
