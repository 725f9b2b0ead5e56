"""Any coming and going of plugins ends in what those that are left give by themselves.

Run in memory: placing is pure, so its files can be a dictionary.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.activate.activate import Activation, activate
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.deactivate import deactivate
from hatch_agentplugin.activate.discover import Installed
from hatch_agentplugin.activate.locate import Machine, Scope
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.plan import HostPlan, Item, Plan, Plugin
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.state import State
from tests.activate.world import EVENTS, flat, grouped, host, owned

HOME = Path("/nowhere/home")
NAMES = ("a", "b", "c")
SETTINGS = HOME / ".grouped/settings.json"
HOOKS = HOME / ".flat/hooks.json"
PAIR = HOME / ".pair/settings.json"
FOREIGN = {
    "none": {},
    "plain": {SETTINGS: b'{\n  "a": 1\n}\n', HOOKS: b'{"version": 1}'},
    "hooks": {
        SETTINGS: b'{"hooks": {"Stop": [{"x": 1}], /* c */ "Other": []},}',
        HOOKS: b'{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t]\r\n\t}\r\n}',
    },
    "one line": {SETTINGS: b"{}", HOOKS: b"\xef\xbb\xbf{ }\n"},
}

steps = st.lists(
    st.tuples(st.sampled_from(["in", "out"]), st.sampled_from(NAMES), st.sampled_from([1, 2])),
    max_size=8,
)


class Memory:
    """A machine whose files are a dictionary."""

    def __init__(self, files: dict[Path, bytes]) -> None:
        self.files = dict(files)
        self.ledger = Ledger()
        machine = Machine({"PATH": ""}, str(HOME), "linux")
        self.context = Context(machine, State(HOME / ".agent-plugin", HOME), "/env", "/py", "/rt")

    def hosts(self, name: str, version: int) -> dict[str, HostPlan]:
        """The plans of a plugin; its second version has other events and timeouts."""
        events = EVENTS if version == 1 else ("post-tool-use", "turn-end")
        settings = grouped(events=events, timeout=10 * version)
        # Comments are in the settings of this host.
        return {
            "grouped": settings,
            "flat": flat(),
            "owned": owned(name, events=events),
            "pair": self.pair(version),
        }

    def pair(self, version: int) -> HostPlan:
        """Two entries with one command for one event: they differ only in what else they say."""
        both = [replace(one, value={**one.value, "matcher": matcher})
                for one in grouped("pair", EVENTS[:1], timeout=10 * version).scopes["user"]
                for matcher in ("Bash", "Edit", "Write")[: version + 1]
                if isinstance(one, Item)]  # fmt: skip
        return host("pair", {"user": both}, EVENTS[:1])

    def come(self, name: str, version: int, replace: bool = False) -> None:
        """Activate a plugin."""
        hosts = self.hosts(name, version)
        plan = Plan(Plugin(name, name, str(version)), "", hosts)
        installed = Installed(name, name, str(version), Path("/env") / name)
        asked = Activation(((installed, plan),), tuple(hosts), Scope(), replace)
        workspace = Workspace(self.files.get, self.ledger)
        activate(workspace, asked, self.context, lambda context, plugin, row: plugin.encode())
        assert not [row for row in workspace.rows if row.state == "failed"], workspace.rows
        self._take(workspace)

    def go(self, name: str) -> None:
        """Deactivate a plugin."""
        workspace = Workspace(self.files.get, self.ledger)
        deactivate(workspace, workspace.entries.of_plugin(name), self.context)
        self._take(workspace)

    def commands(self, path: Path, name: str) -> list[str]:
        """The commands of a plugin in the groups of a settings file."""
        document = json.loads(self.files[path])
        return [
            handler["command"]
            for groups in document.get("hooks", {}).values()
            for group in groups
            for handler in group["hooks"]
            if f"/{name}/launch" in handler["command"]
        ]

    def _take(self, workspace: Workspace) -> None:
        changes, refused = workspace.finish()
        assert not refused
        for change in changes:
            if change.data is None:
                del self.files[change.path]
            else:
                self.files[change.path] = change.data
        self.ledger = workspace.ledger(self.ledger)


@pytest.mark.parametrize("foreign", FOREIGN)
@given(steps=steps)
def test_what_is_left_is_what_it_would_be_alone(
    foreign: str, steps: list[tuple[str, str, int]]
) -> None:
    """In the order in which they came; and with the last one everything is as before."""
    machine = Memory(FOREIGN[foreign])
    left: dict[str, int] = {}
    for step, name, version in steps:
        if step == "in" and left.get(name, version) == version:
            machine.come(name, version)
            left.setdefault(name, version)
        elif step == "out":
            machine.go(name)
            left.pop(name, None)
    alone = Memory(FOREIGN[foreign])
    for name, version in left.items():
        alone.come(name, version)
    assert machine.files == alone.files
    for name in left:
        machine.go(name)
    assert machine.files == FOREIGN[foreign]


@pytest.mark.parametrize("foreign", FOREIGN)
@given(steps=steps)
def test_upgrades_are_undone_too(foreign: str, steps: list[tuple[str, str, int]]) -> None:
    """Whatever versions came over each other, deactivating gives back every byte."""
    machine = Memory(FOREIGN[foreign])
    for step, name, version in steps:
        if step == "in":
            machine.come(name, version)
            before = machine.files
            machine.come(name, version)
            assert machine.files == before
        else:
            machine.go(name)
    for name in NAMES:
        machine.go(name)
    assert machine.files == FOREIGN[foreign]


@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["in", "replace", "out", "edit", "cut"]),
            st.sampled_from(NAMES),
            st.sampled_from([1, 2]),
        ),
        max_size=8,
    )
)
def test_nothing_of_ours_is_left_after_edits(steps: list[tuple[str, str, int]]) -> None:
    """Whatever the user changes or removes between the runs, no entry of ours stays or doubles."""
    machine = Memory({PAIR: b"{}\n"})
    for step, name, version in steps:
        text = machine.files[PAIR].decode()
        if step in ("in", "replace"):
            machine.come(name, version, replace=step == "replace")
            commands = machine.commands(PAIR, name)
            assert len(commands) <= version + 1
            if step == "replace":
                assert len(commands) == version + 1
        elif step == "out":
            machine.go(name)
            assert not machine.commands(PAIR, name)
        elif step == "edit":
            machine.files[PAIR] = text.replace(f'"timeout": {version}0', '"timeout": 99').encode()
        else:
            document = json.loads(text)
            for groups in document.get("hooks", {}).values():
                del groups[version - 1 : version]
            machine.files[PAIR] = json.dumps(document).encode()
    for name in NAMES:
        machine.go(name)
    assert json.loads(machine.files[PAIR]).get("hooks", {}) in ({}, {"SessionStart": []})
