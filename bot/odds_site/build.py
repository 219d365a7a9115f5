"""``python -m bot.odds_site.build OUT``: builds the page's folder for any static host. The browser runs the bot's own
code on Pyodide from its npm package, whose hash is pinned here. ``--serve`` shows the folder locally afterwards.
"""

import argparse
import base64
import hashlib
import http.server
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PIL import Image

from bot import package_info
from bot.discord_api import invite_links
from bot.html import documents, pictures
from bot.html.html import Html, tag
from bot.languages import LANGUAGES, Translated, compiling, translate
from bot.odds_site import answers, forms, rolls
from bot.render import faces
from bot.rules.text import EMPTY, Name, Text

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
KEPT: Final = ROOT / "build" / "pyodide"
"""Cache of the package between builds."""
PYODIDE: Final = "pyodide@314.0.7"
PYODIDE_HASH: Final = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package, in npm's format."""
PYODIDE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
PACKED: Final = ("games", "languages", "odds", "render", "rules", "odds_site")
"""Packages of the bot for odds; of others the files below."""
ALSO: Final = ("bounded_dict.py", "html/__init__.py", "html/html.py", "html/chart.py")
KINDS: Final = (".py", ".json", ".toml", ".txt", ".mo")
DRAWING: Final = ("art", "figures", "fonts")
"""Drawing folders of ``render``, which the page does not need."""
STATIC: Final = ("icon.svg", "site.js", "worker.js", "offline.js")
PICTURED: Final = tuple(dict.fromkeys(replace(face, fate="stands") for face in faces.FACES))
"""Faces of dice with pictures on the page, side by side in ``dice.png``."""
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self'; font-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types site"
)
TITLE: Final = Text("Exact odds for tabletop dice")
ABOUT: Final = Text(
    "X-Wing with cards, Infinity with profiles, WARSURGE, Albion, duels, and any dice: calculated "
    "exactly, never sampled, on your own device. Nothing you type is sent anywhere."
)


class BuildError(Exception):
    """The folder can't be built; the sentence says what to do."""


def build(out: Path, client_id: int | None = None, url: str = "") -> None:
    """Write the whole folder; ``url``: its address, for link previews. Raises ``BuildError``."""
    compiling.compile_catalogs()
    out.mkdir(parents=True, exist_ok=True)
    pyodide(KEPT)
    shutil.copytree(KEPT, out / "pyodide", dirs_exist_ok=True)
    (out / "rollcall.zip").write_bytes(zip_files(list_own_files(is_language=False)))
    (out / "languages.zip").write_bytes(zip_files([*list_own_files(is_language=True), *babel()]))
    run_node("memory.mjs", out.resolve())
    for name in STATIC:
        shutil.copy(HERE / "static" / name, out / name)
    for key, language in LANGUAGES.items():
        with translate.using_language(language):
            (out / file_of(key)).write_text(document(key, client_id, url), encoding="utf-8")
    face = documents.style().replace("}", ";font-display:optional}")  # a later font would move what people press
    css = face + (HERE / "static" / "site.css").read_text(encoding="utf-8")
    (out / "site.css").write_text(css, encoding="utf-8")
    (out / documents.typeface_name()).write_bytes(documents.typeface())
    (out / "icon.png").write_bytes(pictures.png_of(documents.ICON))
    (out / "dice.png").write_bytes(dice_sheet())
    (out / "licenses.txt").write_text(licenses(), encoding="utf-8")
    names = sorted(
        str(path.relative_to(out)) for path in out.rglob("*") if path.is_file() and path.name != "files.json"
    )
    digest = hashlib.sha256(b"".join((out / name).read_bytes() for name in names)).hexdigest()[:16]
    (out / "files.json").write_text(json.dumps({"version": digest, "files": names}), encoding="utf-8")


def dice_sheet() -> bytes:
    """Return the pictures of ``PICTURED`` in a row."""
    drawn, out = [faces.crop_die(face) for face in PICTURED], io.BytesIO()
    sheet = Image.new("RGBA", (sum(die.width for die in drawn), drawn[0].height))
    for at, die in enumerate(drawn):
        sheet.paste(die, (at * die.width, 0))
    sheet.save(out, "PNG", optimize=True)
    return out.getvalue()


def file_of(language: str) -> str:
    """Return ``index.html`` for English, ``index.de.html`` for German."""
    return "index.html" if language == "en" else f"index.{language}.html"


# What runs in the browser


