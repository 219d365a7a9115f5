"""The arithmetic of plans: one commitment over choices that open one by one. See docs/fairness.md, Plans.

A leaf hides its choice behind 32 random bytes of its own, so the hashes of the others can be shown beside one that is
open, and nobody finds a choice by trying all twenty of a dial.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from bot.fair.protocol import canonical

DOMAIN: Final = b"rollcall-plan/1"
SALT_BYTES: Final = 32


def leaf(of: str, choice: str, salt: str) -> str:
    """The hash of one place: SHA-256(domain | "|leaf|" | canonical JSON), 64 hex digits; ``salt`` is hex."""
    return sha256(DOMAIN + b"|leaf|" + canonical({"choice": choice, "of": of, "salt": salt})).hexdigest()


def root(owner: int, sheet: str, leaves: Sequence[str]) -> str:
    """The commitment of a player's sheet, 64 hex digits; ``leaves`` are hashes in the order of its places."""
    header = {"leaves": list(leaves), "owner": str(owner), "sheet": sheet}
    return sha256(DOMAIN + b"|root|" + canonical(header)).hexdigest()


def wrong(sheet: Mapping[str, Any]) -> str:
    """What does not fit in a sheet as files hold it, as a sentence; "" if all does.

    A sheet has ``owner``, ``sheet``, ``root``, ``of`` and ``leaves`` (the hashes), and ``opened``: objects with ``of``,
    ``choice`` and ``salt``.
    """
    places, leaves = list(sheet["of"]), list(sheet["leaves"])
    if len(places) != len(leaves) or root(int(sheet["owner"]), sheet["sheet"], leaves) != sheet["root"]:
        return f"The commitment {sheet['root'][:8]} ({sheet['sheet']}) does not follow from its leaves."
    for one in sheet["opened"]:
        if one["of"] not in places or leaf(one["of"], one["choice"], one["salt"]) != leaves[places.index(one["of"])]:
            return f"The plan of {one['of']} ({sheet['sheet']}) is not the one that was committed to."
    return ""
