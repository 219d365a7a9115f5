"""Chains of war games in words, ``10 attacks hit 3+ wound 4+ save 5+``, converted to notation. ``tables/chains.toml``
has the words of steps and rules, and the order of bare numbers per game.
"""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

TABLE: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("tables").joinpath("chains.toml").read_text(encoding="utf-8")
)
GAMES: Final[dict[str, list[str]]] = TABLE["games"]
CARRIES_OVER: Final[list[str]] = TABLE["carries over"]["games"]
ACTS_ON: Final[dict[str, list[str]]] = TABLE["acts on"]
STEPS: Final = list(TABLE["steps"])
OF_40K: Final = ("lethal", "devastating", "twin", "pierce")
"""Rules of Warhammer 40,000, whose third number is the save."""
IN_FRONT, BEHIND = ("|".join(f"(?P<{name}{end}>{TABLE['steps'][name]})" for name in STEPS) for end in ("", "_behind"))
ENDS: Final = (" on ", " hit ", "hits ", "ound ", "unds ", "[bw]s", "[bw]s ", "sv", "sv ", "ty ", "ve ", "es ")
"""Ends of words before a number that needs no plus."""
NO_PLUS: Final = "|".join(f"(?<={word}[2-7])" for word in ENDS)
NEED: Final = re.compile(
    rf"(?:(?:against|vs|at|with) )?(?:(?:{IN_FRONT})(?: on| at)? ?|(?:on|at) )?(?P<need>[2-7])"
    rf"(?P<plus>\+{{1,3}}+|s(?![a-z])|(?:{NO_PLUS})(?![0-9d]))"
    rf"(?: (?:to (?:(?P<hit_to>hit)|(?P<wound_to>wound))(?![a-z])|(?:{BEHIND})(?![a-z])(?!(?: on)? ?[2-7])))?"
    r"(?: by @(?P<by>[0-9]{1,2}))?"
)
"""A step: ``hit 3+``, ``3+ to hit``, ``wounding on 4s``, ``4++`` (invulnerable), ``5+++`` (no pain), ``5+ by @1``."""
RULES: Final = {name: re.compile(rf"(?:{words})(?![a-z0-9])") for name, words in TABLE["rules"].items()}
MIN_SHELTERED: Final = 3
"""The best save that cover doesn't better, unless the attack pierces armor (Warhammer 40,000)."""
MODELS_TO_AN_ATTACK: Final = 5
"""Models in the target per extra attack of a weapon with blast."""
OF_A_STEP: Final = ("ones", "failed", "critical", "worse", "better")


def wound_need(strength: int, toughness: int) -> int:
    """Return the lowest face that wounds in Warhammer 40,000."""
    order = (strength >= 2 * toughness, strength > toughness, strength == toughness, 2 * strength > toughness)
    return next((2 + at for at, holds in enumerate(order) if holds), 6)


WOUNDS: Final[dict[str, Callable[..., int]]] = {"strength": wound_need, "defense": int}
"""Rules that act as a step to wound, with their face."""
START: Final = re.compile(
    rf"(?:(?P<game>{'|'.join(GAMES)}):? )?(?:roll )?"
    r"(?:(?P<dice>[1-3]?d[36])(?: ?\+ ?(?P<more>[0-9]{1,2}))?(?= (?:attack|shot))|(?P<number>[0-9]{1,3})(?:d6)?(?= ))"
    rf"(?: (?!(?:{'|'.join(TABLE['steps'].values())})(?![a-z]))[a-z]{{3,}}(?= (?:attack|shot|dice)s?(?![a-z])))?"
    rf"(?: (?:attack|shot|dice|(?!(?:{'|'.join(TABLE['steps'].values())})(?![a-z]))[a-z]{{2,}}(?:s|z|dice))"
    r"(?![a-z])){0,2}"
)
GAP: Final = re.compile(
    r",? (?:and )?then (?:re-?)?roll (?:the |those )?(?:hits|successes)(?: for| at| on)? "
    r"| ?[,/] ?(?:(?:and )?then )?| (?:and )?then |(?<=\+) and | "
)


