"""What cards do at the dice, as rows of data: a row says when, if what, for what cost, and what happens.

``{"on": "attack", "if": ["primary"], "ask": "in your bullseye arc", "cost": "", "do": "reroll 1"}`` under
``pilot:ID``, ``upgrade:ID``, ``chassis:ID`` or ``damage:TITLE``. ``ROWS.md`` lists every word. The rules never name a
card; ``effects.py`` turns the rows of one attack into effects.

Source: rules page, X-Wing cards, section 3.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.rules.errors import BadInput, BadWord, Example
from bot.rules.game import Side
from bot.rules.reading import Reader
from bot.rules.text import Text
from bot.rules.xwing import words
from bot.rules.xwing.declared import Effect
from bot.rules.xwing.tokens import TABLE

SETS: Final = ("xwa", "legacy")
KINDS: Final = ("pilot", "upgrade", "chassis", "damage")

ON: Final[Mapping[str, tuple[Side, ...]]] = {
    "attack": (Side.ATTACKER,),
    "defend": (Side.DEFENDER,),
    "both": (Side.ATTACKER, Side.DEFENDER),
    "none": (),
}
"""The attacks in which a row acts; with ``friend`` before it, those of friendly ships."""

WHEN: Final = (
    "declare",
    "before dice",
    "roll",
    "after roll",
    "modify red",
    "modify green",
    "before neutralize",
    "neutralize",
    "after neutralize",
    "damage",
    "after",
    "elsewhere",
)
"""The windows, in the order of play. Left out, it follows from the verb."""

TOKEN: Final = "|".join(sorted((re.escape(one.name) for one in TABLE), key=len, reverse=True))
HELD: Final = rf"(?:green token|red or orange|{TOKEN})"

CONDITIONS: Final[Mapping[str, str]] = {
    "weapon": r"primary|special|ordnance|bonus attack|cannon|turret|torpedo|missile|hardpoint",
    "weapon_arc": r"(front|rear|turret|bullseye|full front|full rear|left|right) arc weapon",
    "range": r"range ([0-3])(?:-([0-3]))?",
    "obstructed": r"obstructed",
    "held": rf"(?:([2-9]) or more )?({HELD})",
    "lock": r"locked|friend locked",
    "health": r"shields|damaged|faceup",
    "cards": r"at most ([0-9]) damage cards?",
    "initiative": r"initiative (higher|lower)|initiative ([0-8]) or (higher|lower)",
    "ship": r"small|medium|large|huge|limited|ship ([a-z0-9]+)|has ([a-z0-9-]+)",
    "charge": r"charge missing",
    "results": r"only blanks|([2-9]) or more results|([1-9]) or fewer dice",
    "outcome": r"hit|miss|neutralized|dice modified|more results than shields|lost a shield|suffered damage",
    "other": r"other",
}
"""What the bot knows, by kind. Before it may stand ``attacking`` or ``defending``, ``not`` or ``no``, ``me`` or
``their``; between two of them ``or``."""
CONDITION: Final = re.compile(
    r"(?:(?P<as>attacking|defending) )?(?:(?P<whose>me|their) )?(?:(?P<no>not|no) )?(?P<what>"
    + "|".join(f"(?:{pattern})" for pattern in CONDITIONS.values())
    + ")"
)
RED_OR_ORANGE: Final = "red or orange"

COSTS: Final = re.compile(
    r"(?P<what>charge of the weapon|charge|force|focus|calculate|evade|lock|shield|hit|crit|stress|strain|deplete|ion"
    r"|energy|(?:friend|ship) (?:calculate|focus|hit|crit|strain)|their red or orange|their stress"
    r"|result hit|result crit|result focus|result blank)(?: (?P<count>[1-9]))?"
)

NUMBER: Final = r"([1-9])"
SUFFERED: Final = r"hits?|crits?"
DEEDS: Final[Mapping[str, str]] = {
    "deal": rf"deal (?:all ({TOKEN})|{NUMBER} (hit|crit)(?: rest ({TOKEN}))?(?: all ({TOKEN}))?"
    rf"((?: {NUMBER} (?:{TOKEN}))*))(?: (cancel all))?",
    "deal crits": rf"deal crits as ({TOKEN})",
    "deal nothing": r"deal nothing",
    "reach": r"attack at range 0",
    "turn": r"turn (cannon|torpedo|missile) to turret",
    "allow": rf"allow ({TOKEN}) red",
    "no dice": r"no dice, it hits",
    "they lose": rf"they lose {NUMBER} (shield|green token|(?:{TOKEN})(?: or (?:{TOKEN}))?)",
    "they gain": rf"they gain {NUMBER} ({TOKEN})",
    "they suffer": rf"they suffer {NUMBER} ({SUFFERED})",
    "they expose": rf"they expose {NUMBER}",
    "i lose": rf"I lose {NUMBER} ({TOKEN})",
    "i gain": rf"I gain {NUMBER} ({TOKEN})",
    "i suffer": rf"I suffer {NUMBER} ({SUFFERED})",
    "recover": rf"recover (?:{NUMBER} (charge|force|shield)|force for each damage)",
    "lock them": r"lock them",
    "transfer": r"transfer 1 (focus|evade|calculate|lock)",
    "prevent": rf"prevent (?:{NUMBER}|all)",
    "bonus": r"bonus (any|primary|cannon|turret|torpedo|missile|hardpoint|special|same weapon)"
    r"(?: (front|rear|turret|bullseye|other turret))?(?: at (attacker|same|other|any))?(?: without (lock|cost))?",
    "counts": r"my (focus|evade|calculate)(?: and (focus|evade|calculate))? counts? as theirs",
    "remind": r"remind: .+",
}
"""What a row does besides effects on dice, which are written in the words that players type (``words.py``)."""
DEED: Final = {name: re.compile(pattern) for name, pattern in DEEDS.items()}
HOW_MANY: Final = ("friend locks", "ships", "their stress", "stress", "their red or orange", "charges", "asked")
AS_MANY: Final = re.compile(rf"as many as ({'|'.join(HOW_MANY)})")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a row costs: so many of it. ``friend`` and ``ship``: another ship pays it; ``ship``, once it is known."""

    what: str
    count: int = 1
    ship: str = ""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a row does after the dice, or besides them: its kind in ``DEEDS`` and its words."""

    kind: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a card.

    ``card``: ``upgrade:predator``. ``place``: which of the card's rows it is, from 1. ``friend``: it acts in attacks of
    friendly ships. ``conditions``: what the bot knows, all of it must hold. ``ask``: what people know, "" for nothing.
    ``do``: phrases with commas between them, where ``A / B`` is A for the attacker and B for the defender.
    ``must``: it is no choice. ``pool``: the only set in which the card does this, "" for both. ``times``: how often in
    one attack. ``itself``: where the ship with the card attacks or defends itself, nothing is asked. ``instead``: in
    place of the row before it, not both in one attack. ``theirs``: the other side of the attack may use it.
    """

    card: str
    place: int = 1
    on: tuple[Side, ...]
    friend: bool = False
    when: str = ""
    conditions: tuple[str, ...] = ()
    ask: str = ""
    cost: tuple[Cost, ...] = ()
    do: str
    must: bool = False
    pool: str = ""
    times: int = 1
    itself: bool = False
    instead: bool = False
    theirs: bool = False

    @property
    def id(self) -> str:
        """The card's id without its kind."""
        return self.card.partition(":")[2]

    def phrases(self, side: Side) -> tuple[str, ...]:
        """What it does for one side, phrase by phrase."""
        every = re.split(r", (?!it hits)", self.do)
        at = 0 if side is Side.ATTACKER else -1
        return tuple(for_side(phrase, at) for phrase in every)

    def effects(self, side: Side, numbers: Mapping[str, int]) -> tuple[Effect, ...]:
        """What it does to dice when this side acts; ``numbers``: what ``as many as`` stands for."""
        return tuple(
            one for phrase in self.phrases(side) if deed_of(phrase) is None for one in dice(phrase, side, numbers)
        )

    def deeds(self, side: Side) -> tuple[Deed, ...]:
        """What it does besides."""
        return tuple(deed for phrase in self.phrases(side) if (deed := deed_of(phrase)))


