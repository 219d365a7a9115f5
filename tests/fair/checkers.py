"""The ways to check a transcript that need no browser, each as a function from a file to its verdict."""

import json
import runpy
from pathlib import Path
from typing import Any

from bot.fair.transcript import Transcript, parse, read as read_json
from bot.fair.verify import verify
from tests.fair.second_verifier import judge

DOCS = Path(__file__).parents[2] / "docs"
STAND_ALONE: dict[str, Any] = runpy.run_path(str(DOCS / "verify.py"))


def by_the_bot(data: bytes) -> str:
    """The sentence of `python -m bot verify`; empty where every die fits."""
    verdict = verify(data)
    assert verdict.fits == (verdict.transcript is not None) == verdict.sentence.startswith("Every die fits.")
    return "" if verdict.fits else verdict.sentence


def by_the_script(data: bytes) -> str:
    """The sentence of docs/verify.py; empty where every die fits."""
    try:
        STAND_ALONE["check"](STAND_ALONE["read"](data))
    except STAND_ALONE["UnfitError"] as unfit:
        return str(unfit)
    return ""


def plans_by_the_script(match: Any) -> str:
    """What the script says of the plans in a match."""
    try:
        return str(STAND_ALONE["check_plans"](match))
    except STAND_ALONE["UnfitError"] as unfit:
        return str(unfit)


def by_the_second(data: bytes) -> str:
    """The sentence of the checker that was written from the protocol page alone; empty where every die fits."""
    return judge(data).fault or ""


def canonical(value: object) -> bytes:
    """JSON as a file of the protocol, whatever stands in it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def read(data: bytes) -> Transcript:
    """The transcript in a file, not checked."""
    return read_json(parse(data))
