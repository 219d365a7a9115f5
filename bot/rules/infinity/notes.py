"""Where the sources of Infinity err, differ or are silent, and what the bot does."""

from bot.rules.game import Note

NOTES = (
    Note(
        "A Success Value above 20",
        "N5: the die stays, and 20 and 1 up to the excess are Criticals. N4: the excess is added to the die, and 20 or "
        "more is a Critical. The odds are the same",
    ),
    Note("Cancelled dice", "a success cancels every lower enemy success, even if it is itself cancelled"),
    Note("Criticals on both sides", "nobody wins, however many there are, and the plain successes are discarded too"),
    Note("MODs beyond 12", "their sum counts as +12 or -12; a change of the attribute itself is no MOD"),
    Note(
        "Dodge, Reset and templates",
        "one roll, compared with each enemy by itself; a Dodge cancels only the attacks against the one who dodged",
    ),
    Note("Saving Rolls", "N5: pass with at most PS + ARM or BTS. N4: pass above Damage - ARM or BTS"),
)
