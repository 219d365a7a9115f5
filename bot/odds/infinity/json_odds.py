"""A declaration's odds in the JSON words of the golden files."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.odds.distribution import Distribution, exact
from bot.odds.infinity.rolls import Outcome, distribution, facing, hits_on_shared, outcomes, winners
from bot.odds.infinity.wounds import failures, harm, loser_losses, wounds
from bot.rules.errors import BadInputError
from bot.rules.infinity.dice import resolve, saves
from bot.rules.infinity.orders import play
from bot.rules.infinity.orders.order import Declared, OpenOrder
from bot.rules.infinity.troopers.declared import Order, Save
from bot.rules.text import Text

Json = dict[str, object]
BOTH: tuple[tuple[resolve.Winner, str], ...] = (("a", "b"), ("b", "a"))
"""Possible winners, with the loser."""


def odds(declared: Declared) -> Json:
    """Return a declaration's exact odds; physical dice are ignored. Each distribution is its own mapping.

    A Normal Roll: ``total``, ``hits_crits``. Face to Face: ``total``, ``a_wins``, ``b_wins``, ``nothing``,
    ``a_hits_crits``, ``b_hits_crits``, counts out of ``total``. With weapons also the Wounds, as fractions, and
    ``nothing`` as one. One roll against several: joint winners, ``hits_on_a``, and each comparison's counts under its
    number. A typed order: each comparison and shared roll under its name. Saving Rolls: ``wounds``, ``failed``. If the
    troopers came with an order, ``sums``. Raises ``BadInputError`` while an answer is pending.
    """
    if isinstance(declared, Save):
        return saving(declared)
    if isinstance(declared, OpenOrder) or declared.awaits:
        raise BadInputError("sv_b", "", Text("Type the other side's Success Value: the odds need both sides."))
    return count_declared(declared) | ({"sums": play.sums(declared)} if declared.told else {})


def count_declared(declared: Order) -> Json:
    first = declared.meetings[0]
    if len(declared.meetings) == 1:
        result = distribution(declared, first)
        alone = {"total": result.total, "hits_crits": hits_crits(result, ("a", "nobody"))}
        counts = alone if first.b is None else versus_counts(result)
        return counts | wounds_counts(declared, result)
    if all(meeting.a == first.a and meeting.b is not None for meeting in declared.meetings):
        return joint_odds(declared, first.a)
    return order_odds(declared)


def versus_counts(result: Distribution[Outcome]) -> Json:
    a, b = hits_crits(result, ("a",)), hits_crits(result, ("b",))
    wins = sum(a.values()), sum(b.values())
    counts = {"total": result.total, "a_wins": wins[0], "b_wins": wins[1], "nothing": result.total - sum(wins)}
    return {**counts, "a_hits_crits": a, "b_hits_crits": b}


def hits_crits(result: Distribution[Outcome], of: Sequence[resolve.Winner]) -> dict[str, int]:
    ways = sorted((hits, crits, ways) for (who, hits, crits), ways in result.weights.items() if who in of)
    return {f"{hits}+{crits}": count for hits, crits, count in ways}


def wounds_counts(order: Order, result: Distribution[Outcome]) -> Json:
    """Return ``wounds_on_a`` and ``wounds_on_b`` as far as weapons are declared; 0 is a win with every save passed. If
    failures cause a state instead, ``failed_on_a`` and ``failed_on_b`` count failed saves.
    """
    words = Json()
    if not any(roll.weapon for roll in order.rolls):
        return words
    for place, (winner, loser) in zip(order.meetings[0].places, BOTH, strict=False):
        hit = play.hit_by(order, 0, winner)
        if hit is None or not hit.weapon.is_saved:
            words |= tally(f"wounds_on_{loser}", {0: wins(result, winner)})
        elif order.rolls[place].weapon:
            words |= tally(f"wounds_on_{loser}", loser_losses(result, winner, hit, wounds))
            if not saves.costs_wounds(hit.weapon):
                words |= tally(f"failed_on_{loser}", loser_losses(result, winner, hit, failures))
    return words | {"nothing": exact(wins(result, "nobody"))}


def wins(result: Distribution[Outcome], winner: resolve.Winner) -> Fraction:
    return result.probability(lambda outcome: outcome[0] == winner)


def tally(key: str, chances: Mapping[int, Fraction]) -> Json:
    mean = sum((amount * chance for amount, chance in chances.items()), start=Fraction(0))
    return {key: {str(amount): exact(chance) for amount, chance in chances.items()}, f"mean_{key}": exact(mean)}


def joint_odds(order: Order, place: int) -> Json:
    """Return the odds of one roll against each enemy; a golden case's ``both`` is ``all`` with more than two."""
    won, hits, met = winners(order, place), hits_on_shared(order, place), facing(order, place)
    every = "both" if len(met) == 2 else "all"
    words: Json = {"total": won.total}
    for key, who in ((f"a_beats_{every}", "a"), (f"a_beaten_by_{every}", "b")):
        words[key] = sum(ways for pattern, ways in won.weights.items() if set(pattern) == {who})
    words["hits_on_a"] = {str(count): ways for count, ways in sorted(hits.weights.items())}
    words["winners"] = {",".join(pattern): ways for pattern, ways in sorted(won.weights.items())}
    for number, (mine, theirs, _) in enumerate(met, 1):
        alone = outcomes(mine, theirs)
        others = won.total // alone.total
        scaled = Distribution({outcome: ways * others for outcome, ways in alone.weights.items()}, won.total)
        counts = versus_counts(scaled)
        words |= {f"a_beats_{number}": counts["a_wins"], f"a_beaten_by_{number}": counts["b_wins"]}
        words |= {f"{key}_{number}": counts[key] for key in ("a_hits_crits", "b_hits_crits")}
    return words


