"""The lock files: every package by its hashes, one version everywhere; and the audit, which says when it cannot ask."""

import json
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import pytest
from packaging.requirements import Requirement

from tests.ports import free_port

ROOT: Final = Path(__file__).parents[1]
LOCKS: Final = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "locks").glob("*.txt"))}
EXTRAS: Final = {"play": ["play"], "run": ["postgres", "speed"], "dev": ["dev", "docs", "postgres", "play", "speed"]}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lock: str) -> dict[str, str]:
    """Each package and its version; every line that is not a pin is a hash of the one above."""
    entries = re.split(r"\n(?! )", lock.strip())
    result = {}
    for entry in entries:
        first, *hashes = entry.split(" \\\n")
        pinned = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[a-z0-9, -]+\])?==([^ ;]+)( ; .+)?", first)
        assert pinned is not None, first
        assert hashes, entry
        assert all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}", item) for item in hashes), entry
        result[plain(pinned[1])] = pinned[2]
    return result


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_everything_by_its_hash(name: str) -> None:
    locked = pins(LOCKS[name])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(item for extra in EXTRAS[name] for item in project["optional-dependencies"][extra]),
    ]
    names = {plain(re.split(r"[\[<>=;~! ]", item)[0]) for item in wanted} | {"hatchling", "editables"}
    assert names - {"rollcall"} <= locked.keys()
    assert locked.items() <= pins(LOCKS["dev"]).items(), "one version of each package everywhere"


def test_an_extra_that_a_package_asks_for_stands_in_the_lock() -> None:
    """Else pip 23.2 looks for the newest release that has it, and refuses that for want of a hash."""
    extras = {
        plain(name): set(asked.split(", ")) for name, asked in re.findall(r"^(\S+)\[(.+)\]==", LOCKS["dev"], re.M)
    }
    assert extras["coverage"] == {"toml"}
    for name in pins(LOCKS["dev"]):
        try:
            wanted = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # it is for another system
        for item in map(Requirement, wanted):
            if any(
                item.marker is None or item.marker.evaluate({"extra": mine}) for mine in {"", *extras.get(name, ())}
            ):
                assert item.extras <= extras.get(plain(item.name), set()), f"{name} asks for {item}"


# The audit


@contextmanager
def source(answer: dict[str, Any]) -> Iterator[str]:
    """A list of holes that says this to whoever asks."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            results = [answer.get(item["package"]["name"], {}) for item in asked["queries"]]
            body = json.dumps({"results": results}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/querybatch"
        server.shutdown()
        thread.join()


def audit(url: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "locks" / "audit.py"), str(ROOT / "locks" / "run.txt"), "--source", url]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_audit_names_what_has_holes() -> None:
    with source({}) as url:
        assert audit(url).returncode == 0
    with source({"aiohttp": {"vulns": [{"id": "GHSA-1"}, {"id": "GHSA-2"}]}}) as url:
        ended = audit(url)
    assert ended.returncode == 1
    assert re.search(r"^aiohttp \S+: GHSA-1, GHSA-2\. See https://osv\.dev/vulnerability/GHSA-1$", ended.stdout, re.M)
    assert f"{len(pins(LOCKS['run']))} packages checked, 1 with known holes." in ended.stdout


def test_the_audit_says_that_it_cannot_ask() -> None:
    ended = audit(f"http://127.0.0.1:{free_port()}/")
    assert ended.returncode == 2
    assert ended.stderr.startswith("Nothing was checked: http://127.0.0.1:")
    assert ended.stderr.endswith("Connection refused>). Try again later.\n")
