"""Albion on a card: one roll of three dice, the two thresholds, and the calculation."""

from collections.abc import Mapping
from fractions import Fraction

from bot.odds.albion import ActionOdds, Outcome
from bot.render.card import Card, Scale, Section, Strip, Tile
from bot.render.text import percent
from bot.rules.albion import VALUES, AttackRoll, Declared, Result, Working, result, working
from bot.rules.game import Side
from bot.rules.text import EMPTY, Code, Sentences, Shown, Text, Words, beside, ended

People = Mapping[Side, Words]


def card(state: AttackRoll, names: People) -> Card:  # noqa: ARG001 - every game's card is asked with the names
    """The card of an action that was rolled."""
    worked, came = working(state.declared), result(state)
    sentence, figure = outcome(worked, came), scale(worked, came.value)
    return Card(
        title=Text("Albion: Hit Chance and Focus Point · dodging")
        if state.declared.dodging
        else Text("Albion: Hit Chance and Focus Point"),
        outcome=sentence,
        strips=strips(state, came),
        trail=(sum_text(state, came),) if state.dice else (),
        facts=((Text("Thresholds"), thresholds(figure)), (Text("Working"), working_text(state.declared, worked))),
        small=small(worked),
        alt=Sentences(
            [
                ended(Sentences([sum_text(state, came), fate(came)], ", ")) if state.dice else sentence,
                Text("Scale: {thresholds}", thresholds=thresholds(figure)),
            ]
        ),
        figure=figure,
        number=Code(str(came.value)) if state.dice else EMPTY,
        unit=fate_alone(came),
        ahead="attacker" if came.is_hit else "defender",
    )


def outcome(worked: Working, came: Result) -> Text:
    """One sentence that can be read aloud: hit or miss, the threshold, and the resulting power."""
    miss, focus = number(worked.total_miss_chance), number(worked.focus_point_miss_chance)
    if came.is_focus:
        return Text(
            "Focus point! {came} beats {focus}: {power}.", came=came.value, focus=Code(focus), power=power(came)
        )
    if came.is_hit:
        how = (
            Text("{came} beats {miss}", came=came.value, miss=Code(miss))
            if worked.total_miss_chance > 0
            else Text("guaranteed by a Total Miss Chance of {miss}", miss=Code(miss))
        )
        return Text("Hit, {how}; {no_focus}: {power}.", how=how, no_focus=no_focus(came, worked), power=power(came))
    if worked.lowest_hit is None:
        return Text("Miss, guaranteed by a Total Miss Chance of {miss}: {power}.", miss=Code(miss), power=power(came))
    return Text("Miss: {came} does not beat {miss}: {power}.", came=came.value, miss=Code(miss), power=power(came))


def no_focus(came: Result, worked: Working) -> Text:
    """Why a hit is no focus point."""
    if worked.lowest_focus is None:
        return Text("a focus point is impossible")
    return Text(
        "{came} does not beat {number} for a focus point",
        came=came.value,
        number=Code(number(worked.focus_point_miss_chance)),
    )


def power(came: Result) -> Text:
    """The factor for the Total Active Power, and the resulting power if the power is known."""
    factor = Text("power x{number}", number=Code(number(came.multiplier)))
    return factor if came.power is None else Text("{factor} is {power}", factor=factor, power=Code(number(came.power)))


def number(exact: Fraction | int) -> str:
    """A whole number, or one with an exact .5."""
    return str(int(exact)) if exact == int(exact) else str(float(exact))


def strips(state: AttackRoll, came: Result) -> tuple[Strip, ...]:
    """The three dice and their sum; grey on a miss."""
    if not state.dice:
        return ()
    tiles = [Tile(die.kind.lower(), str(die.face), "stands" if came.is_hit else "failed") for die in state.dice]
    return (Strip(Code(" + ".join(die.kind for die in state.dice)), tuple(tiles)),)


def sum_text(state: AttackRoll, came: Result) -> Shown:
    """The three dice and their sum in words."""
    return Code(" + ".join(f"{die.kind} {die.face}" for die in state.dice) + f" = {came.value}")


def fate_alone(came: Result) -> Shown:
    return Text("focus point") if came.is_focus else Text("hit") if came.is_hit else Text("miss")


def fate(came: Result) -> Text:
    return Text("a focus point") if came.is_focus else Text("a hit") if came.is_hit else Text("a miss")


