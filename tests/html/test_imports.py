"""What is imported where the HTML of a page is made."""

import json
import subprocess
import sys

ROOMS = ("bounded_dict", "html", "render", "rules", "languages")
MOST = 70
"""Modules of ours; the turn order brings the notation of dice with it."""
LISTED = "import json, sys, bot.html.match; print(json.dumps(sorted(sys.modules)))"


def test_a_page_needs_cards_rules_and_languages_only() -> None:
    done = subprocess.run([sys.executable, "-c", LISTED], capture_output=True, text=True, check=True)
    loaded = [name for name in json.loads(done.stdout) if name.partition(".")[0] not in sys.stdlib_module_names]
    ours = [name for name in loaded if name.startswith("bot.")]
    assert {name.partition(".")[0] for name in loaded} <= {"bot", "PIL", "__main__"}
    assert {name.split(".")[1] for name in ours} == set(ROOMS)
    assert len(ours) <= MOST
