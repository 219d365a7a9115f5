"""Compiles the catalogs of languages whenever the package is built or installed."""

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Languages(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        subprocess.run([sys.executable, "-m", "bot.languages.compiling"], cwd=self.root, check=True)
