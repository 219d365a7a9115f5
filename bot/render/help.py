"""Help on cards: the registered commands, and the rules' interpretation."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from bot.render.card import Card, Grid
from bot.rules import text as texts
from bot.rules.game import Rules
from bot.rules.text import EMPTY, N_, Code, Message, Sentences, Shown, Text, ended, english, joined, lines_of

MAX_BLOCK: Final = 900
"""Maximum characters of a block: Discord shows 1024, and escaping adds some."""
MAX_FIELDS: Final = 25
"""Discord's limit for one message."""
JOINED: Final = " · "
MAX_JOINED: Final = 600
"""Maximum characters of a subgroup's joined commands; other languages need more room than English."""
OPTIONAL: Final = Text("[Options in brackets] are optional.")
ROUNDED: Final = Text("The averages are exact, rounded to two decimals.")
SEALED: Final = Text(
    "At a sealed table, nobody can reroll in secret, change a result, or choose the key after "
    "the players have given their seed words. A seal doesn't stop the bot's host from looking "
    "ahead at the key and playing, or telling a friend. It doesn't stop dice rolled by hand, or "
    "a player who leaves. Anyone who didn't give a seed word has to trust those who did."
)
"""A seal's effects and limits; docs/fairness.md explains why."""
TRY: Final = Text("Try this")
AT_THE_TABLE: Final = ("saved", "initiative")
"""Commands with their own page."""
NOTES: Final = Text("How I apply unclear rules")


@dataclass(frozen=True, slots=True)
class RegisteredCommand:
    """A command as Discord knows it: its path ``("xwing", "ship", "add")``, its description and its options.

    Optional ones are in brackets. ``only``: where it works and who may use it, for example ``servers only``.
    """

    path: tuple[str, ...]
    description: Shown
    options: tuple[str, ...] = ()
    only: tuple[Shown, ...] = ()

    @property
    def root(self) -> str:
        return self.path[0]

    @property
    def limits(self) -> Shown:
        return texts.parenthesized(Sentences(self.only, ", ")) if self.only else EMPTY


def start() -> Card:
    message = N_(
        "Type /roll and what you want to roll, such as 4d6kh3 or 1d20+5 vs 15. To ask others to roll it, add {request}."
    )
    any_dice = Text(message, request=Code("request:@Ana +5, @Bo"))
    a_game = Text("Type /xwing, /infinity, /warsurge, or /albion; buttons then offer the next steps.")
    outcome = Text("Try it: a first roll against me, in three steps that only you can see.")
    return Card(Text("Rollcall"), outcome, facts=((Text("Any dice"), any_dice), (Text("A game"), a_game)))


def overview(games: Iterable[str], every: Iterable[RegisteredCommand]) -> Card:
    roots: dict[str, list[RegisteredCommand]] = {key: [] for key in games}
    for command in every:
        roots.setdefault(command.root, []).append(command)
    used = ((Code(f"/{key}"), commands) for key, commands in roots.items() if commands)
    told = ((Sentences([name, commands[0].limits]), command_summary(commands)) for name, commands in used)
    outcome = Text("Type a command. Buttons then offer what the rules allow next.")
    small = Text("For a game's options and how I apply its rules, choose it in /help.")
    return Card(Text("Rollcall"), outcome, facts=tuple(told), small=small)


def command_summary(commands: Sequence[RegisteredCommand]) -> Shown:
    """Return ``attack · ship add, set, remove``; for a command without subcommands its description."""
    if len(commands[0].path) == 1:
        return commands[0].description
    parts = []
    ordered = sorted(commands, key=lambda command: len(command.path))
    for group, inside in groupby(ordered, key=lambda command: command.path[1:-1]):
        names = [command.path[-1] for command in inside]
        parts.append(Code(f"{' '.join(group)} {', '.join(names)}" if group else " · ".join(names)))
    return Sentences(parts, " · ")


def page(
    rules: Rules,
    every: Iterable[RegisteredCommand],
    table: Grid | None = None,
    command: str = "",
    worked_examples: Iterable[tuple[Shown, Shown]] = (),
    notes: Iterable[tuple[Text, Text]] = (),
) -> Card:
    """Return a game's help. ``table``: numbers to look up, ``worked_examples``: commands to copy, ``notes``: the rules'
    interpretation. ``command``: its slash command, if not its key.
    """
    tried = blocks(TRY, examples_text(worked_examples))
    read = [joined(Code("•"), ended(Sentences([says, does], " → "))) for says, does in notes]
    noted = blocks(NOTES, read)
    own = [item for item in every if item.root == (command or rules.KEY)]
    told = usages(own) if len(own) + len(tried) + len(noted) <= MAX_FIELDS else group_commands(own)
    message, small = N_("{title}: its commands and how I apply its rules."), [OPTIONAL, ROUNDED if table else EMPTY]
    shown = of_game(rules.TITLE, message, (*tried, *told, *noted), Sentences(small))
    if table is None:
        return shown
    # as text only its first column: the others are multiples
    averages = (joined(name, row[0]) for name, row in zip(table.rows, table.cells, strict=True))
    return replace(shown, figure=table, alt=Text("Average for one die: {averages}", averages=Sentences(averages, ", ")))


