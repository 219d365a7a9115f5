"""Albion on a card: one roll of three dice, the two thresholds, and the calculation."""

from fractions import Fraction
from typing import Final

from bot.render.card import Card, Fate, People, Scale, Section, Strip, Tile
from bot.render.plain_text import percent
from bot.rules.albion import TITLE, VALUES, AttackResult, AttackRoll, Declared, Working, calculate, result
from bot.rules.profile import Held, write
from bot.rules.text import EMPTY, N_, Capitalized, Code, Count, Name, Numeral, Sentences, Shown, Text, ended, joined

PROFILES: Final = Text("{title} · profiles", title=TITLE)

FATES: Final = {
    (False, False): (Text("miss"), Text("a miss")),
    (True, False): (Text("hit"), Text("a hit")),
    (True, True): (Text("focus point"), Text("a focus point")),
}
"""Whether an action hits, and whether it gains a focus point: on its own, and in a sentence."""


def card(state: AttackRoll, names: People) -> Card:  # noqa: ARG001 - every game's card is asked with the names
    worked, came = calculate(state.declared), result(state)
    sentence, figure = outcome(worked, came), scale(worked, came.value)
    fate: Fate = "stands" if came.is_hit else "failed"
    tiles = tuple(Tile(die.kind.lower(), str(die.face), fate) for die in state.dice)
    total = Tile("sum", f"= {came.value}", fate)
    alone, in_a_sentence = FATES[came.is_hit, came.is_focus]
    in_alt = ended(Sentences([sum_text(state, came), in_a_sentence], ", ")) if state.dice else sentence
    title = Text("Albion: Hit Chance and Focus Point")
    if state.declared.dodging:
        title = Text("Albion: Hit Chance and Focus Point · dodging")
    hit, focus = (percent(Fraction(values, VALUES)) for values in (worked.hits, worked.focus_points))
    return Card(
        title=title,
        outcome=sentence,
        strips=(Strip(Code(" + ".join(die.kind for die in state.dice)), (*tiles, total)),) if tiles else (),
        trail=(sum_text(state, came),) if state.dice else (),
        facts=((Text("Thresholds"), thresholds(figure)), (Text("Working"), working_text(state.declared, worked))),
        small=Text("chance of a hit {hit} · chance of a focus point {focus}", hit=hit, focus=focus),
        alt=Sentences([in_alt, Text("Scale: {thresholds}", thresholds=thresholds(figure))]),
        figure=figure,
        number=Capitalized(alone) if state.dice else EMPTY,
        unit=factor(came) if came.power is None else Text("power {power}", power=number(came.power)),
        ahead="attacker" if came.is_hit else "defender",
    )


def outcome(worked: Working, came: AttackResult) -> Text:
    """One sentence that can be read aloud: hit or miss, the threshold, and the resulting power."""
    miss, focus = number(worked.total_miss_chance), number(worked.focus_point_miss_chance)
    if came.is_focus:
        return Text("Focus point! {came} beats {focus}: {power}.", came=came.value, focus=focus, power=power(came))
    if came.is_hit:
        beats, guaranteed = N_("{came} beats {miss}"), N_("guaranteed by a Total Miss Chance of {miss}")
        how = Text(beats if worked.total_miss_chance > 0 else guaranteed, came=came.value, miss=miss)
        no_focus = Text("{came} doesn't beat {number} for a focus point", came=came.value, number=focus)
        if worked.lowest_focus is None:
            no_focus = Text("a focus point is impossible")
        return Text("Hit, {how}; {no_focus}: {power}.", how=how, no_focus=no_focus, power=power(came))
    message = N_("Miss: {came} doesn't beat {miss}: {power}.")
    if worked.lowest_hit is None:
        message = N_("Miss, guaranteed by a Total Miss Chance of {miss}: {power}.")
    return Text(message, came=came.value, miss=miss, power=power(came))


def factor(came: AttackResult) -> Text:
    return Text("power x{number}", number=number(came.multiplier))


def power(came: AttackResult) -> Text:
    """Return the factor, and the resulting power if known."""
    message, power = N_("{factor} is {power}"), came.power
    return factor(came) if power is None else Text(message, factor=factor(came), power=number(power))


def number(exact: Fraction | int) -> Numeral:
    """Return an integer, or a number with an exact .5."""
    return Numeral(str(int(exact)) if exact == int(exact) else str(float(exact)))


def sum_text(state: AttackRoll, came: AttackResult) -> Shown:
    return Code(" + ".join(f"{die.kind} {die.face}" for die in state.dice) + f" = {came.value}")


