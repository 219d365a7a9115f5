"""Verification of a transcript: every die is recomputed, and the first inconsistency named. Step 7."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from bot.fair import plans, transcript
from bot.fair.protocol import VERSION, chain, commitment, hash_of, hidden_commitment, seal, secret
from bot.fair.rolls import TableRolls
from bot.fair.transcript import CHANGED, ChainPly, Header, HiddenPly, Transcript, VerificationError, parse

COMPARE: Final = "Now compare with Discord; no file can prove that it is the one that was sealed there."
COMPARE_PLANS: Final = (
    "Now compare the commitments with those on the board in Discord; they show that no plan was changed, not that "
    "nobody has looked."
)
ADVICE: Final = "Do not trust this transcript. If a new download does not fit either, ask who runs the bot."
DISCORD_BEGAN: Final = 1420070400000
"""Discord's epoch: milliseconds since 1970."""
SOON: Final = 10
"""Seconds within which a seal should follow the last word."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether everything is valid, with a sentence that says so or names the first inconsistency. ``transcript`` is set
    if all of one is valid; ``warnings`` are about valid parts that deserve a look.
    """

    fits: bool
    sentence: str
    transcript: Transcript | None = None
    warnings: tuple[str, ...] = ()


def verify(data: bytes) -> Verdict:
    """Verify a file: first as a whole, then the seal, then ply by ply."""
    try:
        if (match := match_in(data)) is not None:
            return Verdict(True, plans.check_match(match))
        raw = parse(data)
        check_version(raw)
        result = transcript.read(raw)
        rolls = check(result)
        warnings = tuple(warnings_of(result, rolls))
    except VerificationError as unfit:
        return Verdict(False, str(unfit))
    opened = [ply for ply in result.plies if not isinstance(ply, HiddenPly)]
    drawn, typed = sum(len(ply.draws) for ply in opened), sum(len(ply.typed) for ply in opened)
    counts = f"Plies: {len(result.plies)}. Dice drawn: {drawn}. Dice typed by hand: {typed}."
    return Verdict(True, f"Every die fits. {counts}", transcript=result, warnings=warnings)


def match_in(data: bytes) -> dict[str, Any] | None:
    """Return the match in a file (docs/match.md), or None."""
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) and raw.get("format") == plans.MATCH else None


def check_version(raw: Any) -> None:
    """Raise ``VerificationError`` for another version, or without a transcript's parts."""
    header = raw.get("header")
    version = header.get("v") if isinstance(header, dict) else None
    if transcript.fits(version, transcript.INTEGER) and version != VERSION:
        raise VerificationError(
            f"The file has version {version} of the protocol; this program knows version {VERSION}."
        )
    if raw.keys() != transcript.PARTS.keys():
        raise VerificationError("The file is not a transcript.")


def check(result: Transcript) -> TableRolls:
    """Return a channel's rolls, all valid. Raises ``VerificationError`` for the first inconsistency."""
    header, hidden_key = result.header, result.hidden_key
    if hidden_key is not None and hidden_commitment(hidden_key) != header.hidden:
        raise VerificationError("The key of hidden plies does not fit its commitment.")
    if commitment(result.key, header.hidden) != header.commit:
        raise VerificationError("The key does not fit the commitment.")
    sealed = last = seal(header.to_json())
    if result.hashes[0] != sealed.hex():
        raise VerificationError(CHANGED)
    for person, word, given in header.players:
        if given is not None and hash_of(word) != given:
            raise VerificationError(f"The word of {person} does not fit the hash that they gave first.")
    rolls = TableRolls()
    for place, ply in enumerate(result.plies, 1):
        last = chain(last, ply.chain_json())
        if result.hashes[place] != last.hex():
            raise VerificationError("the chain breaks here.", place)
        own = ply.secret if isinstance(ply, ChainPly) else None
        if hidden_key is not None and own not in (None, secret(hidden_key, sealed, place).hex()):
            raise VerificationError("its secret does not follow from the key of hidden plies.", place)
        rolls.check(ply, result.key, sealed)
        rolls.add(ply)
    if result.hashes[-1] != chain(last, result.names).hex():
        raise VerificationError("The names were changed.")
    return rolls


