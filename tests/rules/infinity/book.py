"""A second reading of the rules page of Infinity (N5.2), which knows nothing of the bot: one attack and its Wounds.

Written from the page alone: MODs that people add up, From the profile to the number, Which reaction answers which
attack, BS Attack (Guided), Hacking programs, Fireteam bonuses, Suppressive Fire State, Saving Rolls. The troopers are
real ones, as facts (``infinity/infinity_real.json``); dice are counted by going through all faces.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, comb
from pathlib import Path

Law = dict[int, Fraction]


@dataclass(frozen=True)
class Arm:
    """A mode of a weapon; ``more`` is what the option adds to it, (+1B) or the enemy's MOD."""

    name: str
    burst: int
    power: int
    ammo: str
    save: str
    saves: int
    traits: str
    bands: tuple[tuple[int, int], ...]
    more: str
    state: str

    @property
    def kind(self) -> str:
        return "direct" if "direct" in self.traits else "cc" if "cc" in self.traits else "shot"

    @property
    def suppresses(self) -> bool:
        return "suppressive" in self.traits

    @property
    def added(self) -> int:
        return int(self.more[1:-1]) if self.more.endswith("B") else 0

    def text(self) -> str:
        """As a player writes it."""
        words = [f"B{self.burst}", f"PS {self.power}", self.ammo, self.save, f"saves {self.saves}", self.traits]
        words += [f"state {self.state}"] * bool(self.state) + [f"{mod:+d}@{inches}" for mod, inches in self.bands]
        return f"{self.spoken}: {' '.join(word for word in words if word)}"

    @property
    def spoken(self) -> str:
        return f"{self.name} ({self.more})" if self.more else self.name


QUOTED = ("Tech-recovery",)
"""Skills that no rules page names."""


@dataclass(frozen=True)
class Figure:
    name: str
    kind: str
    at: dict[str, int]
    skills: tuple[str, ...]
    arms: tuple[Arm, ...]

    def text(self) -> str:
        numbers = [f"{key.upper()} {number}" for key, number in self.at.items()]
        told = [f'"{skill}"' if skill in QUOTED else skill for skill in self.skills]
        return ", ".join([*numbers, self.kind, *told, *(arm.text() for arm in self.arms)])

    def has(self, skill: str) -> bool:
        return any(item == skill or item.startswith(f"{skill} (") for item in self.skills)

    def mod(self, skill: str) -> int:
        """The sum of the plain numbers behind a skill: ``BS Attack (-3)``."""
        result = (re.fullmatch(rf"{re.escape(skill)} \(([+-]\d+)\)", item) for item in self.skills)
        return sum(int(match[1]) for match in result if match)

    @property
    def visor(self) -> int:
        return max((int(skill[-1]) for skill in self.skills if skill.startswith("Multispectral Visor")), default=0)

    @property
    def arts(self) -> int:
        return max((int(skill[-1]) for skill in self.skills if skill.startswith("Martial Arts")), default=0)

    @property
    def programs(self) -> tuple[str, ...]:
        """By its devices."""
        plain = ("Carbonite", "Spotlight", "Total Control", "Oblivion")
        result: tuple[str, ...] = ()
        for skill in self.skills:
            if skill.startswith("Hacking Device"):
                result += plain
            if skill.startswith("Killer Hacking Device"):
                result += ("Trinity",)
            if "UPGRADE: Zero Pain" in skill:
                result += ("Zero Pain",)
        return result


@dataclass(frozen=True)
class Program:
    name: str
    mod: int
    burst: int
    targets: tuple[str, ...] = ()
    kind: str = "hack"
    bands: tuple[tuple[int, int], ...] = ()

    @property
    def spoken(self) -> str:
        return self.name


BROKEN = ("HI", "REM", "TAG", "VH", "Hacker")
PROGRAMS = {
    item.name: item
    for item in (
        Program("Carbonite", 0, 2, BROKEN),
        Program("Oblivion", 0, 2, BROKEN),
        Program("Spotlight", 0, 2),
        Program("Total Control", 0, 1, ("TAG",)),
        Program("Trinity", 3, 3, ("Hacker",)),
        Program("Zero Pain", 0, 2),
    )
}
DISCOVER = Program("discover", 0, 1, kind="discover", bands=((3, 8), (0, 32), (-3, 48), (-6, 96)))
SMOKE = Program("Smoke Grenades", 0, 1, kind="smoke", bands=((0, 8), (-3, 16)))
DODGE, RESET = Program("dodge", 0, 1, kind="dodge"), Program("reset", 0, 1, kind="reset")
FIRE = ((0, 16), (-3, 24))

