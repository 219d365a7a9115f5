"""What the page of odds costs: bytes of a first visit, time to its first answer with nothing kept, and to a later one.

Wants npm, which brings Pyodide, and Chromium. The page is read from a static server on this computer.
"""

import os
import tempfile
import threading
import time
import zlib
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from bot.odds_site import build

VISITS: Final = 3
ANSWERS: Final = 6
MOST: Final = 120_000
"""Milliseconds that an answer may take here."""
CHROMIUM: Final = "/usr/bin/chromium"
CHANGE: Final = """async text => {
    const field = document.querySelector("#form-xwing [name=with]"), answer = document.getElementById("answer");
    const drawn = new Promise(done => new MutationObserver((_, seen) => { seen.disconnect(); done(); })
        .observe(answer, { childList: true }));
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const from = performance.now();
    await drawn;
    return performance.now() - from - 250;  // as long the page waits for the next letter
}"""


def packed(path: Path) -> int:
    """Bytes of a file as a host sends it."""
    return len(zlib.compress(path.read_bytes(), 9)) if path.suffix != ".zip" else path.stat().st_size


def visit(browser: Browser, url: str) -> tuple[float, list[float]]:
    """Seconds to the first answer by Python with nothing kept, and milliseconds of later ones.

    The page brings the answer to its example along, which stands there before.
    """
    context = browser.new_context()
    page, began = context.new_page(), time.perf_counter()
    page.goto(url)
    page.locator("html:not([data-loading]) #answer > *").first.wait_for(timeout=MOST)
    first = time.perf_counter() - began
    later = [float(page.evaluate(CHANGE, f"focus, force {at + 1}")) for at in range(ANSWERS)]
    context.close()
    return first, later


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        build.build(out)
        print(f"Pyodide {sum(map(packed, (out / 'pyodide').iterdir())) / 1e6:.1f} MB")
        for name in ("rollcall.zip", "languages.zip"):
            print(f"{name} {packed(out / name) / 1e6:.2f} MB")
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(build.Handler, directory=folder)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                for _ in range(VISITS):
                    first, later = visit(browser, f"http://127.0.0.1:{server.server_port}/")
                    print(f"first answer {first:.1f} s, later ones {median(later):.0f} ms", end=", ")
                    print(f"load {os.getloadavg()[0]:.1f}")
                browser.close()
            server.shutdown()


if __name__ == "__main__":
    main()
