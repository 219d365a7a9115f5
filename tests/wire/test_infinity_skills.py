"""Two Player Turns of Infinity over the wire with a bot that is killed under people's hands: Forward Observer, smoke, a
MediKit, a Combat Jump, and a trooper in Hidden Deployment, against a book that counts from the faces that fell.
"""

import json
from typing import Any, Final

from tests import books
from tests.wire.messages import Message
from tests.wire.test_infinity_game import Faces, Game
from tests.wire.wire import Wire

COMBI: Final = "Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"
USUAL: Final = f"BS 12, PH 11, WIP 13, ARM 1, BTS 0, W 1, {COMBI}"
ANAS: Final = {
    "Ada": f"{USUAL}, Forward Observer",
    "Smo": f"{USUAL}, Smoke Grenades: B1 PH Smoke template 0@8 -3@16",
    "Med": f"{USUAL}, MediKit",
    "Hurt": USUAL,
}
HIDDEN: Final = {"1-1": f"JUMPER: {USUAL}, Combat Jump", "1-2": f"KUNAI: {USUAL}, Hidden Deployment"}
WIP, PH, SHOOTS, SAVES = 13, 11, 15, 8
ROLL: Final = "No more AROs: roll the dice"


class Skirmish(Game):
    async def all_rounds(self) -> None:
        for name, stats in ANAS.items():
            await self.type("Ana", "infinity profile set", name=name, stats=stats)
        await self.type("Ben", "infinity profile set", name="Hector", stats=USUAL)
        await self.type("Ana", "infinity profile state", name="Hurt", lost=1)
        await self.write_secrets()
        await self.begin("Ana")
        assert self.pool() == (3, 3), "who is hidden, off the table or Unconscious gives no order"
        await self.anas_turn()
        await self.pick("Ana", "end")
        assert self.piece("*turn*").get("smoke", []) == [], "smoke ends with the States Phase"
        await self.begin("Ben")
        await self.bens_turn()
        await self.pick("Ben", "end")

    # What is stored, as the book asks for it

    def piece(self, name: str) -> dict[str, Any]:
        rows = {key: json.loads(body) for key, body in self.wire.rows("SELECT name, body FROM piece")}
        return dict(rows.get(name, {}))

    def states(self, name: str) -> set[str]:
        return set(self.piece(name).get("states", ()))

    def pool(self) -> tuple[int, int]:
        (pool,) = self.piece("*turn*")["pools"]
        return pool["left"], pool["of"]

    # Acts

    async def begin(self, owner: str) -> None:
        person, board = self.people[owner], await self.board()
        form = (await self.wire.press(person, board, "Start turn")).modal
        await self.act("start", lambda: self.wire.submit(person, form, {"leads": ["yes"], "retreats": ["no"]}))

    async def write_secrets(self) -> None:
        """Who is hidden, told to the bot alone; others see that there is a list."""
        ana, board = self.people["Ana"], await self.board()
        more = next(one for one in board.controls if any(value == "secrets" for _, value in one.options))
        shown = (await self.wire.click(ana, board, more.custom_id, values=["secrets"])).shown
        form = (await self.wire.press(ana, shown, "Choose 1 to 5")).modal
        keys = [entry.custom_id for entry in form.entries]
        lines = dict(zip(keys[1:], HIDDEN.values(), strict=False))
        await self.wire.submit(ana, form, {keys[0]: ["Ada"], **lines})
        await self.wire.press(ana, self.wire.now(shown), "Ready")
        assert not {"JUMPER", "KUNAI"} & {name for (name,) in self.wire.rows("SELECT name FROM piece")}

    async def opened(self, owner: str, text: str) -> Message:
        """An order that is declared; one that counted while nobody saw it is taken back and declared again."""
        person = self.people[owner]
        while True:
            answer = await self.act(
                text, lambda: self.wire.slash(person, self.wire.channel, "infinity order", text=text), again=False
            )
            if answer is not None:
                return answer.shown
            await self.wire.slash(person, self.wire.channel, "table undo")

    async def rolled(self, owner: str, foe: str, text: str) -> tuple[Message, Faces]:
        card = await self.opened(owner, text)
        return card, await self.press(self.people[foe], card, ROLL)

    async def anas_turn(self) -> None:
        ana = self.people["Ana"]
        _, fell = await self.rolled("Ana", "Ben", "Ada forward observer at 20 vs Hector")
        assert len(fell) == 2
        assert self.states("Hector") == ({"Targeted"} if min(fell) <= WIP else set())

        _, fell = await self.rolled("Ana", "Ben", "Smo smoke grenades at 7")
        assert self.piece("*turn*").get("smoke", []) == (["Smo"] if fell[0] <= PH else [])

        card, fell = await self.rolled("Ana", "Ben", "Med medikit contact vs Hurt")
        assert fell == [], "in contact nobody rolls but the target"
        (face,) = await self.press(ana, card, "Saves and Guts: active side")
        assert self.states("Hurt") == (set() if face <= PH else {"Dead"})
        assert self.piece("Hurt").get("lost", 0) == (0 if face <= PH else 1)
        assert self.pool() == (0, 3)

        await self.pick("Ana", "open-1", of="Hidden 1-1", how="jump")
        assert len(self.fallen()) == 1, "its PH Roll"
        assert self.states("JUMPER") == {"Undeployed"}, "it enters by its own order"

    async def bens_turn(self) -> None:
        ana, hector = self.people["Ana"], "Hector combi at 10 vs Ada"
        card, fell = await self.rolled("Ben", "Ana", hector)
        hits = sum(face < SHOOTS for face in fell) + 2 * fell.count(SHOOTS)
        if hits:
            saves = await self.press(ana, card, "Saves and Guts: reactive side")
            failed = sum(face > SAVES for face in saves[:hits])
            assert self.states("Ada") == (set() if not failed else {"Unconscious"} if failed == 1 else {"Dead"})
        await self.pick("Ana", "open-1", of="Hidden 1-2", how="stands")
        assert self.states("KUNAI") == set(), "it stands there, and gives an order from its next own turn"


async def test_two_turns_of_skills_and_secrets_come_out_as_the_book_has_them(wire: Wire) -> None:
    game = Skirmish(wire, 58)
    await game.play()
    assert books.wrong(wire.stored) == []
    assert game.bot.kills >= 2
