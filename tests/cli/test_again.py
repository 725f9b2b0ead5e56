"""The same ``activate`` once more is answered without being made, and says what it would say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hatch_agentplugin.adapter_kit.sample import PLUGIN, mark
from hatch_agentplugin.cli import _again
from hatch_agentplugin.place.looks import look
from tests.adapters.test_together import everything
from tests.cli._world import run
from tests.place.engine.world import TREE, World, grouped, snapshot, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is noted on Windows")

STRACE = shutil.which("strace")
#: Run as the program; at the end it says whether the command was made.
PROGRAM = """\
import os, sys
from hatch_agentplugin.cli import main
status = main()
sys.stdout.flush()
made = "hatch_agentplugin.place.engine" in sys.modules
with open(os.environ["MADE"], "w") as file:
    file.write("made" if made else "answered")
sys.exit(status)
"""


@dataclass
class Machine:
    """A machine with a plugin, and its program."""

    world: World
    site: Path

    def run(self, *arguments: str, **environ: str) -> tuple[int, str, str, str]:
        """Run the program. Returns status, output, and whether the command was made."""
        program = write(self.world.root / "program/agent-plugin", PROGRAM)
        done = subprocess.run(
            [sys.executable, str(program), *arguments],
            env=self.environ | environ,
            cwd=self.world.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        made = (self.world.root / "made").read_text()
        return done.returncode, done.stdout, done.stderr, made

    @property
    def environ(self) -> dict[str, str]:
        """The environment of a run."""
        # By a link: of the tree itself, tools may change the list of names at any time.
        ours = self.world.root / "lib"
        if not ours.exists():
            ours.mkdir()
            (ours / "hatch_agentplugin").symlink_to(TREE / "hatch_agentplugin")
        path, made = f"{ours}:{self.site}", str(self.world.root / "made")
        return {**self.world.environ, "PYTHONPATH": path, "MADE": made}

    def answered(self, *arguments: str, **environ: str) -> tuple[int, str, str]:
        """Run the program, and have the command answered. Returns status and output."""
        status, out, err, made = self.run(*arguments, **environ)
        _, _, *looks = self.note.read_bytes().decode("utf-8", "surrogateescape").split("\0")[2:]
        found = zip(looks[::3], looks[1::3], looks[2::3], strict=True)
        new = [
            (kind, what) for kind, what, seen in found if kind != "env" and look(kind, what) != seen
        ]
        assert made == "answered", f"{err}\ndifferent now: {new}"
        return status, out, err

    @property
    def note(self) -> Path:
        return self.world.state / "_place/again"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    world = World.make(tmp_path)
    world.install("acme")
    write(world.home / ".grouped/settings.json", '{"mine": 1}\n')
    return Machine(world, world.site())


@pytest.mark.parametrize("more", [(), ("--json",), ("acme",), ("--host", "grouped,shims")])
def test_second_run_is_answered(machine: Machine, more: tuple[str, ...]) -> None:
    """With the very words of a run, and nothing at all is written."""
    machine.world.put_on_path("grouped", "flat")
    line = ("activate", "--yes", *more)
    assert machine.run(*line)[::3] == (0, "made")
    before = snapshot(machine.world.home, times=True)
    answered = machine.answered(*line)
    assert answered[0] == 0
    assert snapshot(machine.world.home, times=True) == before
    machine.note.unlink()
    made = machine.run(*line)
    assert made[3] == "made"
    assert answered == made[:3]
    assert not machine.note.exists()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_every_host_and_all_content(tmp_path: Path, form: tuple[str, ...]) -> None:
    """The kit's sample in all hosts: servers, skills, commands, rules, shared files."""
    pytest.importorskip("yaml")
    world = World.make(tmp_path)
    sample = everything(tmp_path)
    site = sample.bundle.folder.parent
    info = site / f"{PLUGIN.id.replace('-', '_')}-1.0.dist-info"
    write(
        info / "extra_metadata/agent-plugin/plugin.json",
        mark(PLUGIN, sample.bundle.folder),
    )
    machine = Machine(world, site)
    line = ("activate", "--yes", "--host", "*", *form)
    status, out, err, _ = machine.run(*line)
    if status or "adopted" in out or "kept" in out:
        pytest.fail(out + err)
    answered = machine.answered(*line)
    machine.note.unlink()
    assert machine.run(*line)[:3] == answered
    assert machine.run("deactivate", "--yes")[0] == 0
    assert list(world.home.iterdir()) == []


