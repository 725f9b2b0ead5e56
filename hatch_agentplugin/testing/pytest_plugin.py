"""Fixtures for authors of plugins: fire an event on every host the plugin is built for.

::

    def test_force_push_is_refused(agent_plugin, agent_plugin_host):
        result = agent_plugin.fire(
            agent_plugin_host, "pre-tool-use", tool="shell", input={"command": "git push -f"}
        )
        assert result.outcome == "deny"

The plugin under test is the one installed in this environment, also editable. With several, the
one of the project that pytest runs in, or the one that the option ``--agent-plugin`` or the ini key
``agent_plugin`` names.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hatch_agentplugin.simulate import Bundle, Result

UPDATE_OPTION = "--agent-plugin-update-golden"
_HELP = "the plugin that the fixture agent_plugin fires (default: that of this project)"


class AgentPlugin:
    """The plugin under test."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        """Its compiled form."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts on which anything of it fires."""
        return self.bundle.hosts

    def fire(self, host: str, event: str, *, check: bool = True, **values: Any) -> Result:
        """Fire an event (any spelling) on a host as that host would.

        ``values`` are those of :func:`hatch_agentplugin.simulate.simulate`: tool (a selector or a
        native name), input, prompt, output, payload, cwd, env, ... Skips the test where the host
        has no such event. Raises HookFailed if a hook fails, unless ``check`` is false.
        """
        from hatch_agentplugin.simulate import CannotSimulate, simulate
        from hatch_agentplugin.words import canonical_event

        try:
            result = simulate(self.bundle, host, canonical_event(event) or event, **values)
        except CannotSimulate as error:
            pytest.skip(str(error))
        if check:
            result.check()
        return result


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--agent-plugin``, its ini key, and ``--agent-plugin-update-golden``."""
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
    """The plugin under test; see the module's text."""
    return AgentPlugin(_bundle(pytestconfig))


@pytest.fixture
def agent_plugin_host(request: pytest.FixtureRequest) -> str:
    """Each host on which anything of the plugin fires."""
    return str(request.param)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per host."""
    if "agent_plugin_host" in metafunc.fixturenames:
        hosts = _bundle(metafunc.config).hosts
        metafunc.parametrize("agent_plugin_host", hosts, indirect=True)


def _bundle(config: pytest.Config) -> Bundle:
    from hatch_agentplugin.activate.discover import discover
    from hatch_agentplugin.plan import PlanError
    from hatch_agentplugin.simulate import Bundle

    installed = {plugin.id: plugin for plugin in discover()[0]}
    name = config.getoption("--agent-plugin") or config.getini("agent_plugin")
    name = name or (next(iter(installed)) if len(installed) == 1 else _project(config.rootpath))
    plugin = installed.get(_id(name or ""))
    if plugin is None:
        there = ", ".join(installed) or "none"
        raise pytest.UsageError(
            f"agent_plugin: the plugin {name or 'of this project'} is not installed in this "
            f"environment (there: {there}); `pip install -e .` installs it"
        )
    try:
        return Bundle.read(Path(plugin.bundle))
    except (PlanError, OSError) as error:
        raise pytest.UsageError(f"agent_plugin: {plugin.name}: {error}") from None


def _project(root: Path) -> str | None:
    """The name in the project's ``pyproject.toml``."""
    import re

    try:
        text = (root / "pyproject.toml").read_text("utf-8")
    except OSError:
        return None
    # One key of a table of our own project does not need a TOML parser, which 3.10 does not have.
    found = re.search(r"(?ms)^\[project\]\s*$.*?^name\s*=\s*[\"']([^\"']+)", text)
    return found[1] if found else None


def _id(name: str) -> str:
    import re

    return re.sub(r"[-_.]+", "-", name).lower()
