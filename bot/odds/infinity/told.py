"""The odds of a declaration in the JSON words of the golden files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.odds.infinity.rolls import Outcome, face_to_face, normal
from bot.odds.infinity.shared import hits_on_shared, winners
from bot.odds.infinity.wounds import failures, on_loser, wounds
from bot.odds.law import Law, exact
from bot.rules.errors import BadInput
from bot.rules.infinity.declared import Declared, Meeting, Order, Save
from bot.rules.infinity.play import hit_by
from bot.rules.infinity.resolve import Winner
from bot.rules.infinity.saves import STATES, due

Told = dict[str, object]
BOTH: tuple[tuple[Winner, str], ...] = (("a", "b"), ("b", "a"))
"""Who may win, and who loses then."""


def odds(declared: Declared) -> Told:
    """The exact law of a declaration; faces that lie already are ignored.

    A Normal Roll: ``total``, ``hits_crits``. Face to Face: ``total``, ``a_wins``, ``b_wins``, ``nothing``,
    ``a_hits_crits``, ``b_hits_crits``, counts out of ``total``; where weapons are declared, the Wounds instead, and
    the counts in ``rolls``. One roll against several: who beats whom jointly, ``hits_on_a``, and each comparison in
    ``enemies``. An order: each comparison in ``results``, each shared roll in ``shared``. Saving Rolls: ``wounds``,
    ``failed``. Raises ``BadInput`` while the other side has still to answer.
    """
    if isinstance(declared, Save):
        return saving(declared)
    if declared.awaits:
        raise BadInput("sv_b", "", "the other side's Success Value: the odds need both sides")
    if len(declared.meetings) == 1:
        return meeting_odds(declared, 0)
    first = declared.meetings[0]
    if all(one.a == first.a and one.b is not None for one in declared.meetings):
        return joint(declared, first.a)
    return {"results": [named(declared, at) for at in range(len(declared.meetings))], "shared": shared_rolls(declared)}


def law(order: Order, meeting: Meeting) -> Law[Outcome]:
    """The law of one comparison or Normal Roll, whatever else its dice meet."""
    a = order.rolls[meeting.a]
    return normal(a) if meeting.b is None else face_to_face(a, order.rolls[meeting.b])


def meeting_odds(order: Order, at: int) -> Told:
    meeting = order.meetings[at]
    found = law(order, meeting)
    counts = normal_counts(found) if meeting.b is None else versus_counts(found)
    hits = wounds_told(order, at, found)
    return {**hits, "rolls": counts} if hits else counts


def normal_counts(found: Law[Outcome]) -> Told:
    return {"total": found.total, "hits_crits": hits_crits(found, ("a", "nobody"))}


def versus_counts(found: Law[Outcome]) -> Told:
    a, b = hits_crits(found, ("a",)), hits_crits(found, ("b",))
    wins = sum(a.values()), sum(b.values())
    return {
        "total": found.total,
        "a_wins": wins[0],
        "b_wins": wins[1],
        "nothing": found.total - sum(wins),
        "a_hits_crits": a,
        "b_hits_crits": b,
    }


def hits_crits(found: Law[Outcome], of: Sequence[Winner]) -> dict[str, int]:
    """Ways for each ``hits+crits``, in order."""
    ways = sorted((hits, crits, ways) for (who, hits, crits), ways in found.weights.items() if who in of)
    return {f"{hits}+{crits}": count for hits, crits, count in ways}


def wounds_told(order: Order, at: int, found: Law[Outcome]) -> Told:
    """``wounds_on_a`` and ``wounds_on_b`` as far as weapons are declared, each with its 0: won, and every save passed.

    Where failing brings a state instead of Wounds, ``failed_on_a`` and ``failed_on_b`` count the failed saves.
    """
    meeting, told = order.meetings[at], Told()
    places = [place for place in (meeting.a, meeting.b) if place is not None]
    if not any(order.rolls[place].weapon for place in places):
        return told
    for place, (winner, loser) in zip(places, BOTH, strict=False):
        hit = hit_by(order, at, winner)
        if hit is None:
            told |= tally(f"wounds_on_{loser}", {0: wins(found, winner)})
        elif order.rolls[place].weapon:
            told |= tally(f"wounds_on_{loser}", on_loser(found, winner, hit, wounds))
            if hit.ammo in STATES:
                told |= tally(f"failed_on_{loser}", on_loser(found, winner, hit, failures))
    return told | {"nothing": exact(wins(found, "nobody"))}


def wins(found: Law[Outcome], winner: Winner) -> Fraction:
    return found.chance(lambda outcome: outcome[0] == winner)


def tally(key: str, chances: Mapping[int, Fraction]) -> Told:
    """A law in JSON words, and its mean."""
    mean = sum((amount * chance for amount, chance in chances.items()), start=Fraction(0))
    return {key: {str(amount): exact(chance) for amount, chance in chances.items()}, f"mean_{key}": exact(mean)}


def joint(order: Order, place: int) -> Told:
    """One roll against each of its enemies; what a golden case calls ``both`` is ``all`` where there are more."""
    met = [meeting for meeting in order.meetings if place in (meeting.a, meeting.b) and meeting.b is not None]
    foes = [order.rolls[foe] for one in met for foe in (one.a, one.b) if foe is not None and foe != place]
    shared = order.rolls[place]
    won, hits = winners(shared, foes), hits_on_shared(shared, foes)
    every = "both" if len(foes) == 2 else "all"
    told: Told = {"total": won.total}
    told[f"a_beats_{every}"] = sum(ways for who, ways in won.weights.items() if set(who) == {"a"})
    told[f"a_beaten_by_{every}"] = sum(ways for who, ways in won.weights.items() if set(who) == {"b"})
    for number in range(len(foes)):
        told[f"a_beats_{number + 1}"] = sum(ways for who, ways in won.weights.items() if who[number] == "a")
    told["hits_on_a"] = {str(count): ways for count, ways in sorted(hits.weights.items())}
    told["winners"] = {",".join(who): ways for who, ways in sorted(won.weights.items())}
    told["enemies"] = [versus_counts(face_to_face(shared, foe)) for foe in foes]
    return told


def named(order: Order, at: int) -> Told:
    """One comparison of an order, with the names of the two."""
    meeting = order.meetings[at]
    b = meeting.target if meeting.b is None else order.rolls[meeting.b].name
    return {"a": order.rolls[meeting.a].name, "b": b, **meeting_odds(order, at)}


def shared_rolls(order: Order) -> list[Told]:
    """The joint law of each roll that is compared more than once."""
    met = Counter(place for one in order.meetings if one.b is not None for place in (one.a, one.b))
    return [{"name": order.rolls[place].name, **joint(order, place)} for place, count in met.items() if count > 1]


def saving(save: Save) -> Told:
    """``wounds`` and ``failed`` of Saving Rolls, each with its mean."""
    told: Told = {"saves": len(due(save))}
    for key, found in (("wounds", wounds(save)), ("failed", failures(save))):
        told |= tally(key, {amount: Fraction(ways, found.total) for amount, ways in sorted(found.weights.items())})
    return told
