"""The check of a transcript: every die recomputed, and the first thing that does not fit named. Step 7."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.fair.protocol import chain, commitment, seal
from bot.fair.rolls import Rolls
from bot.fair.transcript import Transcript, Unfit, read

COMPARE: Final = "Now compare with Discord; no file can prove that it is the one that was sealed there."
ADVICE: Final = "Do not trust this transcript. If a new download does not fit either, ask who runs the bot."


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether everything fits, and a sentence that says so or names the first thing that does not.

    ``ply`` is the place in the chain (from 1) of a ply that does not fit. ``transcript`` is there when all fits.
    """

    fits: bool
    sentence: str
    ply: int | None = None
    transcript: Transcript | None = None


def verify(data: bytes) -> Verdict:
    """The verdict on a file: first the file as a whole, then the seal, then ply by ply."""
    try:
        found = read(data)
        check(found)
    except Unfit as unfit:
        return Verdict(False, str(unfit), unfit.ply)
    drawn = sum(len(ply.draws) for ply in found.plies)
    typed = sum(len(ply.typed) for ply in found.plies)
    counts = f"Plies: {len(found.plies)}. Dice drawn: {drawn}. Dice typed by hand: {typed}."
    return Verdict(True, f"Every die fits. {counts}", transcript=found)


def check(found: Transcript) -> None:
    """Raises ``Unfit`` for the first thing that does not fit."""
    if commitment(found.key) != found.header.commit:
        raise Unfit("The key does not fit the commitment.")
    sealed = last = seal(found.header.to_json())
    if found.hashes[0] != sealed.hex():
        raise Unfit("The first hash does not fit the header.")
    rolls = Rolls()
    for place, ply in enumerate(found.plies, 1):
        last = chain(last, ply.to_json())
        if found.hashes[place] != last.hex():
            raise Unfit("the chain breaks here.", place)
        rolls.check(ply, found.key, sealed, place)
        rolls.add(ply)


def report(verdict: Verdict) -> str:
    """The verdict in lines for a terminal, with what a reader compares with Discord."""
    found = verdict.transcript
    if found is None:
        return f"{verdict.sentence}\n{ADVICE}"
    return "\n".join([verdict.sentence, COMPARE, *comparisons(found), *lines(found)])


def comparisons(found: Transcript) -> Iterator[str]:
    """What a reader compares with Discord: no file can prove that it is the one that was sealed there."""
    header = found.header
    yield f"Commitment: {header.commit}"
    yield f"Seal: message {header.seal} in channel {header.channel}"
    for person, word in header.players:
        yield f"Word of {person}: {json.dumps(word)}"
    rolled = {ply.by for ply in found.plies if ply.draws}
    if silent := sorted(rolled - {person for person, _ in header.players}, key=int):
        yield f"Rolled without a word: {', '.join(silent)}"
    yield f"Last card: {len(found.plies)} {found.hashes[-1][:8]}"


def lines(found: Transcript) -> Iterator[str]:
    """A line for each ply: its place and hash as the card shows them, who did what, and each side drawn, from 0."""
    for place, (ply, shown) in enumerate(zip(found.plies, found.hashes[1:], strict=True), 1):
        dice = "".join(f" d{sides}={side}" for sides, side in ply.draws)
        yield f"{place} {shown[:8]} roll {ply.roll} by {ply.by} {json.dumps(ply.offer)}{dice}"
