"""Whoever sets the bot up wrongly reads one sentence that names the variable, and no secret is ever repeated."""

import os
import subprocess
from pathlib import Path

import pytest

from bot import settings
from bot.settings import Settings, SettingsError
from tests.wire import forks

ROOT = Path(__file__).parents[1]
TOKEN = "MTIzNDU2.secret.do-not-show"  # noqa: S105 - it opens nothing
NOWHERE = "http://127.0.0.1:9"
SQLITE: str = Settings.model_fields["database_url"].default


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """``python -m bot`` in an empty folder, with nothing in its environment but what is given."""
    clean = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment = clean | {"PYTHONPATH": str(ROOT)} | variables
    return forks.run(["bot", *arguments], environment, folder)


def assert_one_sentence(ended: subprocess.CompletedProcess[str], variable: str) -> None:
    assert ended.returncode == 2
    assert ended.stdout == ""
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith(f"{variable} ")


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No variable of ours is set, and there is no `.env`."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# The process


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({}, "DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": TOKEN, "TEST_GUILD": "my server"}, "TEST_GUILD"),
        ({"DISCORD_TOKEN": f"{TOKEN} {TOKEN}"}, "DISCORD_TOKEN"),
    ],
)
def test_a_wrong_setting_is_one_sentence_and_exit_code_2(tmp_path: Path, variables: dict[str, str], named: str) -> None:
    ended = run(tmp_path, "run", **variables)
    assert_one_sentence(ended, named)
    assert TOKEN not in ended.stderr
    assert list(tmp_path.iterdir()) == [], "nothing was made"


def test_an_address_of_no_database_is_one_sentence_too(tmp_path: Path) -> None:
    ended = run(tmp_path, "migrate", DATABASE_URL="mysql://me:hunter2@host/rolls")
    assert_one_sentence(ended, "DATABASE_URL")
    assert "hunter2" not in ended.stderr


def test_the_token_is_in_no_log_however_much_is_logged(tmp_path: Path) -> None:
    ended = run(tmp_path, "run", DISCORD_TOKEN=TOKEN, DISCORD_API_URL=NOWHERE, LOG_LEVEL="debug")
    assert ended.returncode == 1
    assert "Discord cannot be reached" in ended.stderr
    assert "DISCORD_API_URL" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert TOKEN not in ended.stderr + ended.stdout
    assert len(ended.stderr.splitlines()) > 1, "there was a log"


