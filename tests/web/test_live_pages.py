"""What the pages for people say is true: links and anchors lead somewhere; files, settings and commands are there."""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from bot.__main__ import main, parser
from bot.games import GAMES
from bot.languages import LANGUAGES
from bot.odds_site.build import file_of
from bot.rules.errors import PlayerError
from bot.settings import Settings
from docs.words import with_counts
from tests.rows import for_each_row
from tests.test_house import commands  # noqa: F401 - a fixture

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
PAGES: Final = ("README.md", "TERMS.md", "PRIVACY.md", *(f"docs/{path.name}" for path in sorted(DOCS.glob("*.md"))))
INVITING: Final = ("README.md", "TERMS.md", "PRIVACY.md", "docs/listing.md", "docs/site.md")
"""What strangers read first: here every code must be known."""
IN_LANGUAGES: Final = tuple(page for page in PAGES if page.startswith("docs/README."))
SUB: Final = (1, 2)
"""Types of a command or a group of commands; others are options."""
ELSEWHERE: Final = {
    "discord.com",
    "docs.discord.com",
    "keepachangelog.com",
    "semver.org",
    "pyodide.org",
    "github.com",
    "infinitytheuniverse.com",
}
"""Hosts that the pages may lead to; who adds one has looked at what is there."""
BUILT: Final = {"build/", "dist/docs", "dist/site", *map(file_of, LANGUAGES)}
"""Names of what a build writes."""
CODE: Final = re.compile(r"(?<!`)`([^`]+)`(?!`)")
FENCED: Final = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK: Final = re.compile(r"\[((?:!\[[^\]]*\]\([^)]*\)|[^\]])*)\]\(([^)\s]+)\)|<(https?://[^>]+)>|src=\"([^\"]+)\"")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def prose(page: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", read(page), flags=re.MULTILINE | re.DOTALL)


def codes(page: str) -> list[str]:
    return [" ".join(item.split()) for item in CODE.findall(prose(page))]


# Links


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub makes addresses of them."""
    result = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", item.lower()).replace(" ", "-") for item in result}


def targets(page: str) -> Iterator[str]:
    text = CODE.sub("", prose(page))
    yield from (link or plain or picture for _, link, plain, picture in LINK.findall(text))
    yield from re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", text)


@for_each_row("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    for target in targets(page):
        if target.startswith("http"):
            assert re.match(r"https://(?:www\.)?([^/]+)", target)[1] in ELSEWHERE, target  # type: ignore[index]  # it is https
            continue
        name, _, anchor = target.partition("#")
        file = (ROOT / page).parent / name if name else ROOT / page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@for_each_row("page", PAGES)
def test_every_picture_says_what_it_shows(page: str) -> None:
    assert all(len(alt) >= 8 for alt in re.findall(r"!\[([^\]]*)\]", prose(page)))
    assert all("alt=" in item for item in re.findall(r"<img [^>]*>", prose(page)))


# Commands


def paths(code: str) -> Iterator[list[str]]:
    """The words of each command of ``/table show · undo``: later ones take the place of the last word."""
    first, *others = code[1:].split(" · ")
    words = first.split()
    yield words
    yield from ([*words[:-1], *other.split()] for other in others)


def check_slash(code: str, known: list[dict[str, Any]]) -> None:
    """The command is there, and each option that is named."""
    for words in paths(code):
        command: dict[str, Any] = {"options": known}
        for word in words:
            below = {item["name"]: item for item in command.get("options", ()) if item["type"] in SUB}
            if not below:
                break  # what follows is typed
            assert word in below, code
            command = below[word]
        options = {item["name"] for item in command.get("options", ())}
        assert set(re.findall(r"(?<= )([a-z_]+):(?! )", " ".join(words))) <= options, code


def is_slash(code: str) -> bool:
    return re.match(r"/[a-z]+($| )", code) is not None


def check_shell(line: str) -> None:
    """A target of the Makefile, a command of ours with options that it takes, or one of two of others."""
    words = shlex.split(line, comments=True)
    if not words:
        return
    if words[0] == "make":
        given = [word for word in words[1:] if "=" not in word]
        assert set(given) <= set(re.findall(r"^([a-z]+):", read("Makefile"), re.MULTILINE)), line
    elif words[:3] == ["python", "-m", "bot"]:
        assert words[3:] == ["--help"] or parser().parse_args(words[3:]), line
    elif words[:2] == ["python", "-m"]:
        spec = importlib.util.find_spec(words[2])
        assert spec is not None, line
        text = Path(str(spec.origin)).read_text(encoding="utf-8")
        assert all(f'"{word}"' in text for word in words[3:] if word.startswith("--")), line
    elif words[0] == "cp":
        assert (ROOT / words[1]).exists(), line
    else:
        assert line == "docker compose up -d"
        assert (ROOT / "compose.yaml").exists()


@pytest.mark.parametrize("page", PAGES)
def test_every_slash_command_is_there(page: str, commands: list[dict[str, Any]]) -> None:  # noqa: F811 - the fixture
    known = {command["name"] for command in commands}
    for code in filter(is_slash, codes(page)):
        if page in INVITING or page in IN_LANGUAGES or code[1:].split()[0] in known:
            check_slash(code, commands)


@pytest.mark.parametrize("page", INVITING)
def test_every_command_of_a_shell_is_there(page: str) -> None:
    lines = [item for block in FENCED.findall(read(page)) for item in block.splitlines()]
    begins = ("make ", "python ", "docker ", "cp ")
    for line in [*lines, *(code for code in codes(page) if code.startswith(begins))]:
        check_shell(line)


def test_the_examples_of_the_terminal_answer(capsys: pytest.CaptureFixture[str]) -> None:
    ran = 0
    for block in FENCED.findall(read("README.md")):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)[3:]
            if words and words[0] in ("odds", "roll", "squad"):
                assert main(words) == 0, capsys.readouterr().err
                ran += 1
    assert ran >= 4


# Files, settings, and what people type


@pytest.mark.parametrize("page", INVITING)
def test_every_file_and_setting_is_there(page: str) -> None:
    settings = {name.upper() for name in Settings.model_fields}
    for code in codes(page):
        if code in BUILT or is_slash(code) or code.startswith(("make ", "python ", "cp ")):
            continue
        if re.fullmatch(r"\.?[\w.-]+(/[\w.-]*)+|[\w-]+\.(?:py|md|toml|html)", code):
            assert (ROOT / code).exists(), code
        if re.fullmatch(r"[A-Z]+_[A-Z_]+(=\w+)?", code):
            assert code.partition("=")[0] in settings, code


def is_taken(key: str, raw: dict[str, object]) -> bool:
    try:
        GAMES[key].declare(raw, {})
    except PlayerError:
        return False
    return True


def test_the_words_of_the_readme_are_understood() -> None:
    """Tokens and effects by one side or the other, orders, and dice of any kind."""
    part = read("README.md").partition("X-Wing tokens and card effects are typed in short words:")[2]
    tokens, _, rest = part.partition("An Infinity order has")
    orders = CODE.findall(rest.partition("If the bot")[0])
    attack: dict[str, object] = {"dice": 3, "agility": 2}
    for word in (" ".join(one.split()) for one in CODE.findall(tokens)):
        ways = ({"with": word}, {"against": word}, {"against": f"hull 4, {word}"})  # shields stand before a hull
        assert any(is_taken("xwing", attack | way) for way in ways), word
    typed = [order for order in orders if " at " not in order]
    assert len(typed) < len(orders), "one line has troopers"
    assert all(is_taken("infinity", {"order": one}) for one in typed)
    dice = read("README.md").partition("**Any dice at all.**")[2].partition("**Seven")[0]
    for item in CODE.findall(dice):
        assert is_taken("anydice", {"dice": item.removeprefix("/roll ")}), item


# The directory


def quoted(title: str) -> str:
    """The quotation under a bold title of docs/listing.md."""
    lines = read("docs/listing.md").partition(f"\n**{title}**")[2].splitlines()[2:]
    return "\n".join(line.removeprefix(">").strip() for line in lines[: lines.index("")])


def test_the_texts_fit_into_what_discord_takes() -> None:
    assert 0 < len(quoted("Summary")) <= 200
    assert 0 < len(quoted("About")) <= 400, "ApplicationFormPartial of Discord's OpenAPI"
    assert 500 < len(quoted("Description")) <= 3000
    line = next(item for item in read("docs/listing.md").splitlines() if item.startswith("**Tags**"))
    tags = CODE.findall(line)
    assert len(tags) == len(set(tags)) == 5
    assert all(0 < len(tag) <= 20 for tag in tags)


def test_the_pictures_of_the_directory_are_shown_whole() -> None:
    shown = re.findall(r"\]\((desk/[^)]+)\)", read("docs/listing.md"))
    assert 1 <= len(shown) <= 5
    for name in shown:
        with Image.open(DOCS / name) as picture:
            assert picture.width <= 1280
            assert picture.height <= 720


def test_the_words_of_the_cards_are_counted() -> None:
    page = read("docs/clicks.md")
    assert page == with_counts(page), "write them with python -m docs.words"