Deed = Arm | Program


def arm_of(
    name: str,
    burst: int,
    power: int,
    ammo: str,
    save: str,
    saves: int,
    traits: str,
    bands: list[list[int]],
    more: str,
    state: str,
) -> Arm:
    at = tuple((mod, inches) for mod, inches in bands)
    return Arm(name, burst, power, ammo, save, saves, traits, at, more, state)


def figures() -> tuple[Figure, ...]:
    result = json.loads((Path(__file__).parent / "infinity_real.json").read_text(encoding="utf-8"))
    return tuple(
        Figure(
            name,
            row["kind"],
            {key: row[key] for key in ("bs", "cc", "ph", "wip", "arm", "bts", "w", "str") if key in row},
            tuple(row["skills"]),
            tuple(arm_of(*arm) for arm in row["arms"]),
        )
        for name, row in result.items()
    )


@dataclass(frozen=True)
class Match:
    """One attack: who, with what, at how many inches (0: nobody measures), and what the target does about it."""

    one: Figure
    does: Deed
    inches: int
    two: Figure
    answers: Deed
    guided: bool = False
    cover: bool = False
    surprise: bool = False
    zone: str = ""
    team: int = 0
    """The attacker's Fireteam."""
    their_team: int = 0
    states: tuple[str, ...] = field(default=())
    """The target's."""
    throw: int = 0
    """How far smoke is thrown."""

    def line(self) -> str:
        """As a player types it."""
        words = [self.one.name, self.does.spoken]
        words += [f"at {self.inches}"] * bool(self.inches) + ["guided"] * self.guided + ["cover"] * self.cover
        words += ["surprise"] * self.surprise + [self.zone] * bool(self.zone)
        words += [f"fireteam {self.team}"] * bool(self.team) + ["vs", self.two.name, self.answers.spoken, *self.states]
        words += [f"at {self.throw}"] * bool(self.throw)
        return " ".join(words + [f"fireteam {self.their_team}"] * bool(self.their_team))

    @cached_property
    def faced(self) -> bool:
        """Whether the two rolls are Face to Face."""
        does, answers = self.does.kind, self.answers.kind
        if "direct" in (does, answers) or does == "discover":
            return False
        if answers == "smoke":
            return does == "shot" and not self.one.visor
        if answers == "dodge":
            return does != "hack"
        if answers == "reset" or self.answers.spoken == "Zero Pain":
            return does == "hack" or self.guided
        return True

    @cached_property
    def fires(self) -> bool:
        """Whether the target is in Suppressive Fire and stays so: it shoots, with a weapon that has the trait."""
        arm = self.answers
        return "Suppressive Fire" in self.states and isinstance(arm, Arm) and arm.suppresses

    def line_of(self, who: Figure) -> int:
        """What the zone on the line takes from one of the two, who shoots or discovers."""
        other, deed = (self.two, self.answers) if who is self.one else (self.one, self.does)
        shoots = deed.kind == "shot" and not self.guided
        shot_at = shoots and looks(other, self.zone, shot_at=False, senses=False) != NO_LINE
        senses = who.has("Sixth Sense") or (self.team if who is self.one else self.their_team) >= 5
        return looks(who, self.zone, shot_at=shot_at, senses=senses)

    @property
    def is_unsure(self) -> bool:
        """Whether the page leaves a MOD open: Visor 1 through a zero zone, as the target of a BS Attack."""
        shot = [who for who, deed in ((self.two, self.does), (self.one, self.answers)) if deed.kind == "shot"]
        return self.zone == "zero" and any(item.visor == 1 for item in shot)

    @property
    def is_refused(self) -> bool:
        """Whether somebody shoots without a line of fire."""
        pairs = ((self.one, self.does), (self.two, self.answers))
        return any(self.line_of(who) == NO_LINE for who, deed in pairs if deed.kind in ("shot", "discover"))

    @property
    def senses(self) -> bool:
        return self.two.has("Sixth Sense") or self.their_team >= 5


# Success Values


def band(bands: tuple[tuple[int, int], ...], inches: int, who: Figure) -> int:
    mod = next(mod for mod, most in bands if inches <= most)
    return {-3: 0, -6: -3}.get(mod, mod) if who.has("X Visor") else mod


