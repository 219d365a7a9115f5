"""Where the sources of X-Wing err, differ or are silent, and what the bot does."""

from bot.rules.game import Note

NOTES = (
    Note("Two dice with focus and lock bring 1.86 hits", "1.875: twice 0.9375"),
    Note(
        "Seven green dice with focus 4.37, six red ones with focus and lock 5.62",
        "4.375 and 5.625",
    ),
    Note("Tables for 7 and 8 dice", "arithmetic only: a pool is at most 6 dice, plus added results"),
    Note("Defense dice equal to agility", "agility, plus and minus the bonuses of the same page, then at most 6"),
    Note(
        "Range 0",
        "refused under ruleset 2.0. Under 2.5 primary weapons may fire, and special ones whose range begins at 0. With "
        "a primary weapon the attacker gains and modifies no attack dice",
    ),
    Note(
        "At range 0 the attacker cannot cancel, modify or remove defense dice",
        "nor make the defender roll fewer: we read it so",
    ),
    Note(
        "With a lock, keep what the tokens can change",
        "not always best: of one focus and two blanks with one calculate, rerolling all three brings 2.078 hits, "
        "keeping the focus 2",
    ),
    Note("Reinforce", "adds an evade while more than one hit or crit would be left; never against the last one"),
    Note(
        "Scenarios and points of ruleset 2.5",
        "those of August 2022: half points, in Chance Engagement alone, are rounded down; in ruleset 2.0 every "
        "half-damaged ship counts, rounded up. Deficit, 20 points and the twelfth round are for squads of at most 20",
    ),
    Note("Cards", "most are counted; for others press Another card and type what it does"),
)
