"""What turns a line around or mentions a role comes in by every door for text, and leaves by no exit.

Doors: each text option of each command, suggestions, forms, army data and squads. Exits: each request to Discord with
its files, each address of the pages, each answer to a frame; the addresses are listed by the router itself.
"""

import json
import re
from typing import Any, Final, cast

import aiohttp
import pytest
import simcord

from bot.rules.name import clean
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.ui.core.odds_link import fragment
from bot.ui.live.replay import AnnotatedMatch, json_of, page_of
from bot.web.activity import ACTS, Activity
from bot.web.live_pages import LivePages, serve
from tests.cogs.test_activity_leaks import Door
from tests.cogs.test_cost import FULL, Falling, leaves, text_options, value_for
from tests.cogs.test_hidden_army import CAPTAIN, GRUNT, KUNAI, SCOUT, army, question
from tests.cogs.test_infinity_markers import write_secrets
from tests.cogs.test_infinity_turn import BOS
from tests.cogs.test_secret_leaks import opened
from tests.conftest import Club, Dice
from tests.rules.infinity.test_army import code

BAD: Final = "\u202e<@&1>"
TURNS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066\u2067]|(?<!\\\\)<@&1>(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)")
"""Signs that turn a line, and a mention of a role that Markdown would read: none inside backticks."""
LISTS: Final = ("table show", "table history", "infinity profile list", "saved list", "ruleset show", "table recap")


@pytest.fixture
def dice() -> Dice:
    return Falling()


def texts_of(found: Any) -> list[str]:
    """Every text in something of JSON."""
    if isinstance(found, str):
        return [found]
    if isinstance(found, dict):
        return [text for pair in found.items() for one in pair for text in texts_of(one)]
    return [text for one in found for text in texts_of(one)] if isinstance(found, list | tuple) else []


async def fill_by_every_door(club: Club, admin: simcord.MemberActor) -> None:
    """Type it into every text option, where it may be the text, its beginning or a name."""
    data = army()
    for name in ("GRUNT", "Combi Rifle"):
        data = data.replace(json.dumps(name).encode(), json.dumps(f"{name}{BAD}").encode())
    options: dict[str, Any] = {"code": code(GRUNT, CAPTAIN, KUNAI, SCOUT), "file": ("army.json", data)}
    answer = await club.ana.slash(club.channel, "infinity profile import", **options)
    await club.ana.click(question(answer), label="Ready")
    await club.bo.slash(club.channel, "infinity profile set", name=f"Hector{BAD}", stats=BOS["Hector"])
    await club.bo.slash(club.channel, "table show")
    await write_secrets(club, club.bo, str(clean(f"Hector{BAD}")), f"behind {BAD} the wall")
    for path, _, given in FULL.values():
        await admin.slash(club.channel, path, name=f"Z{BAD}", **given)
    squad = {"faction": "rebelalliance", "name": f"Red{BAD}", "pilots": [{"id": "lukeskywalker", "name": BAD}]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(squad), side="first")
    for command in leaves(club):
        needed = {one.display_name: value_for(club, one) for one in command.parameters if one.required}
        for option in text_options(command):
            await admin.slash(club.channel, command.qualified_name, **{**needed, option.display_name: f"Z{BAD}"})
            if option.autocomplete:
                await admin.autocomplete(club.channel, command.qualified_name, option.display_name, BAD)


def shown_by_pages() -> set[str]:
    """The addresses of the pages that show what people typed."""
    pages = LivePages.__new__(LivePages)
    pages._app = cast("App", None)
    site = pages.routes()
    every = {one.resource.canonical for one in site.router.routes() if one.resource is not None}
    return {one for one in every if not re.search(r"verify|favicon|/die/|[.]woff2$|/terms|/privacy|/status", one)}


def test_the_exits_of_the_pages_are_known() -> None:
    assert shown_by_pages() == {"/{shard}/{token}", "/{shard}/{token}/live", "/odds/{fragment}"}
    assert {*ACTS} == {"plan", "ready", "advice", "table"}, "what a frame may choose is answered with what is its own"


async def test_nothing_that_turns_a_line_leaves_by_any_exit(club: Club, admin: simcord.MemberActor) -> None:
    app = club.env.bot
    assert isinstance(app, App)
    await fill_by_every_door(club, admin)
    commands = {one.qualified_name for one in leaves(club)}
    answers = [await admin.slash(club.channel, line) for line in LISTS if line in commands]
    answers += [await one.slash(club.channel, "privacy export") for one in (club.ana, admin)]
    heard = (await opened(club)).text.splitlines()
    for told in (told for one in answers for told in (one.response, *one.followups)):
        heard += [(await file.read()).decode(errors="replace") for file in getattr(told, "attachments", [])]
    match = await app.matches.replay(Place(club.channel.id, club.guild.id), 1)
    heard += [one.decode() for one in (page_of(AnnotatedMatch(match, {})), json_of(AnnotatedMatch(match, {})))]
    activity = Activity(app, Door(club))
    async with aiohttp.ClientSession() as http, serve(app, "127.0.0.1", 0, also=activity.add_to) as base:
        for who in (club.ana, club.bo):
            async with http.post(f"{base}/0/call/join", json={"code": str(who.id), "instance": "i-1"}) as answer:
                assert answer.status == 200
                heard += texts_of(await answer.json())
        app.site_url = "https://odds.example.org/"
        question = fragment("dice", {}, [{"dice": f'1d20 "Z{BAD}"'}])
        async with http.get(f"{base}/odds/{question}", allow_redirects=False) as answer:
            heard.append(await answer.text())
            assert "1d20" in heard[-1]
    sent = [text for one in club.env.http_requests if not one.path.endswith("/commands") for text in texts_of(one.json)]
    assert len(sent) > 500
    assert any("‹@&1>" in one or "\\<@&1>" in one for one in sent), "what was typed is there, cleaned"
    found = [one[max(0, at.start() - 60) : at.end() + 30] for one in (*sent, *heard) for at in TURNS.finditer(one)]
    assert "\n".join(map(repr, dict.fromkeys(found))) == ""