def through(mod: int, visor: int) -> int:
    return mod if not visor else min(0, mod + 3) if visor == 1 else 0


NO_LINE = 99
ZONES = {
    "": (0, 0, 0, 0),
    "low": (-3, 0, 0, -3),
    "poor": (-6, -3, 0, -6),
    "zero": (NO_LINE, -6, 0, NO_LINE),
    "eclipse": (NO_LINE, NO_LINE, NO_LINE, NO_LINE),
    "white noise": (0, NO_LINE, NO_LINE, NO_LINE),
}
"""Visibility zones are facts of the line: without Visor, Visor 1, Visor 2 and 3, Marksmanship without Visor."""
SHOT_AT = {"zero": (-6, -6, 0, -6), "eclipse": (-6, -6, -6, -6), "white noise": (0, -6, -6, -6)}
"""The same for the target of a BS Attack through it."""


def column(who: Figure) -> int:
    return min(who.visor, 2) if who.visor else 3 if who.has("Marksmanship") else 0


def looks(who: Figure, zone: str, *, shot_at: bool, senses: bool) -> int:
    """What a zone takes from who looks through it; ``NO_LINE`` without a line of fire."""
    if shot_at and zone in SHOT_AT:
        return 0 if senses else SHOT_AT[zone][column(who)]
    return ZONES[zone][column(who)]


def seen(who: Figure, whom: Figure, *, cover: bool, zone: int, shoots: bool) -> list[int]:
    """What lies between somebody and whoever he looks at: for a BS Attack, and for Discover."""
    marksman = who.has("Marksmanship") and shoots
    result = [through(whom.mod("Mimetism"), who.visor), zone]
    if cover and not marksman and not whom.has("No Cover") and not whom.has("Limited Cover"):
        result.append(-3)
    if shoots and whom.has("Nanoscreen") and not marksman:
        result.append(-3)
    if who.visor or who.has("Marksmanship"):
        result.append(whom.mod("Albedo"))
    return result


def burdens(deed: Deed, who: Figure, whose: Figure, their: Deed) -> list[int]:
    """What an enemy's own deed takes from a Face to Face Roll."""
    if deed.kind in ("shot", "smoke"):
        return [] if whose.has("Warhorse") else [min(0, who.mod("BS Attack"))]
    if deed.kind == "dodge":
        return [min(0, who.mod("Dodge"))]
    if deed.kind == "cc":
        if their.kind == "cc" and whose.has("Natural Born Warrior"):
            return []
        own = int(deed.more) if isinstance(deed, Arm) and re.fullmatch(r"-\d+", deed.more) else 0
        return [min(0, who.mod("CC Attack")), -3 * (who.arts > 0), own]
    return [-3] * (deed.spoken == "Zero Pain")


def limited(attribute: int, mods: list[int]) -> int:
    return attribute + max(-12, min(12, sum(mods)))


def attribute(who: Figure, deed: Deed) -> int:
    if isinstance(deed, Arm) and deed.kind == "shot":
        return who.at["wip" if "WIP" in deed.traits else "ph" if "PH" in deed.traits else "bs"]
    if deed.kind == "smoke":
        return who.at["ph"]
    if deed.kind == "dodge":
        told = (re.fullmatch(r"Dodge \(PH=(\d+)\)", skill) for skill in who.skills)
        return next((int(match[1]) for match in told if match), who.at["ph"])
    return who.at["cc" if deed.kind == "cc" else "wip"]


def dice(who: Figure, deed: Deed, *, active: bool, team: int, fires: bool, guided: bool) -> tuple[int, int]:
    """Burst, and special dice."""
    skill = {"shot": "BS Attack", "smoke": "BS Attack", "direct": "BS Attack", "cc": "CC Attack"}.get(deed.kind, "")
    special = int(f"{skill} (+1SD)" in who.skills) + (deed.kind == "shot" and team >= 2)
    if deed.kind == "cc":
        special += who.arts in (3, 5)
        return 1 + (active and f"{skill} (+1B)" in who.skills) + (who.arts in (4, 5)), special
    if not isinstance(deed, Arm):
        return (deed.burst if active or deed.name == "Zero Pain" else 1), special
    more = deed.added + (f"{skill} (+1B)" in who.skills)
    full = who.has("Neurocinetics") or who.has("Total Reaction")
    if active:
        return (1 if guided or who.has("Neurocinetics") else min(6, deed.burst + more)), special
    if fires:
        return 3, special
    return (min(6, deed.burst + more) if full else 1), special


