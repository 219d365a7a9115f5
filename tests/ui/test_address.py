"""What a component's id says, and what it may not say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sessions.roll import Address
from bot.sessions.secrecy import Secrecy
from bot.ui import address
from bot.ui.address import CommandAddress

OFFERS = st.from_regex(r"[a-z0-9-]{1,40}", fullmatch=True)


@given(st.integers(0, 10**18 - 1), st.integers(0, 10**9 - 1), OFFERS)
def test_an_address_is_read_as_it_was_written_and_fits_an_id(session: int, ply: int, offer: str) -> None:
    written = address.write(Address(session, ply, offer))
    assert address.read(written) == Address(session, ply, offer)
    assert len(written) <= 100, "Discord takes no longer id"


@given(st.text())
def test_any_other_text_is_no_address(text: str) -> None:
    assert address.read(text) is None
    read = address.read(address.PREFIX + text)
    assert read is None or address.write(read).startswith(address.PREFIX)


@pytest.mark.parametrize("text", ["rc1:1:2:", "rc1:1:2:Done", "rc1:-1:2:x", "rc1:1:2:x y", "rc1:1:2:x\n", "rc1:٣:2:x"])
def test_near_misses_are_no_address(text: str) -> None:
    assert address.read(text) is None


@given(st.from_regex(r"[a-z]{1,20}:[a-z]{1,20}", fullmatch=True))
def test_an_answer_to_a_question_is_read_as_it_was_written_and_is_nothing_else(given: str) -> None:
    written = address.write_answer(given)
    assert address.read_answer(written) == given
    assert address.read(written) is None
    assert len(written) <= 100


@pytest.mark.parametrize(
    "text", ["rc1:table", "rc1:table:", "rc1:table:clear:now", "rc1:1:2:x", "rc1:Table:clear", "x"]
)
def test_near_misses_answer_nothing(text: str) -> None:
    assert address.read_answer(text) is None


@pytest.mark.parametrize("secrecy", [None, *Secrecy])
@pytest.mark.parametrize("name", ["roll", "xwing attack", "xwing ship add", "infinity versus"])
def test_the_form_of_a_command_is_read_as_it_was_written_and_can_be_fixed(name: str, secrecy: Secrecy | None) -> None:
    at = CommandAddress(name, secrecy)
    written = address.write_command(at)
    assert address.read_command(written) == at
    assert address.read(written) is None
    assert address.read_fix(address.write_fix(written)) == written
    assert len(address.write_fix(written)) <= 100


@pytest.mark.parametrize("text", ["rc1:command:", "rc1:command:roll:", "rc1:command:roll:all", "rc1:command:a b"])
def test_near_misses_are_the_form_of_no_command(text: str) -> None:
    assert address.read_command(text) is None
