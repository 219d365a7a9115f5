"""WARSURGE on cards: attacks, volleys, the methods compared, the chart, and a channel's units."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Final

from bot.odds.warsurge import HP, MethodOdds, success
from bot.render.card import Card, Fate, Grid, People, Strip, Tile
from bot.render.odds import averages, chart, in_words, shares
from bot.render.plain_text import decimal, percent
from bot.rules import text as texts
from bot.rules.game import Side
from bot.rules.json_reader import check_whole_number
from bot.rules.text import EMPTY, N_, Code, Count, Name, Names, Noun, Numeral, Sentences, Shown, Text, joined, labeled
from bot.rules.warsurge.declared import Declared, Volley
from bot.rules.warsurge.methods import CHART, MAX_DEFENCE, MAX_POWER, AppliedLine, Method, Need, read_need
from bot.rules.warsurge.play import AttackRoll, DamageTally, VolleyRoll, faces, hp_left, hp_loss, saves_open, tally
from bot.rules.warsurge.units import MAX_TYPED, Unit, Units, write_stats, write_weapon

SAVES: Final = Noun("armour save", "armour saves")
UNITS: Final = Text("WARSURGE · units")

MAX_TILES: Final = 24
"""Maximum drawn dice of a card; the rest of a larger pool is text."""
MIN_ROW: Final = 3
"""Minimum dice drawn per row, however many rows: the maximum of a chain."""


def card(state: AttackRoll | VolleyRoll, names: People) -> Card:
    """Return a rolled attack's or volley's card; ``names``: who rolls pending armour saves."""
    every, waiting, lost = state.attacks, saves_open(state), hp_loss(state)
    dice_rows, method = rows(every), every[0].declared.method.label
    sentence: Shown
    needed: Shown = method
    if isinstance(state, VolleyRoll):
        sentence = volley_outcome(state)
        told = [*map(weapon, every), (Text("Method"), method)]
    else:
        line = state.declared.line
        sentence = outcome(state.declared, tally(state), waiting)
        needed = Text("{method}: need {text}", method=method, text=Code(line.need.text))
        told = [(Text("Method"), Sentences((method, need_text(line), applied_line_text(line)), "\n"))]
    defender, saves = names.get(Side.DEFENDER, Text("The defender")), SAVES.of(waiting)
    return Card(
        title=title(state.declared),
        outcome=sentence,
        strips=tuple(Strip(row.label, row.tiles) for row in dice_rows),
        turn=Text("{defender} rolls {saves}.", defender=defender, saves=saves) if waiting else EMPTY,
        trail=tuple(labeled(row.label, Sentences([row.faces, row.hidden_dice_text])) for row in dice_rows),
        facts=tuple(told),
        small=Sentences(small_print(every), " · "),
        below=Sentences((needed, *small_print(every)), " · "),
        alt=Sentences((in_alt_text(row) for row in dice_rows), ". ") or sentence,
        number=EMPTY if waiting else Code(str(lost)),
        unit=Text("HP lost"),
        ahead="open" if waiting else "attacker" if lost else "defender",
    )


def weapon(attack: AttackRoll) -> tuple[Shown, Shown]:
    declared = attack.declared
    values = Text("Power {power} against Defence {defence}", power=declared.power, defence=declared.defence)
    came = outcome(declared, tally(attack), attack.saves_open)
    return label(declared), Sentences((values, need_text(declared.line), applied_line_text(declared.line), came), "\n")


def title(declared: Declared | Volley, *, is_odds: bool = False) -> Text:
    if isinstance(declared, Declared):
        message = N_("WARSURGE · Power {power} against Defence {defence}")
        if is_odds:
            message = N_("WARSURGE odds · {attack_dice} x Power {power} against Defence {defence}")
        return Text(message, attack_dice=declared.attack_dice, power=declared.power, defence=declared.defence)
    message = N_("WARSURGE · {attacker} against {target}")
    if is_odds:
        message = N_("WARSURGE odds · {attacker} against {target}")
    attacker = declared.attacker or Names(map(label, declared.attacks))
    target = declared.target or Text("Defence {defence}", defence=declared.attacks[0].defence)
    return Text(message, attacker=attacker, target=target)


def label(declared: Declared) -> Shown:
    """Return a weapon's name; without one, its Power."""
    return Name(declared.weapon) if declared.weapon else Text("Power {power}", power=declared.power)


