"""Cards of X-Wing's ships: what a person reads on a phone, and that it is what the rules page says happened."""

from dataclasses import replace

from bot.render.card import Card
from bot.render.xwing import fleet as cards, phases
from bot.rules.text import Text, english
from bot.rules.xwing.dice.tokens import KINDS
from bot.rules.xwing.table import match, ship as table
from bot.rules.xwing.table.ship import Ship, apply_piece_changes, apply_piece_changes as changed, give, launch
from bot.ui.core.card_messages import embed
from tests.rules.xwing.fleet import fleet, luke, mauler


def fact(card: Card, name: str) -> str:
    return english(dict(card.facts)[Text(name)])


def test_a_ship_tells_what_it_has_left() -> None:
    ship = give(give(give(luke(charge=2), "shield", -1), "faceup damage", 1), "focus", 2)
    ship = replace(give(give(ship, "charge", -1), "stress", 1), locks=("Mauler",), attacks=1, engaged=True)
    assert cards.facts(fleet(replace(ship, abilities="reroll 1 blank"))) == (
        (
            "Luke · initiative 5 · engaged",
            (
                "attack 3 · agility 2\nshields ◆◇ · hull ■■■□ (1 faceup)\n2 focus · stress · force 2 of 2 · "
                "charges 1 of 2 · lock on Mauler\n1 attack this round\nreroll 1 blank"
            ),
        ),
    )


def test_a_bare_ship_is_short_and_a_huge_one_is_counted() -> None:
    assert cards.facts(fleet(mauler())) == (("Mauler · initiative 5", "attack 2 · agility 3\nhull ■■■"),)
    huge = give(launch("Raider", hull=20, shields=12), "charge", 3)
    assert cards.facts(fleet(huge))[0][1] == ("attack 0 · agility 0\nshields 12 of 12 · hull 20 of 20\ncharges 3")


def test_all_ships_the_first_to_engage_on_top() -> None:
    assert cards.board({}).outcome == "No ship is on the table here."
    shown = cards.board(fleet(launch("Academy", initiative=1), luke()))
    assert [name for name, _ in shown.facts] == ["Luke · initiative 5", "Academy · initiative 1"]
    assert shown.outcome == "2 ships on the table."
    lost = give(mauler(), "faceup damage", 3)
    assert cards.board(fleet(lost)).outcome == "1 ship on the table; Mauler is destroyed."
    both = fleet(lost, give(luke(), "facedown damage", 5))
    assert cards.board(both).outcome == "2 ships on the table; Luke and Mauler are destroyed."
    assert cards.facts(both)[0][0] == "Luke · initiative 5 · destroyed"


def test_a_step_shows_the_ships_that_it_changed() -> None:
    before = fleet(replace(luke(), locks=("Mauler",)), mauler(), launch("Tam"))
    now = apply_piece_changes(before, table.remove_ships(before, ["Mauler"]))
    shown = cards.step(Text("Mauler leaves the table."), before, now)
    assert [name for name, _ in shown.facts] == ["Luke · initiative 5"]


def line() -> dict[str, Ship]:
    return fleet(launch("Academy", initiative=1), luke(), mauler(), launch("Vader", initiative=6))


def test_the_order_says_who_may_engage_who_has_and_who_waits() -> None:
    ships = changed(line(), match.engage(line(), "Vader"))
    shown = phases.engagement(ships, line(), "Vader")
    assert shown.title == "X-Wing · Round 1, Engagement Phase"
    assert shown.outcome == "Vader engages. Next, at initiative 5: Luke or Mauler."
    assert shown.facts == (
        ("Initiative 6", "✓ Vader"),
        ("Initiative 5 · now", "▶ Luke\n▶ Mauler"),
        ("Initiative 1", "· Academy"),
    )
    done = {name: replace(ship, engaged=True, attacks=1) for name, ship in line().items()}
    assert phases.engagement(done).outcome == "All ships have engaged; the End Phase is next."
    assert fact(phases.engagement(done), "Initiative 1") == "✓ Academy (1 attack)"
    assert phases.engagement({}).outcome == "No ship is on the table here."