CHANGES: dict[str, Callable[[Machine], object]] = {
    "entry removed": lambda m: write(m.world.home / ".grouped/settings.json", '{"mine": 1}\n'),
    "file edited": lambda m: (m.world.home / ".flat/hooks.json").write_text("{}"),
    "file removed": lambda m: (m.world.home / ".flat/hooks.json").unlink(),
    "file unreadable": lambda m: (m.world.home / ".flat/hooks.json").write_bytes(b"{\xff"),
    "file is a folder": lambda m: (
        (m.world.home / ".flat/hooks.json").unlink(),
        (m.world.home / ".flat/hooks.json").mkdir(),
    ),
    "folder moved behind a link": lambda m: (
        (m.world.home / ".flat").rename(m.world.home / "dotfiles"),
        (m.world.home / ".flat").symlink_to("dotfiles"),
    ),
    "script not executable": lambda m: [
        one.chmod(0o644) for one in (m.world.home / "Documents/shims").rglob("*") if one.is_file()
    ],
    "launcher edited": lambda m: (m.world.state / "acme/launch").write_text("#!/bin/sh\n"),
    "launcher not executable": lambda m: (m.world.state / "acme/launch").chmod(0o644),
    "marks removed": lambda m: (m.world.state / "acme/placed").unlink(),
    "folder of firings removed": lambda m: (m.world.state / "acme/fired").rmdir(),
    "ledger removed": lambda m: [
        (m.world.state / "_place" / name).unlink() for name in ("ledger.json", "ledger.json.bak")
    ],
    "ledger damaged": lambda m: (m.world.state / "_place/ledger.json").write_text("{"),
    "interrupted command": lambda m: write(
        m.world.state / "_place/journal/journal.json",
        '{"phase":"staging","operations":[],"made_dirs":[],"drop_dirs":[],"format":1}',
    ),
    "upgraded": lambda m: m.world.install("acme", version="1.1"),
    "upgraded to less": lambda m: m.world.install("acme", {"grouped": grouped()}),
    "uninstalled": lambda m: m.world.uninstall("acme"),
    "artifact changed": lambda m: [
        one.write_text(one.read_text() + "// new\n") for one in m.site.rglob("*.js")
    ],
    "another plugin": lambda m: m.world.install("other"),
    "another host's program": lambda m: m.world.put_on_path("owned"),
    "a host's program gone": lambda m: (m.world.root / "bin/flat").unlink(),
    "a host's folder": lambda m: (m.world.home / ".owned").mkdir(),
    "deactivated in a host": lambda m: run(m.world, "deactivate", "--host", "flat", "--yes"),
    "deactivated": lambda m: run(m.world, "deactivate", "--yes"),
    "placed in a project too": lambda m: run(
        m.world, "activate", "--scope", "project", "--host", "grouped", "--replace", "--yes"
    ),
    "note damaged": lambda m: m.note.write_bytes(
        m.note.read_bytes().replace(b"lstat", b"lstaT", 1)
    ),
    "note cut short": lambda m: m.note.write_bytes(m.note.read_bytes()[:-1]),
    "note empty": lambda m: m.note.write_bytes(b""),
    "note unreadable": lambda m: (m.note.unlink(), m.note.mkdir()),
}