def enemies(order: Order, place: int) -> list[int]:
    return [foe for meeting in order.meetings if place in meeting.places for foe in meeting.places if foe != place]


def order_odds(order: Order) -> Json:
    """Return the odds of a typed order's comparisons, and joint odds of each roll compared more than once."""
    names = [roll.name for roll in order.rolls]
    words = Json()
    for number, meeting in enumerate(order.meetings, 1):
        a, b = names[meeting.a], meeting.target if meeting.b is None else names[meeting.b]
        who = {"a": a, "b": b, "nobody": "nobody"}
        result = distribution(order, meeting)
        words[f"{number}: {a} against {b}" if b else f"{number}: {a}"] = {
            f"{who[winner]} {hits}+{crits}".removesuffix(" 0+0"): exact(Fraction(ways, result.total))
            for (winner, hits, crits), ways in sorted(result.weights.items())
        }
    for place in range(len(order.rolls)):
        if len(enemies(order, place)) > 1:
            words |= shared_roll(order, place)
    return words | order_harm(order)


def order_harm(order: Order) -> Json:
    """Return each trooper's Wounds over the whole order, and the chance to go down, if known."""
    words = Json()
    for odds in harm(order):
        lost = {amount: Fraction(ways, odds.wounds.total) for amount, ways in sorted(odds.wounds.weights.items())}
        words |= tally(f"{'failed saves' if odds.only_states else 'wounds'} of {odds.name}", lost)
        words |= {} if odds.down is None else {f"{odds.name} goes down": exact(odds.down)}
    return words


def shared_roll(order: Order, place: int) -> Json:
    """Return the winners of all comparisons of the same dice, and the hits on their trooper."""
    won, hits, name = winners(order, place), hits_on_shared(order, place), order.rolls[place].name
    who, label = Json(), f"{place + 1}: {name}"
    for pattern, ways in sorted(won.weights.items()):
        of = [{"a": name, "b": order.rolls[foe].name} for foe in enemies(order, place)]
        names = [known.get(item, item) for item, known in zip(pattern, of, strict=True)]
        who[", ".join(names)] = exact(Fraction(ways, won.total))
    counts = {str(count): exact(Fraction(ways, hits.total)) for count, ways in sorted(hits.weights.items())}
    return {f"roll {label} wins": who, f"roll {label} is hit": counts}


def saving(save: Save) -> Json:
    words: Json = {"saves": len(saves.list_saves(save))}
    for key, result in (("wounds", wounds(save)), ("failed", failures(save))):
        words |= tally(key, {amount: Fraction(ways, result.total) for amount, ways in sorted(result.weights.items())})
    return words
