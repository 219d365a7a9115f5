"""A duel on a card: the result, each pool's dice, whose turn it is; and its odds."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from operator import eq
from typing import Final

from bot.odds.distribution import Distribution
from bot.render import plain_text
from bot.render.anydice import at_least_lines, chart
from bot.render.card import Ahead, Card, People, Strip, Tile, fate_of
from bot.render.plain_text import decimal, percent
from bot.rules.dice import Rolled
from bot.rules.duels import Declared, DuelRoll, offers, seen_die
from bot.rules.duels.rows import BLANK, DuelPhrase
from bot.rules.game import AfterOffer, Side
from bot.rules.text import EMPTY, Capitalized, Code, Name, Sentences, Shown, Text, ended, labeled, term, titled

SIDES: Final[Mapping[Side, Shown]] = {Side.ATTACKER: Text("The attacker"), Side.DEFENDER: Text("The defender")}


def card(state: DuelRoll, names: People) -> Card:
    duel, strips = state.declared.duel, pool_strips(state)
    sentence, is_over = outcome(state), state.is_over
    return Card(
        title=titled(duel.title, Name(state.declared.line)),
        outcome=sentence,
        strips=strips,
        turn=turn(state, names),
        trail=tuple(pool_lines(state)),
        small=Name(duel.source),
        alt=Sentences([ended(plain_text.strips(strips)), sentence]),
        number=number(state) if is_over else EMPTY,
        unit=duel.result.noun.unit_of(abs(state.result)) if is_over and not duel.result.called else EMPTY,
        ahead=ahead(state),
    )


def number(state: DuelRoll) -> Shown:
    """Return the result without its sign, since the sentence names the side; its name if the number only ranks it."""
    called, result = state.declared.duel.result.called, str(state.result)
    return Capitalized(term(called[result])) if called else Code(result.lstrip("-"))


def ahead(state: DuelRoll) -> Ahead:
    """Return the side that the result favors; none for 0 if it can be negative."""
    if not state.is_over:
        return "open"
    if state.result == 0 and state.declared.duel.result.less:
        return "nobody"
    return "attacker" if state.result > 0 else "defender"


def outcome(state: DuelRoll) -> Shown:
    """Return the result in the game's words with further counts; before the end, the dice so far."""
    duel = state.declared.duel
    if not state.is_over:
        lines = pool_lines(state)
        return ended(Sentences(lines, "; ")) if lines else Text("No dice have been rolled yet.")
    count = duel.result.noun.of(abs(state.result))
    says = duel.result.less if state.result < 0 and duel.result.less else duel.result.some
    first = DuelPhrase.fill(says or "", count=count) if state.result else term(duel.result.nothing or "")
    if duel.result.called:
        first = ended(number(state))
    also = ((item.noun, item.amount.value(state.known)) for item in duel.also)
    return Sentences([first, *(ended(noun.of(number)) for noun, number in also if number)])


def turn(state: DuelRoll, names: People) -> Shown:
    """Name the side that may choose now."""
    if state.is_over:
        return EMPTY
    first, *_, last = 2 * offers(state)
    who = names.get(first.side, SIDES[first.side])
    if last.then is AfterOffer.CLOSES:
        return Text("{who}: choose below, or press Done.", who=who)
    return Text("{who}: your turn. Choose one below.", who=who)


def pool_lines(state: DuelRoll) -> list[Shown]:
    """Return a line per pool of counted dice: ``Attack: 2 hits, 1 crit``."""
    duel, lines = state.declared.duel, list[Shown]()
    for name, pool in zip(duel.pool_names, state.now.pools, strict=True):
        counts = Counter(letter for die in pool for letter in die.symbol if letter in duel.marks)
        shown = [mark.noun.of(counts[letter]) for letter, mark in duel.marks.items() if counts[letter]]
        if pool:
            lines.append(labeled(term(duel.pools[name]), Sentences(shown or [Text("nothing")], ", ")))
    return lines


def pool_strips(state: DuelRoll) -> tuple[Strip, ...]:
    duel = state.declared.duel
    pools = zip(duel.pool_names, state.dice, strict=True)
    return tuple(
        Strip(term(duel.pools[name]), tuple(tile(state, name, die) for die in dice), beside=at > 0)
        for at, (name, dice) in enumerate(pools)
        if dice
    )


def tile(state: DuelRoll, pool: str, die: Rolled) -> Tile:
    """Return a die: its number, even if it was changed, or its symbols' shapes."""
    duel = state.declared.duel
    symbol = seen_die(state.declared, pool, die).symbol
    letters = [letter for letter in symbol if letter in duel.marks]
    misses = not letters or any(duel.marks[letter].misses for letter in letters)
    shapes = tuple(duel.marks[letter].shape for letter in letters)
    falls = [die.trail[0].face, *(step.face for step in die.trail if step.how == "rerolled")]
    number = next((step.face for step in reversed(die.trail) if isinstance(step.face, int)), None)
    nouns = [duel.marks[letter].noun.one for letter in symbol.replace(BLANK, "")]
    words = DuelPhrase.from_row(nouns[0]) if len(nouns) == 1 else " + ".join(nouns) or "blank"
    return Tile(
        die.kind,
        words if number is None else str(number),
        fate_of(die, "failed" if misses else "stands"),
        ghost=str(falls[-2]) if len(falls) > 1 and isinstance(falls[-2], int) else "",
        added=die.trail[0].how == "added",
        shapes=shapes if all(shapes) and number is None else (),
    )


def odds_card(counted: tuple[Declared, Distribution[int]]) -> Card:
    """Return the result's law under good play as a chart."""
    declared, found = counted
    noun = declared.duel.result.noun
    shown = chart([noun.unit_of(0)], [found])
    some = found.probability(lambda value: value > 0)
    lines = at_least_lines(found)
    if called := declared.duel.result.called:
        chances = ((name, found.probability(partial(eq, int(value)))) for value, name in called.items())
        lines = [labeled(term(name), percent(chance)) for name, chance in chances if chance]
    mean = found.mean(int)
    places: dict[str, Shown] = {"mean": decimal(mean), "unit": noun.unit_of(mean), "chance": percent(some)}
    said: Shown = Text("{mean} {unit} on average; any at all: {chance}.", **places)
    if declared.duel.result.less:
        said = Text("{mean} {unit} on average for the attacker, who is ahead in {chance}.", **places)
    return Card(
        title=Text("{title} · odds", title=titled(declared.duel.title, Name(declared.line))),
        outcome=ended(Capitalized(Sentences(lines, "; "))) if called else said,
        facts=() if called else ((Text("Chances"), Sentences(lines, "\n")),),
        small=Text("Exact; both sides choose what is best for them"),
        alt=Sentences(lines, ", "),
        figure=shown,
    )