#: One of each kind in the quick suite: an agent's file, ours, the package, the machine, the note.
QUICK = ("script not executable", "ledger damaged", "upgraded", "a host's folder", "note damaged")


@pytest.mark.parametrize(
    "change",
    [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in CHANGES],
)
def test_after_any_change_it_is_made(machine: Machine, change: str) -> None:
    """And does what it would do without the note of the first run."""
    machine.world.put_on_path("grouped", "flat", "shims", "module")
    (machine.world.home / "Documents").mkdir()
    (machine.world.home / ".config").mkdir()
    line = ("activate", "--yes")
    status, _, err, _ = machine.run(*line)
    assert status == 0, err
    CHANGES[change](machine)
    aside = machine.world.root / "aside"
    shutil.copytree(machine.world.home, aside, symlinks=True)
    with_note = machine.run(*line)
    assert with_note[3] == "made"
    after = snapshot(machine.world.home)
    shutil.rmtree(machine.world.home)
    aside.rename(machine.world.home)
    if machine.note.is_dir():
        machine.note.rmdir()
    else:
        machine.note.unlink(missing_ok=True)
    without = machine.run(*line)
    assert with_note == without
    own = ".agent-plugin/_place"
    left = [
        {name: one for name, one in tree.items() if not name.startswith((own, f"{own}/"))}
        for tree in (after, snapshot(machine.world.home))
    ]
    assert left[0] == left[1]


