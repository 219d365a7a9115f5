# ruff: noqa: INP001, T201 - a script beside its pictures, no package
"""Pictures of cards before and after, side by side: ``python -m docs.before COMMIT FOLDER [--light] [name ...]``.

What stood in this folder at a commit is the left half, what stands here now the right one; of each card one picture as
on a phone (390 wide) and one as at a desk (1280 wide). With ``--light`` the right half is photographed anew on a light
page; the left one stays the committed picture, which is dark.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from bot.cli.play import emoji_pictures
from docs import pictures

WIDTHS: Final = {"phone": ("", 390), "desk": ("desk/", 1280)}
GAP: Final = 24
GROUND: Final = {"dark": (49, 51, 56), "light": (255, 255, 255)}


def at_commit(commit: str, path: str) -> Image.Image | None:
    """A committed picture as it was; None where there was none."""
    result = subprocess.run(["git", "show", f"{commit}:docs/{path}"], capture_output=True, check=False)  # noqa: S603, S607 - git of whoever runs this
    return Image.open(BytesIO(result.stdout)).convert("RGB") if result.returncode == 0 else None


async def in_light(names: Sequence[str]) -> dict[str, Path]:
    """The cards as they are now, photographed on a light page."""
    from playwright.async_api import async_playwright

    folder, result = Path(tempfile.mkdtemp()), dict[str, Path]()
    async with async_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in names:
            async with (
                pictures.played(name) as (club, app),
                club.env.preview(club.channel, viewers=[club.ana], assets=emoji_pictures(app)) as preview,
            ):
                for kind, (_, width) in WIDTHS.items():
                    path = result[f"{name}-{kind}"] = folder / f"{name}-{kind}.png"
                    await pictures.shoot(browser, preview.url, path, width, 1, scheme="light")
        await browser.close()
    return result


def beside(before: Image.Image | None, after: Image.Image, width: int, ground: tuple[int, int, int]) -> Image.Image:
    """Both on one sheet, each so many pixels wide."""
    halves = [image and image.resize((width, image.height * width // image.width)) for image in (before, after)]
    high = max(image.height for image in halves if image is not None)
    sheet = Image.new("RGB", (2 * width + 3 * GAP, high + 3 * GAP), ground)
    ink = ImageDraw.Draw(sheet)
    for at, (word, half) in enumerate(zip(("before", "after"), halves, strict=True)):
        left = GAP + at * (width + GAP)
        ink.text((left, GAP // 2), word, fill=(128, 132, 142))
        if half is not None:
            sheet.paste(half, (left, 2 * GAP))
    return sheet


def main(words: Sequence[str]) -> None:
    """Write the sheets."""
    is_light = "--light" in words
    commit, out, *named = [word for word in words if word != "--light"]
    folder, names = Path(out), named or list(pictures.SCENES)
    folder.mkdir(parents=True, exist_ok=True)
    light = asyncio.run(in_light(names)) if is_light else {}
    for name in names:
        for kind, (place, width) in WIDTHS.items():
            path = light.get(f"{name}-{kind}", pictures.FOLDER / f"{place}{name}.png")
            if path.is_file():
                ground = GROUND["light" if is_light else "dark"]
                sheet = beside(at_commit(commit, f"{place}{name}.png"), Image.open(path).convert("RGB"), width, ground)
                sheet.save(folder / f"{name}-{kind}{'-light' if is_light else ''}.png", optimize=True)
    print(f"{len(list(folder.glob('*.png')))} sheets in {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
