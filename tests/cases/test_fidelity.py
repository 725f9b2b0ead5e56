"""The real commands edit every settings file of the collection, in every state a file may be in.

Three questions per file: are our entries placed, did we only insert, is every byte and mode
restored? If a file or its folder must not be written, the right answer is a refusal that names it and
changes nothing.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.cli import main
from tests.cases._machine import CONFIGS, install, snapshot
from tests.transaction._faults import in_child

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX modes and links")
NOBODY = 65534

#: Folder and suffix of a fixture -> host, and the file below the home folder that it stands for.
PLACES = {
    ("antigravity", ".json"): ("antigravity", ".gemini/config/hooks.json"),
    ("claude", ".json"): ("claude-code", ".claude/settings.json"),
    ("cline", ""): ("cline", "Documents/Cline/Hooks/PreToolUse"),
    ("codex", ".json"): ("codex", ".codex/hooks.json"),
    ("codex", ".toml"): ("codex", ".codex/config.toml"),
    ("copilot", ".json"): ("copilot-cli", ".copilot/hooks/hooks.json"),
    ("cursor", ".json"): ("cursor", ".cursor/hooks.json"),
    ("devin", ".json"): ("devin", ".config/devin/config.json"),
    ("gemini", ".json"): ("gemini-cli", ".gemini/settings.json"),
    ("goose", ".yaml"): ("goose", ".config/goose/config.yaml"),
    ("kimi", ".toml"): ("kimi", ".kimi-code/config.toml"),
    ("kiro", ".hook"): ("kiro", ".kiro/hooks/legacy.kiro.hook"),
    ("opencode", ".jsonc"): ("opencode", ".config/opencode/opencode.jsonc"),
    ("zed", ".json"): ("zed", ".config/zed/settings.json"),
}
#: Hosts for which we write a file of our own beside the user's, which is never written.
BESIDE = ("cline", "copilot-cli", "kiro")
#: An event that is an object: no entry can be added, whatever the state of the file.
WRONG = "claude/09-event-is-object.json"
FILES = sorted(
    path.relative_to(CONFIGS).as_posix()
    for path in CONFIGS.glob("*/*")
    if not path.name.startswith(".")
)


@dataclass(frozen=True)
class State:
    """A state that a user may have put a file into."""

    name: str
    make: Callable[[Path, Path], None]
    """Put a plain file into this state; arguments: the file, a folder for dotfiles."""
    refuses: Callable[[str], bool] = lambda host: False
    """Return True if nothing can be placed for a host in this state."""
    as_user: bool = False
    """Root would not notice this state: the commands run as another user."""
    slow: bool = False
    """The quick suite leaves it out."""


def _link(file: Path, dotfiles: Path) -> None:
    dotfiles.mkdir()
    file.rename(dotfiles / file.name)
    file.symlink_to(dotfiles / file.name)


def _linked_folder(file: Path, dotfiles: Path) -> None:
    file.parent.rename(dotfiles)
    file.parent.symlink_to(dotfiles)


STATES = (
    State("plain", lambda file, dotfiles: None),
    State("symbolic link", _link),
    State("in a linked folder", _linked_folder, slow=True),
    State("mode 0600", lambda file, dotfiles: file.chmod(0o600), slow=True),
    State("mode 0444", lambda file, dotfiles: file.chmod(0o444), lambda host: host not in BESIDE),
    State("read-only folder", lambda file, dotfiles: file.parent.chmod(0o555), lambda host: True,
          as_user=True),
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site-packages folder with a plugin that has hooks and a server for each of the hosts."""
    folder = tmp_path_factory.mktemp("fidelity") / "site-packages"
    install(folder, *dict.fromkeys(host for host, _ in PLACES.values()))
    return folder


@dataclass(frozen=True)
class Answer:
    """The result for one file."""

    wired: bool
    only_inserted: bool
    restored: bool
    refused: bool
    """The error names the file, and no byte has changed anywhere."""
    problem: str = ""