def scale(worked: Working, mark: int | None = None) -> Scale:
    """Return which values of 0 to 215 miss, hit, and gain a focus point; ``mark``: the rolled value."""
    miss = VALUES if worked.lowest_hit is None else worked.lowest_hit
    focus = VALUES if worked.lowest_focus is None else worked.lowest_focus
    sections = (
        (miss, Section(Text("miss"), miss - 1, "bad")),
        (focus - miss, Section(Text("hit"), focus - 1, "good")),
        (VALUES - focus, Section(Text("focus point"), VALUES - 1, "best")),
    )
    return Scale(0, tuple(section for count, section in sections if count), mark)


def thresholds(shown: Scale) -> Shown:
    firsts = [shown.least, *(section.last + 1 for section in shown.sections)]
    parts = zip(firsts, shown.sections, strict=False)
    return Sentences((joined(item.label, Code(f"{first}-{item.last}")) for first, item in parts), ", ")


def working_text(declared: Declared, worked: Working) -> Shown:
    """Return the intermediate values, one per line, in order (rules page, points 2 to 4)."""
    halved, miss = worked.halved_seeker_skill, worked.total_miss_chance
    agility: Shown = Code(f"18 x {declared.agility}")
    if declared.dodging:
        agility = Text("18 x {agility} x 2, dodging", agility=declared.agility)
    evasiveness = Code(f"{worked.agility_evasiveness} + {worked.stealth_evasiveness}")
    lines: tuple[tuple[Shown, Shown, Fraction | int], ...] = (
        (Text("Agility Evasiveness"), agility, worked.agility_evasiveness),
        (Text("Stealth Evasiveness"), Code(f"18 x {declared.stealth}"), worked.stealth_evasiveness),
        (Text("Total Evasiveness"), evasiveness, worked.total_evasiveness),
        (Text("Accuracy"), Text("18 x Awareness {awareness}", awareness=declared.awareness), worked.accuracy),
        (Text("Range"), Text("18 x Strength {strength}", strength=declared.strength), worked.range),
        (Text("Total Seeker Skill"), Code(f"{worked.accuracy} + {worked.range}"), worked.total_seeker_skill),
        (Text("Halved Seeker Skill"), Code(f"{worked.total_seeker_skill} / 2"), halved),
        (Text("Total Miss Chance"), Code(f"{worked.total_evasiveness} - {halved}"), miss),
        (Text("Focus Point Miss Chance"), Code(f"{miss} / 2 + 162"), worked.focus_point_miss_chance),
    )
    return Sentences((Sentences([name, how, number(exact)], " = ") for name, how, exact in lines), "\n")


def odds_card(worked: Working) -> Card:
    """Return an action's three possible results, counted of 216."""
    hits, focus_points = worked.hits, worked.focus_points
    counts = ((Text("miss"), VALUES - hits), (Text("hit"), hits - focus_points), (Text("focus point"), focus_points))
    lines = list[Text]()
    for name, count in counts:
        message, chance = N_("{name}: {count} of {total}, {fraction}"), percent(Fraction(count, VALUES))
        lines.append(Text(message, name=name, count=count, total=VALUES, fraction=chance))
    hit, focus = (percent(Fraction(values, VALUES)) for values in (hits, focus_points))
    message, miss = N_("miss {total_miss_chance}, focus point {focus_point_miss_chance}"), worked.total_miss_chance
    both = Text(message, total_miss_chance=miss, focus_point_miss_chance=worked.focus_point_miss_chance)
    of_rolls = Text("Of {total} rolls", total=VALUES), Sentences(lines, "\n")
    outcome = Text("Chance to hit: {hit}. Chance of a focus point: {focus}.", hit=hit, focus=focus)
    facts, alt = (of_rolls, (Text("Thresholds"), both)), Sentences(lines, ", ")
    return Card(Text("Albion odds"), outcome, facts=facts, alt=alt, figure=scale(worked))


# Profiles


def profile_facts(held: Held) -> tuple[tuple[Name, Code], ...]:
    ordered = sorted(held.values(), key=lambda profile: profile.name.casefold())
    return tuple((Name(profile.name), Code(write(profile))) for profile in ordered)


def profiles_card(held: Held) -> Card:
    if held:
        count = Count(len(held), "profile", "profiles")
        return profiles_step(Text("{profiles} in this channel.", profiles=count), held)
    small = Text("Add one: {command}", command=Code("/albion profile set"))
    return Card(title=PROFILES, outcome=Text("This channel has no profiles yet."), small=small)


def profiles_step(outcome: Text, held: Held) -> Card:
    return Card(title=PROFILES, outcome=outcome, facts=profile_facts(held))
