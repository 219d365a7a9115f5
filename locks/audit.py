#!/usr/bin/env python3
# ruff: noqa: T201 - it prints
"""Ask which packages of a lock file have known holes: ``python audit.py FILE [--source URL]``.

The source is OSV (https://osv.dev), asked once for all packages. Exit code 0: none is known. 1: some are. 2: the source
could not be asked, and nothing was checked.
"""

import argparse
import json
import re
import sys
import urllib.request
from pathlib import Path

SOURCE = "https://api.osv.dev/v1/querybatch"
PATIENCE = 30.0
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]+\])?==([^ ;\\]+)", re.MULTILINE)


def holes(pins: list[tuple[str, str]], source: str) -> dict[str, list[str]]:
    """The known holes of pinned packages, by package. Raises ``OSError`` or ``ValueError`` for no answer."""
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in pins]
    asked = urllib.request.Request(  # noqa: S310 - whoever types the command names the source
        source, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310 - as above
        results = json.load(answer)["results"]
    if len(results) != len(pins):
        raise ValueError("the answer is about other packages")
    found = ([hole["id"] for hole in one.get("vulns", ())] for one in results)
    return {f"{name} {version}": ids for (name, version), ids in zip(pins, found, strict=True) if ids}


def main() -> int:
    parts = argparse.ArgumentParser(description="Known holes in the packages of a lock file.")
    parts.add_argument("file", type=Path)
    parts.add_argument("--source", default=SOURCE, metavar="URL")
    options = parts.parse_args()
    pins = PIN.findall(options.file.read_text(encoding="utf-8"))
    try:
        found = holes(pins, options.source)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"Nothing was checked: {options.source} gave no answer ({error}). Try again later.", file=sys.stderr)
        return 2
    for package, ids in found.items():
        print(f"{package}: {', '.join(ids)}. See https://osv.dev/vulnerability/{ids[0]}")
    print(f"{len(pins)} packages checked, {len(found)} with known holes.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
