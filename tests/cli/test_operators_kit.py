"""`leave` and `doctor --online`, with stand-ins for Discord and for the site that has the releases."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from aiohttp import web

from bot.cli import doctor
from bot.package_info import PackageInfo
from tests.ports import free_port
from tests.test_settings import TOKEN, run

SERVER: Final = "7"


def answer(data: Mapping[str, object], status: int = 200) -> web.Response:
    """Answer as Discord does: JSON whose type names no character set."""
    return web.Response(body=json.dumps(data).encode(), content_type="application/json", status=status)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[tuple[str, list[str]]]:
    """An address at which Discord and a site with releases answer, and the servers that were left."""
    left = list[str]()

    async def me(_: web.Request) -> web.Response:
        return answer({"id": "1", "username": "bot", "discriminator": "0", "avatar": None, "bot": True})

    async def leave(request: web.Request) -> web.Response:
        if request.match_info["guild"] != SERVER:
            return answer({"code": 10004, "message": "Unknown Guild"}, 404)
        left.append(request.match_info["guild"])
        return web.Response(status=204)

    async def latest(request: web.Request) -> web.Response:
        return answer({"tag_name": f"v{request.match_info['name']}"})

    site = web.Application()
    site.router.add_get("/users/@me", me)
    site.router.add_delete("/users/@me/guilds/{guild}", leave)
    site.router.add_get("/owner/{name}/releases/latest", latest)
    runner = web.AppRunner(site)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    yield f"http://127.0.0.1:{port}", left
    await runner.cleanup()


@pytest.mark.parametrize(("guild", "code"), [(SERVER, 0), ("8", 1)])
async def test_the_bot_leaves_a_server_or_says_that_it_is_in_none(
    tmp_path: Path, api: tuple[str, list[str]], guild: str, code: int
) -> None:
    url, left = api
    given = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": url, "LOG_LEVEL": "error"}
    ended = await asyncio.to_thread(run, tmp_path, "leave", guild, **given)
    assert (ended.returncode, left) == (code, [SERVER] if not code else []), ended.stderr
    assert len((ended.stdout + ended.stderr).splitlines()) == 1
    assert TOKEN not in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("newest", "ours", "state", "is_well"),
    [
        ("1.2.0", "1.2.0", "1.2.0 is the newest", True),
        ("1.9.0", "1.10.0", "1.10.0 is the newest", True),
        ("1.10.0", "1.9.0", "1.9.0; 1.10.0 exists", False),
    ],
)
async def test_the_doctor_asks_for_a_newer_release(
    api: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch, newest: str, ours: str, state: str, *, is_well: bool
) -> None:
    monkeypatch.setattr(doctor, "RELEASES", api[0])
    package = PackageInfo(ours, "MIT", f"https://github.com/owner/{newest}")
    monkeypatch.setattr("bot.package_info.read", lambda: package)
    finding = await doctor.release()
    assert (finding.state, finding.advice == "") == (state, is_well)


async def test_without_an_answer_the_newest_release_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "RELEASES", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setattr("bot.package_info.read", lambda: PackageInfo("1.0.0", "MIT", "https://github.com/owner/name"))
    finding = await doctor.release()
    assert finding.state.startswith("1.0.0; the newest is unknown")
    assert finding.advice == ""


def test_the_doctor_asks_nobody_unless_it_is_told_to(tmp_path: Path) -> None:
    assert "release:" not in run(tmp_path, "doctor", LOG_LEVEL="error").stdout
