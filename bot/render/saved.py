"""Saved rolls on cards: the list, and the panel above its buttons."""

from collections.abc import Sequence

from bot.render.card import Card
from bot.render.help import blocks
from bot.rules.text import EMPTY, N_, Code, Name, Sentences, Shown, Text, english, labeled

TITLE = Text("Saved rolls")
MAX_LINE = 150
"""Maximum characters of a listed command."""
HOW = Text("Roll one with /saved roll, or with /roll and its name. /saved panel makes a button for each.")
NONE = Text("/saved add saves a roll under a name, for example: `name: Fireball, roll: 8d6`")

Named = Sequence[tuple[str, Shown]]
"""Rolls by name, each with its command."""


def overview(own: Named, channel: Named) -> Card:
    facts = (*blocks(Text("Yours"), lines(own)), *blocks(Text("This channel's"), lines(channel)))
    outcome = Text("Your saved rolls and this channel's.") if facts else Text("Nothing is saved yet.")
    return Card(TITLE, outcome, facts=facts, small=HOW if facts else NONE)


def panel(whose: Shown, rolls: Named) -> Card:
    """Return the card above the buttons; ``whose`` is a person's name, or empty for the channel's rolls."""
    about, who = Text("This channel's saved rolls."), Text("Anyone here can press. The roll is yours.")
    if whose:
        about = Text("{whose}'s saved rolls.", whose=whose)
        who = Text("Only {whose} can press these buttons.", whose=whose)
    outcome = about if rolls else Text("{about} There are none right now.", about=about)
    return Card(TITLE, outcome, facts=tuple(blocks(Text("Rolls"), lines(rolls))), small=who)


def saved_card(name: str, line: Shown, *, for_channel: bool, replaced: bool) -> Card:
    saved = N_("{name} is saved for this channel.") if for_channel else N_("{name} is saved for you.")
    again = Text("It replaces the one with the same name.") if replaced else EMPTY
    outcome = Sentences([Text(saved, name=Name(name)), again])
    return Card(TITLE, outcome, facts=((Text("Rolls"), cut(Code(line))),), small=HOW)


def removed_card(name: str, line: str) -> Card:
    facts = ((Text("Previously"), cut(Code(line))),)
    return Card(TITLE, Text("{name} is no longer saved.", name=Name(name)), facts=facts)


def lines(rolls: Named) -> list[Shown]:
    return [labeled(Name(name), cut(line)) for name, line in rolls]


def cut(line: Shown) -> Code:
    whole = " ".join(english(line).split())
    return Code(whole if len(whole) <= MAX_LINE else f"{whole[: MAX_LINE - 1]}…")