def test_a_destroyed_ship_is_marked_and_one_whose_time_is_over_is_not_called() -> None:
    ships = changed(line(), match.engage(line(), "Vader"))
    ships = changed(ships, match.engage(ships, "Luke"))
    dying = {**ships, "Mauler": give(ships["Mauler"], "faceup damage", 3)}
    shown = phases.engagement(dying)
    assert shown.outcome == "Next, at initiative 5: Mauler.", "simultaneous fire"
    assert fact(shown, "Initiative 5 · now") == "✓ Luke\n▶ ✗ Mauler"
    gone = {**ships, "Academy": give(ships["Academy"], "faceup damage", 1)}
    gone = changed(gone, match.engage(gone, "Mauler"))
    shown = phases.engagement(gone)
    assert shown.outcome == "All ships have engaged; the End Phase is next."
    assert fact(shown, "Initiative 1") == "✗ Academy"
    now = changed(gone, match.sweep_destroyed(gone, {}))
    assert english(phases.engagement(now, gone).outcome).startswith("Academy leaves the table.")


def test_a_phase_that_begins_is_named() -> None:
    ships = changed(line(), match.next_phase(line()))
    assert phases.phase_began(line(), ships).outcome == "The System Phase of round 1 begins."
    for _ in range(2):
        before, ships = ships, changed(ships, match.next_phase(ships))
    assert phases.phase_began(before, ships).title == "X-Wing · Round 1, Engagement Phase"
    before, ships = ships, changed(ships, match.next_phase(ships))
    assert phases.phase_began(before, ships).outcome == "Round 2 begins with planning."


def test_the_end_phase_lists_what_changed_ship_by_ship() -> None:
    tired = replace(give(give(luke(charge=1), "force", -2), "charge", -1), locks=("Mauler",), engaged=True)
    ships = fleet(give(give(tired, "focus", 2), "evade", 1), give(mauler(), "faceup damage", 3), launch("Tam"))
    shown = phases.end_phase(ships, changed(ships, match.end_round(ships)))
    assert shown.outcome == "Mauler leaves the table. Round 2 begins with planning."
    changes = (
        "loses 2 focus and evade",
        "regains 1 force charge, now 1",
        "regains 1 charge, now 1",
        "the lock on Mauler breaks",
    )
    assert shown.facts == (("1 ship changes", f"Luke: {', '.join(changes)}"),)
    quiet = fleet(launch("Tam"))
    assert phases.end_phase(quiet, changed(quiet, match.end_round(quiet))).facts == ()


def test_a_full_table_fits_into_one_message() -> None:
    ships = []
    for number in range(table.MAX_SHIPS):
        ship = launch(f"{number} {'x' * 29}", shields=3, hull=3, force=2, abilities="reroll 1 blank, " * 8)
        for kind in KINDS:
            ship = give(ship, kind, 1) if kind not in ("shield", "force", "energy") else ship
        ships.append(ship)
    shown = embed(cards.board(fleet(*ships)))
    assert len(shown) <= 6000
    assert len(shown.fields) <= 25
    last = shown.fields[-1]
    assert last.name == "And more"
    first_left_out = cards.facts(fleet(*ships))[len(shown.fields) - 1][0]
    assert (last.value or "").startswith(english(first_left_out))


def test_a_look_at_the_cards_of_a_whole_ship_speaks_of_no_damage() -> None:
    shown = cards.ship_cards_card(luke())
    assert shown.outcome == "These are the cards of Luke. It has no damage card."
    assert Text("Facedown") not in dict(shown.facts)
    hurt = cards.ship_cards_card(give(luke(), "facedown damage", 2))
    assert hurt.outcome == "Luke has 2 damage cards."
    assert fact(hurt, "Faceup") == "none"


def test_ion_and_tractor_are_reminded_before_ships_engage() -> None:
    held = {**fleet(give(luke(), "ion", 1), give(mauler(), "tractor", 1)), match.MATCH: match.Match(round=2)}
    assert phases.headline(held) == (
        "Round 2, Planning Phase. Luke is ionized: it executes the ion maneuver and can "
        "perform only the focus action. Mauler is tractored and rolls 1 fewer defense die."
    )
    both = {**held, "Mauler": give(mauler(), "ion", 1)}
    assert "Luke and Mauler are ionized: each executes the ion maneuver" in english(phases.headline(both))
    engaged = {**held, match.MATCH: match.Match(round=2, phase=match.Phase.ENGAGEMENT)}
    assert "ionized" not in english(phases.headline(engaged))
