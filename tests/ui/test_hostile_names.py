"""Whatever people call themselves, in every place of every message, no refusal breaks, links or calls anybody."""

import re
from typing import Final

import pytest

from bot.rules.text import Name, Text
from bot.ui.dispatch.error_messages import refusal
from tests.pseudo import template

HOSTILE: Final = "```js\n[free nitro](http://evil.test) @everyone <@1> `x`"


@pytest.mark.parametrize("make", [Name, str], ids=["a name", "one that nobody marked"])
def test_no_name_breaks_a_refusal(make: type[str]) -> None:
    messages = [item for item in template() if re.search(r"\{\w+\}", item)]
    assert len(messages) > 1000
    for message in messages:
        places = dict.fromkeys(re.findall(r"\{(\w+)\}", message), make(HOSTILE))
        said = refusal(Text(message, **places))
        outside = re.sub(r"`[^`]*`", "", said)
        assert "```" not in said, message
        assert "<@1>" not in said, message
        assert said.count("`") % 2 == 0, message
        assert re.search(r"(?<!\\)\[free nitro", outside) is None, message
        assert re.search(r"(?<!\\)@everyone", outside) is None, message
