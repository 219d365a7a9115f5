"""Several processes of one bot: they share its shards, take each other's place, and die under the players' hands."""

import asyncio
import os
import time
from random import Random

import pytest

from tests import books
from tests.ports import free_port
from tests.wire.interactions import Answer
from tests.wire.load import OUT_OF_DATE, Player, Seen, channels, together
from tests.wire.messages import Message
from tests.wire.pair import IN_ONE_LOOP, Pair, kept
from tests.wire.process import BotProcess, until
from tests.wire.test_operations import is_ready
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import GUILD_ID, Channel, Person, snowflake

SEED = int(os.environ.get("SEED", "1"))
KILLS = int(os.environ.get("KILLS", "200"))
DEPLOYS = int(os.environ.get("DEPLOYS", "10"))


async def start(wire: Wire) -> BotProcess:
    """Start a process with all shards, and wait until it is ready."""
    port = free_port()
    bot = await wire.start_bot(PATIENT, {"OPERATIONS_PORT": str(port)})
    await is_ready(port)
    return bot


def in_order(wire: Wire, seen: Seen, *, whole: bool = True) -> None:
    """Nothing that somebody saw is lost, nothing is doubled, and where all is answered nothing else happened.

    Discord was never asked too much.
    """
    assert wire.rest.limit.refused == 0
    assert len(wire.rest.limit.counted) > 0
    kept = [number for (number,) in wire.rows("SELECT id FROM session")]
    plies = wire.rows("SELECT session_id, number FROM ply")
    assert len(set(seen.cards)) == len(seen.cards), "no roll is on two cards"
    assert set(seen.cards) <= set(kept)
    assert len(set(plies)) == len(plies) >= len(seen.cards) + seen.presses
    if whole:
        assert sorted(seen.cards) == sorted(kept)
        assert len(plies) == len(seen.cards) + seen.presses
    assert books.wrong(wire.stored) == []


async def show_boards(wire: Wire, players: list[Player]) -> None:
    """Each of them has a board, which changes with every roll: requests that count against Discord's limit."""
    for player in players:
        assert (await wire.slash(player.person, player.places[0], "table show")).shown.embeds


