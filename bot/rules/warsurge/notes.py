"""Where the rules of WARSURGE err, differ or are silent, and what the bot does."""

from bot.rules.game import Note
from bot.rules.text import Text

NOTES = (
    Note(
        Text("The three methods"),
        Text("they disagree in most cells, so each card names the method and the line that applies"),
    ),
    Note(Text("Balanced: “multiple times”"), Text("rounded down: Power 7 against Defence 2 is x3")),
    Note(
        Text("Balanced: “5 or more”"),
        Text("Power 5 or more for the automatic hit, Defence 5 or more for 6/4+, 6/6+ and 6/6/6+"),
    ),
    Note(
        Text("The multiplier"),
        Text("Balanced multiplies the HP loss, the Chart the successes: the same without an armour save"),
    ),
    Note(Text("Chart: 6/2"), Text("a six first, then the same die again with 2 or more")),
    Note(Text("Power 0, which the Chart does not print"), Text("no damage; 0 against 0 is 4+")),
    Note(
        Text("Dice rolled by hand"),
        Text("Casual has no chains, so type 4 1 6; in a chain (Balanced, Chart) 6 5, 3, 6 2"),
    ),
    Note(
        Text("AP, which the text does not define"),
        Text("AP 1 makes a save of 4+ one of 5+; beyond 6+ there is no save"),
    ),
    Note(
        Text("Several weapons"), Text("each rolls alone against the same Defence and save, and their HP losses add up")
    ),
    Note(
        Text("A unit that has no HP left"),
        Text("nobody can attack it; whether it may still attack is up to the players"),
    ),
    Note(Text("Power above 20, Defence above 15"), Text("they count as 20 and 15 in every method")),
)
