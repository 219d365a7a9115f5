"""Random people do random things to a whole bot process; every one of them must be answered, and nothing may break.

A run comes from its seed. A fault names the seed, the number of the interaction and all that was sent, so that it can
be played again: by the seed as long as people came one at a time, by what was sent where they came at once.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from tests import books
from tests.wire import hostile
from tests.wire.acts import Actors
from tests.wire.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    DEFERRED,
    DEFERRED_UPDATE,
    MESSAGE,
    SUBMIT,
    UPDATE,
    Answer,
    Interaction,
)
from tests.wire.process import PATIENCE
from tests.wire.seen import Act
from tests.wire.wire import SEEDED, Wire, WireFaultError
from tests.wire.world import GUILD_ID, TEXT, USUAL_PERMISSIONS, VOICE, Channel, Person

ENV = {"LOG_LEVEL": "warning", "PERSON_LIMIT": "0", "WELCOME": "false"}
"""What the bot's environment says beside the wire's own; SEED is added."""

BURST = 0.06
AT_ONCE = (10, 20)
BOOKS_EVERY = 2500
MAX_FAULTS = 20

KINDS = {COMMAND: "command", COMPONENT: "press", AUTOCOMPLETE: "suggestion", SUBMIT: "form"}
PEOPLE = (
    Person(1100000000000000111, "@everyone **Eve** \u202e`x`", "0"),
    Person(1100000000000000112, "\u200b", USUAL_PERMISSIONS),
    Person(1100000000000000113, "😀" * 32, str(1 << 4)),
    Person(1100000000000000114, "a\x00b<@1100000000000000101>", "0"),
)
CHANNELS = (
    TEXT,
    VOICE,
    Channel(1100000000000000203, "a thread", 11),
    Channel(1100000000000000204, "another table"),
    Channel(1100000000000000205, "", 1),
    Channel(1100000000000000206, "a group", 3),
)
_LOG_FAULT = re.compile(r" (ERROR|CRITICAL) |Traceback|\bbug [0-9a-f]{6}\b")


@dataclass(slots=True)
class Figures:
    """What a run counts; ``seconds`` until each interaction was acknowledged."""

    kinds: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    warnings: Counter[str] = field(default_factory=Counter)

    def lines(self) -> Iterator[str]:
        """For people."""
        times = sorted(self.seconds)
        yield f"{len(times)} interactions: " + ", ".join(f"{kind} {many}" for kind, many in self.kinds.most_common())
        yield ", ".join(f"{many} {outcome}" for outcome, many in self.outcomes.most_common())
        shares = {f"p{share:g}": times[min(len(times) - 1, int(len(times) * share / 100))] for share in (50, 99, 99.9)}
        yield "acknowledged after: " + ", ".join(f"{name} {at * 1000:.0f} ms" for name, at in shares.items())
        yield f"the slowest: {times[-1] * 1000:.0f} ms"
        yield from (f"{many} times in the log: {line}" for line, many in self.warnings.most_common(5))


def watch(wire: Wire) -> books.Watch:
    """Looks at what is stored, whichever engine has it."""
    is_file = wire.database_url.startswith("sqlite")
    return books.Watch(wire.stored) if is_file else books.ServerWatch(wire.database_url)


class Fuzz:
    """One run on a wire. ``faults`` are sentences; there should be none."""

    def __init__(self, wire: Wire, seed: int) -> None:
        self.wire, self.seed, self.chance = wire, seed, Random(seed)
        self.figures, self.faults = Figures(), list[str]()
        self._read = self._done = 0

    async def run(self, count: int) -> None:
        """Start the bot and do ``count`` things or a few more; stop early when too much is wrong."""
        wire = self.wire
        wire.patience = 2 * PATIENCE
        wire.rest.files |= {f"{number}.json": text for number, text in enumerate(hostile.DOCUMENTS)}
        await wire.start_bot(SEEDED, ENV | {"SEED": str(self.seed)})
        await self.call(*wire.people[:2])
        files = tuple(wire.file(name) for name in wire.rest.files)
        often = wire.people[:2]
        commands = [item for item in wire.rest.commands.listed(None) if item["type"] == 1]  # menus have nothing to type
        people = (*wire.people, *PEOPLE, *often * 4)  # most of it happens between two
        self.actors = Actors(self.chance, commands, people, CHANNELS, files, wire.interactions.messages)
        self.watch = watch(wire)
        try:
            while self._done < count and len(self.faults) < MAX_FAULTS:
                before = self._done
                if self.chance.random() < BURST:
                    await self.burst()
                else:
                    await self.alone(self.actors.act())
                if before // BOOKS_EVERY != self._done // BOOKS_EVERY:
                    self.audit()
            self.audit()
        finally:
            self.watch.close()

    async def call(self, *people: Person) -> None:
        """Some sit in the call of the voice channel."""
        for person in people:
            state = {"user_id": str(person.id), "session_id": "call", "channel_id": str(VOICE.id), "guild_id": None}
            flags = dict.fromkeys(("deaf", "mute", "self_deaf", "self_mute", "self_video", "suppress"), False)
            member = {**person.member(), "user": person.user()}
            event = {**state, **flags, "guild_id": str(GUILD_ID), "member": member}
            await self.wire.gateway.dispatch("VOICE_STATE_UPDATE", event)

    async def alone(self, act: Act) -> None:
        """One thing, and nobody else does anything: what is refused must change nothing."""
        before = self.watch.look()
        answer = await self.do(act)
        if answer is not None and is_refusal(answer) and self.watch.look() != before:
            self.fault(act, f"it was refused and changed something all the same: {answer.text}")
        self.listen(act)

    async def burst(self) -> None:
        """Many things at once; half of the time everybody presses on the same card."""
        count = self.chance.randint(*AT_ONCE)
        messages = [item for item in list(self.actors.seen.messages)[-30:] if item.controls]
        if messages and self.chance.random() < 0.5:
            message = self.chance.choice(messages)
            acts = [self.actors.presses.press(message) for _ in range(count)]
        else:
            acts = [self.actors.act() for _ in range(count)]
        await asyncio.gather(*(self.do(act) for act in acts))
        self.listen(*acts)

    async def do(self, act: Act) -> Answer | None:
        """Do it, and judge how it was answered."""
        self._done += 1
        self.figures.kinds[KINDS[act.kind]] += 1
        message = None if act.message is None else self.wire.now(act.message)
        interaction = self.wire.interactions.open(act.kind, act.person, act.channel, message)
        sending = asyncio.ensure_future(self.wire.send(interaction, act.data))
        await asyncio.wait({sending}, timeout=PATIENCE)
        if not sending.done():
            sending.cancel()
            self.fault(act, f"nothing can be seen in answer to it (acknowledged: {interaction.acknowledged})")
            return None
        answer = sending.result()
        if act.must and answer.is_update and not is_refusal(answer):
            # A stale card is brought up to date first, then comes the sentence.
            answer = await self.whispered(interaction, answer)
        self.judge(act, interaction, answer)
        self.actors.seen.learn(act, answer.text, refused=is_refusal(answer))
        self.actors.seen.offered(act, answer)
        if answer.message is None or answer.message.controls or self.chance.random() < 0.1:
            self.actors.seen.show(act.person, answer)
        return answer

    async def whispered(self, interaction: Interaction, answer: Answer) -> Answer:
        """The words for one person alone that came after an answer, or the answer where none came."""
        try:
            message = await asyncio.wait_for(interaction.later.get(), PATIENCE)
        except TimeoutError:
            return answer
        return replace(answer, type=MESSAGE, message=message)

    def judge(self, act: Act, interaction: Interaction, answer: Answer) -> None:
        self.figures.seconds.append(interaction.acknowledged_after)
        refused = is_refusal(answer)
        self.figures.outcomes["refused" if refused else "answered"] += 1
        if "Something broke" in answer.text:
            self.fault(act, "something broke")
        if refused and not re.search(r"\w `?\w.*[.!?]", answer.text, re.DOTALL):
            self.fault(act, f"that is no sentence: {answer.text!r}")
        if act.must and not refused and not is_late_refusal(answer):
            self.fault(act, f"it was not refused, but {act.must}: {answer.text[:500]}")

    def listen(self, *acts: Act) -> None:
        """What the bot said in its log meanwhile, and what Discord would not have taken."""
        with (self.wire.folder / "bot.log").open(encoding="utf-8", errors="replace") as log:
            log.seek(self._read)
            said = log.read()
            self._read = log.tell()
        if _LOG_FAULT.search(said):
            self.fault(acts, f"the log says:\n{said[-3000:]}")
        for line in said.splitlines():
            if " WARNING " in line:
                self.figures.warnings[re.sub(r"\d+", "#", line.partition(" WARNING ")[2])[:120]] += 1
        refusals, self.wire.rest.refusals = self.wire.rest.refusals, []
        for refusal in refusals:
            self.fault(acts, refusal)

    def audit(self) -> None:
        """The books, and every body that was sent, by Discord's own description."""
        when = f"seed {self.seed}, after {self._done}"
        self.faults += [f"{when}: {said}" for said in books.wrong(self.wire.stored)]
        try:
            self.wire.check()
        except WireFaultError as wrong:
            self.faults.append(f"{when}: {str(wrong)[:3000]}")

    def fault(self, acts: Act | tuple[Act, ...], said: str) -> None:
        told = "\n".join(line(act) for act in ((acts,) if isinstance(acts, Act) else acts))
        self.faults.append(f"seed {self.seed}, interaction {self._done}: {said}\n{told}")


def line(act: Act) -> str:
    """All that was sent, in a line."""
    where = f"{act.channel.id} ({act.channel.type})"
    return f"  {act.person.id} in {where} sent a {KINDS[act.kind]}: {json.dumps(act.data)[:1500]}"


def is_refusal(answer: Answer) -> bool:
    """New words for one person alone; what was asked for comes as an embed, a form, a file, a question or an update."""
    message = answer.message
    if message is None or not message.ephemeral or answer.type == UPDATE:
        return False
    return not (message.embeds or message.attachments or message.controls)


def is_late_refusal(answer: Answer) -> bool:
    """A refusal in place of a command's answer that had been begun in public already."""
    return answer.type in (DEFERRED, DEFERRED_UPDATE) and answer.message is not None and not answer.message.embeds