def report(what: str, seen: Seen, lasted: float) -> None:
    seconds = sorted(seen.seconds)
    median, slowest = seconds[len(seconds) // 2] * 1000, seconds[-1] * 1000
    rate = f"{len(seconds)} answers, {len(seconds) / lasted:.0f} a second"
    times = f"median {median:.0f} ms, slowest {slowest:.0f} ms"
    print(f"\n{what}: {rate}, {times}, {len(seen.refusals)} refusals, unanswered {dict(seen.unanswered)}")  # noqa: T201 - the figures


# Shards


async def test_two_processes_share_the_shards_and_register_once(rolls: str) -> None:
    async with Wire(database_url=rolls, shards=2) as wire:
        wire.rest.emojis.clear()
        bots = [
            await wire.start_bot(PATIENT, {"SHARD_COUNT": "2", "SHARD_IDS": str(number)}, shards=1)
            for number in range(2)
        ]
        assert wire.gateway.identified == [(0, 2), (1, 2)]
        await until(lambda: wire.rest.emojis != {})
        ana, *_ = wire.people
        assert (await wire.slash(ana, wire.channel, "xwing roll", red=2)).shown
        puts = [item for item in wire.rest.sent if item.method == "PUT" and item.path.endswith("/commands")]
        assert len(puts) == 1
        await bots[0].logged("emoji of dice:", 2)
        names = [item["name"] for item in wire.rest.emojis.values()]
        assert len(names) == len(set(names))
        for bot in bots:
            assert await bot.terminate() == 0


# One process takes the place of another


async def deploy(wire: Wire, players: list[Player], before: int, after: int) -> Seen:
    """A second process takes the shards beside the first, under load; then the first is told to stop."""

    def answers() -> int:
        return sum(len(player.seen.answers) for player in players)

    old, stop, before = await start(wire), asyncio.Event(), answers() + before
    await show_boards(wire, players)
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    try:
        await until(lambda: answers() >= before)
        new = await start(wire)
        overlap = answers()
        await until(lambda: answers() >= overlap + after)
        assert await old.terminate() == 0
        alone = answers()
        await until(lambda: answers() >= alone + after)
        assert new.running
    finally:
        stop.set()
        await asyncio.gather(*playing)
    assert await new.terminate() == 0
    assert "Traceback" not in new.log()
    return together(players)


async def test_a_new_process_takes_over_and_nobody_notices(shared: Wire) -> None:
    seen = await deploy(shared, [Player(shared, number, SEED) for number in range(4)], before=20, after=40)
    assert seen.refusals == []
    in_order(shared, seen)


@pytest.mark.long
async def test_deploy_after_deploy_under_all_the_load_there_can_be(rolls: str) -> None:
    """``python -m pytest -m long tests/wire/test_processes.py -s`` prints the figures."""
    async with Wire(database_url=rolls, record=False) as wire:
        players, begun = [Player(wire, number, SEED) for number in range(16)], time.perf_counter()
        for _ in range(DEPLOYS):
            seen = await deploy(wire, players, before=0, after=500)
        lasted = time.perf_counter() - begun
        report(f"{DEPLOYS} deploys", seen, lasted)
        assert seen.refusals == []
        in_order(wire, seen)


# Processes that die


async def killed_under_load(wire: Wire, players: list[Player], kills: int, answers: int) -> Seen:
    """One of two processes with the same shards is killed and started again, again and again."""
    chance, deaths = Random(SEED), list[int]()
    bots, stop = [await start(wire), await start(wire)], asyncio.Event()
    await show_boards(wire, players)
    for player in players:
        player.deaths = deaths
    playing = [asyncio.create_task(player.play(stop)) for player in players]
    try:
        for _ in range(kills):
            before = sum(len(player.seen.answers) for player in players)
            await until(lambda: sum(len(player.seen.answers) for player in players) >= before + answers)  # noqa: B023 - it waits here
            await asyncio.sleep(chance.random() / 10)
            place = chance.randrange(2)
            await bots[place].kill()
            deaths.append(bots[place].pid)
            bots[place] = await start(wire)
    finally:
        stop.set()
        await asyncio.gather(*playing)
    assert "Traceback" not in bots[0].log()
    return together(players)


async def test_when_one_of_two_processes_dies_the_other_plays_on(shared: Wire) -> None:
    seen = await killed_under_load(shared, [Player(shared, number, SEED) for number in range(3)], 2, 10)
    assert all(OUT_OF_DATE in refusal for refusal in seen.refusals), "a press that counted, and that nobody saw"
    in_order(shared, seen, whole=not seen.unanswered)


@pytest.mark.long
async def test_one_of_two_processes_is_killed_again_and_again(rolls: str) -> None:
    """``KILLS=200 SEED=1 python -m pytest -m long tests/wire/test_processes.py -s`` prints the figures."""
    async with Wire(database_url=rolls, record=False) as wire:
        players, begun = (
            [Player(wire, number, SEED, channels(20 * number, 20)) for number in range(4)],
            time.perf_counter(),
        )
        seen = await killed_under_load(wire, players, KILLS, 10)
        report(f"{KILLS} kills", seen, time.perf_counter() - begun)
        assert all(OUT_OF_DATE in refusal for refusal in seen.refusals)
        in_order(wire, seen, whole=not seen.unanswered)


# What one of them did, the other knows


@IN_ONE_LOOP
async def test_a_board_is_kept_up_to_date_by_whoever_answers(pair: Pair) -> None:
    wire, (ana, *_) = pair.wire, pair.wire.people
    here = Channel(snowflake(), "boards")

    async def add(by: int, name: str) -> None:
        answer = await pair.by(by, lambda: wire.slash(ana, here, "xwing ship add", name=name, attack=3, hull=3))
        assert f"{name} joins the table." in answer.text

    async def show(by: int) -> Message:
        shown = (await pair.by(by, lambda: wire.slash(ana, here, "table show"))).shown
        await until(lambda: kept(wire, "board") == [(shown.id,)])  # it is noted after the answer
        return shown

    board = await show(0)
    await add(1, "Luke")
    await until(lambda: "Luke" in wire.now(board).text)
    await add(0, "Vader")
    await until(lambda: "Vader" in wire.now(board).text)
    newer = await show(1)
    await until(lambda: "replaced" in wire.now(board).text)
    await add(0, "Wedge")
    await until(lambda: "Wedge" in wire.now(newer).text)
    await add(1, "Biggs")
    await until(lambda: "Biggs" in wire.now(newer).text)
    assert wire.now(board).text.startswith("This board was replaced"), "nobody has edited the old one since"
    assert wire.now(board).embeds == ()
    focused = await pair.by(0, lambda: wire.press(ana, wire.now(newer), "Focus"))
    assert focused.is_update, focused.text


@IN_ONE_LOOP
async def test_a_form_and_a_request_go_on_in_the_other_process(pair: Pair) -> None:
    wire, (_, ben, cleo, _) = pair.wire, pair.wire.people
    here = Channel(snowflake(), "forms")
    card = (await pair.by(0, lambda: wire.slash(ben, here, "xwing attack", dice=3))).shown
    form = (await pair.by(1, lambda: wire.press(cleo, card, "Defend: enter your tokens"))).modal
    brought = await pair.by(0, lambda: wire.submit(cleo, form, {"agility": "2", "tokens": ""}))
    assert brought.is_update, brought.text
    asked = await pair.by(1, lambda: wire.slash(ben, here, "table undo"))
    assert "asks to take back" in asked.text
    allowed = await pair.by(0, lambda: wire.press(cleo, asked.shown, "Allow"))
    assert "allows it" in allowed.text
    assert books.wrong(wire.stored) == []


@IN_ONE_LOOP
async def test_a_turn_order_is_kept_up_to_date_by_whoever_answers(pair: Pair) -> None:
    wire, (ana, ben, *_) = pair.wire, pair.wire.people
    here = Channel(snowflake(), "turns")

    async def joins(by: int, who: Person, roll: str) -> Answer:
        return await pair.by(by, lambda: wire.slash(who, here, "initiative join", roll=roll))

    first = (await pair.by(0, lambda: wire.slash(ana, here, "initiative start"))).shown
    await until(lambda: kept(wire, "turns") == [(first.id,)])  # it is noted after the answer
    assert "The list is in a new message" not in (await joins(1, ana, "17")).text
    assert "The list is in a new message" not in (await joins(0, ben, "12")).text
    await until(lambda: "1: Ana, 17\n2: Ben, 12" in wire.now(first).text)
    sent = [message for message in wire.interactions.messages.values() if message.channel == here]
    assert len(sent) == 3, "the list, and what Ana and Ben alone have read"

    turn = await pair.by(0, lambda: wire.press(ana, wire.now(first), "Next"))
    assert "it's Ana's turn" in turn.text
    pressed = turn.shown.control("Next").custom_id  # the other process may draw the list of a moment before once more
    assert "it's Ben's turn" in (await pair.by(1, lambda: wire.press(ana, turn.shown, "Next"))).text
    late = await pair.by(0, lambda: wire.click(ana, wire.now(first), pressed))
    assert "That turn is already over. The list is up to date now." in late.text
    await until(lambda: "it's Ben's turn" in wire.now(first).text)

    newer = (await pair.by(1, lambda: wire.slash(ana, here, "initiative show"))).shown
    await until(lambda: "This list was replaced" in wire.now(first).text)
    again = await pair.by(0, lambda: wire.press(ben, wire.now(newer), "Next"))
    assert "Round 2: it's Ana's turn" in again.text
    old = await pair.by(0, lambda: wire.click(ben, wire.now(first), pressed))
    assert old.is_update
    assert (
        old.text
        == f"This list was replaced. [Go to the new one](https://discord.com/channels/{GUILD_ID}/{here.id}/{newer.id})"
    )

    back = await pair.by(1, lambda: wire.slash(ben, here, "table undo"))
    assert "takes back" in back.text
    await until(lambda: "Round 1: it's Ben's turn" in wire.now(newer).text)
    ended = await pair.by(0, lambda: wire.slash(ana, here, "initiative end"))
    assert "The turn order is over." in ended.text
    await until(lambda: "This turn order is over." in wire.now(newer).text)
    assert "This list was replaced" in wire.now(first).text, "nobody has edited it since"
    assert books.wrong(wire.stored) == []
