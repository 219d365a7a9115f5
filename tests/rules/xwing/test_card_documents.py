"""Files of card data as people send them: whatever a broken archive holds, it is read or refused in a sentence."""

import io
import json
import zipfile

import pytest

from bot.rules.errors import BadInputError, BadTextError, PlayerError
from bot.rules.xwing.cards import card_import
from bot.rules.xwing.cards.card_diff import changes
from bot.rules.xwing.cards.card_import import from_bytes

FILES = {"pilots/tie.json": {"name": "TIE"}, "pilots/a-wing.json": {"name": "A-wing", "ships": ["a" * 40]}}
BROKEN = "cards.zip can't be unpacked. Send it as a plain ZIP file."
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def packed(compression: int, files: dict[str, object] | None = None) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        for name, document in (FILES if files is None else files).items():
            archive.writestr(zipfile.ZipInfo(name), json.dumps(document), compression)
    return written.getvalue()


@pytest.mark.parametrize("compression", PACKED)
def test_an_archive_is_its_json_files(compression: int) -> None:
    assert from_bytes("cards.zip", packed(compression)) == FILES


@pytest.mark.parametrize("change", [0x01, 0x55, 0xFF])
@pytest.mark.parametrize("compression", PACKED)
def test_an_archive_with_a_changed_byte_is_read_or_refused(compression: int, change: int) -> None:
    whole, refused = packed(compression), 0
    for at in range(len(whole)):
        changed = bytes([*whole[:at], whole[at] ^ change, *whole[at + 1 :]])
        try:
            from_bytes("cards.zip", changed)
        except PlayerError as error:
            refused += error.text == BROKEN
    assert refused, "some changes break it"


@pytest.mark.parametrize("compression", PACKED)
def test_an_archive_that_breaks_off_is_refused(compression: int) -> None:
    whole = packed(compression)
    for length in range(1, len(whole)):
        with pytest.raises(PlayerError):
            from_bytes("cards.zip", whole[:length])


def test_a_changed_byte_in_a_file_says_to_send_it_as_a_plain_archive() -> None:
    with pytest.raises(BadTextError) as refused:
        from_bytes("cards.zip", packed(zipfile.ZIP_STORED).replace(b"A-wing", b"B-wing"))
    assert refused.value.text == BROKEN


def test_a_file_in_an_archive_that_is_no_json_is_named() -> None:
    """Its refusal is no sign of a broken archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("pilots/tie.json", "{")
    with pytest.raises(BadInputError) as refused:
        from_bytes("cards.zip", written.getvalue())
    assert refused.value.field == "pilots/tie.json"


def test_too_much_is_refused_as_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_import, "MAX_BYTES", 100)
    with pytest.raises(BadTextError, match="Send less"):
        from_bytes("cards.zip", packed(zipfile.ZIP_DEFLATED, {"a.json": "a" * 101}))


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_is_stored_or_deflated(compression: int) -> None:
    """1,798 bytes of bzip2 hold 40 MB of JSON, and 1.1 GB as what is made of it."""
    with pytest.raises(BadTextError) as refused:
        from_bytes("cards.zip", packed(compression))
    assert refused.value.text == BROKEN


def never_unpacked(archive: bytes, monkeypatch: pytest.MonkeyPatch) -> str:
    """The sentence that refuses an archive, of which nothing may be unpacked."""
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(BadTextError) as refused:
        from_bytes("cards.zip", archive)
    return str(refused.value.text)


def test_what_packs_too_well_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = packed(zipfile.ZIP_DEFLATED, {"a.json": "a" * 1_000_000})
    assert len(archive) < 10_000
    assert never_unpacked(archive, monkeypatch) == BROKEN


def test_too_many_files_are_refused_before_they_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_import, "MAX_FILES", 3)
    archive = packed(zipfile.ZIP_STORED, {f"{at}.json": at for at in range(4)})
    assert never_unpacked(archive, monkeypatch) == "That's more than 3 files. Send fewer."


def test_too_much_in_all_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_import, "MAX_BYTES", 100)
    archive = packed(zipfile.ZIP_STORED, {"a.json": "a" * 60, "b.json": "b" * 60})
    assert "Send less" in never_unpacked(archive, monkeypatch)


def test_no_file_unpacks_to_more_than_the_archive_says() -> None:
    """The size that the directory tells is a lie: what is read ends there, and the sum does not fit."""
    content = b"a" * 1_000_000
    archive = bytearray(packed(zipfile.ZIP_DEFLATED, {"a.json": content.decode()}))
    said = (len(content) + 2).to_bytes(4, "little")  # as a JSON text it has quotation marks
    assert archive.count(said) == 2, "before the file, and in the directory"
    with pytest.raises(BadTextError) as refused:
        from_bytes("cards.zip", bytes(archive).replace(said, (50).to_bytes(4, "little")))
    assert refused.value.text == BROKEN


def test_a_card_that_becomes_a_weapon_or_is_none_any_more_is_a_difference() -> None:
    weapon = {"arc": "Front Arc", "value": 3}
    assert list(changes({"attack": weapon}, {})) == ["is now a weapon"]
    assert list(changes({}, {"attack": weapon})) == ["is no longer a weapon"]
    assert list(changes({"attack": weapon}, {"attack": weapon | {"value": 2}})) == ["attack dice 3, was 2"]
    assert list(changes({}, {})) == []
