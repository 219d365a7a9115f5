"""Random people do random things: every one is answered, nothing breaks, and the books stay in order."""

import os

import pytest

from tests.wire.fuzz import Fuzz
from tests.wire.wire import Wire

FEW = 400
MANY = 20_000
SEEDS = (int(os.environ["FUZZ_SEED"]),) if "FUZZ_SEED" in os.environ else (1, 2, 3)
"""``FUZZ_SEED=7 python -m pytest -m long tests/wire/test_fuzz.py -s`` plays one run again, and prints its figures."""


async def fuzzed(wire: Wire, seed: int, count: int) -> Fuzz:
    run = Fuzz(wire, seed)
    await run.run(count)
    assert not run.faults, "\n\n".join(run.faults).encode(errors="backslashreplace").decode()
    return run


async def test_a_few_random_things(wire: Wire) -> None:
    run = await fuzzed(wire, 20, FEW)
    assert len(run.figures.seconds) >= FEW
    assert min(run.figures.kinds[kind] for kind in ("command", "press", "suggestion", "form")) > FEW / 40
    assert min(run.figures.outcomes[outcome] for outcome in ("answered", "refused")) > FEW / 5


@pytest.mark.long
@pytest.mark.both
@pytest.mark.parametrize("seed", SEEDS)
async def test_many_random_things(wire: Wire, seed: int) -> None:
    run = await fuzzed(wire, seed, MANY)
    print(f"\nseed {seed}", *run.figures.lines(), sep="\n")  # noqa: T201 - the figures
