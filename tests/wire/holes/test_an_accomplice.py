"""Ben rolls badly at a sealed table, and a GM who sits with nobody takes it back, to attack again for him."""

from tests.fair.checkers import by_the_bot, by_the_script, by_the_second, read
from tests.wire.wire import PATIENT, Wire


async def test_a_gm_alone_takes_no_seen_dice_back_and_they_come_again_for_their_player(wire: Wire) -> None:
    gm, ben, cleo, _ = wire.people  # the first one owns the server
    await wire.start_bot(PATIENT)
    committed = await wire.slash(ben, wire.channel, "table seal", opponent=cleo)
    asked = await wire.follow_up(committed)
    for person in (ben, cleo):
        form = (await wire.press(person, wire.now(asked), "Give a seed word")).modal
        await wire.submit(person, form, {"word": f"word of {person.name}"})
    await wire.press(ben, wire.now(asked), "Seal")
    await wire.slash(ben, wire.channel, "xwing attack", dice=4, agility=2, opponent=cleo)
    request = await wire.slash(gm, wire.channel, "table undo")
    assert "asks to take back" in request.text, "it is asked, whoever the GM is"
    refused = await wire.press(gm, request.shown, "Allow")
    assert refused.ephemeral, "the GM cannot agree alone"
    assert wire.rows("SELECT count(*) FROM ply WHERE undoes IS NOT NULL") == [(0,)]
    await wire.press(cleo, wire.now(request.shown), "Allow")
    await wire.slash(gm, wire.channel, "xwing attack", dice=4, agility=2, attacker="Ben")
    answer = await wire.slash(ben, wire.channel, "table unseal")
    file = answer.shown.attachments[0].data
    assert by_the_bot(file) == by_the_script(file) == by_the_second(file) == ""
    assert read(file).plies