@pytest.mark.parametrize(
    "environ",
    [
        {"GROUPED_CONFIG_DIR": "{root}/elsewhere"},
        {"PATH": "{root}/bin:{root}/more"},
        {"AGENT_PLUGIN_HOME": "{home}/.other"},
        {"HOME": "{root}/another"},
        {"PYTHONPATH": "{root}/lib:{site}:{root}"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=lambda one: next(iter(one)),
)
def test_other_surroundings_are_another_run(machine: Machine, environ: dict[str, str]) -> None:
    """Variables that the run has asked for, and what Python itself goes by."""
    line = ("activate", "--yes")
    machine.world.put_on_path("grouped", "flat")
    assert machine.run(*line)[0] == 0
    assert machine.answered(*line, UNASKED="1")[0] == 0
    here = {"root": machine.world.root, "home": machine.world.home, "site": machine.site}
    given = {name: value.format(**here) for name, value in environ.items()}
    Path(given.get("HOME", machine.world.home)).mkdir(exist_ok=True)
    assert machine.run(*line, **given)[3] == "made"


@pytest.mark.parametrize("line", [("activate",), ("activate", "--host", "*", "--yes", "--full"),
                                  ("activate", "--host", "*", "-y"),
                                  ("diff", "--host", "*"),
                                  ("activate", "--host", "*", "--yes", "--replace"),
                                  ("activate", "--host", "*", "--yes", "--dry-run")])  # fmt: skip
def test_another_line_is_another_run(machine: Machine, line: tuple[str, ...]) -> None:
    """Only the very same words are answered."""
    assert machine.run("activate", "--host", "*", "--yes")[0] == 0
    for _ in range(2):
        assert machine.run(*line)[3] == "made"


@pytest.mark.parametrize("scope", ["project", "local"])
def test_projects_are_always_looked_at(machine: Machine, scope: str) -> None:
    """They are others' too; only the user's own scope is noted."""
    line = ("activate", "--yes", "--host", "grouped", "--scope", scope)
    for _ in range(2):
        status, _, err, made = machine.run(*line)
        assert (status, made) == (0, "made"), err
    assert not machine.note.exists()


def test_what_fails_or_is_kept_is_always_made(machine: Machine) -> None:
    """Its reasons may lie anywhere."""
    settings = machine.world.home / ".grouped/settings.json"
    settings.write_text("{")
    line = ("activate", "--yes", "--host", "*")
    assert machine.run(*line)[0] == 1
    assert not machine.note.exists()
    assert machine.run(*line)[::3] == (1, "made")


def test_others_who_write_meanwhile(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they write between our writing and the note is a difference for the next run."""
    line = ("activate", "--yes", "--host", "*")
    settings = machine.world.home / ".grouped/settings.json"
    meddling = PROGRAM.replace(
        "status = main()",
        "from hatch_agentplugin.cli import _keep\n"
        "real = _keep.keep\n"
        "def keep(*all):\n"
        f"    open({str(settings)!r}, 'w').write('{{}}')\n"
        "    real(*all)\n"
        "_keep.keep = keep\n"
        "status = main()",
    )
    write(machine.world.root / "meddling.py", meddling)
    done = subprocess.run(
        [sys.executable, str(machine.world.root / "meddling.py"), *line],
        env=machine.environ,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert settings.read_text() == "{}"
    note = machine.note.read_bytes()
    looks = re.findall(rb"read\0([^\0]*)\0([^\0]*)", note)
    seen = dict(looks)[os.fsencode(settings)].decode()
    assert seen != look("read", str(settings))


def test_note_goes_with_the_last_placement(machine: Machine) -> None:
    """Nothing of ours stays."""
    assert machine.run("activate", "--yes", "--host", "*")[0] == 0
    assert machine.note.stat().st_mode & 0o777 == 0o600
    assert machine.run("deactivate", "--yes")[0] == 0
    assert not machine.world.state.exists()


def test_note_that_cannot_be_written(machine: Machine) -> None:
    """The next run is made as the first one."""
    assert machine.run("activate", "--yes", "--host", "grouped")[0] == 0
    machine.note.unlink()
    machine.note.mkdir()
    assert machine.run("activate", "--yes", "--host", "*")[::3] == (0, "made")
    assert machine.run("activate", "--yes", "--host", "*")[::3] == (0, "made")


def test_note_is_what_was_packed() -> None:
    """Any bytes of a name come back; what does not fit is not packed."""
    name = os.fsdecode(b"/\xff")
    data = _again.packed("key", "out\n", "", {("stat", name): "=", ("env", "A"): "=\n"})
    assert data is not None
    found = _again.unpacked(data, "key")
    assert found == ("out\n", "", [("stat", name, "="), ("env", "A", "=\n")])
    assert _again.unpacked(data, "other key") is None
    assert _again.unpacked(data[1:], "key") is None
    assert _again.packed("key", "a\0b", "", {}) is None


@pytest.mark.skipif(STRACE is None, reason="needs strace")
def test_nothing_is_looked_at_unnoted(machine: Machine) -> None:
    """A run that is made looks at no path that its note does not have, but for Python's own."""
    log = machine.world.root / "log"
    line = ("activate", "--yes")
    machine.world.put_on_path("grouped", "flat", "shims", "module", "owned")
    assert machine.run(*line)[0] == 0
    note = machine.note.read_bytes()
    machine.note.unlink()
    program = machine.world.root / "program/agent-plugin"
    traced = [str(STRACE), "-f", "-y", "-s", "4096", "-e", "trace=file,getdents64", "-o", str(log)]
    done = subprocess.run(
        [*traced, sys.executable, str(program), *line],
        env=machine.environ,
        cwd=machine.world.project,
        capture_output=True,
        check=False,
    )
    if done.returncode and not log.exists():
        pytest.skip("nothing can be traced here")
    text = log.read_text()
    looked = {match[1] for match in re.finditer(r'\w+\([^"\n]*"([^"\n]*)"', text)}
    noted = {os.fsdecode(one) for one in note.split(b"\0")}
    root = str(machine.world.root)
    places = (str(machine.world.home), str(machine.site), f"{root}/bin", "/var/lib/agent-plugin")
    mine = {one for one in looked if one.startswith(places)}
    assert len(mine) > 30
    importing = {
        one for one in mine if one.startswith(str(machine.site)) and "agent_plugin" not in one
    }
    assert mine - importing - noted - {str(machine.note)} == set()
