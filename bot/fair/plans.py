"""The arithmetic of plans: one commitment over choices that open one by one. See docs/fairness.md, Plans.

A leaf hides its choice behind 32 random bytes of its own, so the hashes of the others can be shown beside one that is
open, and nobody finds a choice by trying all twenty of a dial.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from bot.fair.protocol import canonical_json
from bot.fair.transcript import VerificationError

DOMAIN: Final = b"rollcall-plan/1"
SALT_BYTES: Final = 32


def leaf(of: str, choice: str, salt: str) -> str:
    """The hash of one place: SHA-256(domain | "|leaf|" | canonical JSON), 64 hex digits; ``salt`` is hex."""
    return sha256(DOMAIN + b"|leaf|" + canonical_json({"choice": choice, "of": of, "salt": salt})).hexdigest()


def root(owner: int, sheet: str, leaves: Sequence[str]) -> str:
    """The commitment of a player's sheet, 64 hex digits; ``leaves`` are hashes in the order of its places."""
    header = {"leaves": list(leaves), "owner": str(owner), "sheet": sheet}
    return sha256(DOMAIN + b"|root|" + canonical_json(header)).hexdigest()


def find_mismatch(sheet: Mapping[str, Any]) -> str:
    """Return a sentence that says what is wrong with a sheet from a file; "" if nothing is.

    A sheet has ``owner``, ``sheet``, ``root``, ``of`` and ``leaves`` (the hashes), and ``opened``: objects with ``of``,
    ``choice`` and ``salt``.
    """
    places, leaves = list(sheet["of"]), list(sheet["leaves"])
    if len(places) != len(leaves) or root(int(sheet["owner"]), sheet["sheet"], leaves) != sheet["root"]:
        return f"The commitment {sheet['root'][:8]} ({sheet['sheet']}) does not follow from its leaves."
    for item in sheet["opened"]:
        if (
            item["of"] not in places
            or leaf(item["of"], item["choice"], item["salt"]) != leaves[places.index(item["of"])]
        ):
            return f"The plan of {item['of']} ({sheet['sheet']}) is not the one that was committed to."
    return ""


MATCH: Final = "rollcall-match/1"
"""The format of a match in a file: docs/match.md."""


def check_match(match: Mapping[str, Any]) -> str:
    """Check every plan in a match file against its commitment; return a sentence. Raises ``VerificationError``."""
    try:
        sheets = {item["root"]: item for item in match["plans"]}
        for sheet in sheets.values():
            if sheet["leaves"] and (fault := find_mismatch(sheet)):
                raise VerificationError(fault)
        for shown in iter_commitments(match):
            check_shown(shown, sheets)
    except (KeyError, TypeError, AttributeError) as error:
        raise VerificationError("The plans of this file are not as docs/match.md says.") from error
    opened = sum(len(item["opened"]) for item in sheets.values())
    closed = sum(len(item["of"]) for item in sheets.values()) - opened
    return f"Every plan fits. Commitments: {len(sheets)}. Plans open: {opened}. Plans still closed: {closed}."


def check_shown(shown: Mapping[str, Any], sheets: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ``VerificationError`` if a commitment is missing, or something else was shown than it says."""
    sheet = sheets.get(shown["root"])
    if sheet is None:
        raise VerificationError(
            f"The commitment {shown['root'][:8]} ({shown['sheet']}) was shown, and the file lacks its plans."
        )
    for item in shown.get("opened", ()):
        if item not in sheet["opened"]:
            raise VerificationError(
                f"The plan of {item['of']} ({shown['sheet']}) was shown as something else than it was."
            )


def iter_commitments(match: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The commitments on the table, as each ply left them."""
    for held in (match["start"], match["end"], *(ply.get("pieces", {}) for ply in match["plies"])):
        for pieces in held.values():
            yield from (piece for piece in pieces.values() if piece is not None and piece.get("kind") == "plans")