def for_side(phrase: str, at: int) -> str:
    """``change 1 focus to hit / evade`` for the attacker (0) or the defender (-1)."""
    if " / " not in phrase:
        return phrase
    first, _, second = phrase.partition(" / ")
    if at == 0:
        return first
    start = first.rsplit(" ", 1)[0] if " " not in second else ""
    return f"{start} {second}".strip()


def deed_of(phrase: str) -> Deed | None:
    """The deed that a phrase names; None for an effect on dice."""
    return next((Deed(kind, phrase) for kind, pattern in DEED.items() if pattern.fullmatch(phrase)), None)


def dice(phrase: str, side: Side, numbers: Mapping[str, int]) -> tuple[Effect, ...]:
    """The effect that a phrase is; none where its number is 0. Raises ``BadInput`` or ``BadWord``."""
    if many := AS_MANY.search(phrase):
        count = numbers.get(many[1], 0)
        if not count:
            return ()
        phrase = phrase.replace(many[0], str(count))
    return words.parse(phrase, side, "do").line_up.effects


def read(card: str, raw: object, place: int = 1) -> Row:
    """A row of the file. Raises ``BadInput`` or ``BadWord`` naming the card and what is wrong with its row."""
    kind, _, rest = card.partition(":")
    if kind not in KINDS or not rest:
        raise BadInput(
            "card",
            card,
            Text("Use one of {KINDS}, a colon and an id.", KINDS=", ".join(KINDS)),
            Example("pilot:wedgeantilles"),
        )
    reader = Reader(raw, f"{card}[{place}]")
    on = reader.text("on", 20)
    friend = on.startswith("friend ")
    if on.removeprefix("friend ") not in ON:
        raise BadInput(reader.name("on"), on, Text("Use one of {ON}, or one of them after `friend`.", ON=", ".join(ON)))
    row = Row(
        card=card,
        place=place,
        on=ON[on.removeprefix("friend ")],
        friend=friend,
        when=reader.word("when", WHEN, "") if reader.has("when") else "",
        conditions=tuple(check_condition(reader.name("if"), one) for one in reader.items("if", 8)),
        ask=reader.text("ask", 80),
        cost=read_cost(reader.name("cost"), reader.text("cost", 80)),
        do=reader.text("do", 200),
        must=reader.flag("must"),
        pool=reader.word("pool", SETS, "") if reader.has("pool") else "",
        times=reader.whole("times", 1, 6, 1),
        itself=reader.flag("itself"),
        instead=reader.flag("instead"),
        theirs=reader.flag("theirs"),
    )
    reader.done()
    if not row.do:
        raise BadInput(reader.name("do"), row.do, Text("Use what the card does, in the words of ROWS.md."))
    for side in row.on or (Side.ATTACKER,):
        for phrase in row.phrases(side):
            if deed_of(phrase) is None:
                dice(phrase, side, dict.fromkeys(HOW_MANY, 1))
    return row


