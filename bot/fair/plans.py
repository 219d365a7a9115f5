"""Commitments for plans: each covers choices that open one by one. See docs/fairness.md, Plans.

A leaf hides its choice behind 32 random bytes, so the hashes of closed ones can be shown, and nobody finds a
choice by trying all twenty of a dial.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from bot.fair.protocol import canonical_json
from bot.fair.transcript import VerificationError

DOMAIN: Final = b"rollcall-plan/1"
SALT_BYTES: Final = 32


def leaf(of: str, choice: str, salt: str) -> str:
    """Return a place's hash: SHA-256(domain | "|leaf|" | canonical JSON), 64 hex digits; ``salt`` is hex."""
    return sha256(DOMAIN + b"|leaf|" + canonical_json({"choice": choice, "of": of, "salt": salt})).hexdigest()


def root(owner: int, sheet: str, leaves: Sequence[str]) -> str:
    """Return a sheet's commitment, 64 hex digits; ``leaves``: hashes in the order of its places."""
    header = {"leaves": list(leaves), "owner": str(owner), "sheet": sheet}
    return sha256(DOMAIN + b"|root|" + canonical_json(header)).hexdigest()


def find_mismatch(sheet: Mapping[str, Any]) -> str:
    """Return what is wrong with a file's sheet as a sentence; "" if nothing is. A sheet has ``owner``, ``sheet``,
    ``root``, ``of``, ``leaves`` (hashes), and ``opened``: objects with ``of``, ``choice``, and ``salt``.
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
"""The file format of a match: docs/match.md."""


def check_match(match: Mapping[str, Any]) -> str:
    """Verify a match file's plans against their commitments; return a sentence. Raises ``VerificationError``."""
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
    """Raise ``VerificationError`` if a commitment is missing or does not match what was shown."""
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
    """Yield the commitments on the table after each ply."""
    for held in (match["start"], match["end"], *(ply.get("pieces", {}) for ply in match["plies"])):
        for pieces in held.values():
            yield from (piece for piece in pieces.values() if piece is not None and piece.get("kind") == "plans")
