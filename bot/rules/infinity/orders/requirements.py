"""Requirements of a declaration on its trooper and target (rules page, What is refused, Guided, programs). Each rule
yields objections; a word without effect is refused too. A GM allows a roll with ``anyway``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.infinity.orders import fields, modifiers
from bot.rules.infinity.orders.modifiers import TargetedRoll
from bot.rules.infinity.troopers import programs, skills, states
from bot.rules.infinity.troopers.declared import DEPLOYS, GUARD_INCHES, KITS, Action, ModKind, Order, TrooperRoll
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import Trooper
from bot.rules.json_reader import leave_out
from bot.rules.text import N_, Code, Name, Names, Sentences, Text, term

REACTIONS: Final = (
    *(Action.SHOOT, Action.TEMPLATE, Action.DIRECT, Action.CC, Action.HACK, Action.DODGE, Action.RESET),
    *(Action.DISCOVER, *states.ROLLS_ONLY),
)
"""Actions that may be declared in ARO, and rolls required by the rules."""
TREATS: Final = {
    Action.DOCTOR: ("Doctor", "Akbar Doctor"),
    Action.ENGINEER: ("Engineer",),
    Action.MEDIKIT: ("MediKit", "Paramedic"),
    Action.GIZMOKIT: ("GizmoKit",),
}
"""Skills of which each treatment needs one."""


def check(roll: TargetedRoll, *, revealed: bool) -> None:
    """Raise ``ForbiddenByStateError`` for what a rule forbids. ``revealed``: the target attacks, so it is no marker."""
    declared, target = roll.one, roll.target
    due = programs.of(declared.weapon).state
    if not due:
        states.check(declared.name, declared.states, declared.skill)
    elif due not in declared.states or {*states.STANDING} & {*declared.states}:
        raise refusal(Text("{name} explodes only while it is {state}.", name=Name(declared.name), state=term(due)))
    if declared.situation.coup:
        states.check_coup(target.name if target else "", modifiers.states_of(target))
    elif target is not None and not revealed:
        now, intuitive = modifiers.states_of(target), declared.situation.intuitive
        states.check_target(target.name, now, declared.action, intuitive=intuitive)
    for reason in has_line(roll):
        raise refusal(reason)
    if declared.edition == "n5":
        aimed = replace(roll, far=declared.situation) if declared.situation.distance is not None else roll
        for reason in chain.from_iterable(rule(aimed) for rule in RULES):
            raise refusal(reason)


def has_line(roll: TargetedRoll) -> Iterator[Text]:
    """Yield an error for a shot through a zone without line of fire, unless it answers one."""
    blocked = modifiers.blocking_zones(roll.one, roll.far)
    awaits = roll.target is not None and roll.target.awaited and not roll.facing
    if blocked and not awaits and not modifiers.is_shot_at(roll):
        message = N_(
            "{name} has no line of fire through {zone}. Use a Multispectral Visor, an Intuitive Attack, "
            "or a Speculative Attack."
        )
        if not any(number is not None for number in blocked[0].mods[1:]):
            message = N_("{name} has no line of fire through {zone}. Make an Intuitive or a Speculative Attack.")
        yield Text(message, name=Name(roll.one.name), zone=blocked[0].says)


def has_reaction(roll: TargetedRoll) -> Iterator[Text]:
    """Yield errors for skills that can't be declared in ARO."""
    program = programs.of(roll.one.weapon)
    if roll.active or (roll.one.skill in REACTIONS and not program.is_defence):
        return
    what = term(program.name) if program.name else roll.one.skill.label
    message = N_("{name} can't declare {what} as an ARO. Declare it in its own order.")
    yield Text(message, name=Name(roll.one.name), what=what)


def is_in_contact(roll: TargetedRoll) -> Iterator[Text]:
    """Yield an error for close combat without contact; the active side may move there."""
    around = roll.far
    if roll.one.action is not Action.CC or roll.active or not around.distance or around.beyond == 0:
        return
    if roll.one.situation.guard:
        return
    message = N_("{name} is {inches} inches away, and a CC Attack needs contact. Declare something else.")
    yield Text(message, name=Name(roll.one.name), inches=around.distance)