def pyodide(folder: Path) -> None:
    """Python for the browser, out of its npm package."""
    if all((folder / name).exists() for name in PYODIDE_FILES):
        return
    npm = shutil.which("npm")
    if npm is None:
        raise BuildError(
            f"The page needs npm, which brings {PYODIDE}. Install it (Debian: apt install npm) and try again."
        )
    with tempfile.TemporaryDirectory() as kept:
        command = [npm, "pack", "--silent", PYODIDE]
        ended = subprocess.run(command, cwd=kept, capture_output=True, check=False)  # noqa: S603 - npm, as found
        paths = sorted(Path(kept).glob("*.tgz"))
        if ended.returncode or not paths:
            raise BuildError(f"npm could not bring {PYODIDE}. Check the network and try again.")
        data = paths[0].read_bytes()
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != PYODIDE_HASH:
        raise BuildError(f"{PYODIDE} is not the package that is known here. Do not use it.")
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for name in PYODIDE_FILES:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, name  # noqa: S101 - the hash guarantees it
            (folder / name).write_bytes(member.read())


def run_node(script: str, folder: Path) -> None:
    """Run a script of this package on a folder. Raises ``BuildError``."""
    node = shutil.which("node")
    if node is None:
        raise BuildError(
            "The page needs Node.js, which npm runs on. Install it (Debian: apt install nodejs) and try again."
        )
    ended = subprocess.run([node, str(HERE / script), str(folder)], capture_output=True, text=True, check=False)  # noqa: S603 - node, as found
    if ended.returncode:
        raise BuildError(f"Node.js could not run {script}: {ended.stderr[-300:].strip()}")


def zip_files(files: Iterable[tuple[str, Path]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def list_own_files(*, is_language: bool) -> Iterator[tuple[str, Path]]:
    """Yield the bot's modules and data, or its other languages' catalogs."""
    bot = ROOT / "bot"
    files = [bot / "__init__.py", *(bot / name for name in ALSO)]
    files += [path for name in PACKED for path in (bot / name).rglob("*") if path.suffix in KINDS]
    for file in files:
        parts = file.relative_to(bot).parts
        if (file.suffix == ".mo") == is_language and not (parts[0] == "render" and parts[1] in DRAWING):
            yield str(file.relative_to(ROOT)), file


def babel() -> Iterator[tuple[str, Path]]:
    """Yield Babel, for lists, numbers, and percents, with our languages' data only."""
    import babel as installed

    folder = Path(installed.__file__).parent
    ours = (str(language.locale) for language in LANGUAGES.values() if isinstance(language, Translated))
    locales = {"root", "en", *ours, "pt"}
    data = (folder / "global.dat", *(folder / "locale-data" / f"{locale}.dat" for locale in locales))
    files = (*folder.glob("*.py"), *folder.glob("localtime/*.py"), *data)
    yield from ((f"babel/{file.relative_to(folder)}", file) for file in files)


# The documents


def document(language: str, client_id: int | None, url: str = "") -> str:
    """Return a language's page, with its forms before Python loads."""
    tabs = [
        tag("a", form.title, href=f"#{key}", role="tab", id=f"tab-{key}", aria_selected=None if at else "true")
        for at, (key, form) in enumerate(forms.FORMS.items())
    ]
    add = (
        tag("a", Text("Add to Discord"), href=invite_links.server_link(client_id), class_="add") if client_id else None
    )
    others = list[Html]()
    for key, item in LANGUAGES.items():
        current = "true" if key == language else None
        others.append(
            tag(
                "a", Name(item.name), href=file_of(key), hreflang=key, lang=key, class_="language", aria_current=current
            )
        )
    strange = tag("p", answers.NO_QUESTION, class_="error", id="strange", role="alert", hidden=True)
    form = next(iter(forms.FORMS.values()))
    first = list(form.cards({}, [form.example]))  # shown before Python loads
    bar = tag("p", first[0].outcome, id="bar", aria_hidden="true")
    answer = tag("section", *map(answers.card_html, first), id="answer", aria_live="polite")
    html = tag("div", strange, bar, answer, tools(), class_="found")
    languages = tag("nav", *others, aria_label=Text("Languages"))
    body = tag(
        "body",
        tag("header", tag("h1", TITLE), tag("p", ABOUT), add),
        tag("nav", *tabs, role="tablist", aria_label=Text("Games")),
        tag("main", tag("div", *map(form_of, forms.FORMS)), html),
        tag("footer", languages, tag("a", Text("Licenses"), href="licenses.txt")),
        tag("script", EMPTY, type="module", src="site.js"),
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="description", content=ABOUT),
        tag("title", Text("{title} · Rollcall", title=TITLE)),
        *documents.preview(TITLE, ABOUT, f"{url}icon.png" if url else ""),
        tag("link", rel="icon", href="icon.svg", type="image/svg+xml"),
        tag("link", rel="preload", href=documents.typeface_name(), as_="font", type="font/woff2", crossorigin=True),
        tag("link", rel="stylesheet", href="site.css"),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang=language, data_loading=True)}\n"


