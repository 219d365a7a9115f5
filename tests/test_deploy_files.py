"""The files of ``deploy`` and docs/operations.md name nothing that the bot does not have."""

import configparser
import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from bot import metrics
from bot.__main__ import parser
from bot.runtime.app import DRAIN
from bot.settings import Settings
from bot.web.health import HealthEndpoints
from tests.rows import for_each_row

ROOT: Final = Path(__file__).parents[1]
DEPLOY: Final = sorted((ROOT / "deploy").iterdir())
OPERATIONS: Final = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
COMPOSE: Final = [ROOT / "compose.yaml", *(ROOT / "deploy").glob("compose.*.yaml")]
UNITS: Final = [path for path in sorted((ROOT / "deploy").glob("*.service")) if "backup" not in path.name]
"""Those that run the bot."""
OF_OTHERS: Final = re.compile("PYTHON[A-Z]+|POSTGRES_[A-Z]+|PG[A-Z]+")
"""Settings of Python, and of PostgreSQL's own image and tools."""
VARIABLES: Final = frozenset(name.upper() for name in Settings.model_fields)
PATHS: Final = frozenset(
    route.resource.canonical
    for route in HealthEndpoints.routes(HealthEndpoints.__new__(HealthEndpoints)).router.routes()
    if route.resource
)


def test_pods_may_write_only_where_they_say() -> None:
    pod = (ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8")
    for right in (
        "runAsNonRoot: true",
        "seccompProfile: { type: RuntimeDefault }",
        "automountServiceAccountToken: false",
        "readOnlyRootFilesystem: true",
        "allowPrivilegeEscalation: false",
        "capabilities: { drop: [ALL] }",
    ):
        assert right in pod
    mounted, result = (
        set(re.findall(pattern, pod)) for pattern in (r"name: (\w+), mountPath", r"name: (\w+), emptyDir")
    )
    assert mounted == result == {"data", "tmp"}


def exported() -> dict[str, set[str]]:
    """What Prometheus reads from ``/metrics``, and the labels of each; a histogram has three names."""
    result: dict[str, set[str]] = {}
    suffixes = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}
    for collector in metrics.REGISTRY._collector_to_names:
        labels = set(getattr(collector, "_labelnames", ()))
        for family in collector.collect():
            for suffix in suffixes[family.type]:
                result[family.name + suffix] = labels | ({"le"} if suffix == "_bucket" else set())
    return result


def dashboard() -> Any:
    return json.loads((ROOT / "deploy" / "grafana-dashboard.json").read_text(encoding="utf-8"))


def questions() -> dict[str, str]:
    """Every question to Prometheus, by where it stands."""
    asked = {
        f"{panel['title']} {item['refId']}": item["expr"]
        for panel in dashboard()["panels"]
        for item in panel["targets"]
    }
    alerts = (ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8")
    return asked | dict(re.findall(r"- alert: (\w+)\n +expr: (.+)\n", alerts))


@for_each_row("where", questions())
def test_what_is_asked_of_prometheus_is_measured(where: str) -> None:
    question, known = questions()[where], exported()
    names = set(re.findall(r"\b(?:rollcall|process)_\w+", question))
    assert names or question.startswith("up{"), question
    assert names <= known.keys()
    for name in names:
        for by in re.findall(r"by \((\w+)\)", question):
            assert by in known[name]


def test_every_alert_is_found_and_says_what_to_do() -> None:
    alerts = (ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8")
    names = re.findall(r"- alert: (\w+)", alerts)
    assert len(names) == len(set(names)) == alerts.count("summary: ") == alerts.count("expr: ")
    assert set(names) <= questions().keys()


def test_the_panels_of_the_dashboard_do_not_lie_on_each_other() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [
        (panel["gridPos"]["x"] + across, panel["gridPos"]["y"] + down)
        for panel in panels
        for across in range(panel["gridPos"]["w"])
        for down in range(panel["gridPos"]["h"])
    ]
    assert len(set(places)) == len(places)
    assert max(across for across, _ in places) < 24


def test_the_metrics_that_the_note_explains_are_measured() -> None:
    named = set(re.findall(r"^\| `(rollcall_\w+)` \|", OPERATIONS, re.MULTILINE))
    assert named
    plain = {re.sub("_(bucket|count|sum)$", "", name) for name in exported()}
    assert named <= plain


# Settings


@pytest.mark.parametrize("file", [*COMPOSE, *UNITS, ROOT / "deploy" / "kubernetes.yaml"], ids=lambda file: file.name)
def test_every_variable_that_a_file_sets_is_a_setting(file: Path) -> None:
    text = re.sub(r"(^|\s)#.*", "", file.read_text(encoding="utf-8"))
    set_here = set(re.findall(r"(?:^ +|\{ |, |name: |Environment=)([A-Z][A-Z0-9_]+)(?=[:=,]| \})", text, re.MULTILINE))
    assert {name for name in set_here if not OF_OTHERS.fullmatch(name)} <= VARIABLES


def test_the_example_explains_every_setting() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE)) == VARIABLES