def first(match: Match) -> tuple[int, int, int]:
    """Success Value, Burst and special dice of the attacker."""
    item, two, does, mods = match.one, match.two, match.does, []
    value, targeted = attribute(item, does), "Targeted" in match.states
    if match.guided:
        mods = [band(does.bands, match.inches, item), 3, two.mod("ECM: Guided")]
    elif does.kind in ("shot", "discover"):
        mods = [band(does.bands, match.inches, item), 3 * targeted]
        mods += seen(item, two, cover=match.cover, zone=match.line_of(item), shoots=does.kind == "shot")
    elif isinstance(does, Program):
        mods = [does.mod, two.mod("TinBot: Firewall"), two.mod("ECM: Hacker"), 3 * targeted]
    mods += [3 * (match.team >= 3) + item.mod("Discover")] * (does.kind == "discover")
    mods += [3] * (does.kind == "cc" and item.arts >= 2)
    value += does.kind == "shot" and match.team >= 4
    if match.faced and not match.guided:
        mods += burdens(match.answers, two, item, does) + [-3] * (match.fires and match.inches <= 24)
    return (
        limited(value, mods),
        *dice(item, does, active=True, team=match.team, fires=False, guided=match.guided),
    )


def second(match: Match) -> tuple[int, int, int]:
    item, two, answers, mods = match.one, match.two, match.answers, []
    value, states = attribute(two, answers), match.states
    burden = burdens(match.does, item, two, answers) if match.faced else []
    fights = match.does.kind == match.answers.kind == "cc" and two.has("Natural Born Warrior")
    surprised = match.surprise and match.faced and not two.has("Combat Instinct") and two.visor < 3 and not fights
    burden += [-3] * surprised
    if answers.kind == "shot":
        bands = FIRE if match.fires else answers.bands
        zone = match.line_of(two)
        mods = [band(bands, match.inches, two), *seen(two, item, cover=False, zone=zone, shoots=True), *burden]
        value += match.their_team >= 4
    elif answers.kind == "smoke":
        mods = [band(answers.bands, match.throw, two), *burden]
    elif answers.kind in ("dodge", "reset"):
        burden += [-3] * (answers.kind == "reset" and "Targeted" in states) + [-3] * ("Stunned" in states)
        mods = [] if match.senses else burden
        mods += [-6] * ("Immobilized-A" in states) + [-3] * ("Immobilized-B" in states)
        mods += [-9] * ("Isolated" in states and answers.kind == "reset")
        if answers.kind == "dodge":
            mods += [max(0, two.mod("Dodge")), match.their_team >= 3]
    elif answers.kind == "cc":
        mods = [*burden, 3 * (two.arts >= 2)]
    elif isinstance(answers, Program):
        mods = [*burden, answers.mod]
        if answers.name != "Zero Pain":
            mods += [item.mod("TinBot: Firewall"), item.mod("ECM: Hacker")]
    return (
        limited(value, mods),
        *dice(two, answers, active=False, team=match.their_team, fires=match.fires, guided=False),
    )


Numbers = tuple[int, int, int]


def numbers(match: Match) -> list[Numbers]:
    """Of each roll; a Direct Template has no Success Value, its Burst hits."""
    item = template(match.one, match.does, active=True) if match.does.kind == "direct" else first(match)
    two = template(match.two, match.answers, active=False) if match.answers.kind == "direct" else second(match)
    return [item, two]


def template(who: Figure, deed: Deed, *, active: bool) -> Numbers:
    return 0, dice(who, deed, active=active, team=0, fires=False, guided=False)[0], 0


# Dice


def score(face: int, sv: int) -> int:
    """0 fails, 20 is a Critical, else the face."""
    if sv > 20:
        return 20 if face == 20 or face <= sv - 20 else face
    return 20 if face == sv else face if face < sv else 0


def ways(sv: int) -> Counter[int]:
    return Counter(score(face, sv) for face in range(1, 21)) if sv > 0 else Counter({0: 20})


def bests(sv: int, burst: int, special: int) -> Law:
    """The best score that is kept."""
    result, below, before, each = Law(), 0, 0, ways(sv)
    for height in sorted(each):
        below += each[height]
        result[height] = Fraction(below ** (burst + special) - before, 20 ** (burst + special))
        before = below ** (burst + special)
    return result


