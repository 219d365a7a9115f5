"""The links that install the bot: whose they are, and what they ask for."""

import base64
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.discord_api import invite_links
from tests.test_settings import ROOT, run

ID = 123456789012345678
TOKEN = f"{base64.b64encode(str(ID).encode()).decode().rstrip('=')}.GxYzAb.something"


def words(link: str) -> dict[str, list[str]]:
    assert link.startswith("https://discord.com/oauth2/authorize?")
    return parse_qs(urlsplit(link).query)


def test_a_server_gives_the_permissions_that_the_bot_needs_and_no_others() -> None:
    link = words(invite_links.server_link(ID))
    assert (link["client_id"], link["integration_type"]) == ([str(ID)], ["0"])
    assert link["scope"] == ["bot applications.commands"]
    asked = {name for name, given in discord.Permissions(int(link["permissions"][0])) if given}
    assert asked == {"read_messages", "send_messages", "send_messages_in_threads", "embed_links", "attach_files"}


def test_a_person_gives_commands_only() -> None:
    link = words(invite_links.user_link(ID))
    assert link == {"client_id": [str(ID)], "integration_type": ["1"], "scope": ["applications.commands"]}


def test_the_permissions_have_discords_bits() -> None:
    for permission in invite_links.Permission:
        assert getattr(discord.Permissions(int(permission)), str(permission.name))


@pytest.mark.parametrize(
    ("token", "number"), [(TOKEN, ID), ("", None), ("no token", None), ("é", None), ("bm9ib2R5.a.b", None)]
)
def test_a_token_begins_with_the_application(token: str, number: int | None) -> None:
    assert invite_links.application_of(token) == number


def test_invite_prints_both_links(tmp_path: Path) -> None:
    ended = run(tmp_path, "invite", DISCORD_TOKEN=TOKEN)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == list(invite_links.lines(ID))
    assert run(tmp_path, "invite", "--client-id", "42").stdout.count("client_id=42&") == 2


@pytest.mark.parametrize("token", ["", "not-a-token"])
def test_without_an_application_invite_says_what_to_do(tmp_path: Path, token: str) -> None:
    ended = run(tmp_path, "invite", DISCORD_TOKEN=token)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "invite --client-id ID" in ended.stderr


def test_the_page_for_hosts_asks_for_the_permissions_of_the_link() -> None:
    titles = {"View Channel": "View Channels"}
    for page in ("README.md", "docs/listing.md"):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        for permission in invite_links.Permission:
            title = str(permission.name).replace("_", " ").title().replace(" In ", " in ")
            assert f"*{titles.get(title, title)}*" in text, title
