# ruff: noqa: INP001, T201 - a script, no package, that prints a table
"""How many words and controls each card has to the next press: ``python -m docs.words`` prints the table of clicks.md.

It counts what ``pictures.json`` keeps of each card: the words of the card itself, those of its buttons and lists, and
apart from them the words of the alt text. A word has a letter or a digit.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from docs.pictures import SAID

SIGNS: Final = re.compile(r"<[@#][^>]*>|<a?:[^>]*>|[*_`|>~]")
BEFORE: Final[Mapping[str, tuple[int, int, int]]] = {
    "xwing-window": (42, 20, 8),
    "xwing-advice": (51, 26, 8),
    "xwing-attack": (29, 4, 3),
    "xwing-engage": (38, 0, 0),
    "table-show": (15, 11, 7),
    "xwing-round": (24, 10, 6),
    "xwing-score": (70, 8, 4),
    "xwing-recap": (84, 5, 3),
    "xwing-claims": (52, 33, 9),
    "xwing-ion": (31, 13, 6),
    "xwing-bonus": (26, 26, 7),
    "xwing-camera": (37, 23, 6),
    "xwing-how": (162, 0, 0),
    "xwing-squad": (119, 0, 0),
    "xwing-cards": (77, 0, 0),
    "xwing-ships": (49, 0, 0),
    "xwing-hazard": (26, 0, 0),
    "xwing-phase": (53, 0, 0),
    "xwing-endphase": (54, 0, 0),
    "xwing-roll": (18, 21, 7),
    "infinity-troopers": (53, 0, 0),
    "infinity-aros": (34, 9, 4),
    "infinity-roll": (25, 16, 3),
    "infinity-open": (29, 2, 2),
    "infinity-versus": (33, 7, 2),
    "infinity-order": (35, 25, 5),
    "infinity-dodge": (24, 13, 3),
    "infinity-save": (21, 1, 1),
    "warsurge-attack": (33, 7, 2),
    "warsurge-units": (25, 0, 0),
    "warsurge-saves": (22, 9, 3),
    "warsurge-volley": (28, 7, 2),
    "warsurge-compare": (111, 0, 0),
    "warsurge-chart": (26, 0, 0),
    "albion-attack": (24, 7, 2),
    "albion-profiles": (12, 0, 0),
    "roll": (12, 3, 2),
    "roll-scores": (13, 3, 2),
    "roll-percent": (13, 3, 2),
    "roll-natural": (18, 3, 2),
    "roll-glitch": (18, 3, 2),
    "roll-push": (19, 3, 2),
    "roll-request": (10, 6, 3),
    "roll-odds": (49, 0, 0),
    "contest-open": (25, 2, 2),
    "contest": (31, 6, 2),
    "contest-odds": (34, 0, 0),
    "xwing-odds": (148, 0, 0),
    "xwing-odds-cards": (151, 3, 1),
    "infinity-odds": (51, 0, 0),
    "warsurge-odds": (41, 0, 0),
    "albion-odds": (37, 0, 0),
    "ruleset-show": (161, 0, 0),
    "table-luck": (107, 0, 0),
    "saved-panel": (31, 4, 3),
    "initiative": (40, 3, 3),
    "secret-roll": (24, 2, 2),
    "look-animated": (34, 20, 8),
    "look-emoji": (53, 4, 3),
    "look-text": (53, 4, 3),
}
"""Words of the card, words of its controls, and controls, when nobody had counted them yet."""


def words(parts: Sequence[str]) -> int:
    """How many words some texts have."""
    return sum(any(map(str.isalnum, word)) for part in parts for word in SIGNS.sub(" ", part).split())


def main() -> None:
    """Print the table."""
    print("| card | words before | words now | of its controls before | now | controls before | now | alt text now |")
    print("|---|---|---|---|---|---|---|---|")
    for name, said in json.loads(SAID.read_text()).items():
        if name in BEFORE:
            card, labels, controls = BEFORE[name]
            now = words(said["card"]), words(said["controls"]), len(said["controls"]), words(said["alt"])
            print(f"| {name} | {card} | {now[0]} | {labels} | {now[1]} | {controls} | {now[2]} | {now[3]} |")


if __name__ == "__main__":
    main()