def above(value: Numbers, height: int) -> dict[tuple[int, int], Fraction]:
    """Hits and Criticals above a height; the lowest dice are given away for the special ones."""
    sv, burst, special = value
    each, dice = ways(sv), burst + special
    crits = each[20] if height < 20 else 0
    plain = sum(number for face, number in each.items() if height < face < 20)
    result: dict[tuple[int, int], Fraction] = {}
    for c in range(dice + 1):
        for p in range(dice - c + 1):
            chance = Fraction(
                comb(dice, c) * comb(dice - c, p) * crits**c * plain**p * (20 - crits - plain) ** (dice - c - p),
                20**dice,
            )
            kept = min(c, burst)
            key = min(p, burst - kept), kept
            result[key] = result.get(key, Fraction(0)) + chance
    return result


def hits(match: Match) -> tuple[dict[tuple[int, int], Fraction], dict[tuple[int, int], Fraction]]:
    """The chances of hits and Criticals of both; of a Direct Template that nobody dodged, its Burst."""
    if match.does.kind == "direct" or match.answers.kind == "direct":
        return templates(match)
    a, b = first(match), second(match)
    if not match.faced:
        return above(a, 0), above(b, 0)
    return beaten(a, bests(*b)), beaten(b, bests(*a))


def beaten(value: Numbers, theirs: Law) -> dict[tuple[int, int], Fraction]:
    result: dict[tuple[int, int], Fraction] = {}
    for height, chance in theirs.items():
        for key, share in above(value, height).items():
            result[key] = result.get(key, Fraction(0)) + chance * share
    return result


def templates(match: Match) -> tuple[dict[tuple[int, int], Fraction], dict[tuple[int, int], Fraction]]:
    both: list[dict[tuple[int, int], Fraction]] = []
    for deed, mine, theirs, who, active in (
        (match.does, first, second, match.one, True),
        (match.answers, second, first, match.two, False),
    ):
        if deed.kind != "direct":
            both.append(above(mine(match), 0))
            continue
        assert isinstance(deed, Arm)
        burst = template(who, deed, active=active)[1]
        other = match.answers if active else match.does
        away = 1 - bests(*theirs(match)).get(0, Fraction(0)) if other.kind == "dodge" else Fraction(0)
        both.append({(burst, 0): 1 - away, (0, 0): away})
    return both[0], both[1]


# Saving Rolls

BARRED = ("Immunity (ARM)", "Immunity (BTS)", "Immunity (Critical)", "Protheion")
"""Of these the page says nothing in numbers."""


def wounds(match: Match) -> Law | None:
    """The failed saves of the target, T2's twice; None where the page gives no number."""
    arm, item, two = match.does, match.one, match.two
    if not isinstance(arm, Arm) or arm.save not in ("ARM", "ARM/2", "BTS", "BTS/2", "ARM=0"):
        return None
    if arm.state or any(skill in BARRED for skill in two.skills):
        return None
    skill = "CC Attack" if arm.kind == "cc" else "BS Attack"
    ammo = {arm.ammo, *(word for word in ("AP", "Shock", "T2") if f"{skill} ({word})" in item.skills)}
    halves = arm.save.endswith("/2") or "AP" in ammo
    if two.has("Immunity") and "Immunity (AP)" in two.skills and "AP" in "+".join(ammo):
        halves = False
    protection = two.at[arm.save[:3].lower()]
    protection = 0 if arm.save == "ARM=0" else ceil(protection / 2) if halves else protection
    less = next((int(one[-2]) for one in item.skills if one.startswith(f"{skill} (SR-")), 0)
    shot = arm.kind == "shot" and not match.guided
    covered = shot and match.cover and not two.has("No Cover")
    screened = arm.kind in ("shot", "direct") and two.has("Nanoscreen")
    passes = arm.power + protection + 3 * covered + 3 * screened - less
    failed = 1 - Fraction(max(0, min(20, passes)), 20)
    result = Law()
    for (plain, crits), chance in hits(match)[0].items():
        base, extra = (plain + crits) * arm.saves, crits
        for lost, share in failures(base, extra, failed, 2 if "T2" in ammo else 1).items():
            result[lost] = result.get(lost, Fraction(0)) + chance * share
    return result


def failures(base: int, extra: int, failed: Fraction, each: int) -> Law:
    result = Law()
    for a in range(base + 1):
        for b in range(extra + 1):
            chance = comb(base, a) * comb(extra, b) * failed ** (a + b) * (1 - failed) ** (base + extra - a - b)
            result[a * each + b] = result.get(a * each + b, Fraction(0)) + chance
    return result