def test_the_note_names_settings_paths_commands_and_files_that_there_are() -> None:
    paths = set(re.findall(r"`(/\w+)`", OPERATIONS))
    assert paths
    assert paths <= set(PATHS)
    commands = next(action for action in parser()._actions if action.dest == "command").choices
    assert commands is not None
    named = set(re.findall(r"(?:python -m bot|^rollcall) (\w+)", OPERATIONS, re.MULTILINE))
    assert named
    assert named <= set(commands)
    files = re.findall(r"`(deploy/[^` ]+|compose\.yaml)`", OPERATIONS)
    assert files
    assert all((ROOT / file).is_file() for file in files)
    names = set(re.findall(r"\b(?:SHARD|OPERATIONS|LOG|ODDS|DISCORD|DATABASE|PERSON)_[A-Z]+\b", OPERATIONS))
    assert names
    assert names <= set(VARIABLES)


@pytest.mark.parametrize("file", DEPLOY, ids=lambda file: file.name)
def test_the_note_names_every_file(file: Path) -> None:
    assert f"deploy/{file.name}" in OPERATIONS


# Starting, asking, stopping


def test_backups_are_made_with_the_settings_and_rights_of_the_bot() -> None:
    ours, backup = (
        (ROOT / "deploy" / name).read_text(encoding="utf-8") for name in ("rollcall.service", "rollcall-backup.service")
    )
    same = (
        "User",
        "StateDirectory",
        "WorkingDirectory",
        "EnvironmentFile",
        "ProtectSystem",
        "NoNewPrivileges",
        "UMask",
    )
    lines = [line for line in ours.splitlines() if line.startswith(same)]
    assert len(lines) == 8
    assert set(lines) <= set(backup.splitlines())
    commands = [line.split() for line in re.findall(r"^ExecStart=(.+)$", backup, re.MULTILINE)]
    scripts = [script for script, *_ in commands]
    assert scripts == ["/opt/rollcall/bin/rollcall-backup", "/opt/rollcall/bin/rollcall-rehearsal"]
    for script in map(Path, scripts):
        assert f"install deploy/{script.name} {script.parent}/" in OPERATIONS
        assert re.search(rf"install .*deploy/{script.name}\b.* {script.parent}/", dockerfile())
    assert {folder for _, folder, *_ in commands} == {"/var/lib/rollcall/backups"}
    asked = [command for _, _, *command in commands]
    assert asked == [["/opt/rollcall/bin/rollcall", *words] for words in (["backup"], ["restore", "--check"])]


def test_kubernetes_asks_what_the_bot_answers() -> None:
    text = (ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"httpGet: \{ path: (\S+), port: operations \}", text)) == {"/healthz", "/readyz"} <= PATHS
    (port,) = re.findall(r'name: OPERATIONS_PORT, value: "(\d+)"', text)
    assert re.findall(r"name: operations, containerPort: (\d+)", text) == [port]
    assert re.findall(r'prometheus.io/port: "(\d+)"', text) == [port]
    assert re.findall(r"replicas: (\d+)", text) == re.findall(r'name: PROCESSES, value: "(\d+)"', text)


@pytest.mark.parametrize(
    "file", [ROOT / "compose.yaml", ROOT / "deploy/compose.processes.yaml", ROOT / "deploy/kubernetes.yaml", *UNITS]
)
def test_a_process_has_the_time_that_it_needs_to_stop(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    pattern = r"(?:stop_grace_period: |terminationGracePeriodSeconds: |TimeoutStopSec=)(\d+)s?\b"
    seconds = [int(result) for result in re.findall(pattern, text)]
    assert seconds
    assert all(result > DRAIN + 2 for result in seconds), "it has ended after ten seconds"


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.name)
def test_a_unit_starts_the_bot_again_but_not_with_wrong_settings(file: Path) -> None:
    unit = configparser.RawConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # systemd tells Upper from lower
    unit.read(file)
    assert unit["Service"]["ExecStart"] == "/opt/rollcall/bin/rollcall run"
    assert unit["Service"]["Restart"] == "on-failure"
    assert unit["Service"]["RestartPreventExitStatus"] == "2"


def test_the_image_is_built_from_all_that_the_package_is_made_of() -> None:
    """What hatchling reads is copied, and not ignored; the catalogs are compiled there."""
    copied = set(" ".join(re.findall(r"^COPY (?!--)(.+) \S+$", dockerfile(), re.MULTILINE)).split())
    kept = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    wheel = hatch["targets"]["wheel"]
    wanted = {*wheel["packages"], *wheel["force-include"], "pyproject.toml", "README.md", "hatch_build.py"}
    assert "custom" in hatch["hooks"], "which is hatch_build.py"
    assert wanted <= copied
    assert all((ROOT / name).exists() and f"!{name}" in kept for name in copied)


def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text(encoding="utf-8")


# Nothing that others may change


def test_images_and_actions_are_named_by_what_is_in_them() -> None:
    """A tag may be moved to something else; a digest and a commit may not."""
    files = [ROOT / "Dockerfile", *COMPOSE, *(ROOT / ".github" / "workflows").iterdir()]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    images = re.findall(r"(?:^ARG PYTHON=|^ +image: (?!rollcall)|^ +- (?=3\.\d+-))(\S+)", text, re.MULTILINE)
    assert len(images) >= 5
    assert [image for image in images if not re.search(r"@sha256:[0-9a-f]{64}$", image)] == []
    actions = re.findall(r"uses: (\S+)", text)
    assert actions
    assert [action for action in actions if not re.search(r"@[0-9a-f]{40}$", action)] == []
