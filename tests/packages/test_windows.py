"""What the packages are on Windows: by the rules of its shells, since none of it is run here."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin import packages
from hatch_agentplugin.packages import Packages
from hatch_agentplugin.packages.host_package import LAUNCHER_BESIDE_MODULE
from tests.built import TREE
from tests.packages.made import WITH_PACKAGES, document, hosts, make
from tests.packages.test_uvx import UVX

#: Host -> how its hooks get to ``launch.cmd``; "" where they do not.
BY = {
    "claude-code": "bash",
    "qwen-code": "bash",
    "codex": "commandWindows",
    "copilot-cli": "powershell",
    "opencode": "module",
    "pi": "module",
    "cursor": "",
    "droid": "",
    "gemini-cli": "",
    "kimi": "",
    "antigravity-cli": "",
}
SAID = {"bash": "runs, through Git Bash", "module": "runs", "": "hooks do nothing"}


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return make(tmp_path_factory.mktemp("example"))


def entries(value: Any) -> list[dict[str, Any]]:
    """Every object with a command for the launcher in it."""
    if isinstance(value, list):
        return [entry for item in value for entry in entries(item)]
    if not isinstance(value, dict):
        return []
    if any(isinstance(text, str) and "/launch" in text for text in value.values()):
        return [value]
    return [entry for item in value.values() for entry in entries(item)]


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_command_of_each_host(example: Packages, host: str) -> None:
    """Where there is a key for Windows it has a line for that shell, which ends well where nothing
    is found; everywhere else stands the one line for ``sh``."""
    by, bundle = BY[host], hosts()[host].package
    assert bundle is not None
    assert f"{host}/example-plugin/launch.cmd" in example.files
    if by == "module":
        return
    found = entries(document(example, f"{host}/example-plugin/{bundle.hooks}"))
    assert found
    for entry in found:
        (posix,) = (text for text in entry.values() if isinstance(text, str) and 'sh "' in text)
        slot = posix.rpartition(" ")[2]
        if by not in ("commandWindows", "powershell"):
            assert not any("launch.cmd" in str(text) for text in entry.values())
            continue
        line = entry[by]
        assert f"{host} {slot}" in line
        assert line.startswith("if exist " if by == "commandWindows" else "$r = $env:")
        assert "command" in entry or by == "powershell"


@pytest.mark.parametrize("host", WITH_PACKAGES)
def test_the_page_says_it(host: str) -> None:
    page = (TREE / "docs/how-to/portable.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w[^|]*) \|.*\| ([^|]*) \|$", page, re.MULTILINE)
    (cell,) = (last for first, last in rows if first in hosts()[host].name)
    said = SAID.get(BY[host], "runs, by its own key")
    assert cell == said


@pytest.mark.parametrize("host", [host for host in WITH_PACKAGES if hosts()[host].run.guard])
def test_host_that_takes_a_missing_program_for_a_refusal(example: Packages, host: str) -> None:
    """A package in pieces refuses nothing, on any system."""
    bundle = hosts()[host].package
    assert bundle is not None
    for entry in entries(document(example, f"{host}/example-plugin/{bundle.hooks}")):
        posix = next(text for text in entry.values() if 'sh "' in str(text))
        assert posix.startswith(f'[ -f "{bundle.root}/launch" ] || exit 0; ')


@pytest.mark.parametrize("runner", ["python", "uvx"])
def test_batch_file(tmp_path: Path, runner: str) -> None:
    """It finds everything from where it lies and from the user's variables, and in what is missing
    it ends with success."""
    made = make(tmp_path, "codex", more=UVX if runner == "uvx" else "")
    data = made.files["codex/example-plugin/launch.cmd"][0]
    text = data.decode("ascii")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert 'set "AP_BUNDLE=%~dp0lib\\example_plugin_agent_plugin"' in text
    assert 'set "AP_STATE=%USERPROFILE%\\.agent-plugin\\example-plugin"' in text
    assert "if not defined AP_PYTHON exit /b 0" in text
    assert 'if exist "%AP_STATE%\\placed" (' in text
    assert 'if exist "%ProgramFiles%\\agent-plugin\\example-plugin\\placed" (' in text
    assert not re.search(r"(?i)[\"= ][a-z]:\\", text)
    starts = next(line for line in text.splitlines() if line.startswith('"%AP_PYTHON%"'))
    flags = '-q --from "example-plugin==1.0" python -I' if runner == "uvx" else "-3 -I -S"
    assert starts.startswith(f'"%AP_PYTHON%" {flags} -X utf8 -c ')
    # A uvx that fails by itself may end with 2, a refusal: then it fails at nothing too.
    again = f'"%AP_PYTHON%" {flags} -X utf8 -c "" <nul >nul 2>nul || exit /b 0'
    ends = [line for line in text.splitlines() if line.startswith("exit /b %")]
    if runner == "uvx":
        assert text.index(starts) < text.index(again) < text.index("exit /b %AP_STATUS%")
    else:
        assert ends == ["exit /b %errorlevel%"]


def test_git_bash_hands_over_to_the_batch_file(example: Packages, tmp_path: Path) -> None:
    """With the words it was given, and what it answers."""
    packages.write(example.files, tmp_path)
    package = tmp_path / "claude-code/example-plugin"
    (package / "launch.cmd").write_text('#!/bin/sh\necho "$@"; exit 2\n')
    shell = (
        shutil.which("dash")
        or shutil.which("busybox")
        or pytest.skip("no shell that leaves OSTYPE alone")
    )
    words = [shell, "sh"] if shell.endswith("busybox") else [shell]
    done = subprocess.run(
        [*words, str(package / "launch"), "claude-code", "pre-tool-use"],
        env={"OSTYPE": "msys", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("claude-code pre-tool-use\n", 2)


@pytest.mark.parametrize(
    ("platform", "place", "launcher"),
    [
        ("win32", "file:///C:/Users/it's%20%C3%BC/p/a.js", "C:\\Users\\it's ü\\launch.cmd"),
        ("linux", "file:///home/it's%20%C3%BC/p/a.js", "/home/it's ü/launch"),
    ],
)
def test_code_module_finds_the_launcher(platform: str, place: str, launcher: str) -> None:
    node = shutil.which("node") or pytest.skip("node is not installed")
    code = (LAUNCHER_BESIDE_MODULE % ("../", "../")).replace("import.meta.url", "place")
    values = f"const place = {place!r}, process = {{platform: {platform!r}}};"
    script = f"{{ {values} console.log({code}); }}"
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=False)
    assert done.stdout == f"{launcher}\n", done.stderr