def volley_outcome(state: VolleyRoll) -> Text:
    """Return who attacked whom with what, the HP lost, and what the target has left."""
    declared, left = state.declared, hp_left(state)
    who, whom, weapons = declared.attacker, declared.target, Names(map(label, declared.attacks))
    attack = Text(ATTACKS[bool(who), bool(whom)], attacker=who, target=whom, weapons=weapons)
    message = N_("{attack}: {lost} HP lost, {left} of {hp} left.")
    if saves_open(state):
        message = N_("{attack}: {saves} to roll.")
    elif left is None:
        message = N_("{attack}: {lost} HP lost.")
    elif left == 0:
        message = N_("{attack}: {lost} HP lost. {target} had {hp} HP and is destroyed.")
    saves, target = SAVES.of(saves_open(state)), whom or Text("The target")
    return Text(message, attack=attack, saves=saves, lost=hp_loss(state), target=target, left=left, hp=declared.hp)


ATTACKS: Final = {
    (True, True): N_("{attacker} attacks {target} with {weapons}"),
    (True, False): N_("{attacker} attacks with {weapons}"),
    (False, True): N_("{weapons} against {target}"),
    (False, False): N_("{weapons} against the target"),
}
"""Sentences by whether attacker and target have names."""


def outcome(declared: Declared, counted: DamageTally, saves_wait: int = 0) -> Shown:
    """Return one sentence to read aloud, in the order of the calculation. ``saves_wait``: armour saves not rolled."""
    need = declared.line.need
    if not need.multiplier:
        return Text("No damage is possible, so nothing is rolled: 0 HP lost.")
    pool = Count(declared.attack_dice, "attack die", "attack dice")
    is_one = 1 in (counted.successes, declared.attack_dice)
    parts: list[Shown] = [Text(SUCCEED[is_one, need.is_automatic], successes=counted.successes, dice=pool)]
    if saves_wait:
        return Text("{parts}: {saves} to roll.", parts=parts[0], saves=SAVES.of(saves_wait))
    times = Text("times {multiplier}", multiplier=need.multiplier) if need.multiplier > 1 else EMPTY
    text = Text("{saved} of {saves} made", saved=counted.saved, saves=SAVES.of(counted.saves))
    saves = text if counted.saves else EMPTY
    parts += [times, saves] if declared.method is Method.CHART else [saves, times]
    return Text("{parts}: {hp_loss} HP lost.", parts=Sentences(parts, ", "), hp_loss=counted.hp_loss)


SUCCEED: Final = {
    (True, False): N_("{successes} of {dice} succeeds"),
    (False, False): N_("{successes} of {dice} succeed"),
    (True, True): N_("{successes} of {dice} succeeds automatically"),
    (False, True): N_("{successes} of {dice} succeed automatically"),
}
"""Phrases by whether one die succeeds, and whether automatically."""


def need_text(line: AppliedLine) -> Text:
    """Return one attack die's need, as printed and as text."""
    return Text("Need {text}: {need_in_words}", text=Code(line.need.text), need_in_words=need_in_words(line))


def need_in_words(line: AppliedLine) -> Text:
    need = line.need
    if need.steps:
        return rolls(need)
    if not need.multiplier:
        return Text("no damage, nothing is rolled")
    words = Text("automatic: nothing is rolled, and every attack die succeeds")
    what = Text("the successes") if line.method is Method.CHART else Text("the HP loss")
    if need.multiplier == 1:
        return words
    return Text("{words}; {what} times {multiplier}", words=words, what=what, multiplier=need.multiplier)


def rolls(need: Need) -> Text:
    first, *then = [Text("a 6") if step == 6 else Text("{step} or more", step=step) for step in need.steps]
    if not then:
        return first
    message = N_("{first}, then {second} with the same die")
    if len(then) > 1:
        message = N_("{first}, then {second}, then {third} with the same die")
    return Text(message, first=first, second=then[0], third=then[-1])


def applied_line_text(line: AppliedLine) -> Text:
    message = N_("Line: {words} (Power {power}, Defence {defence})")
    return Text(message, words=line.words, power=line.power, defence=line.defence)


