"""A second reading of the rules page of Infinity (N5.2), which knows nothing of the bot: numbers of one attack.

Written from the page: From the profile to the number, MODs that people add up, Which reaction answers which attack,
Hacking programs, Suppressive Fire State. A matchup is plain data; its dice are counted by going through all faces.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

Bands = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Arm:
    name: str
    burst: int
    power: int
    bands: Bands = ()
    suppresses: bool = False
    more: int = 0
    """(+1B) of the weapon."""


COMBI = Arm("Combi Rifle", 3, 7, ((3, 16), (-3, 32), (-6, 48)), suppresses=True)
HMG = Arm("HMG", 4, 5, ((-3, 8), (0, 16), (3, 32), (-3, 48)), suppresses=True)
SPITFIRE = Arm("Spitfire", 4, 6, ((0, 8), (3, 24), (-3, 32)), suppresses=True)
PISTOL = Arm("Heavy Pistol", 2, 5, ((3, 8), (0, 16), (-6, 24)))
THUNDERBOLT = Arm("Thunderbolt", 2, 7, ((3, 16), (-3, 32)), more=1)


@dataclass(frozen=True)
class Figure:
    """A profile: attributes, kind, skills with their number (0 for none), and arms."""

    name: str
    bs: int
    ph: int
    wip: int
    arm: int
    bts: int
    kind: str
    skills: dict[str, int] = field(default_factory=dict)
    arms: tuple[Arm, ...] = (COMBI,)

    def text(self) -> str:
        """As a player writes it."""
        found = [f"BS {self.bs}, PH {self.ph}, WIP {self.wip}, ARM {self.arm}, BTS {self.bts}, W 1, {self.kind}"]
        found += [WRITTEN.get(skill, skill).format(number) for skill, number in self.skills.items()]
        for arm in self.arms:
            bands = " ".join(f"{mod:+d}@{inches}" for mod, inches in arm.bands)
            name = f"{arm.name} (+{arm.more}B)" if arm.more else arm.name
            found.append(f"{name}: B{arm.burst} PS {arm.power} N ARM {'suppressive ' if arm.suppresses else ''}{bands}")
        return ", ".join(found)


WRITTEN = {
    "Mimetism": "Mimetism ({:+d})",
    "Visor": "Multispectral Visor L{}",
    "BS Attack": "BS Attack ({:+d})",
    "+1B": "BS Attack (+1B)",
    "+1SD": "BS Attack (+1SD)",
    "Dodge": "Dodge ({:+d})",
    "Firewall": "Firewall ({:+d})",
    "ECM": "ECM: Hacker ({:+d})",
    "Surprise": "Surprise Attack ({:+d})",
}

FIGURES = (
    Figure("Fusilier", 12, 10, 12, 1, 0, "LI"),
    Figure("Orc", 14, 14, 12, 4, 3, "HI", {}, (HMG, PISTOL)),
    Figure("Hexa", 12, 12, 13, 1, 3, "SK", {"Mimetism": -6, "Surprise": -3}, (SPITFIRE, PISTOL)),
    Figure("Bagh", 12, 11, 13, 3, 0, "MI", {"Visor": 1}, (HMG, PISTOL)),
    Figure("Intruder", 13, 11, 13, 3, 0, "MI", {"Mimetism": -3, "Visor": 2}, (HMG, PISTOL)),
    Figure("Rem", 11, 8, 13, 0, 3, "REM", {"Total Reaction": 0, "ECM": -3}, (HMG,)),
    Figure("Ninja", 11, 13, 13, 1, 3, "MI", {"Mimetism": -6, "Hacker": 0, "Dodge": 3}, (COMBI,)),
    Figure("Spektr", 12, 11, 13, 1, 0, "SK", {"Mimetism": -6, "Combat Instinct": 0}, (COMBI,)),
    Figure("Grenzer", 12, 11, 13, 2, 3, "MI", {"Sixth Sense": 0, "Marksmanship": 0}, (COMBI, PISTOL)),
    Figure("Tag", 14, 15, 13, 8, 6, "TAG", {"+1B": 0, "Firewall": -3}, (HMG,)),
    Figure("Sensor", 12, 12, 14, 1, 3, "LI", {"+1SD": 0, "Nanoscreen": 0}, (COMBI,)),
    Figure("Neuro", 12, 10, 13, 2, 3, "REM", {"Neurocinetics": 0, "+1B": 0}, (HMG,)),
    Figure("Hacker", 11, 10, 15, 1, 3, "LI", {"Hacker": 0}, (COMBI,)),
    Figure("Warrior", 13, 12, 13, 3, 0, "HI", {"BS Attack": -3, "Total Reaction": 0}, (THUNDERBOLT,)),
)


@dataclass(frozen=True)
class Match:
    """One attack: who, with what (an arm, or a program), how far, and what the target does (an arm, or a word)."""

    one: Figure
    does: Arm | str
    inches: int
    two: Figure
    answers: Arm | str
    cover: bool = False
    surprise: bool = False
    fires: bool = False
    """The target is in Suppressive Fire."""
    targeted: bool = False

    def line(self) -> str:
        """As a player types it."""
        does = self.does if isinstance(self.does, str) else self.does.name
        told = [self.one.name, does]
        if isinstance(self.does, Arm) or isinstance(self.answers, Arm):
            told.append(f"at {self.inches}")
        told += ["cover"] * (self.cover and isinstance(self.does, Arm)) + ["surprise"] * self.surprise
        told += ["vs", self.two.name, self.answers if isinstance(self.answers, str) else self.answers.name]
        told += ["Suppressive Fire"] * self.fires + ["Targeted"] * self.targeted
        return " ".join(told)


BURSTS = {"Carbonite": 2, "Oblivion": 2, "Spotlight": 2}


def faced(match: Match) -> bool:
    """Whether the two rolls are Face to Face: by what the target declares and what is declared on it."""
    hacked = isinstance(match.does, str)
    if match.answers == "dodge":
        return not hacked
    return hacked if match.answers == "reset" else True


def keeps_fire(match: Match) -> bool:
    """Whether the target stays in Suppressive Fire: only a BS Attack with a weapon that has the trait."""
    arm = match.answers
    return (
        match.fires and isinstance(arm, Arm) and (arm.suppresses or not any(one.suppresses for one in match.two.arms))
    )


def band(bands: Bands, inches: int) -> int:
    return next(mod for mod, most in bands if inches <= most)


def seen(mod: int, visor: int) -> int:
    """A Mimetism through a Visor."""
    return mod if not visor else min(0, mod + 3) if visor == 1 else 0


def shot(shooter: Figure, target: Figure, bands: Bands, inches: int, *, cover: bool) -> list[int]:
    """The MODs of a shot that lie between two figures."""
    found = [band(bands, inches), seen(target.skills.get("Mimetism", 0), shooter.skills.get("Visor", 0))]
    if "Marksmanship" not in shooter.skills:
        found += [-3] * cover + [-3] * ("Nanoscreen" in target.skills)
    return found


def limited(attribute: int, mods: list[int]) -> int:
    return attribute + max(-12, min(12, sum(mods)))


def numbers(match: Match) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Success Value, Burst and special dice of both."""
    one, two, meets, fires = match.one, match.two, faced(match), keeps_fire(match)
    mine: list[int] = []
    if isinstance(match.does, Arm):
        attribute, mine = one.bs, shot(one, two, match.does.bands, match.inches, cover=match.cover)
        more = match.does.more + ("+1B" in one.skills)
        burst = 1 if "Neurocinetics" in one.skills else min(6, match.does.burst + more)
        special = int("+1SD" in one.skills)
    else:
        attribute, burst, special = one.wip, BURSTS[match.does], 0
        mine = [two.skills.get("Firewall", 0), two.skills.get("ECM", 0)]
    mine += [3] * match.targeted
    if meets:
        mine += [two.skills.get("BS Attack", 0)] * isinstance(match.answers, Arm)
        mine += [-3] * (fires and match.inches <= 24)
    first = limited(attribute, mine), burst, special
    return first, reaction(match, meets=meets, fires=fires)


