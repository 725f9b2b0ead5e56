"""Pytest fixtures for plugin authors: fire an event on every host that the plugin supports.

::

    def test_force_push_is_refused(agent_plugin, agent_plugin_host):
        result = agent_plugin.fire(
            agent_plugin_host, "pre-tool-use", tool="shell", input={"command": "git push -f"}
        )
        assert result.outcome == "deny"

The plugin under test is the one installed in this environment; an editable install is fine. If
several are installed, it is the one that the option ``--agent-plugin`` or the ini key
``agent_plugin`` names, or else the project that pytest runs in.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.names import normalize
from hatch_agentplugin.plan import PlanError
from hatch_agentplugin.simulate import Bundle, CannotSimulate, Result, simulate
from hatch_agentplugin.words import canonical_event

UPDATE_OPTION = "--agent-plugin-update-golden"
_HELP = "the plugin that the fixture agent_plugin fires (default: this project's)"


class AgentPlugin:
    """The plugin under test."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        """Its bundle, as built."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The ids of the hosts on which a hook of the plugin fires."""
        return self.bundle.hosts

    def fire(self, host: str, event: str, *, check: bool = True, **values: Any) -> Result:
        """Fire an event on a host as that host would, and return what it would see.

        ``event`` may have any accepted spelling. ``values`` are the arguments of
        :func:`hatch_agentplugin.simulate.simulate`: tool (a selector or a native name), input,
        prompt, output, payload, cwd, env, ... Skips the test if the host has no such event. Raises
        HookFailed if a hook fails, unless ``check`` is false.
        """
        try:
            result = simulate(self.bundle, host, canonical_event(event) or event, **values)
        except CannotSimulate as error:
            pytest.skip(str(error))
        if check:
            result.check()
        return result


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--agent-plugin``, the ini key ``agent_plugin`` and the adapter kit's option."""
    parser.addoption("--agent-plugin", metavar="NAME", help=_HELP)
    parser.addini("agent_plugin", _HELP)
    parser.addoption(
        UPDATE_OPTION,
        action="store_true",
        help="write the golden files of host adapters, and run no other test",
    )


@pytest.fixture
def agent_plugin_update_golden(pytestconfig: pytest.Config) -> bool:
    """Whether the test writes its golden files instead of comparing them."""
    return bool(pytestconfig.getoption(UPDATE_OPTION))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``--agent-plugin-update-golden`` keep only tests that write golden files."""
    if not config.getoption(UPDATE_OPTION):
        return
    writers = [
        item
        for item in items
        if agent_plugin_update_golden.__name__ in getattr(item, "fixturenames", ())
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in writers])
    items[:] = writers


@pytest.fixture(scope="session")
def agent_plugin(pytestconfig: pytest.Config) -> AgentPlugin:
    """The plugin under test; see :mod:`hatch_agentplugin.testing.pytest_plugin`."""
    return AgentPlugin(_bundle(pytestconfig))


@pytest.fixture
def agent_plugin_host(request: pytest.FixtureRequest) -> str:
    """The id of a host; the test runs once for each host that the plugin supports."""
    return str(request.param)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test per host."""
    if "agent_plugin_host" in metafunc.fixturenames:
        hosts = _bundle(metafunc.config).hosts
        metafunc.parametrize("agent_plugin_host", hosts, indirect=True)


def _bundle(config: pytest.Config) -> Bundle:
    """Return the bundle of the plugin under test. Raises UsageError."""
    installed = {plugin.id: plugin for plugin in discover()[0]}
    name = config.getoption("--agent-plugin") or config.getini("agent_plugin")
    name = name or (next(iter(installed)) if len(installed) == 1 else _project(config.rootpath))
    plugin = installed.get(normalize(name or ""))
    if plugin is None:
        found = ", ".join(installed) or "none"
        raise pytest.UsageError(
            f"agent_plugin: the plugin {name or 'of this project'} is not installed in this "
            f"environment (installed: {found}); `pip install -e .` installs it"
        )
    try:
        return Bundle.read(Path(plugin.bundle))
    except (PlanError, OSError) as error:
        raise pytest.UsageError(f"agent_plugin: {plugin.name}: {error}") from None


def _project(root: Path) -> str | None:
    """Return the project's name in ``pyproject.toml``, or None."""
    try:
        text = (root / "pyproject.toml").read_text("utf-8")
    except OSError:
        return None
    # A regular expression is enough for one key, and Python 3.10 has no TOML parser.
    found = re.search(r"(?ms)^\[project\]\s*$.*?^name\s*=\s*[\"']([^\"']+)", text)
    return found[1] if found else None