def check_guided(roll: TargetedRoll) -> Iterator[Text]:
    """Yield errors for Guided attacks: they need the skill, the Active Turn, a Targeted target, no thrown weapon."""
    if not modifiers.is_guided(roll.one):
        return
    if roll.one.trooper is not None and skills.GUIDED[1] not in roll.one.extras:
        yield Text("{name} doesn't have BS Attack (Guided). Leave out `guided`.", name=Name(roll.one.name))
    if not roll.active:
        message = N_("{name} can make a Guided attack only in its own turn. Leave out `guided`.")
        yield Text(message, name=Name(roll.one.name))
    if "Targeted" not in modifiers.states_of(roll.target):
        whom = roll.target.name if roll.target else Text("the target")
        yield Text("A Guided attack needs a Targeted enemy, and {target} isn't.", target=whom)
    if roll.one.weapon is not None and roll.one.weapon.stat:
        yield Text("A Guided attack uses BS, and {weapon} doesn't.", weapon=roll.one.weapon.name)
    if (roll.one.draft.burst or 1) > 1:
        yield Text("A Guided attack has Burst 1. Leave out `b{burst}`.", burst=roll.one.draft.burst)


def has_skill(roll: TargetedRoll) -> Iterator[Text]:
    """Yield errors for words that need a missing skill."""
    around, trooper = roll.one.situation, roll.one.trooper
    said = {"Berserk": around.berserk, "Guard": around.guard, "Sensor": roll.one.action is Action.SENSOR}
    said["Triangulated Fire"] = around.triangulated
    said |= {action.label.message: roll.one.action is action for action in DEPLOYS}
    known = trooper if trooper and not trooper.is_marker else None
    for skill in (skill for skill, is_said in said.items() if is_said and known and not known.has(skill)):
        message = LACKS.get(skill, N_("{name} doesn't have {skill}. Choose another action."))
        yield Text(message, name=Name(roll.one.name), skill=term(skill))


LACKS: Final = {
    "Berserk": N_("{name} doesn't have Berserk. Leave out `berserk`."),
    "Guard": N_("{name} has no Guard: leave out `guard`."),
    "Sensor": N_("{name} doesn't have Sensor. Declare something else."),
}


def program(roll: TargetedRoll) -> Iterator[Text]:
    """Yield an error if a program doesn't work on the target's type; an unknown type is accepted."""
    known = programs.of(roll.one.weapon)
    if roll.one.action is not Action.HACK or not known.targets or roll.target is None or roll.target.trooper is None:
        return
    trooper, hackers = roll.target.trooper, (programs.HACKER,)
    is_hacker = trooper.has(programs.HACKER, *programs.DEVICES)
    if trooper.type in known.targets or (is_hacker and programs.HACKER in known.targets):
        return
    if not trooper.type and (known.targets != hackers or not trooper.skills):
        return
    message = N_("{program} works only against {types}, and {target} isn't one.")
    yield Text(message, program=Name(known.name), types=Names(known.targets, "or"), target=Name(roll.target.name))


def treatment(roll: TargetedRoll) -> Iterator[Text]:
    """Yield errors for Doctor, Engineer, and kits: they need the skill, and a friend to help."""
    action, own, target = roll.one.skill, roll.one.trooper, roll.target
    if action not in TREATS or target is None:
        return
    if own is not None and not own.has(*TREATS[action]):
        yield Text("{name} doesn't have {skill}. Choose another action.", name=Name(roll.one.name), skill=action.label)
    held, now = target.trooper, modifiers.states_of(target)
    if held is None and not target.states:
        return
    if own is not None and held is not None and len({own.owner, held.owner} - {0}) > 1:
        yield Text("{target} is no friend of {name}.", target=held.name, name=own.name)
    if "Dogged" in now and action in HEALS:
        yield Text("{target} is Dogged and can't be treated.", target=Name(target.name))
    if not can_help(action, held, now):
        yield Text(NO_HELP[action], target=Name(target.name), states=Names(states.REPAIRED, "or"))


