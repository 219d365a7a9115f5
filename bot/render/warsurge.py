"""WARSURGE on cards: an attack, a volley, the three methods side by side, the chart, and the units of a channel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, groupby
from typing import Final

from bot.odds.warsurge import AttackOdds, success
from bot.render.card import Card, Fate, Grid, Strip, Tile, join_names, quantity
from bot.render.chart import chart, in_words, shares
from bot.render.odds import averages
from bot.render.text import decimal, percent
from bot.rules.game import Side
from bot.rules.reading import whole
from bot.rules.warsurge.chart import CHART, DEFENCE_MOST, POWER_MOST
from bot.rules.warsurge.declared import Declared, Volley
from bot.rules.warsurge.methods import Applied, Method
from bot.rules.warsurge.need import Need, read
from bot.rules.warsurge.play import Roll, Tally, VolleyRoll, faces, hp_left, hp_loss, saves_open, tally
from bot.rules.warsurge.units import TYPED_MOST, Unit, Units, write_stats, write_weapon

Names = Mapping[Side, str]

UNITS: Final = "WARSURGE · units"

TILES_MOST: Final = 24
"""Dice drawn on one card; the rest of a larger pool is described in words."""
ROW_LEAST: Final = 3
"""Dice drawn of each row at least, however many rows there are: a chain has so many."""


def card(state: Roll | VolleyRoll, names: Names) -> Card:
    """The card of an attack or a volley that was rolled; ``names`` say who rolls the armour saves that wait."""
    made = volley_card(state) if isinstance(state, VolleyRoll) else attack_card(state)
    if not saves_open(state):
        return made
    defender = names.get(Side.DEFENDER, "The defender")
    return replace(made, turn=f"{defender} rolls {quantity(saves_open(state), 'armour save')}.", ahead="open")


def attack_card(state: Roll) -> Card:
    declared, counted = state.declared, tally(state)
    line, dice_rows = declared.line, rows((state,))
    sentence = outcome(declared, counted, state.saves_open)
    return Card(
        title=title(declared),
        outcome=sentence,
        strips=tuple(Strip(row.label, row.tiles) for row in dice_rows),
        trail=tuple(in_trail(row) for row in dice_rows),
        facts=(("Method", f"{line.method.label}\nNeed {line.need.text}: {need_in_words(line)}\n{applies(line)}"),),
        small=" · ".join(small((state,))),
        alt=". ".join(in_alt_text(row) for row in dice_rows) or sentence,
        ahead="attacker" if counted.hp_loss else "defender",
    )


def volley_card(state: VolleyRoll) -> Card:
    """The volley in one sentence, then what each weapon did."""
    dice_rows, sentence = rows(state.attacks), volley_outcome(state)
    return Card(
        title=title(state.declared),
        outcome=sentence,
        strips=tuple(Strip(row.label, row.tiles) for row in dice_rows),
        trail=tuple(in_trail(row) for row in dice_rows),
        facts=(
            *((label(one.declared), weapon_lines(one)) for one in state.attacks),
            ("Method", state.attacks[0].declared.method.label),
        ),
        small=" · ".join(small(state.attacks)),
        alt=". ".join(in_alt_text(row) for row in dice_rows) or sentence,
        ahead="attacker" if hp_loss(state) else "defender",
    )


def title(declared: Declared | Volley) -> str:
    if isinstance(declared, Declared):
        return f"WARSURGE · Power {declared.power} against Defence {declared.defence}"
    target = declared.target or f"Defence {declared.attacks[0].defence}"
    return f"WARSURGE · {declared.attacker or join_names(weapon_names(declared))} against {target}"


def label(declared: Declared) -> str:
    """What a weapon is called; one without a name, by its Power."""
    return declared.weapon or f"Power {declared.power}"


def weapon_names(volley: Volley) -> list[str]:
    return [label(attack) for attack in volley.attacks]


def volley_outcome(state: VolleyRoll) -> str:
    """Who attacked whom with what, the HP lost, and what the target has left."""
    declared, lost, left = state.declared, hp_loss(state), hp_left(state)
    weapons, target = join_names(weapon_names(declared)), declared.target
    if declared.attacker and target:
        attack = f"{declared.attacker} attacks {target} with {weapons}"
    elif declared.attacker:
        attack = f"{declared.attacker} attacks with {weapons}"
    else:
        attack = f"{weapons} against {target or 'the target'}"
    if saves_open(state):
        return f"{attack}: {quantity(saves_open(state), 'armour save')} to roll."
    if left is None:
        return f"{attack}: {lost} HP lost."
    if left == 0:
        return f"{attack}: {lost} HP lost. {target or 'The target'} had {declared.hp} HP and is destroyed."
    return f"{attack}: {lost} HP lost, {left} of {declared.hp} left."


def weapon_lines(state: Roll) -> str:
    """What one weapon of a volley needed and did."""
    declared, line = state.declared, state.declared.line
    values = f"Power {declared.power} against Defence {declared.defence}"
    need = f"Need {line.need.text}: {need_in_words(line)}"
    return "\n".join((values, need, applies(line), outcome(declared, tally(state), state.saves_open)))


def outcome(declared: Declared, counted: Tally, saves_wait: int = 0) -> str:
    """One sentence that can be read aloud, in the order of the calculation. ``saves_wait``: armour saves not rolled."""
    need = declared.line.need
    if not need.multiplier:
        return "No damage is possible, so nothing is rolled: 0 HP lost."
    pool = quantity(declared.attack_dice, "attack die", "attack dice")
    how = "succeeds" if 1 in (counted.successes, declared.attack_dice) else "succeed"
    parts = [f"{counted.successes} of {pool} {how}" + (" automatically" if need.is_automatic else "")]
    if saves_wait:
        return f"{parts[0]}: {quantity(saves_wait, 'armour save')} to roll."
    times = [f"times {need.multiplier}"] if need.multiplier > 1 else []
    saves = [f"{counted.saved} of {quantity(counted.saves, 'armour save')} made"] if counted.saves else []
    parts += [*times, *saves] if declared.method is Method.CHART else [*saves, *times]
    return f"{', '.join(parts)}: {counted.hp_loss} HP lost."


def need_in_words(line: Applied) -> str:
    """What the need means for one attack die."""
    need = line.need
    if need.steps:
        return rolls(need)
    if not need.multiplier:
        return "no damage, nothing is rolled"
    words = "automatic, nothing is rolled and every attack die is successful"
    what = "the successes" if line.method is Method.CHART else "the HP loss"
    return f"{words}; {what} times {need.multiplier}" if need.multiplier > 1 else words


def rolls(need: Need) -> str:
    steps = ["a 6" if step == 6 else f"{step} or more" for step in need.steps]
    return ", then ".join(steps) + (" with the same die" if len(steps) > 1 else "")


def applies(line: Applied) -> str:
    """The line of the method that applies, with the values that it compares."""
    return f"Line: {line.words} (Power {line.power}, Defence {line.defence})"


def small(attacks: Sequence[Roll]) -> list[str]:
    """The small print, each line once: caps, gaps in the rules, AP, and saves that the bot rolled for typed dice."""
    lines = [line for one in attacks for line in notes(one.declared)]
    if any(one.saves and one.declared.faces is not None and one.declared.save_faces is None for one in attacks):
        lines.append("I rolled the armour saves")
    return list(dict.fromkeys(lines))


def notes(declared: Declared) -> list[str]:
    """The caps that applied, and whether the rules have no line for these values."""
    line = declared.line
    values = (("Power", declared.power, POWER_MOST), ("Defence", declared.defence, DEFENCE_MOST))
    lines = [f"{name} {value} counts as {most}" for name, value, most in values if value > most]
    if line.beyond_the_text:
        lines.append("the chart has no Power 0" if line.method is Method.CHART else "the rules have no line for 0 here")
    if declared.save and declared.ap:
        saves = "leaves no armour save" if declared.saves_on is None else f"makes the armour save {declared.saves_on}+"
        lines.append(f"AP {declared.ap} {saves}")
    return lines


Dice = tuple[tuple[tuple[int, ...], bool], ...]
"""For each die its faces in the order rolled, and whether it succeeds."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of dice; the first ``drawn`` are drawn, and the rest is described in words."""

    label: str
    dice: Dice
    drawn: int

    @property
    def tiles(self) -> tuple[Tile, ...]:
        return tuple(tile for faces, good in self.dice[: self.drawn] for tile in tiles(faces, good))

    @property
    def rest(self) -> str:
        """The dice that are not drawn, in words."""
        left = [good for _, good in self.dice[self.drawn :]]
        return f" and {len(left)} more ({sum(left)} successful)" if left else ""


