"""What Saving Rolls leave of a trooper: Wounds, states, and the Guts Roll (rules page, Saving Rolls)."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.dice import Rng, Rolled, roll
from bot.rules.game import Side
from bot.rules.infinity import saves
from bot.rules.infinity.declared import Ammo, Profile
from bot.rules.infinity.saves import FACES, Saved
from bot.rules.infinity.trooper import DEAD, UNCONSCIOUS, Trooper, with_states, wounded


@dataclass(frozen=True, slots=True)
class Condition:
    """A trooper after all Saving Rolls of an order: Wounds lost in all and by them, of how many, and its states."""

    name: str
    side: Side
    lost: int
    now: int
    of: int | None
    states: tuple[str, ...]
    wip: int | None
    structure: bool = False

    @property
    def is_down(self) -> bool:
        return DEAD in self.states or UNCONSCIOUS in self.states

    @property
    def needs_guts(self) -> bool:
        """After a Wound whoever stands makes a Guts Roll."""
        return self.now > 0 and not self.is_down


@dataclass(frozen=True, slots=True, kw_only=True)
class Guts:
    """A Guts Roll: a Normal Roll on WIP."""

    name: str
    side: Side
    wip: int
    dice: tuple[Rolled, ...]

    @property
    def passed(self) -> bool:
        return int(self.dice[0].face) <= self.wip


def harmed(trooper: Trooper, saved: Saved) -> Trooper:
    """A trooper after Saving Rolls: the one place where they are dealt."""
    ammo = saves.ammunition(saved.save.weapon, saved.save.profile)
    after = wounded(trooper, saves.wounds(saved), shock=Ammo.SHOCK in ammo)
    return with_states(after, tuple(state for state in saves.states(saved) if state not in after.states))


def as_trooper(name: str, profile: Profile) -> Trooper:
    """A profile as a trooper that can be harmed."""
    stats = {} if profile.wounds is None else {"STR" if profile.structure else "W": profile.wounds}
    return Trooper(name, stats, profile.type, lost=profile.lost)


def conditions(made: Sequence[Saved]) -> tuple[Condition, ...]:
    """Every trooper who saved, in the order of the Saving Rolls."""
    found: dict[str, tuple[Trooper, Saved]] = {}
    for saved in made:
        name = saved.save.name.casefold()
        before = found[name][0] if name in found else as_trooper(saved.save.name, saved.save.profile)
        found[name] = harmed(before, saved), saved
    return tuple(
        Condition(
            trooper.name,
            saved.save.side,
            trooper.lost,
            trooper.lost - saved.save.profile.lost,
            trooper.wounds,
            trooper.states,
            saved.save.profile.wip,
            saved.save.profile.structure,
        )
        for trooper, saved in found.values()
    )


def guts_rolls(who: Sequence[Condition], rng: Rng) -> tuple[Guts, ...]:
    """A Guts Roll for each."""
    return tuple(Guts(name=one.name, side=one.side, wip=one.wip or 0, dice=roll("d20", FACES, 1, rng)) for one in who)


def settled(pieces: dict[str, Trooper], made: Sequence[Saved]) -> dict[str, Trooper]:
    """Those troopers of the channel that Saving Rolls change."""
    changed: dict[str, Trooper] = {}
    by_key = {name.casefold(): name for name in pieces}
    for saved in made:
        name = by_key.get(saved.save.name.casefold())
        if name is not None and saved.save.profile.kept:
            changed[name] = harmed(changed.get(name, pieces[name]), saved)
    return changed
