"""Any coming and going of plugins ends in what those that are left give by themselves.

Run in memory: placing is pure, so its files can be a dictionary.
"""

from __future__ import annotations

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
from hatch_agentplugin.plan import HostPlan, Plan, Plugin
from hatch_agentplugin.transaction.ledger import Ledger
from hatch_agentplugin.transaction.state import State
from tests.activate.world import EVENTS, flat, grouped, owned

HOME = Path("/nowhere/home")
NAMES = ("a", "b", "c")
SETTINGS = HOME / ".grouped/settings.json"
HOOKS = HOME / ".flat/hooks.json"
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
        return {"grouped": settings, "flat": flat(), "owned": owned(name, events=events)}

    def come(self, name: str, version: int) -> None:
        """Activate a plugin."""
        hosts = self.hosts(name, version)
        plan = Plan(Plugin(name, name, str(version)), "", hosts)
        installed = Installed(name, name, str(version), Path("/env") / name)
        asked = Activation(((installed, plan),), tuple(hosts), Scope())
        workspace = Workspace(self.files.get, self.ledger)
        activate(workspace, asked, self.context, lambda context, plugin, row: plugin.encode())
        assert not [row for row in workspace.rows if row.state == "failed"], workspace.rows
        self._take(workspace)

    def go(self, name: str) -> None:
        """Deactivate a plugin."""
        workspace = Workspace(self.files.get, self.ledger)
        deactivate(workspace, workspace.entries.of_plugin(name), self.context)
        self._take(workspace)

    def _take(self, workspace: Workspace) -> None:
        changes, problems = workspace.finish()
        assert not problems
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
