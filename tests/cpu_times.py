"""Prints the files whose tests take the most CPU time, ended child processes included: ``pytest -p tests.cpu_times``.

Unlike the durations that pytest prints, it means something on a busy machine too.
"""

import os
from collections import Counter
from collections.abc import Generator
from typing import Final

import pytest

SHOWN: Final = 40
BEFORE: Final = pytest.StashKey[float]()


def cpu_seconds() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[BEFORE] = cpu_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown":
        report.user_properties.append(("cpu", cpu_seconds() - item.stash[BEFORE]))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    seconds = Counter[str]()
    for report in (one for reports in terminalreporter.stats.values() for one in reports):
        for name, value in getattr(report, "user_properties", ()):
            if name == "cpu":
                seconds[report.nodeid.partition("::")[0]] += value
    terminalreporter.write_line(f"CPU time: {sum(seconds.values()):.1f} s")
    for file, value in seconds.most_common(SHOWN):
        terminalreporter.write_line(f"{value:8.1f} s  {file}")
