"""All hosts on one machine: detected without running them, activated, restored to the byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.detect import presence
from hatch_agentplugin.activate.locate import Machine
from hatch_agentplugin.activate.operations import Result
from hatch_agentplugin.adapter import Dir, Host
from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.compiler.code_modules import render
from hatch_agentplugin.declaration import Declaration, Hook
from hatch_agentplugin.plan import HostPlan, Item, Plan
from hatch_agentplugin.simulate import Bundle
from hatch_agentplugin.testing.adapter_kit.machine import Scratch
from hatch_agentplugin.testing.adapter_kit.sample import FILES, PLUGIN, Sample, declare
from hatch_agentplugin.words import ScopeName
from tests.adapters.test_tables import HOSTS


def everything(root: Path) -> Sample:
    """Return the kit's sample, compiled for every host and installed like a wheel."""
    host = next(iter(HOSTS.values()))
    declared = declare(HOSTS["claude-code"])
    folder = root / "site/sample_agent_plugin"
    compiled = compile_bundle(declared, HOSTS.values(), render).files
    for name, data in {
        **compiled,
        **{name: text.encode() for name, text in FILES.items()},
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Sample(host, Bundle.read(folder), declared)


def activate(scratch: Scratch, scope: ScopeName) -> Result:
    plan: Plan = scratch.sample.bundle.plan
    known = ((scratch.sample.installed, plan),)
    return operations.activate(
        scratch.context, Activation(known, tuple(plan.hosts), scratch.place(scope))
    )


@pytest.mark.parametrize(
    "foreign",
    [pytest.param(False, id="empty", marks=pytest.mark.slow), pytest.param(True, id="foreign")],
)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_there_and_back(tmp_path: Path, scope: ScopeName, foreign: bool) -> None:
    """One transaction for every host; the second changes nothing; deactivate restores all."""
    scratch = Scratch(tmp_path, everything(tmp_path))
    if foreign:
        for host in HOSTS.values():
            there = replace(scratch.sample, host=host)
            if there.plan and scope in there.plan.scopes:
                foreign_files(scratch, there, scope)
    before = scratch.snapshot()
    result = activate(scratch, scope)
    failed = [row for row in result.rows if row.state == "failed"]
    assert all("shared in a project" in row.note for row in failed), failed
    wired = {row.host for row in result.rows if row.state == "placed"}
    assert len(wired) >= (40 if scope == "user" else 35), sorted(wired)
    placed = scratch.snapshot()
    assert before.keys() < placed.keys()
    again = activate(scratch, scope)
    assert scratch.snapshot() == placed
    assert not {row.state for row in again.rows} & {"placed", "updated"}
    scratch.deactivate()
    assert scratch.snapshot() == before


def foreign_files(scratch: Scratch, sample: Sample, scope: ScopeName) -> None:
    """Add the user's files for one more host; existing files stay."""
    one = replace(scratch, sample=sample)
    kept = {
        path: path.read_bytes()
        for folder in (scratch.home, scratch.project)
        for path in folder.rglob("*")
        if path.is_file()
    }
    one.add_foreign(scope)
    for path, data in kept.items():
        path.write_bytes(data)


def plan_of(host: Host) -> HostPlan:
    """Return the plan of a host without hooks."""
    return HostPlan(host.name, tuple(host.detect.binaries), tuple(host.detect.dirs), (), {})


BINARIES = [(host.id, name) for host in HOSTS.values() for name in host.detect.binaries]
DIRS: list[tuple[str, Dir]] = [
    (host.id, place) for host in HOSTS.values() for place in host.detect.dirs
]


@pytest.mark.parametrize(("host_id", "name"), BINARIES, ids=[f"{h}-{n}" for h, n in BINARIES])
def test_host_is_detected_by_its_program(host_id: str, name: str, tmp_path: Path) -> None:
    """Without running it: this program would leave a file."""
    program = tmp_path / "bin" / name
    program.parent.mkdir()
    program.write_text("#!/bin/sh\ntouch ran\n")
    program.chmod(0o755)
    environ = {"PATH": str(program.parent)}
    plan = plan_of(HOSTS[host_id])
    assert presence(plan, Machine(environ, str(tmp_path), "linux")) == str(program)
    assert presence(plan, Machine({"PATH": "/nowhere"}, str(tmp_path), "linux")) is None
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.parametrize(
    ("host_id", "place"), DIRS, ids=[f"{name}-{place.default}" for name, place in DIRS]
)
def test_host_is_detected_by_its_folder(host_id: str, place: Dir, tmp_path: Path) -> None:
    """At its default path, and at the path in the host's own variable."""
    plan = plan_of(HOSTS[host_id])
    home = tmp_path / "home"
    usual = Path(place.default.replace("~", str(home), 1))
    usual.mkdir(parents=True)
    environ = {"PATH": "/nowhere"}
    assert presence(plan, Machine(environ, str(home), "linux")) == str(usual)
    if place.env:
        moved = tmp_path / "moved" / place.inside
        moved.mkdir(parents=True)
        usual.rmdir()
        environ[place.env] = str(tmp_path / "moved")
        assert presence(plan, Machine(environ, str(home), "linux")) == str(moved)


#: The clients of the public proposal, and the platforms of the published cross-platform map.
NAMED = (
    "claude-code", "codex", "cursor", "copilot-cli", "vscode-copilot", "jetbrains-copilot",
    "copilot-cloud-agent", "grok", "opencode", "kilo", "kilo-cli", "pi", "cline", "devin",
    "windsurf", "gemini-cli", "antigravity", "antigravity-cli", "kiro", "amazon-q", "amp",
    "codebuff", "crush", "droid", "goose", "hermes", "kimi", "kimi-cli-legacy", "mimo-code",
    "mux", "nemoclaw", "omp", "openclaw", "qwen-code", "roo-code", "trae", "warp", "zed",
)  # fmt: skip


@pytest.mark.parametrize("host_id", NAMED)
def test_every_host_gets_something_or_says_why(host_id: str) -> None:
    """It has hooks, hooks through another host, or content."""
    host = HOSTS[host_id]
    if host.delivery or host.through:
        assert host.events or host.through in HOSTS
    else:
        assert host.content.mcp or host.content.skills or host.content.rules


@pytest.mark.parametrize("host_id", [name for name, host in HOSTS.items() if host.also_reads])
def test_reader_is_told_from_the_hosts_whose_files_it_reads(host_id: str) -> None:
    """The fire tables of these hosts have its signature, so a hook fires once."""
    for other in HOSTS[host_id].also_reads:
        sample = compile_bundle(declare(HOSTS[other]), HOSTS.values(), render)
        tables = [name for name in sample.files if name.startswith(f"fire/{other}/")]
        assert tables
        for name in tables:
            if name.endswith(".json"):
                assert f'"{host_id}": ['.encode() in sample.files[name], name


@pytest.mark.parametrize(
    ("tools", "kinds"),
    [
        pytest.param(
            (), ["run_command", "write_code", "read_code", "mcp_tool_use"], id="every-tool"
        ),
        pytest.param(("shell",), ["run_command"], id="one-kind"),
        pytest.param(("file.read", "mcp"), ["read_code", "mcp_tool_use"], id="two-kinds"),
        pytest.param(("web",), [], id="a-kind-without-an-event"),
    ],
)
def test_split_events_are_chosen_by_selector(tools: tuple[str, ...], kinds: list[str]) -> None:
    """Windsurf has an event per kind of tool; a hook is placed at the events of its tools."""
    hook = Hook(key="hooks.pre-tool-use[1]", event="pre-tool-use", handler="a:b", tools=tools)
    made = compile_bundle(Declaration(plugin=PLUGIN, hooks=(hook,)), [HOSTS["windsurf"]], render)
    (cell, *_) = made.plan.report
    plan = made.plan.hosts.get("windsurf")
    items = plan.scopes["user"] if plan else ()
    assert [one.at for one in items if isinstance(one, Item)] == [
        ("hooks", f"pre_{kind}") for kind in kinds
    ]
    assert (cell.state == "skipped") is (kinds == [])