def call(*words: str) -> tuple[int, list[dict[str, Any]], str]:
    """Run a command in this process. Return its status, its rows, and all messages as one text."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([*words, "--yes", "--json"])
    assert out.getvalue(), err.getvalue()
    rows: list[dict[str, Any]] = json.loads(out.getvalue())["rows"]
    return status, rows, " ".join([err.getvalue(), *(row["note"] or "" for row in rows)])


def contains(text: bytes, part: bytes) -> bool:
    """Return True if all bytes of ``part`` are in ``text``, in the same order."""
    rest = iter(text)
    return all(byte in rest for byte in part)


def try_one(name: str, state: State, root: Path, home: Path) -> Answer:
    """Activate three times and deactivate, with one file in one state."""
    host, path = PLACES[name.split("/", 1)[0], Path(name).suffix]
    file = home / path
    start = (CONFIGS / name).read_bytes()
    mode = file.stat().st_mode
    before = snapshot(root)

    status, rows, err = call("activate", "--host", host)
    states = {row["state"] for row in rows}
    placed = snapshot(root)
    if status:
        said = str(file) in err or str(file.parent) in err or os.path.realpath(file) in err
        ok = states == {"failed"} and said and placed == before
        return Answer(False, False, False, ok, "" if ok else f"{states} {err}")

    ours = b".agent-plugin/acme/launch"
    launches = sum(isinstance(row[1], bytes) and ours in row[1] for row in placed.values())
    wired = states == {"placed"} and (launches > 0 or host == "zed")
    now = file.read_bytes()
    inserted = contains(now, start) and file.stat().st_mode == mode
    if host in BESIDE:
        inserted = inserted and now == start
    inserted = inserted and all(
        placed[key][0] == before[key][0] and (before[key][1] == placed[key][1] or key_is(key, file))
        for key in before
    )
    times = snapshot(root, times=True)
    for _ in range(2):
        again, rows, _ = call("activate", "--host", host)
        if again or {row["state"] for row in rows} != {"unchanged"}:
            return Answer(wired, inserted, False, False, "a later activate changed something")
    if snapshot(root, times=True) != times:
        return Answer(wired, inserted, False, False, "a later activate wrote something")
    gone, _, err = call("deactivate")
    after = snapshot(root)
    changed = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
    return Answer(wired, inserted, not gone and not changed, False, f"{err} {changed}")


def key_is(key: str, file: Path) -> bool:
    """Return True if a path in a snapshot is the file in question, or the target of its link."""
    return os.path.basename(os.path.realpath(file)) == os.path.basename(key)


def answers(state: State, site: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    """Return the result for every file in one state."""
    monkeypatch.syspath_prepend(str(site))
    for variable in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(variable)
    found = []
    for number, name in enumerate(FILES):
        _, path = PLACES[name.split("/", 1)[0], Path(name).suffix]
        world = root / str(number)
        file = world / "home" / path
        file.parent.mkdir(parents=True)
        file.write_bytes((CONFIGS / name).read_bytes())
        file.chmod(0o755 if name.startswith("cline") else 0o644)
        state.make(file, world / "dotfiles")
        monkeypatch.setenv("HOME", str(world / "home"))
        monkeypatch.setenv("USERPROFILE", str(world / "home"))
        if state.as_user and os.geteuid() == 0:
            found.append(_as_nobody(name, state, world, site))
        else:
            found.append(try_one(name, state, world, world / "home"))
        if state.as_user:
            file.parent.chmod(0o755)
    return found


def _as_nobody(name: str, state: State, world: Path, site: Path) -> Answer:
    """Do the same in a child process of a user who is not root and owns the home folder."""
    for path in (world, *world.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    for parent in (*world.parents, *site.parents):
        if "pytest" in str(parent) or "agent-plugin-test" in str(parent):
            parent.chmod(parent.stat().st_mode | 0o055)
    report = world / "report.json"
    report.touch()
    os.chown(report, NOBODY, NOBODY)

    def child() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        answer = try_one(name, state, world, world / "home")
        report.write_text(json.dumps(vars(answer)), "utf-8")

    assert in_child(child) == 0
    return Answer(**json.loads(report.read_text("utf-8")))


def counted() -> dict[str, tuple[int, int, int, int]]:
    """Return the counts in the README beside this file."""
    rows = {}
    for line in (CONFIGS.parent / "README.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in {state.name for state in STATES}:
            wired, inserted, restored, refused = map(int, cells[1:])
            rows[cells[0]] = (wired, inserted, restored, refused)
    return rows


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(state, id=state.name, marks=[pytest.mark.slow] if state.slow else [])
        for state in STATES
    ],
)
def test_fidelity(
    state: State, site: Path, quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file is wired, only inserted into and restored, or is refused by name and unchanged."""
    found = dict(zip(FILES, answers(state, site, quick_path, monkeypatch), strict=True))
    count = (
        sum(answer.wired for answer in found.values()),
        sum(answer.only_inserted for answer in found.values()),
        sum(answer.restored for answer in found.values()),
        sum(answer.refused for answer in found.values()),
    )
    print(f"fidelity, {state.name}: of {len(found)} files {count[0]} wired, {count[1]} only "
          f"inserted into, {count[2]} restored; {count[3]} refused by name")  # fmt: skip
    wrong = {}
    for name, answer in found.items():
        host, _ = PLACES[name.split("/", 1)[0], Path(name).suffix]
        refuse = name == WRONG or state.refuses(host)
        expected = (not refuse, not refuse, not refuse, refuse)
        if (answer.wired, answer.only_inserted, answer.restored, answer.refused) != expected:
            wrong[name] = answer
    assert not wrong
    assert counted()[state.name] == count, "the README has other numbers"