def scale(worked: Working, mark: int | None = None) -> Scale:
    """Which of the values 0 to 215 miss, hit, and hit a focus point; ``mark`` is the rolled value."""
    miss = VALUES if worked.lowest_hit is None else worked.lowest_hit
    focus = VALUES if worked.lowest_focus is None else worked.lowest_focus
    sections = (
        (miss, Section(Text("miss"), miss - 1, "bad")),
        (focus - miss, Section(Text("hit"), focus - 1, "good")),
        (VALUES - focus, Section(Text("focus point"), VALUES - 1, "best")),
    )
    return Scale(0, tuple(section for count, section in sections if count), mark)


def thresholds(shown: Scale) -> Shown:
    """The sections of the scale in words."""
    firsts = [shown.least, *(section.last + 1 for section in shown.sections)]
    return Sentences(
        (
            beside(section.label, Code(f"{first}-{section.last}"))
            for first, section in zip(firsts, shown.sections, strict=False)
        ),
        ", ",
    )


def working_text(declared: Declared, worked: Working) -> Shown:
    """The named numbers, one line each, in the order of the calculation (rules page, points 2 to 4)."""
    halved, miss = worked.halved_seeker_skill, worked.total_miss_chance
    lines: tuple[tuple[Words, Words, Fraction | int], ...] = (
        (
            Text("Agility Evasiveness"),
            Text("18 x {agility} x 2, dodging", agility=declared.agility)
            if declared.dodging
            else Code(f"18 x {declared.agility}"),
            worked.agility_evasiveness,
        ),
        (Text("Stealth Evasiveness"), Code(f"18 x {declared.stealth}"), worked.stealth_evasiveness),
        (
            Text("Total Evasiveness"),
            Code(f"{worked.agility_evasiveness} + {worked.stealth_evasiveness}"),
            worked.total_evasiveness,
        ),
        (Text("Accuracy"), Text("18 x Awareness {awareness}", awareness=declared.awareness), worked.accuracy),
        (Text("Range"), Text("18 x Strength {strength}", strength=declared.strength), worked.range),
        (Text("Total Seeker Skill"), Code(f"{worked.accuracy} + {worked.range}"), worked.total_seeker_skill),
        (Text("Halved Seeker Skill"), Code(f"{worked.total_seeker_skill} / 2"), halved),
        (Text("Total Miss Chance"), Code(f"{worked.total_evasiveness} - {halved}"), miss),
        (Text("Focus Point Miss Chance"), Code(f"{miss} / 2 + 162"), worked.focus_point_miss_chance),
    )
    return Sentences(
        (Sentences([name, how, Code(number(exact))], " = ") for name, how, exact in lines),
        "\n",
    )


def small(worked: Working) -> Shown:
    """The exact chances, of 216 equal values."""
    hit, focus = (percent(Fraction(values, VALUES)) for values in (worked.hits, worked.focus_points))
    return Text("chance of a hit {hit} · chance of a focus point {focus}", hit=hit, focus=focus)


def odds_card(action: ActionOdds) -> Card:
    """The three things that an Albion action can come to, counted of 216."""
    worked, outcomes = working(action.declared), action.distribution
    names = {Outcome.MISS: Text("miss"), Outcome.HIT_ONLY: Text("hit"), Outcome.FOCUS: Text("focus point")}
    lines = [counted(name, outcomes.weights.get(outcome, 0), outcomes.total) for outcome, name in names.items()]
    hit = outcomes.probability(lambda outcome: outcome is not Outcome.MISS)
    focus = outcomes.probability(lambda outcome: outcome is Outcome.FOCUS)
    return Card(
        title=Text("Albion odds"),
        outcome=Text(
            "Chance to hit: {hit}. Chance of a focus point: {focus}.", hit=percent(hit, 1), focus=percent(focus, 1)
        ),
        facts=(
            (Text("Of {total} rolls", total=outcomes.total), Sentences(lines, "\n")),
            (
                Text("Thresholds"),
                Text(
                    "miss {total_miss_chance}, focus point {focus_point_miss_chance}",
                    total_miss_chance=worked.total_miss_chance,
                    focus_point_miss_chance=worked.focus_point_miss_chance,
                ),
            ),
        ),
        alt=Sentences(lines, ", "),
        figure=scale(worked),
        ahead="nobody",
    )


def counted(name: Words, count: int, total: int) -> Text:
    return Text(
        "{name}: {count} of {total}, {fraction}",
        name=name,
        count=count,
        total=total,
        fraction=percent(Fraction(count, total)),
    )