def rows(attacks: Sequence[Roll]) -> list[Row]:
    """The attack dice and the armour saves of each weapon; where they are too many, all rows get the same room."""
    full = [(name, dice) for one in attacks for name, dice in pools(one, is_one_of_many=len(attacks) > 1) if dice]
    count = sum(len(shown) for _, dice in full for shown, _ in dice)
    room = TILES_MOST if count <= TILES_MOST else max(TILES_MOST // len(full), ROW_LEAST)
    return [row(name, dice, room) for name, dice in full]


def pools(state: Roll, *, is_one_of_many: bool) -> tuple[tuple[str, Dice], tuple[str, Dice]]:
    """The attack dice and the armour saves of a weapon, each with a label."""
    declared, need = state.declared, state.declared.line.need
    attack = tuple((faces(die), need.is_met(faces(die))) for die in state.dice)
    saves = tuple((faces(die), int(die.face) >= (declared.saves_on or 0)) for die in state.saves)
    if is_one_of_many:
        return (label(declared), attack), (f"Saves {declared.saves_on}+ against {label(declared)}", saves)
    return ("Attack dice", attack), (f"Armour saves {declared.saves_on}+", saves)


def row(name: str, dice: Dice, room: int) -> Row:
    """As many whole dice as fit into ``room`` tiles; if that is not all of them, the successes come first."""
    if sum(len(faces) for faces, _ in dice) <= room:
        return Row(name, dice, len(dice))
    first = tuple(sorted(dice, key=lambda die: not die[1]))
    fitting = sum(used <= room for used in accumulate(len(faces) for faces, _ in first))
    return Row(f"{name}, successes first", first, fitting)


def tiles(faces: tuple[int, ...], good: bool) -> list[Tile]:
    """A die as tiles. A chain is linked, and the last face, which decides, is framed. A failed die is grey."""
    fate: Fate = "stands" if good else "failed"
    last = len(faces) - 1
    return [Tile("d6", str(face), fate, framed=0 < at == last, linked=at > 0) for at, face in enumerate(faces)]


def in_trail(row: Row) -> str:
    """A row in words for the trail; the faces of a chain are in the order rolled."""
    return f"{row.label}: {', '.join('→'.join(map(str, faces)) for faces, _ in row.dice[: row.drawn])}{row.rest}"


def in_alt_text(row: Row) -> str:
    """A row in words, for alt text."""
    dice = [
        f"{' then '.join(map(str, faces))} {'succeeds' if good else 'fails'}" for faces, good in row.dice[: row.drawn]
    ]
    return f"{row.label}: {', '.join(dice)}{row.rest}"


def compare_card(attacks: Sequence[AttackOdds]) -> Card:
    """The same attack or volley by each method side by side: needs, lines that applied, and the exact HP loss."""
    names = [attack.method.label for attack in attacks]
    means = [attack.hp_loss.mean(int) for attack in attacks]
    losses = [shares(attack.hp_loss, int) for attack in attacks]
    attack_dice = sum(one.attack_dice for one in attacks[0].attacks)
    return Card(
        title=title(attacks[0].declared),
        outcome=compared(attack_dice, dict(zip(names, means, strict=True))),
        facts=tuple((name, method_numbers(attack)) for name, attack in zip(names, attacks, strict=True)),
        small=" · ".join(dict.fromkeys(note for attack in attacks for one in attack.attacks for note in notes(one))),
        alt=". ".join(in_words(name, share, "HP", "HP") for name, share in zip(names, losses, strict=True)),
        figure=chart(names, losses, means),
        ahead="nobody",
    )


def compared(attack_dice: int, means: Mapping[str, Fraction]) -> str:
    """The methods with the highest average, or that all have the same."""
    dice, highest = quantity(attack_dice, "attack die", "attack dice"), max(means.values())
    most = [name for name, mean in means.items() if mean == highest]
    if len(most) == len(means):
        return f"{dice}. Average HP loss: {decimal(highest)} by every method."
    return f"{dice}. Highest average HP loss: {decimal(highest)} by {join_names(most)}."


def method_numbers(attack: AttackOdds) -> str:
    """One method of a comparison; for a volley, a line for each weapon."""
    losses = attack.hp_loss
    average, some = decimal(losses.mean(int)), percent(losses.probability(bool))
    return "\n".join((*needs(attack), f"Average HP loss {average}, chance of any {some}", *destroyed(attack)))


def needs(attack: AttackOdds) -> list[str]:
    """What each weapon needs, by which line, and the armour save against it."""
    if isinstance(attack.declared, Volley):
        return [f"{label(one)}: need {one.line.need.text}{save_in_words(one)}" for one in attack.attacks]
    line = attack.declared.line
    need = f"Need {line.need.text}: {need_in_words(line)}"
    return [need, line.words, *([f"Armour save {attack.declared.saves_on}+"] if attack.declared.saves_on else [])]


def save_in_words(declared: Declared) -> str:
    """``, armour save 5+``, or nothing."""
    return f", armour save {declared.saves_on}+" if declared.saves_on else ""


def destroyed(attack: AttackOdds) -> list[str]:
    """The chance to destroy the target, where its HP are counted."""
    if not isinstance(attack.declared, Volley) or attack.destroyed is None:
        return []
    target = attack.declared.target or "The target"
    return [f"{target} is destroyed (HP {attack.declared.hp}): {percent(attack.destroyed)}"]


def odds_card(attacks: Sequence[AttackOdds]) -> Card:
    """The HP loss of one attack or volley, or of several methods side by side."""
    names = [attack.method.label for attack in attacks]
    means = [attack.hp_loss.mean(int) for attack in attacks]
    losses = [shares(attack.hp_loss, int) for attack in attacks]
    return Card(
        title=odds_title(attacks[0].declared),
        outcome=averages("Average HP loss", means, names),
        facts=tuple((name, odds_numbers(attack)) for name, attack in zip(names, attacks, strict=True)),
        small="Exact. The three methods disagree in most cells, so every card names its method.",
        alt=". ".join(in_words(name, share, "HP", "HP") for name, share in zip(names, losses, strict=True)),
        figure=chart(names, losses, means),
        ahead="nobody",
    )


def odds_title(declared: Declared | Volley) -> str:
    if isinstance(declared, Volley):
        return title(declared).replace("WARSURGE", "WARSURGE odds", 1)
    return f"WARSURGE odds · {declared.attack_dice} x Power {declared.power} against Defence {declared.defence}"


def odds_numbers(attack: AttackOdds) -> str:
    """Needs, the average and the chance of any HP loss, and the chance to destroy a target whose HP are counted."""
    losses = attack.hp_loss
    if isinstance(attack.declared, Volley):
        lines = [
            f"{label(one)}, {quantity(one.attack_dice, 'die', 'dice')}: need {one.line.need.text}{save_in_words(one)}"
            for one in attack.attacks
        ]
    else:
        lines = [f"need {attack.declared.line.need.text}"]
        lines += [f"armour save {attack.declared.saves_on}+"] if attack.declared.saves_on else []
    average, some = decimal(losses.mean(int)), percent(losses.probability(bool))
    return "\n".join((*lines, f"average HP loss: {average}", f"any HP loss: {some}", *destroyed(attack)))


KINDS: Final = ("automatic", "one die", "chain of two", "chain of three")
"""The kinds of cells of the chart, by how often the same die is rolled."""
PRINTED: Final = Grid(
    row_title="Power",
    column_title="Defence",
    rows=(*map(str, range(1, POWER_MOST)), f"{POWER_MOST}+"),
    columns=(*map(str, range(DEFENCE_MOST)), f"{DEFENCE_MOST}+"),
    cells=CHART,
    kinds=KINDS,
    cell_kinds=tuple(tuple(len(read(cell).steps) for cell in row) for row in CHART),
)
AROUND: Final = 3
"""Rows and columns of the chart that are shown on each side of the cell that is asked for: so many fit a phone."""
BESIDE: Final = 2
"""The same beside a whole row or column."""


def part(row: int | None, column: int | None) -> Grid:
    """The part of the chart around a cell; around a row or a column, all of it; the whole chart for neither.

    A row is shown as a column, because a phone is too narrow for all its cells.
    """
    if column is not None:
        return cut(PRINTED, row, column)
    return PRINTED if row is None else cut(turned(PRINTED), None, row)


def turned(grid: Grid) -> Grid:
    """The same table with its rows as columns."""
    return replace(
        grid,
        row_title=grid.column_title,
        column_title=grid.row_title,
        rows=grid.columns,
        columns=grid.rows,
        cells=tuple(zip(*grid.cells, strict=True)),
        cell_kinds=tuple(zip(*grid.cell_kinds, strict=True)),
    )


def cut(grid: Grid, row: int | None, column: int) -> Grid:
    """The rows and columns around this cell, which is marked; without a row, all rows."""
    side = BESIDE if row is None else AROUND
    down = slice(None) if row is None else near(row, side, len(grid.rows))
    across = near(column, side, len(grid.columns))
    return replace(
        grid,
        rows=grid.rows[down],
        columns=grid.columns[across],
        cells=tuple(cells[across] for cells in grid.cells[down]),
        cell_kinds=tuple(kinds[across] for kinds in grid.cell_kinds[down]),
        marked=(None if row is None else row - down.start, column - across.start),
    )


def near(place: int, side: int, count: int) -> slice:
    """So many places on each side, as many as ever at the ends too."""
    first = max(0, min(place - side, count - 2 * side - 1))
    return slice(first, first + 2 * side + 1)


def grid_in_words(grid: Grid) -> str:
    """What the picture of the chart shows, for people who do not see it."""
    what = "The Attack Dice Chart" if grid == PRINTED else "A part of the Attack Dice Chart"
    rows = f"{grid.row_title} {grid.rows[0]} to {grid.rows[-1]} in rows"
    return f"{what}, with {rows} and {grid.column_title} {grid.columns[0]} to {grid.columns[-1]} in columns."


def chart_card(power: int | None = None, defence: int | None = None) -> Card:
    """The part of the Attack Dice Chart around a cell in a frame, or around a row or column; without values all of it.

    Values are as typed, before the caps. Raises ``BadInput`` below 0 or beyond ``TYPED_MOST``.
    """
    for name, value in (("power", power), ("defence", defence)):
        if value is not None:
            whole(name, value, 0, TYPED_MOST)
    sentence, facts = chart_words(power, defence)
    figure = part(*(marked(power, defence) or (None, None)))
    in_frame = [f"In the frame: {sentence}"] if figure.marked else [sentence] if facts else []
    line = [", ".join(words.splitlines()) for _, words in facts] if power is None or defence is None else []
    return Card(
        title="WARSURGE · Attack Dice Chart",
        outcome=sentence,
        facts=facts,
        small=" · ".join(notes(charted(1 if power is None else power, 1 if defence is None else defence))),
        alt=" ".join([grid_in_words(figure), *in_frame, *line]),
        figure=figure,
        ahead="nobody",
    )


def charted(power: int, defence: int) -> Declared:
    """One attack die by the chart."""
    return Declared(method=Method.CHART, power=power, defence=defence)


def chart_words(power: int | None, defence: int | None) -> tuple[str, tuple[tuple[str, str], ...]]:
    """One sentence that can be read aloud, and facts on the marked cell, row or column."""
    if power is not None and defence is not None:
        asked = charted(power, defence)
        line = asked.line
        sentence = f"Power {power} against Defence {defence}, need {line.need.text}: {need_in_words(line)}."
        return sentence, (("One attack die", f"succeeds: {percent(success(line.need))}"),)
    if power is not None:
        needs = [charted(power, value).line.need for value in range(DEFENCE_MOST + 1)]
        return f"What Power {power} needs against each Defence.", ((f"Power {power}", runs(needs, 0, "Defence")),)
    if defence is not None:
        needs = [charted(value, defence).line.need for value in range(1, POWER_MOST + 1)]
        return f"What each Power needs against Defence {defence}.", ((f"Defence {defence}", runs(needs, 1, "Power")),)
    return "What each attack die needs: Power in rows, Defence in columns.", ()


def runs(needs: Sequence[Need], first: int, value: str) -> str:
    """Equal needs together, one line each: ``2+: Defence 2-5``. The last value includes everything above it."""
    lines, last = [], first + len(needs) - 1
    for text, group in groupby(needs, key=lambda need: need.text):
        end = first + len(list(group)) - 1
        span = str(first) if first == end else f"{first}-{end}"
        lines.append(f"{text}: {value} {span}" + ("+" if end == last else ""))
        first = end + 1
    return "\n".join(lines)


def marked(power: int | None, defence: int | None) -> tuple[int | None, int | None] | None:
    """The row and the column of the chart; None for Power 0, which is not printed, and where nothing was asked."""
    if power == 0 or power is defence is None:
        return None
    return (
        None if power is None else min(power, POWER_MOST) - 1,
        None if defence is None else min(defence, DEFENCE_MOST),
    )


# Units


def facts(units: Units) -> tuple[tuple[str, str], ...]:
    """Each unit with its stats, the HP it has left, and its weapons, in the order of the names."""
    ordered = sorted(units.values(), key=lambda unit: unit.name.casefold())
    return tuple((unit.name + (" · destroyed" if unit.is_destroyed else ""), unit_lines(unit)) for unit in ordered)


def unit_lines(unit: Unit) -> str:
    """What the unit has, one line for itself and one for each weapon."""
    stats = write_stats(unit)
    if unit.lost:
        stats = f"{write_stats(replace(unit, hp=None))}, HP {unit.hp_left} of {unit.hp}".removeprefix(", ")
    return "\n".join(filter(None, (stats, *map(write_weapon, unit.weapons))))


def board(units: Units) -> Card:
    """All units of a channel."""
    outcome = f"{quantity(len(units), 'unit')} in this channel." if units else "This channel has no units yet."
    hint = "" if units else "Add one: /warsurge profile set"
    return Card(title=UNITS, outcome=outcome, facts=facts(units), small=hint, ahead="nobody")


def step(outcome: str, units: Units) -> Card:
    """What a step did, in a sentence, and the units that it made."""
    return Card(title=UNITS, outcome=outcome, facts=facts(units), ahead="nobody")