def check_condition(field: str, given: object) -> str:
    """A condition, if every part of it is one that the bot knows."""
    if not isinstance(given, str) or not all(CONDITION.fullmatch(part) for part in parts(given)):
        raise BadWord(field, str(given), Text("ROWS.md lists the conditions that the bot knows; the others are asked."))
    return given


def parts(condition: str) -> list[str]:
    """The conditions of which one must hold."""
    hidden = condition.replace(RED_OR_ORANGE, "red-or-orange")
    return (
        [part.replace("red-or-orange", RED_OR_ORANGE) for part in hidden.split(" or ")]
        if " or " in hidden and not re.search(r"[0-9] or (?:more|fewer|lower|higher)", hidden)
        else [condition]
    )


def read_cost(field: str, text: str) -> tuple[Cost, ...]:
    """``charge 1, stress`` as costs."""
    found = []
    for part in filter(None, text.split(", ")):
        match = COSTS.fullmatch(part)
        if match is None:
            raise BadWord(field, part, Text("ROWS.md lists the costs."))
        found.append(Cost(match["what"], int(match["count"] or 1)))
    return tuple(found)


def read_file(raw: Mapping[str, Any]) -> Mapping[str, tuple[Row, ...]]:
    """All rows of a file, by card. Raises as ``read``."""
    return {
        card: tuple(read(card, row, place) for place, row in enumerate(rows, 1))
        for card, rows in raw.items()
        if card != "about"
    }
