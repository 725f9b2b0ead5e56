"""Every test gets a home folder of its own, and no variable that moves a host's files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.built import Environment, example, once, wheelhouse

settings.register_profile(
    "quick", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci", deadline=None, max_examples=250, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "quick")

#: A distribution with tests of its own; test_example_adapter.py runs them.
collect_ignore = ["example-adapter"]
#: Prefixes of the variables by which hosts and this project find their folders.
_HOST_PREFIXES = (
    "AGENT_PLUGIN", "AMP_", "AUGMENT_", "CLAUDE", "CLINE_", "CODEX_", "COPILOT_", "CRUSH_",
    "CURSOR_", "DEVIN_", "DROID_", "FACTORY_", "GEMINI_", "GOOSE_", "GROK_", "HERMES_", "KILO_",
    "KIMI_", "KIRO_", "MIMOCODE_", "OPENCLAW_", "OPENCODE_", "PI_", "QODER_", "QWEN_", "VIBE_",
)  # fmt: skip


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scratch home folder that HOME, XDG and Windows variables point at."""
    folder = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(_HOST_PREFIXES) and name != "AGENT_PLUGIN_TEST_CACHE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    for name, path in {
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
        "XDG_CACHE_HOME": ".cache",
    }.items():
        monkeypatch.setenv(name, str(folder / path))
    return folder


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Make fsync a no-op: it only matters after a power cut, and takes a third of the time.

    The tests that replace ``os`` check that fsync is called at the right moments.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheels of this project and the example plugin."""
    return wheelhouse(tmp_path_factory)


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Environment:
    """An environment with the example plugin. Tests share it; one that changes it makes its own."""
    folder = once(
        tmp_path_factory,
        "example-environment",
        lambda path: str(Environment.make(path, wheels, example(wheels))),
    )
    return Environment(folder, wheels)