HEALS: Final = (Action.DOCTOR, Action.MEDIKIT)
NO_HELP: Final = {
    Action.DOCTOR: N_("A Doctor treats a trooper who is Unconscious with VITA, or Stunned. {target} is neither."),
    Action.ENGINEER: N_("An Engineer repairs lost STR or ends {states}, and {target} has neither."),
    Action.MEDIKIT: N_("A MediKit treats who is Unconscious with VITA: {target} is not."),
    Action.GIZMOKIT: N_("A GizmoKit repairs lost STR: {target} has lost none."),
}


def can_help(action: Action, held: Trooper | None, now: Iterable[str]) -> bool:
    """Whether a treatment can help in these states; either kind can for a Technorganic trooper."""
    held = held or Trooper(Name(""), {})
    has_structure, own = "STR" in held.stats, {skill.name for skill in held.parsed_skills}
    lies = bool({states.UNCONSCIOUS, "No Wound Incapacitation"} & {*now})
    ends = action not in KITS or "Tech-Recovery" in own
    ended = {*states.REPAIRED} if has_structure else {*states.REPAIRED} - {"Stunned"}
    heals = not has_structure and (lies or (ends and "Stunned" in now))
    is_broken = has_structure and (lies or held.lost > 0)
    repairs = is_broken or (ends and bool(ended & {*now}))
    return heals or repairs if "Technorganic" in own else heals if action in HEALS else repairs


def check_means(roll: TargetedRoll) -> Iterator[Text]:
    """A CC Attack without contact needs a target that is near, a weapon its uses; a Long Skill has no special die."""
    if roll.one.situation.guard and (roll.far.distance or 0) > GUARD_INCHES:
        yield Text("Guard reaches {inches} inches: declare something else.", inches=GUARD_INCHES)
    if roll.one.is_long and roll.one.draft.special:
        yield Text("{name} has no special die with a Long Skill. Leave out `sd`.", name=Name(roll.one.name))
    weapon, trooper = roll.one.weapon, roll.one.trooper
    if weapon is not None and trooper is not None and weapon.uses and trooper.spent.count(weapon.name) >= weapon.uses:
        yield Text("{name} has already spent {weapon}.", name=Name(roll.one.name), weapon=weapon.name)


def refusal(reason: Text) -> states.ForbiddenByStateError:
    return states.ForbiddenByStateError(Sentences([reason, Text("A GM can add `anyway` to the order.")]))


RULES: Final = (has_reaction, is_in_contact, check_guided, has_skill, program, treatment, check_means)


# Each word must have an effect


UNCHECKED: Final = ("distance", "beyond", "coordinated")
"""Fields that need no effect: a distance has its own rule, and a Burst of 1 has no half."""


def make_order_checked(drafts: Sequence[fields.Draft], make: Callable[[Sequence[fields.Draft]], Order]) -> Order:
    """Build an order from drafts. Raises ``ForbiddenByStateError`` for a word without effect, unless only a skill
    removes the effect, and for a distance without use.
    """
    order = make(drafts)
    for at, draft in enumerate(drafts):
        if draft.anyway:
            continue
        for said in [word for word, value in draft.situation.items() if value and word not in UNCHECKED]:
            if not is_fact(draft, said, order) and is_same(order, make, drafts, at, said):
                word = next(row.key for row in fields.TABLE if row.name == said and row.where == "situation")
                who = draft.name.strip(fields.NAMELESS) or Text("this roll")
                raise refusal(Text("`{word}` has no effect for {name}. Leave it out.", word=Code(word), name=who))
        check_distance(draft, order)
    return order