def examples_text(examples: Iterable[tuple[Shown, Shown]]) -> list[Sentences]:
    return [Sentences([typed, joined(Code("→"), meaning)], "\n") for typed, meaning in examples]


def words(title: Shown, examples: Iterable[tuple[Shown, Shown]]) -> Card:
    """Return a game's typed words: worked examples with meanings."""
    separate = Text("Separate with commas, semicolons, “and” or “+”; often you can leave them out.")
    return of_game(title, N_("{title}: short words you can type."), examples, separate)


def profile_card(title: Shown, facts: Iterable[tuple[Shown, Shown]]) -> Card:
    told = (block for name, text in facts for block in blocks(name, lines_of(text)))
    return of_game(title, N_("{title}: which parts of a profile are used."), told)


def command_card(title: Shown, commands: Iterable[tuple[Shown, Shown]]) -> Card:
    """Return frequent rolls with their meanings; buttons below roll them."""
    message = N_("{title}: things you can roll. Press one, or type it with your own numbers.")
    return of_game(title, message, commands, Text("The person who presses makes the roll, and everyone sees it."))


def of_game(title: Shown, outcome: Message, facts: Iterable[tuple[Shown, Shown]], small: Text = EMPTY) -> Card:
    return Card(Text("Rollcall · {title}", title=title), Text(outcome, title=title), facts=tuple(facts), small=small)


def shared_help(games: Collection[str], every: Iterable[RegisteredCommand]) -> Card:
    """Return the help of shared commands, without ``table_help``'s."""
    others = (command for command in every if command.root not in games and command.root not in AT_THE_TABLE)
    title, outcome = Text("Rollcall · all games"), Text("The commands shared by all games.")
    return Card(title, outcome, facts=(*usages(others), (Text("Sealed tables"), SEALED)), small=OPTIONAL)


def table_help(every: Iterable[RegisteredCommand], worked_examples: Iterable[tuple[Shown, Shown]]) -> Card:
    title = Text("Rollcall · saved rolls, turn order")
    outcome = Text("Named rolls and turn order, for any game.")
    told = usages(command for command in every if command.root in AT_THE_TABLE)
    return Card(title, outcome, facts=(*blocks(TRY, examples_text(worked_examples)), *told), small=OPTIONAL)


def usages(commands: Iterable[RegisteredCommand]) -> tuple[tuple[Shown, Shown], ...]:
    """Return each command's description and options; subgroups last."""
    told = list[tuple[Shown, Shown]]()
    for command in sorted(commands, key=lambda item: len(item.path)):
        options = Text("Options: {options}", options=Code(", ".join(command.options))) if command.options else EMPTY
        name = Sentences([Code(f"/{' '.join(command.path)}"), command.limits])
        told.append((name, Sentences([command.description, options], "\n")))
    return tuple(told)


def group_commands(commands: Iterable[RegisteredCommand]) -> tuple[tuple[Shown, Shown], ...]:
    """Join a small subgroup's commands in one field, if there are too many."""
    told = list[tuple[Shown, Shown]]()
    ordered = sorted(commands, key=lambda command: len(command.path))
    for _, group in groupby(ordered, key=lambda command: command.path[:-1]):
        each = usages(group)
        together = Sentences([text for _, text in each], "\n")
        is_short = len(english(each[0][0]).split()) > 2 and len(english(together)) <= MAX_JOINED
        told += [(Sentences([name for name, _ in each], JOINED), together)] if is_short else each
    return tuple(told)


def blocks(name: Shown, lines: Sequence[Shown]) -> list[tuple[Shown, Shown]]:
    """Split lines under a name into blocks that Discord shows completely."""
    result: list[list[Shown]] = [[]]
    for line in lines:
        if sum(len(english(item)) + 1 for item in result[-1]) + len(english(line)) > MAX_BLOCK:
            result.append([])
        result[-1].append(line)
    return [
        (name if not at else Text("{name}, continued", name=name), Sentences(block, "\n"))
        for at, block in enumerate(result)
        if block
    ]