# Each variable


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_LEVEL", "loud"),
        ("LOG_LEVEL", "3"),
        ("TEST_GUILD", "abc"),
        ("TEST_GUILD", "12.5"),
        ("TEST_GUILD", "-7"),
        ("TEST_GUILD", "0"),
        ("DISCORD_API_URL", "nonsense"),
        ("DISCORD_API_URL", "ftp://discord.com/api"),
    ],
)
def test_a_malformed_variable_is_named(clean: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        settings.read()
    assert str(caught.value).startswith(f"{name} is not valid: set it to ")
    assert value not in str(caught.value).split(":", 1)[0]


@pytest.mark.parametrize("value", ["", "   ", "\t\n"])
def test_an_empty_token_is_none(clean: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", value)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN is not set: "):
        settings.token(settings.read())


@pytest.mark.parametrize("value", ["two words", "tokén", "line\nbreak"])
def test_a_token_that_cannot_be_one_is_refused_before_discord_is_asked(
    clean: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", value)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN is not valid: ") as caught:
        settings.token(settings.read())
    assert value not in str(caught.value)


def test_a_value_in_the_wrong_variable_is_not_repeated(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_GUILD", TOKEN)
    with pytest.raises(SettingsError) as caught:
        settings.read()
    assert TOKEN not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_the_token_hides_in_every_form_of_the_settings(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f"  {TOKEN}\n")
    read = settings.read()
    assert TOKEN not in f"{read!r} {read} {read.model_dump()} {read.model_dump_json()}"
    assert settings.token(read) == TOKEN


def test_words_may_be_in_capitals_and_empty_variables_count_as_left_out(
    clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("TEST_GUILD", "")
    read = settings.read()
    assert read.log_level == "debug"
    assert read.test_guild is None


# The shards of several processes

SERVER = "postgresql+asyncpg://me@host/rolls"


def shards_of(monkeypatch: pytest.MonkeyPatch, host: str = "", **variables: str) -> settings.Shards | None:
    for name, value in {"DATABASE_URL": SERVER, **variables}.items():
        monkeypatch.setenv(name, value)
    return settings.shards(settings.read(), host)


@pytest.mark.parametrize(
    ("variables", "ids"),
    [
        ({"SHARD_COUNT": "3"}, (0, 1, 2)),
        ({"SHARD_COUNT": "8", "SHARD_IDS": "4-6"}, (4, 5, 6)),
        ({"SHARD_COUNT": "8", "SHARD_IDS": " 7, 0-1,3 ,3"}, (0, 1, 3, 7)),
        ({"SHARD_COUNT": "8", "PROCESSES": "1", "SHARD_IDS": "2"}, (2,)),
    ],
)
def test_a_process_has_the_shards_that_it_is_given(
    clean: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], ids: tuple[int, ...]
) -> None:
    shards = shards_of(monkeypatch, **variables)
    assert shards == (int(variables["SHARD_COUNT"]), ids)


def test_without_a_count_discord_says_how_many_there_are(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shards_of(monkeypatch) is None


@pytest.mark.parametrize(("count", "processes"), [(1, 1), (4, 2), (7, 3), (5, 5), (41, 12)])
def test_processes_with_numbers_share_all_shards_in_equal_parts(
    clean: Path, monkeypatch: pytest.MonkeyPatch, count: int, processes: int
) -> None:
    variables = {"SHARD_COUNT": str(count), "PROCESSES": str(processes)}
    parts = [shards_of(monkeypatch, f"rollcall-{number}.dice.example", **variables) for number in range(processes)]
    ids = [part.ids for part in parts if part is not None]
    assert [item for part in ids for item in part] == list(range(count))
    assert max(map(len, ids)) - min(map(len, ids)) <= 1


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"SHARD_IDS": "0-1"}, "SHARD_COUNT is not set, and SHARD_IDS needs it: "),
        ({"PROCESSES": "2"}, "SHARD_COUNT is not set, and PROCESSES needs it: "),
        ({"SHARD_COUNT": "4", "SHARD_IDS": "3-4"}, "SHARD_IDS names a shard that there is not: "),
        ({"SHARD_COUNT": "4", "SHARD_IDS": "3-2"}, "SHARD_IDS is not valid: "),
        ({"SHARD_COUNT": "4", "SHARD_IDS": "one"}, "SHARD_IDS is not valid: "),
        ({"SHARD_COUNT": "4", "SHARD_IDS": "1-2-3"}, "SHARD_IDS is not valid: "),
        ({"SHARD_COUNT": "0"}, "SHARD_COUNT is not valid: "),
        ({"SHARD_COUNT": "4", "PROCESSES": "0"}, "PROCESSES is not valid: "),
        ({"SHARD_COUNT": "4", "PROCESSES": "5"}, "PROCESSES is more than SHARD_COUNT: "),
        (
            {"SHARD_COUNT": "4", "PROCESSES": "2", "SHARD_IDS": "0"},
            "SHARD_IDS cannot be set together with PROCESSES: ",
        ),
        (
            {"SHARD_COUNT": "4", "PROCESSES": "2"},
            "PROCESSES is 2, and the host name does not end in a number below that: ",
        ),
        (
            {"SHARD_COUNT": "4", "SHARD_IDS": "0-1", "DATABASE_URL": SQLITE},
            "SHARD_IDS is for several processes, and they need PostgreSQL (DATABASE_URL): ",
        ),
    ],
)
@pytest.mark.parametrize("host", ["rollcall", "rollcall-2", "rollcall-0a", "table.example-1"])
def test_shards_that_make_no_sense_are_one_sentence(
    clean: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], sentence: str, host: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        shards_of(monkeypatch, host, **variables)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")


def test_a_file_serves_a_process_that_has_all_shards(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shards = shards_of(
        monkeypatch, SHARD_COUNT="2", SHARD_IDS="0,1", DATABASE_URL=Settings.model_fields["database_url"].default
    )
    assert shards == (2, (0, 1))


def test_a_process_that_cannot_know_its_shards_does_not_start(tmp_path: Path) -> None:
    ended = run(tmp_path, "run", DISCORD_TOKEN=TOKEN, SHARD_IDS="0-3")
    assert_one_sentence(ended, "SHARD_COUNT")


# The file .env


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_beside_the_bot_is_read(clean: Path, encoding: str) -> None:
    (clean / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding=encoding)
    assert settings.token(settings.read()) == TOKEN


def test_a_variable_beats_the_file(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clean / ".env").write_text("LOG_LEVEL=error\nSOMETHING_ELSE=1\n", encoding="utf-8")
    monkeypatch.setenv("LOG_LEVEL", "warning")
    assert settings.read().log_level == "warning"


def test_a_file_in_another_encoding_is_told(clean: Path) -> None:
    (clean / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-16")
    with pytest.raises(SettingsError, match=r"^\.env cannot be read: "):
        settings.read()


# Public pages


def test_there_are_no_public_pages_unless_somebody_wants_them(clean: Path) -> None:
    assert settings.public_pages(settings.read()) is None


def test_public_pages_need_an_address_and_a_port(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBLIC_URL", "https://dice.example.org 8770")
    assert settings.public_pages(settings.read()) == ("https://dice.example.org/", "127.0.0.1", 8770)
    for wrong in (
        "https://dice.example.org",
        "dice 8770",
        "https://dice.example.org 0",
        "https://dice.example.org 70000",
    ):
        monkeypatch.setenv("PUBLIC_URL", wrong)
        with pytest.raises(SettingsError, match="PUBLIC_URL is not valid: set it to the public address"):
            settings.read()
