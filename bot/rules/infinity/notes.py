"""Where the sources of Infinity err, differ or are silent, and what the bot does."""

from typing import Final

from bot.rules.game import Note
from bot.rules.text import Text

EDITIONS: Final = {
    "n5": Text("The rules of N5.2 (October 2025) are counted."),
    "n4": Text("The rules of N4 are counted."),
    "n3": Text("The rules of N3 are counted."),
}
"""Which rules a roll was counted by."""
NOTES = (
    Note(
        "A Success Value above 20",
        "N5.2: the die stays, and 20 and 1 up to the excess are Criticals. N4: the excess is added to the die, and 20 "
        "or more is a Critical. The odds are the same",
    ),
    Note("Cancelled dice", "a success cancels every lower enemy success, even if it is itself cancelled"),
    Note("Criticals on both sides", "nobody wins, however many there are, and the plain successes are discarded too"),
    Note("MODs beyond 12", "their sum counts as +12 or -12; a change of the attribute itself is no MOD"),
    Note(
        "Dodge, Reset and templates",
        "one roll, compared with each enemy who attacks the trooper who dodges, and with nobody else. In N5.2 a Dodge "
        "answers shots and close combat, a Reset Comms and Guided attacks; all else is two Normal Rolls",
    ),
    Note(
        "Direct Templates",
        "they hit without a roll. A Dodge against them is a Normal Roll, and so is a shot back: both can hit",
    ),
    Note("Saving Rolls", "N5: PS + ARM or BTS, or less, passes. N4 and N3: more than Damage - ARM or BTS passes"),
    Note(
        "ARM or BTS",
        "the weapon decides; its ammunition if the weapon says nothing: E/M and Stun BTS, Plasma both, PARA PH-6, the "
        "rest ARM. If you give only one of ARM and BTS, that one counts",
    ),
    Note(
        "Criticals and their saves",
        "one save more, made last, with ARM for Plasma, never with T2's second Wound. N3: no extra save; the first "
        "save of a Critical fails without a roll",
    ),
    Note("Combined ammunition", "the kind with most saves says how many there are; everything else adds up"),
    Note("PARA, Stun and E/M alone", "they bring a state and no Wound"),
    Note("Continuous Damage", "another save after each that fails, nine at most: nobody has Wounds left then"),
    Note(
        "Unconscious and Dead",
        "no Wounds left is Unconscious, one more is Dead; Shock kills a trooper of 1 W at once",
    ),
    Note(
        "MODs of a roll that meets several enemies",
        "each kind of MOD counts once; range, cover and Mimetism are those of the first target",
    ),
    Note(
        "X (-3) in a profile",
        "it burdens the enemy's Face to Face Roll while the trooper does X: Dodge, Reset, BS Attack, CC Attack, "
        "Martial Arts, Hacking. X (+3) helps the trooper's own roll; a number that is no multiple of 3 is a distance",
    ),
)
