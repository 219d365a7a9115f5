"""What Saving Rolls leave of a trooper: Wounds, states, and the Guts Roll (rules page, Saving Rolls)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.rules.dice import Rng, Rolled, roll
from bot.rules.game import Side
from bot.rules.infinity import saves
from bot.rules.infinity.declared import Ammo, Profile
from bot.rules.infinity.saves import FACES, Saved
from bot.rules.infinity.states import DEAD, UNCONSCIOUS
from bot.rules.infinity.trooper import Trooper, with_states, wounded
from bot.rules.text import Name


@dataclass(frozen=True, slots=True)
class Condition:
    """A trooper after all Saving Rolls of an order: Wounds lost in all and by them, of how many, and its states."""

    name: Name
    side: Side
    lost: int
    now: int
    of: int | None
    states: tuple[str, ...]
    wip: int | None
    structure: bool = False
    player: int = 0
    has_courage: bool = False
    is_held: bool = False
    """It is Engaged or Immobilized, so that it makes no Guts Roll while a turn runs."""

    @property
    def is_down(self) -> bool:
        return DEAD in self.states or UNCONSCIOUS in self.states

    @property
    def needs_guts(self) -> bool:
        """After a Wound whoever stands makes a Guts Roll; Courage passes it without a die."""
        return self.now > 0 and self.is_shaken

    @property
    def is_shaken(self) -> bool:
        """Whether it may run: it stands and nothing lets it pass without a die."""
        return not self.is_down and not self.has_courage

    @property
    def is_stunned(self) -> bool:
        """Whether these Saving Rolls have stunned it, with which a Guts Roll fails."""
        return STUNNED in self.states


@dataclass(frozen=True, slots=True, kw_only=True)
class Guts:
    """A Guts Roll: a Normal Roll on WIP; without a die it fails, by choice or by Stun ammunition."""

    name: Name
    side: Side
    wip: int
    dice: tuple[Rolled, ...]

    @property
    def passed(self) -> bool:
        return bool(self.dice) and int(self.dice[0].face) <= self.wip


POSSESSED, STUNNED = "Possessed", "Stunned"
HOLDING = ("Engaged", "Immobilized-A", "Immobilized-B")
"""States in which nobody makes a Guts Roll."""


def harmed(trooper: Trooper, saved: Saved) -> Trooper:
    """A trooper after Saving Rolls: the one place where they are dealt."""
    ammo = saves.ammunition(saved.save.weapon, saved.save.profile)
    after = wounded(trooper, saves.wounds(saved), shock=Ammo.SHOCK in ammo)
    brought = saves.states(saved)
    if POSSESSED in brought and POSSESSED in after.states:  # Total Control frees whoever is Possessed already
        return with_states(after, (POSSESSED,), on=False)
    return with_states(after, tuple(state for state in brought if state not in after.states))


def as_trooper(name: str, profile: Profile) -> Trooper:
    """A profile as a trooper that can be harmed."""
    stats = {} if profile.wounds is None else {"STR" if profile.structure else "W": profile.wounds}
    return Trooper(Name(name), stats, profile.type, profile.skills, lost=profile.lost)


def conditions(made: Sequence[Saved]) -> tuple[Condition, ...]:
    """Every trooper who saved, in the order of the Saving Rolls.

    One of the channel had lost what its profile says before each of them; of another only the first profile is known.
    """
    found: dict[str, Trooper] = {}
    last: dict[str, Saved] = {}
    for saved in made:
        name, profile = saved.save.name.casefold(), saved.save.profile
        before = found.get(name) or as_trooper(saved.save.name, profile)
        found[name] = harmed(replace(before, lost=profile.lost) if profile.kept else before, saved)
        last[name] = saved
    return tuple(condition_of(trooper, last[name], made) for name, trooper in found.items())


def condition_of(trooper: Trooper, last: Saved, made: Sequence[Saved]) -> Condition:
    """The condition of a trooper after the ``last`` of its Saving Rolls."""
    save = last.save
    now = sum(saves.wounds(saved) for saved in made if saved.save.name.casefold() == save.name.casefold())
    return Condition(
        name=trooper.name,
        side=save.side,
        lost=trooper.lost,
        now=now,
        of=trooper.wounds,
        states=trooper.states,
        wip=save.profile.wip,
        structure=save.profile.structure,
        player=save.profile.player,
        has_courage=trooper.has("Courage") or (trooper.has("Religious Troop") and STUNNED not in trooper.states),
        is_held=bool(set(HOLDING) & {*trooper.states, *save.profile.states}),
    )


def guts_rolls(who: Sequence[Condition], rng: Rng) -> tuple[Guts, ...]:
    """A Guts Roll for each; who is stunned by what it saved against fails it without a die."""
    return tuple(
        Guts(
            name=one.name,
            side=one.side,
            wip=one.wip or 0,
            dice=() if one.is_stunned else roll("d20", FACES, 1, rng),
        )
        for one in who
    )