def small_print(attacks: Sequence[AttackRoll]) -> list[Shown]:
    """Return distinct small print: caps, gaps in the rules, AP, and saves that the bot rolled for typed dice."""
    lines = [line for attack in attacks for line in notes(attack.declared)]
    if any(
        attack.saves and attack.declared.faces is not None and attack.declared.save_faces is None for attack in attacks
    ):
        lines.append(Text("I rolled the armour saves"))
    return list(dict.fromkeys(lines))


def notes(declared: Declared) -> list[Shown]:
    """Return the applied caps, and whether the rules have no line for these values."""
    line = declared.line
    values = ((Text("Power"), declared.power, MAX_POWER), (Text("Defence"), declared.defence, MAX_DEFENCE))
    message, above = N_("{name} {value} counts as {most}"), (item for item in values if item[1] > item[2])
    lines: list[Shown] = [Text(message, name=name, value=value, most=most) for name, value, most in above]
    if line.beyond_the_text:
        by_chart, by_text = Text("the chart has no Power 0"), Text("the rules don't cover 0 here")
        lines.append(by_chart if line.method is Method.CHART else by_text)
    if declared.save and declared.ap:
        none, some = N_("AP {ap} leaves no armour save"), N_("AP {ap} makes the armour save {saves_on}+")
        lines.append(Text(none if declared.saves_on is None else some, ap=declared.ap, saves_on=declared.saves_on))
    return lines


Dice = tuple[tuple[tuple[int, ...], bool], ...]
"""Each die's faces in order, and whether it succeeds."""


@dataclass(frozen=True, slots=True)
class DiceRow:
    """A row of dice of a ``body``; the first ``drawn`` are drawn, the rest is text."""

    label: Shown
    body: str
    dice: Dice
    drawn: int

    @property
    def tiles(self) -> tuple[Tile, ...]:
        return tuple(tile for faces, good in self.dice[: self.drawn] for tile in tiles(faces, good, self.body))

    @property
    def faces(self) -> Code:
        """Return the drawn dice; a chain's faces in order."""
        return Code(", ".join("→".join(map(str, faces)) for faces, _ in self.dice[: self.drawn]))

    @property
    def hidden_dice_text(self) -> Shown:
        left = [good for _, good in self.dice[self.drawn :]]
        message = N_("and {count} more ({successful} successful)")
        return Text(message, count=len(left), successful=sum(left)) if left else EMPTY