def is_fact(draft: fields.Draft, said: str, order: Order) -> bool:
    """Whether a word is accepted without changing a number: a Dodge may have several reasons for its one -3, a Surprise
    Attack waits for a reaction, and a Fireteam of level 1 shares orders.
    """
    own = [roll for roll in order.rolls if roll.name == draft.name]
    if said in FACTS:
        return FACTS[said](own, order.rolls)
    if said == "fireteam":
        return draft.as_situation.fireteam == 1
    rolls = order.rolls if said in fields.SHARED else own
    return said in EVIDENT and any(mod.kind is EVIDENT[said] for roll in rolls for mod in roll.mods)


Rolls = Sequence[TrooperRoll]
FACTS: Final[Mapping[str, Callable[[Rolls, Rolls], bool]]] = {
    "cover": lambda own, _: any(roll.cover for roll in own),
    "guided": lambda own, _: any(roll.guided for roll in own),
    "zone": lambda _, every: any(roll.action is Action.DODGE for roll in every),
    "sensor": lambda own, _: any(roll.action in (Action.SENSOR, Action.DISCOVER) for roll in own),
    "saturation": lambda _, every: any(roll.action in skills.SHOTS for roll in every),
    "crossed": lambda _, every: any(roll.is_screen for roll in every),
    "past": lambda _, every: any(roll.is_screen for roll in every),
    "warned": lambda own, _: any(roll.action is Action.DODGE for roll in own),
    "guard": lambda own, _: any(roll.action is Action.CC for roll in own),
    "contact": lambda own, _: any(roll.aids and roll.action is Action.DIRECT for roll in own),
    "surprise": lambda own, _: any(roll.side is Side.ATTACKER and roll.action.is_attack for roll in own),
}
"""Words accepted for their trooper's rolls and all rolls of an order."""
EVIDENT: Final = {
    **{row.name: ModKind.ZONE for row in modifiers.ZONES},
    "melee": ModKind.MELEE,
    "speculative": ModKind.SPECULATIVE,
}
"""Words with a MOD kind of their own, whose effect shows without a comparison."""


def is_same(
    order: Order, make: Callable[[Sequence[fields.Draft]], Order], drafts: Sequence[fields.Draft], at: int, said: str
) -> bool:
    """Whether an order is the same without a word of a draft, whatever its troopers' skills."""
    try:
        if make(without_words(drafts, at, said)) != order:
            return False
    except PlayerError:
        return False
    bare = [without_skills(draft, said) for draft in drafts]
    try:
        return make(without_words(bare, at, said)) == make(bare)
    except PlayerError:  # a word of the order needs a skill
        return True


def without_words(drafts: Sequence[fields.Draft], at: int, said: str) -> list[fields.Draft]:
    situation = leave_out(drafts[at].situation, said)
    return [replace(draft, situation=situation) if place == at else draft for place, draft in enumerate(drafts)]


def without_skills(draft: fields.Draft, said: str) -> fields.Draft:
    """Return a draft without its trooper's and Fireteam's skills, except ``said``."""
    situation = draft.situation if said == "fireteam" else leave_out(draft.situation, "fireteam")
    trooper = replace(draft.trooper, skills=(), team=0) if draft.trooper else None
    return replace(draft, trooper=trooper, situation=situation)


def check_distance(draft: fields.Draft, order: Order) -> None:
    """Raise ``ForbiddenByStateError`` for a distance without use: no range, Discover, Guard, or Suppressive Fire."""
    uses = any(roll.action is Action.DISCOVER or (roll.weapon and roll.weapon.bands) for roll in order.rolls)
    uses |= any(profile is not None and states.SUPPRESSIVE in profile.states for _, profile in order.involved)
    if draft.as_situation.distance is None or draft.as_situation.guard or uses:
        return
    typed = draft.words or (draft.weapon is None and draft.trooper is None)
    raise refusal(Text(TOLD["distance", "typed" if typed else "trooper"], inches=draft.as_situation.distance))
