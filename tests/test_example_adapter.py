"""The adapter of ``docs/how-to/adapter.md``: its own tests pass, and the page quotes it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from hatch_agentplugin.hosts import payloads
from hatch_agentplugin.hosts.registry import load_hosts
from hatch_agentplugin.testing.adapter_kit import UPDATE_OPTION
from tests.built import TREE

ADAPTER = TREE / "tests" / "example-adapter"
PAGE = (TREE / "docs" / "how-to" / "adapter.md").read_text("utf-8")
#: A file's name in a comment, and the block below it.
QUOTES = re.findall(r"<!-- (\S+) -->\n```\w+\n(.*?)```\n", PAGE, re.DOTALL)


def run_tests(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the adapter's own tests as its author does."""
    path = os.pathsep.join([str(folder), str(TREE), str(TREE / "adapters")])
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The adapter's project in a folder of its own."""
    return shutil.copytree(ADAPTER, tmp_path / "adapter")


def test_its_own_tests_pass(copy: Path, agent_plugin_update_golden: bool) -> None:
    done = run_tests(ADAPTER, UPDATE_OPTION) if agent_plugin_update_golden else run_tests(copy)
    assert (done.returncode, "failed" in done.stdout) == (0, False), done.stdout


def test_update_runs_only_the_tests_that_write_golden_files(copy: Path) -> None:
    golden = copy / "tests/golden/acme-code"
    before = {path: path.read_bytes() for path in golden.rglob("*") if path.is_file()}
    shutil.rmtree(golden)
    done = run_tests(copy, UPDATE_OPTION)
    assert "1 passed" in done.stdout, done.stdout
    assert "deselected" in done.stdout
    assert {path: path.read_bytes() for path in golden.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_a_changed_entry_is_shown_against_the_golden_files(copy: Path) -> None:
    """The author sees the lines that the change places, and how to accept them."""
    module = copy / "acme_code" / "__init__.py"
    text = module.read_text("utf-8")
    module.write_text(text.replace('"run": "$command"', '"start": "$command"'), "utf-8")
    shown = run_tests(copy, "-k", "golden")
    assert shown.returncode == 1
    assert '+        "start": "/home/user/.agent-plugin/sample/launch acme-code' in shown.stdout
    assert f"run pytest {UPDATE_OPTION}" in shown.stdout
    assert run_tests(copy, UPDATE_OPTION).returncode == 0
    assert run_tests(copy, "-k", "golden").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "test", "told"),
    [
        pytest.param('"file.read": ("view",)', '"file.reads": ("view",)', "facts",
                     'did you mean "file.read"?', id="unknown-selector"),
        pytest.param('"why": "$reason"', '"why": "$resaon"', "facts",
                     'did you mean "$reason"?', id="unknown-placeholder"),
        pytest.param('"prompt": "text"', '"prompt": "txet"', "recorded",
                     "turn-start with a file", id="field-that-the-host-has-not"),
        pytest.param('"input": "arguments"', '"input": "arguments.command"', "payload",
                     "input", id="input-that-is-no-object"),
    ],
)  # fmt: skip
def test_a_mistake_is_found(copy: Path, old: str, new: str, test: str, told: str) -> None:
    """By the test that checks this part."""
    module = copy / "acme_code" / "__init__.py"
    text = module.read_text("utf-8")
    assert old in text
    module.write_text(text.replace(old, new), "utf-8")
    done = run_tests(copy, "-k", test)
    assert done.returncode == 1, done.stdout
    assert told in done.stdout


def test_its_wheel_has_the_module_and_its_data(copy: Path, tmp_path: Path) -> None:
    """The payloads too: `simulate` sends them."""
    (wheel,) = WheelBuilder(str(copy)).build(directory=str(tmp_path / "dist"))
    names = ZipFile(wheel).namelist()
    assert "acme_code/__init__.py" in names
    assert "acme_code/payloads.json" in names
    assert any(name.endswith("entry_points.txt") for name in names)


def test_its_payloads_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the entry point's module, without importing it."""
    monkeypatch.syspath_prepend(str(ADAPTER))
    point = EntryPoint("acme-code", "acme_code", "agent_plugin.adapters")
    monkeypatch.setattr("hatch_agentplugin.hosts.adapters.other_adapters", lambda: [point])
    assert "pre-tool-use" in payloads.cases("acme-code")
    assert payloads.cases("nobody") == {}


def test_it_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ADAPTER))
    point = EntryPoint("acme-code", "acme_code", "agent_plugin.adapters")
    assert list(load_hosts([point])) == ["acme-code"]


@pytest.mark.parametrize(("name", "text"), QUOTES, ids=[name for name, _ in QUOTES])
def test_page_quotes_the_adapter(name: str, text: str) -> None:
    """Every block under a file's name stands in that file, word for word."""
    whole = (ADAPTER / name).read_text("utf-8")
    assert all(part.strip("\n") in whole for part in text.split("    ...\n"))


def test_page_shows_every_file() -> None:
    """A reader who copies the blocks has the whole adapter."""
    shown = "".join(text for name, text in QUOTES if name == "acme_code/__init__.py")
    whole = (ADAPTER / "acme_code/__init__.py").read_text("utf-8")
    assert "".join(shown.split()) == "".join(whole.split())
    assert {name for name, _ in QUOTES} == {
        "pyproject.toml",
        "acme_code/__init__.py",
        "tests/test_acme_code.py",
        "acme_code/payloads.json",
    }