def form_of(key: str) -> Html:
    form = forms.FORMS[key]
    return tag(
        "form",
        *forms.fields(form.shared, form.example, f"{key}-shared", {}),
        form.files
        and tag(
            "p",
            tag("label", form.files, for_=f"{key}-files"),
            tag("small", Text("For army codes: the army builder's units and metadata. They stay on this device.")),
            tag("input", type="file", id=f"{key}-files", accept=".json", multiple=True),
        ),
        tag("div", tag("fieldset", *forms.fields(form.asked, form.example, "ask-0", form.presets)), class_="asks"),
        tag("p", tag("button", Text("Compare with another choice"), type="button", class_="more")),
        id=f"form-{key}",
        data_game=key,
        data_most=form.most,
        class_="short" if len(form.asked) == 1 and not form.shared else None,
        data_example=json.dumps(form.example) if form.fields is not None and form.files is None else None,
        hidden=key != next(iter(forms.FORMS)),
    )


def tools() -> Html:
    """Return the controls below an answer, and the strings that the script uses."""
    buttons = (
        ("roll", Text("Roll it")),
        ("share", Text("Copy a link to this question")),
        ("copy", Text("Copy the chart as a picture")),
        ("picture", Text("Save the chart as a picture")),
    )
    roll, *others = (tag("button", label, type="button", id=key) for key, label in buttons)
    return tag(
        "div",
        roll,
        tag("section", EMPTY, id="rolled", aria_live="polite"),
        tag("ol", EMPTY, id="earlier", aria_label=Text("The last 20 rolls"), reversed=True),
        *others,
        tag("span", EMPTY, id="state", role="status"),
        class_="tools",
        data_faces=",".join(map(rolls.face_key, PICTURED)),
        data_loading=Text("Getting the dice ready… You can fill in the form in the meantime."),
        data_eager=Text("Rolling as soon as the dice are ready…"),
        data_counting=Text("Calculating…"),
        data_copied=Text("Copied."),
        data_uncopied=Text("Your browser doesn't allow copying. Copy the address of this page, or save the chart."),
        data_slow=Text("That takes too long to calculate. Use fewer dice, tokens, or effects."),
        data_failed=Text("Something broke here. Try a different question, and please report this one."),
        data_broken=Text("Python couldn't be loaded. Reload the page."),
    )


def licenses() -> str:
    """Return the licenses of third-party files in the folder."""
    python = Path(os.__file__).parent / "LICENSE.txt"
    terms = python.read_text(encoding="utf-8") if python.exists() else "PSF-2.0"
    return f"""Rollcall {package_info.read().version}: MIT

{(ROOT / "LICENSE").read_text(encoding="utf-8")}

{PYODIDE}: Mozilla Public License 2.0, https://mozilla.org/MPL/2.0/. Its source: https://github.com/pyodide/pyodide

Babel: BSD-3-Clause, copyright (c) the Babel team, https://github.com/python-babel/babel. Its data: CLDR, copyright
Unicode, Inc., https://www.unicode.org/license.txt

Inter: SIL Open Font License 1.1

{(ROOT / "bot" / "render" / "fonts" / "OFL.txt").read_text(encoding="utf-8")}

CPython, in pyodide/python_stdlib.zip:

{terms}
"""


# The command


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files without logging requests."""

    def log_message(self, *_: object) -> None:
        """Log nothing: visitors don't read logs."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(
        prog="python -m bot.odds_site.build", description="The odds page, as static files."
    )
    options.add_argument("out", metavar="OUT", type=Path, nargs="?", default=Path("dist/site"))
    options.add_argument("--client-id", type=int, metavar="ID", help="of your bot: the page then has Add to Discord")
    options.add_argument("--url", metavar="URL", default="", help="its address: links to it then have a picture")
    options.add_argument("--serve", type=int, metavar="PORT", help="show it here afterwards; 0: a free port")
    given = options.parse_args(arguments)
    try:
        build(given.out, given.client_id, given.url)
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{given.out} is ready for any static host.\n")
    sys.stdout.flush()
    if given.serve is not None:
        with http.server.ThreadingHTTPServer(
            ("127.0.0.1", given.serve), partial(Handler, directory=str(given.out))
        ) as server:
            sys.stdout.write(f"http://127.0.0.1:{server.server_port}/\n")
            sys.stdout.flush()
            server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
