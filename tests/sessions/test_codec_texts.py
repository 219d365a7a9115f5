"""Sentences of the history: stored as message and places, and read back as they were; older ones are plain English."""

import json

from hypothesis import given, strategies as st

from bot.rules.text import Count, Name, Names, Sentences, Text
from bot.sessions.codec import TableStep, read_step, rename_step, write_step

PLAIN = st.text(max_size=8).map(Name)
LEAVES = st.one_of(
    PLAIN,
    st.integers(-9, 9999),
    st.builds(Count, st.integers(0, 12), st.just("ship"), st.just("ships")),
    st.builds(Names, st.lists(PLAIN, max_size=3), st.sampled_from(["and", "or"])),
)
TEXTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda item, two: Text("{one} gives {two}", one=item, two=two), inner, inner),
        st.builds(lambda texts: Sentences((Name(str(text)) for text in texts), "\n"), st.lists(inner, max_size=2)),
    ),
    max_leaves=4,
)


@given(TEXTS, PLAIN)
def test_a_sentence_comes_back_with_its_parts(place: object, name: Name) -> None:
    step = TableStep(Text("{who} does {what}", who=name, what=place), "Ana")
    read = read_step(write_step(step))
    assert read == step
    assert (read.sentence.message, dict(read.sentence.places)) == ("{who} does {what}", {"who": name, "what": place})
    kept = [type(item) for item in read.sentence.places.values()]
    assert kept == [type(item) for item in step.sentence.places.values()]


def test_what_is_stored_is_the_message_and_its_places() -> None:
    what = Text("gives {ship} {tokens}", ship="Luke", tokens=Count(2, "focus token", "focus tokens"))
    assert json.loads(write_step(TableStep(what, "Ana"))) == {
        "what": "gives {ship} {tokens}",
        "places": {"ship": "Luke", "tokens": {"count": [2, "focus token", "focus tokens"]}},
        "by": "Ana",
    }


def test_a_sentence_of_an_older_version_is_read_as_it_stands() -> None:
    old = '{"what": "gives {Luke} 2 focus tokens", "by": "Ana"}'
    assert read_step(old) == TableStep(Text("gives {Luke} 2 focus tokens"), "Ana")
    assert read_step('{"picked": []}').sentence == ""


def test_a_new_name_of_who_did_it_leaves_the_sentence() -> None:
    step = write_step(TableStep(Text("gives {ship} a lock", ship="Luke"), "Ana"))
    assert read_step(rename_step(step, "somebody")) == TableStep(Text("gives {ship} a lock", ship="Luke"), "somebody")