def moment(number: str) -> int:
    """Return the time in a Discord id, in milliseconds since 1970."""
    return (int(number) >> 22) + DISCORD_BEGAN


def format_time(number: str) -> str:
    """The time in an id, in UTC."""
    return datetime.fromtimestamp(moment(number) // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def warnings_of(result: Transcript, rolls: TableRolls) -> Iterator[str]:
    """Yield warnings about valid parts that deserve a look: how the seal came about, and what nobody can check yet."""
    header = result.header
    if header.earlier:
        yield (
            f"Seals of this channel that were begun before and given up: {header.earlier}. Ask why: with each of them "
            "somebody could have tried for better dice."
        )
    commit, word, sealed = (moment(item) for item in (header.commit_message, header.last_word, header.seal))
    if not commit <= word <= sealed:
        yield "The commitment, the last word and the seal did not come in this order. Do not trust this seal."
    elif sealed - word > 1000 * SOON:
        yield (
            f"The seal came {seconds_to_seal(header)} seconds after the last word. A message in between may have been "
            "deleted: ask whoever was there."
        )
    if result.hidden:
        yield f"Plies that are still hidden: {result.hidden}. Nobody can check their dice yet; a later file opens them."
    for place, first in rolls.elsewhere:
        yield (
            f"Ply {place}: dice that were taken back with ply {first} came again here, in another roll. "
            "Look whether somebody wanted to be rid of them."
        )
    for place, count in rolls.count_unused_redraws.items():
        yield (
            f"Dice of ply {place} that were taken back and never came again: {count}. Look whether somebody wanted to "
            "be rid of them."
        )


def seconds_to_seal(header: Header) -> int:
    """Seconds from the last word to the seal; negative if the seal came first."""
    return (moment(header.seal) - moment(header.last_word)) // 1000


def report(verdict: Verdict) -> str:
    """Format the verdict for a terminal, with the values to compare with Discord."""
    result = verdict.transcript
    if result is None and verdict.fits:
        return f"{verdict.sentence}\n{COMPARE_PLANS}"
    if result is None:
        return f"{verdict.sentence}\n{ADVICE}"
    warned = [f"Warning: {warning}" for warning in verdict.warnings]
    return "\n".join([verdict.sentence, *warned, COMPARE, *comparisons(result), *lines(result)])


def comparisons(result: Transcript) -> Iterator[str]:
    """Yield what a reader compares with Discord: no file can prove that it is the one that was sealed there."""
    header = result.header
    yield f"Commitment: {header.commit}"
    yield f"Seal number {header.number} of this channel"
    yield f"Commitment: message {header.commit_message}, {format_time(header.commit_message)}"
    yield f"Last word: {format_time(header.last_word)}, {seconds_to_seal(header)} seconds before the seal"
    yield f"Seal: message {header.seal} in channel {header.channel}, {format_time(header.seal)}"
    for person, word, given in header.players:
        first = f", given as its hash {given} first" if given else ""
        yield f"Word of {name_person(result, person)}: {json.dumps(word)}{first}"
    rolled = {ply.by for ply in result.plies if isinstance(ply, HiddenPly) or ply.draws}
    if silent := sorted(rolled - {player[0] for player in header.players}, key=int):
        yield f"Rolled without a word: {', '.join(name_person(result, item) for item in silent)}"
    yield f"Last card: {len(result.plies)} {result.hashes[len(result.plies)][:8]}"


def name_person(result: Transcript, person: str) -> str:
    name = result.names.get(person)
    return f"{json.dumps(name)} ({person})" if name else person


def lines(result: Transcript) -> Iterator[str]:
    """Yield a line per ply: its position and hash as on the card, who did what, and each face and side drawn."""
    for place, (ply, shown) in enumerate(zip(result.plies, result.hashes[1:], strict=False), 1):
        start = f"{place} {shown[:8]} roll {ply.roll} by {name_person(result, ply.by)}"
        if isinstance(ply, HiddenPly):
            yield f"{start} hidden"
        else:
            yield f"{start} {json.dumps(ply.offer)}{''.join(die(*draw) for draw in ply.draws)}"


def die(sides: int, side: int, face: str) -> str:
    """``d6=6 (side 5)``; sides count from 0. A die without a face in the file shows its side alone."""
    return f" d{sides}={face} (side {side})" if face else f" d{sides}={side}"