def rows(attacks: Sequence[AttackRoll]) -> list[DiceRow]:
    """Return each weapon's attack dice and armour saves; if there are too many, all rows get equal room."""
    pools = [pool for attack in attacks for pool in pools_of(attack, is_one_of_many=len(attacks) > 1) if pool.dice]
    count = sum(len(shown) for pool in pools for shown, _ in pool.dice)
    room = MAX_TILES if count <= MAX_TILES else max(MAX_TILES // len(pools), MIN_ROW)
    return [fit_row(pool, room) for pool in pools]


def pools_of(state: AttackRoll, *, is_one_of_many: bool) -> tuple[DiceRow, DiceRow]:
    """Return a weapon's attack dice, and the saves against it in the defender's color."""
    declared, need = state.declared, state.declared.line.need
    attack = tuple((faces(die), need.is_met(faces(die))) for die in state.dice)
    saves = tuple((faces(die), int(die.face) >= (declared.saves_on or 0)) for die in state.saves)
    mine: Shown = Text("Attack dice")
    theirs = Text("Armour saves {saves_on}+", saves_on=declared.saves_on)
    if is_one_of_many:
        mine = label(declared)
        theirs = Text("Saves {saves_on}+ against {label}", saves_on=declared.saves_on, label=mine)
    return DiceRow(mine, "d6", attack, len(attack)), DiceRow(theirs, "d6-defender", saves, len(saves))


def fit_row(row: DiceRow, room: int) -> DiceRow:
    """Return as many whole dice as fit into ``room`` tiles; if not all fit, successes come first."""
    if sum(len(faces) for faces, _ in row.dice) <= room:
        return row
    first = tuple(sorted(row.dice, key=lambda die: not die[1]))
    fitting = sum(used <= room for used in accumulate(len(faces) for faces, _ in first))
    return replace(row, label=Text("{name}, successes first", name=row.label), dice=first, drawn=fitting)


def tiles(faces: tuple[int, ...], good: bool, body: str) -> list[Tile]:
    """Return a die as tiles: a chain is linked with its last, deciding face framed; a failed die is gray."""
    fate: Fate = "stands" if good else "failed"
    last = len(faces) - 1
    return [Tile(body, str(face), fate, framed=0 < at == last, linked=at > 0) for at, face in enumerate(faces)]


def in_alt_text(row: DiceRow) -> Text:
    succeeds, fails = N_("{faces} succeeds"), N_("{faces} fails")
    dice = [Text(succeeds if good else fails, faces=chain_text(faces)) for faces, good in row.dice[: row.drawn]]
    return labeled(row.label, Sentences([Sentences(dice, ", "), row.hidden_dice_text]))


def chain_text(faces: tuple[int, ...]) -> Shown:
    *before, last = faces
    return Text("{first} then {face}", first=chain_text(tuple(before)), face=last) if before else Code(last)


def compare_card(attacks: Sequence[MethodOdds]) -> Card:
    """Compare one attack or volley by each method: needs, table lines used, and the exact HP loss."""
    small = dict.fromkeys(
        note for attack in attacks for declared in attack.declared.attacks for note in notes(declared)
    )
    laws = [(attack.method.label, attack.hp_loss) for attack in attacks]
    losses = Sentences((joined(name, decimal(law.mean(int))) for name, law in laws), ", ")
    is_certain = all(len(law.weights) == 1 for _, law in laws)
    message = N_("HP lost for certain: {losses}.") if is_certain else N_("HP lost on average: {losses}.")
    return replace(
        odds_card(attacks, is_compared=True),
        title=title(attacks[0].declared),
        outcome=Text(message, losses=losses),
        small=Sentences(small, " · "),
    )


def odds_card(attacks: Sequence[MethodOdds], *, is_compared: bool = False) -> Card:
    """Return the HP loss of one attack or volley by one or several methods, with numbers and a common chart."""
    names, means = [attack.method.label for attack in attacks], [attack.hp_loss.mean(int) for attack in attacks]
    losses = [shares(attack.hp_loss, int) for attack in attacks]
    alone = ((attack.method.label, attack.declared) for attack in attacks)
    applied = (labeled(name, item.line.words) for name, item in alone if isinstance(item, Declared))
    in_alt = (in_words(name, loss, HP) for name, loss in zip(names, losses, strict=True))
    return Card(
        title=title(attacks[0].declared, is_odds=True),
        outcome=averages(Text("Average HP loss"), means, names),
        facts=tuple((attack.method.label, told) for attack in attacks if (told := numbers(attack, is_compared))),
        small=Text("Exact. The three methods disagree in most cells, so every card names its method."),
        alt=Sentences((*applied, *in_alt), ". "),
        figure=chart(names, losses),
    )


def numbers(attack: MethodOdds, is_compared: bool) -> Shown:
    """Return needs, the chance of HP loss, and the chance to destroy a target with counted HP; one line if methods are
    compared, without needs of a certain loss.
    """
    declared, is_certain = attack.declared, len(attack.hp_loss.weights) == 1
    some, lines = percent(attack.hp_loss.probability(bool)), [] if is_compared and is_certain else needs(attack)
    if is_certain and not is_compared:  # an average is in the sentence above
        lines.append(Text("HP loss {average}, for certain", average=decimal(attack.hp_loss.mean(int))))
    lines += [] if is_certain else [Text("any HP loss: {some}", some=some)]
    if isinstance(declared, Volley) and attack.destroyed is not None:
        target, destroyed = declared.target or Text("The target"), percent(attack.destroyed)
        message = N_("{target} is destroyed (HP {hp}): {destroyed}")
        lines.append(Text(message, target=target, hp=declared.hp, destroyed=destroyed))
    return Sentences(lines, " · " if is_compared else "\n")


def needs(attack: MethodOdds) -> list[Shown]:
    """Return each weapon's need, and the armour save against it; the alt text adds the table line."""
    declared = attack.declared
    if isinstance(declared, Volley):
        lines = list[Shown]()
        for item in attack.declared.attacks:
            dice, need = Count(item.attack_dice, "die", "dice"), Code(item.line.need.text)
            message = NEEDS[bool(item.saves_on)]
            lines.append(Text(message, label=label(item), dice=dice, need=need, save=item.saves_on))
        return lines
    saves = [Text("armour save {saves_on}+", saves_on=declared.saves_on)] if declared.saves_on else []
    return [Text("need {need}", need=Code(declared.line.need.text)), *saves]


NEEDS: Final = {
    True: N_("{label}, {dice}: need {need}, armour save {save}+"),
    False: N_("{label}, {dice}: need {need}"),
}
"""Sentences for a volley's weapon, by whether there is an armour save."""


KINDS: Final = (Text("automatic"), Text("one die"), Text("chain of two"), Text("chain of three"))
"""The chart's kinds of cells, by number of rolls of the same die."""
PRINTED: Final = Grid(
    row_title=Text("Power"),
    column_title=Text("Defence"),
    rows=(*(Numeral(str(power)) for power in range(1, MAX_POWER)), Numeral(f"{MAX_POWER}+")),
    columns=(*(Numeral(str(defence)) for defence in range(MAX_DEFENCE)), Numeral(f"{MAX_DEFENCE}+")),
    cells=tuple(tuple(map(Code, line)) for line in CHART),
    kinds=KINDS,
    cell_kinds=tuple(tuple(len(read_need(cell).steps) for cell in row) for row in CHART),
)
AROUND: Final = 3
"""Rows and columns shown on each side of the marked cell, to fit a phone."""
BESIDE: Final = 2
"""Number of neighbors shown beside a whole row or column."""


def chart_part(row: int | None, column: int | None) -> Grid:
    """Return the chart around a cell, a row (as a column, for phones), or a column; the whole chart for neither."""
    if column is not None:
        return cut(PRINTED, row, column)
    if row is None:
        return PRINTED
    cells, kinds = (tuple(zip(*lines, strict=True)) for lines in (PRINTED.cells, PRINTED.cell_kinds))
    turned = Grid(PRINTED.column_title, PRINTED.row_title, PRINTED.columns, PRINTED.rows, cells, None, KINDS, kinds)
    return cut(turned, None, row)


def cut(grid: Grid, row: int | None, column: int) -> Grid:
    """Return the rows and columns around this marked cell; without a row, all rows."""
    side = BESIDE if row is None else AROUND
    down = slice(None) if row is None else nearby_places(row, side, len(grid.rows))
    across = nearby_places(column, side, len(grid.columns))
    return replace(
        grid,
        rows=grid.rows[down],
        columns=grid.columns[across],
        cells=tuple(cells[across] for cells in grid.cells[down]),
        cell_kinds=tuple(kinds[across] for kinds in grid.cell_kinds[down]),
        marked=(None if row is None else row - down.start, column - across.start),
    )


def nearby_places(place: int, side: int, count: int) -> slice:
    """Return the slice with ``side`` neighbors on each side; it keeps its length at the ends."""
    first = max(0, min(place - side, count - 2 * side - 1))
    return slice(first, first + 2 * side + 1)


def grid_in_words(grid: Grid) -> Text:
    """Return the chart in words, for people who can't see the picture."""
    what = Text("The Attack Dice Chart") if grid == PRINTED else Text("Part of the Attack Dice Chart")
    in_rows = N_("{row_title} {first} to {last} in rows")
    rows = Text(in_rows, row_title=grid.row_title, first=grid.rows[0], last=grid.rows[-1])
    message = N_("{what}, with {rows} and {column_title} {first} to {last} in columns.")
    title, first, last = grid.column_title, grid.columns[0], grid.columns[-1]
    return Text(message, what=what, rows=rows, column_title=title, first=first, last=last)


def chart_card(power: int | None = None, defence: int | None = None) -> Card:
    """Return the part of the Attack Dice Chart around a framed cell, row, or column; without values all of it. Values
    are as typed, before the caps. Raises ``BadInputError`` below 0 or beyond ``MAX_TYPED``.
    """
    for name, value in (("power", power), ("defence", defence)):
        if value is not None:
            check_whole_number(name, value, 0, MAX_TYPED)
    sentence, facts = chart_words(power, defence)
    row = None if power is None else min(power, MAX_POWER) - 1
    column = None if defence is None else min(defence, MAX_DEFENCE)
    figure = PRINTED if power == 0 else chart_part(row, column)  # the chart doesn't print Power 0
    in_frame = [Text("Highlighted: {sentence}", sentence=sentence)] if figure.marked else [sentence] if facts else []
    line = [Sentences(texts.lines_of(words), ", ") for _, words in facts] if power is None or defence is None else []
    return Card(
        title=Text("WARSURGE · Attack Dice Chart"),
        outcome=sentence,
        facts=facts,
        small=Sentences(
            notes(declare_by_chart(1 if power is None else power, 1 if defence is None else defence)), " · "
        ),
        alt=Sentences([grid_in_words(figure), *in_frame, *line]),
        figure=figure,
    )


def declare_by_chart(power: int, defence: int) -> Declared:
    return Declared(method=Method.CHART, power=power, defence=defence)


def chart_words(power: int | None, defence: int | None) -> tuple[Text, tuple[tuple[Shown, Shown], ...]]:
    """Return one sentence to read aloud, and facts on the marked cell, row or column."""
    if power is not None and defence is not None:
        line = declare_by_chart(power, defence).line
        message, need = N_("Power {power} against Defence {defence}, need {text}: {need_in_words}."), line.need.text
        means = need_in_words(line)
        sentence = Text(message, power=power, defence=defence, text=Code(need), need_in_words=means)
        return sentence, ((Text("One attack die"), Text("succeeds: {chance}", chance=percent(success(line.need)))),)
    if power is not None:
        needs = [declare_by_chart(power, value).line.need for value in range(MAX_DEFENCE + 1)]
        fact = Text("Power {power}", power=power), runs(needs, 0, Text("Defence"))
        return Text("What Power {power} needs against each Defence.", power=power), (fact,)
    if defence is not None:
        needs = [declare_by_chart(value, defence).line.need for value in range(1, MAX_POWER + 1)]
        fact = Text("Defence {defence}", defence=defence), runs(needs, 1, Text("Power"))
        return Text("What each Power needs against Defence {defence}.", defence=defence), (fact,)
    return Text("What each attack die needs: Power in rows, Defence in columns."), ()


def runs(needs: Sequence[Need], first: int, value: Shown) -> Shown:
    """Return equal needs grouped, one line each: ``2+: Defence 2-5``. The last value includes everything above it."""
    lines, last = [], first + len(needs) - 1
    for text, group in groupby(needs, key=lambda need: need.text):
        end = first + len(list(group)) - 1
        span = str(first) if first == end else f"{first}-{end}"
        plus = "+" if end == last else ""
        lines.append(labeled(text, joined(value, Code(f"{span}{plus}"))))
        first = end + 1
    return Sentences(lines, "\n")


# Units


def facts(units: Units) -> tuple[tuple[Shown, Shown], ...]:
    """Return each unit with stats, HP left, and weapons, sorted by name."""
    ordered = sorted(units.values(), key=lambda unit: unit.name.casefold())
    return tuple(
        (Text("{unit} · destroyed", unit=unit.name) if unit.is_destroyed else Name(unit.name), unit_lines(unit))
        for unit in ordered
    )


def unit_lines(unit: Unit) -> Shown:
    """Return a unit's description: a line for itself and one for each weapon."""
    stats: Shown = write_stats(unit)
    if unit.lost:
        hp = Text("HP {left} of {hp}", left=unit.hp_left, hp=unit.hp)
        stats = Sentences([write_stats(replace(unit, hp=None)), hp], ", ")
    return Sentences(filter(None, (stats, *map(write_weapon, unit.weapons))), "\n")


def board(units: Units) -> Card:
    if not units:
        hint = Text("Add one: /warsurge profile set")
        return Card(title=UNITS, outcome=Text("This channel has no units yet."), small=hint)
    return step(Text("{units} in this channel.", units=Count(len(units), "unit", "units")), units)


def step(outcome: Shown, units: Units) -> Card:
    return Card(title=UNITS, outcome=outcome, facts=facts(units))