class ChainWords:
    """A text's steps and rules, left to right; ``is_read``: all of it is a chain."""

    def __init__(self, text: str) -> None:
        self.needs: dict[str, int] = {}
        self.people: dict[str, str] = {}
        self.rules: dict[str, tuple[str, ...]] = {}
        self.text = text
        self.last, begin = "hit", 0
        while (end := self.rule(text, begin)) and (gap := GAP.match(text, end)):
            begin = gap.end()
        self.start = START.match(text, begin)
        game, self.at = (self.start["game"], self.start.end()) if self.start else (None, 0)
        is_40k = any(RULES[name].search(text) for name in OF_40K)
        self.is_named, self.bare = game is not None, GAMES.get(game or is_40k * "40k", STEPS[:2])
        while (
            self.start
            and (gap := GAP.match(text, self.at))
            and (end := self.rule(text, gap.end()) or self.step(text, gap.end()))
        ):
            self.at = end
        is_one = len(self.needs) == 1 and not (self.is_named or self.rules or (self.start and self.start["dice"]))
        if "wounds" in self.rules and ("fnp" in self.people or "health" in self.rules):
            self.at = text.rindex(" m")  # its dice would be another person's, or it would hit the next model
        self.is_read = self.at == len(text) > 0 and "hit" in self.needs and not is_one

    @property
    def label(self) -> str:
        """Return the rules of which the chain lacks every step that they change, as they were typed."""
        unused = (name for name, steps in ACTS_ON.items() if name in self.rules and not self.needs.keys() & set(steps))
        said = (RULES.get(name, RULES["worse"]).search(self.text) for name in unused)
        return ", ".join(rule[0] for rule in said if rule)

    def rule(self, text: str, at: int) -> int:
        """Return the end of a rule at a place; 0 without one."""
        for name, pattern in RULES.items():
            if match := pattern.match(text, at):
                return match.end() if self.add_rule(name, match) else 0
        return 0

    def add_rule(self, name: str, match: re.Match[str]) -> bool:
        """Add a rule, unless it is there, or can't apply to any step."""
        if name in WOUNDS:
            step = self.bare[1] if name == "defense" else "wound"
            return self.add_step(step, WOUNDS[name](*map(int, match.groups())))
        if name in OF_A_STEP:
            step = match.groupdict().get("step") or self.last
            name = (
                f"{name} {step}" if step in STEPS[:2] else "shelter" if step == "save" and match[0] == "cover" else ""
            )
        if not name or name in self.rules:
            return False
        self.rules[name] = tuple(filter(None, match.groups())) or ("",)
        return True

    def step(self, text: str, at: int) -> int:
        """Return the end of a step at a place; 0 without one."""
        match = NEED.match(text, at)
        if match is None:
            return 0
        words = (name for name, typed in match.groupdict().items() if typed and name not in ("need", "plus", "by"))
        named = {"++": "inv", "+++": "fnp"}.get(match["plus"], next(words, "").partition("_")[0])
        kind = named or next((name for name in self.bare if name not in self.needs), "save" if match["by"] else "")
        self.is_named = self.is_named or bool(named)
        if match["by"] and kind in STEPS[:2]:
            return 0
        self.people |= {kind: match["by"]} if match["by"] else {}
        return match.end() if self.add_step(kind, int(match["need"])) else 0

    def add_step(self, kind: str, need: int) -> bool:
        """Add a step, unless it is there, or has no name."""
        if not kind or kind in self.needs or (need > 6 and kind in STEPS[:2]):  # a total, no face
            return False
        self.last, self.needs[kind] = kind, need
        return True

    def number(self, name: str, otherwise: int = 0) -> int:
        """Return a rule's number; ``otherwise`` without it."""
        return int(self.rules[name][0] or 1) if name in self.rules else otherwise

    def need(self, kind: str, *, modified: bool = True) -> int:
        """Return the lowest face that passes: a natural 1 fails, a natural 6 passes. 0 without such a step."""
        if kind not in self.needs:
            return 0
        modifier = (f"worse {kind}" in self.rules) - (f"better {kind}" in self.rules) if modified else 0
        return min(6, max(2, self.needs[kind] + modifier - (self.number("crushing") if kind == "wound" else 0)))

    def save(self) -> int:
        """Return the lowest face that saves, by armor or invulnerable save; 0 without a roll."""
        pierce, armor = self.number("pierce"), self.needs.get("save", 7)
        has_cover = "shelter" in self.rules and (pierce > 0 or armor > MIN_SHELTERED)
        armor = max(2, armor + pierce - has_cover) if "save" in self.needs else 7
        return 0 if not self.needs.keys() & {"save", "inv"} else min(7, armor, self.needs.get("inv", 7))

    def roller(self, kind: str) -> str:
        """Return the notation of a step's roller; "" for the thrower."""
        return f" by @{self.people[kind]}" if kind in self.people else ""

    def again(self, kind: str) -> str:
        """Return the notation of rerolls, before modifiers: ones, or all failures."""
        twin = kind == "wound" and "twin" in self.rules
        need = min(self.need(kind, modified=False), self.number(f"critical {kind}", 6))
        return f"ro<{need}" if twin or f"failed {kind}" in self.rules else "ro1" if f"ones {kind}" in self.rules else ""

    def critical(self, kind: str, *, brings: int = 0, skips: int = 0) -> str:
        """Return the notation of critical faces, which add dice or skip steps besides passing."""
        if not (brings or skips or f"critical {kind}" in self.rules):
            return ""
        return f"c{self.number(f'critical {kind}', 6)}" + (f"+{brings}" if brings else "") + ">" * skips

    @property
    def notation(self) -> str:
        """Return the dice and their steps: ``10d6 t4c6+1> then>=5 then<4``."""
        assert self.start is not None  # noqa: S101 - a parsed chain has a start
        hit, wound, save = self.need("hit"), self.need("wound"), self.save()
        skips = bool(wound) + bool(save) if "mortal" in self.rules else int("lethal" in self.rules and wound > 0)
        first = self.critical("hit", brings=self.number("sustained"), skips=skips)
        wounds, is_one_by_one = self.number("health"), "damage" in self.rules and self.start["game"] not in CARRIES_OVER
        steps = [*self.steps(wound, save), *([f"w{wounds}"] if wounds and is_one_by_one else [])]
        again, rest = self.again("hit"), "".join(f" then{step}" for step in steps)
        blast = self.number("models") // MODELS_TO_AN_ATTACK
        if self.start["number"]:
            dice = f"{int(self.start['number']) + blast}d6{again} t{hit}{first}{rest}"
        else:
            more = int(self.start["more"] or 0) + blast
            dice = f"{self.start['dice']}{f'+{more}' if more else ''} then>={hit}{again}{first}{rest}"
        dice = f"({dice})/{wounds}" if wounds and not is_one_by_one else dice
        mortal = f"({self.number('wounds')}d6<{self.needs['fnp']})" if "fnp" in self.needs else self.number("wounds")
        dice = f"({dice})+{mortal}" if "wounds" in self.rules else dice
        dice = f"({dice})>={self.number('kills')}" if "kills" in self.rules else dice
        return f'{dice} "{label}"' if (label := self.label) else dice

    def steps(self, wound: int, save: int) -> list[str]:
        """Return the notation of the steps after a hit, up to damage after feel no pain."""
        steps = [f"x{self.number('blast')}"] if "blast" in self.rules else []
        if wound:
            skips = int("devastating" in self.rules and save > 0)
            steps.append(f">={wound}{self.again('wound')}{self.critical('wound', skips=skips)}")
        steps += [f"<{save}{self.roller('save') or self.roller('inv')}"] if save else []
        steps += [f"x{self.rules['damage'][0]}"] if "damage" in self.rules else []
        return steps + ([f"<{self.needs['fnp']}{self.roller('fnp')}"] if "fnp" in self.needs else [])


def rewrite_chain(text: str) -> tuple[str, int]:
    """Rewrite a chain in words as notation, with 0; or return the text, and where it stops being a chain."""
    chain = ChainWords(text.lower())
    is_chain = len(chain.needs) > 1 or "explod" not in text.lower() or bool(chain.start and chain.start["game"])
    if chain.is_read and is_chain:  # without a game, the dice of a single step explode, and bring no further hits
        return chain.notation, 0
    return text, chain.at if "hit" in chain.needs and len(chain.needs) + len(chain.rules) > 1 else 0