def reaction(match: Match, *, meets: bool, fires: bool) -> tuple[int, int, int]:
    one, two, arm = match.one, match.two, match.answers
    theirs: list[int] = []
    surprise = match.surprise and meets and "Combat Instinct" not in two.skills
    burden = [-3] * surprise
    if isinstance(match.does, Arm) and meets:
        burden.append(one.skills.get("BS Attack", 0))
    if isinstance(arm, Arm):
        bands = ((0, 16), (-3, 24)) if fires else arm.bands
        theirs = [*shot(two, one, bands, match.inches, cover=False), *burden]
        burst = 1
        if fires:
            burst = 3
        if "Total Reaction" in two.skills or "Neurocinetics" in two.skills:
            burst = min(6, (3 if fires else arm.burst) + arm.more + ("+1B" in two.skills))
        return limited(two.bs, theirs), burst, int("+1SD" in two.skills)
    senses = "Sixth Sense" in two.skills
    if not senses:
        theirs += burden + [-3] * (arm == "reset" and match.targeted)
    if arm == "dodge":
        return limited(two.ph, [*theirs, two.skills.get("Dodge", 0)]), 1, 0
    return limited(two.wip, theirs), 1, 0


# Dice


def score(face: int, sv: int) -> int:
    """0 fails, 20 is a Critical, else the face."""
    if sv > 20:
        return 20 if face == 20 or face <= sv - 20 else face
    return 20 if face == sv else face if face < sv else 0


def chances(match: Match) -> tuple[Fraction, Fraction]:
    """The chances that the attack and that the reaction win; of two Normal Rolls that each has a success."""
    (a, b), wins = numbers(match), [0, 0]
    ones, twos = bests(*a), bests(*b)
    for x, n in ones.items():
        for y, m in twos.items():
            if not faced(match):
                wins[0] += n * m * (x > 0)
                wins[1] += n * m * (y > 0)
            elif x != y:
                wins[x < y] += n * m
    total = sum(ones.values()) * sum(twos.values())
    return Fraction(wins[0], total), Fraction(wins[1], total)


def bests(sv: int, burst: int, special: int) -> Counter[int]:
    """The best score that is kept, with its ways."""
    ways = Counter(score(face, sv) for face in range(1, 21)) if sv > 0 else Counter({0: 20})
    found, below, before = Counter[int](), 0, 0
    for height in sorted(ways):
        below += ways[height]
        found[height] = below ** (burst + special) - before
        before = below ** (burst + special)
    return found
