"""The same ``activate`` once more is answered without being made, and says what it would say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hatch_agentplugin.adapter_kit.sample import PLUGIN, mark
from hatch_agentplugin.cli import _again
from hatch_agentplugin.place.looks import look
from hatch_agentplugin.plan import DirPlan
from tests.adapters.test_together import everything
from tests.cli._world import run
from tests.place.engine.world import (
    EVENTS,
    TREE,
    World,
    all_shapes,
    flat,
    grouped,
    owned,
    snapshot,
    write,
)

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

    @property
    def program(self) -> Path:
        """The program."""
        return write(self.world.root / "program/agent-plugin", PROGRAM)

    def run(self, *arguments: str, **environ: str) -> tuple[int, str, str, str]:
        """Run the program. Returns status, output, and whether the command was made."""
        done = subprocess.run(
            [sys.executable, str(self.program), *arguments],
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
        looks = self.note.read_bytes().decode("utf-8", "surrogateescape").split("\0")[3:]
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
    """Only the very same words are answered. Such as ask for something else leave no note."""
    assert machine.run("activate", "--host", "*", "--yes")[0] == 0
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
    said = [(1, "note\n"), (0, "out\n"), (1, "more\n")]
    data = _again.packed("key", said, {("stat", name): "=", ("env", "A"): "=\n"})
    assert data is not None
    assert _again.unpacked(data, "key") == (said, [("stat", name, "="), ("env", "A", "=\n")])
    assert _again.unpacked(data, "other key") is None
    assert _again.unpacked(data[1:], "key") is None
    assert _again.packed("key", [(0, "a\0b")], {}) is None
    assert _again.packed("key", [(0, "a\1b")], {}) is None


def test_folder_that_we_have_made_is_no_sign_of_another_host(machine: Machine) -> None:
    """What is placed for one host in the folder of two does not bring the other to life."""
    world = machine.world
    other = replace(flat("other"), dirs=(DirPlan("~/.flat"),))
    world.install("acme", {"flat": replace(flat(), binaries=("flat",)), "other": other})
    world.put_on_path("flat")
    first = machine.run("activate", "--yes")
    assert "other" not in first[1]
    assert "other" not in machine.answered("activate", "--yes")[1]
    machine.note.unlink()
    assert "other" not in machine.run("activate", "--yes")[1]
    write(world.home / ".flat/of-the-other", "")
    assert "other  user  placed" in re.sub(" +", "  ", machine.run("activate", "--yes")[1])


def test_folder_that_holds_what_is_placed_for_the_host(machine: Machine) -> None:
    """An upgrade reaches it, where nothing else shows the agent; not where the user removed it."""
    world = machine.world
    world.put_on_path("flat")
    assert machine.run("activate", "--yes", "--host", "owned,flat")[0] == 0
    world.install("acme", {"owned": owned("acme", events=EVENTS[:1]), "flat": flat()}, version="2")
    out = machine.run("activate", "--yes")[1]
    assert "updated" in out
    shutil.rmtree(world.home / ".owned")
    world.install("acme", {"owned": owned("acme"), "flat": flat()}, version="3")
    status, out, err, _ = machine.run("activate", "--yes")
    assert (status, "owned" in out + err) == (0, False)
    assert not (world.home / ".owned").exists()


def test_folder_of_ours_in_which_somebody_else_has_written(machine: Machine) -> None:
    """Into a file that we have made: it shows an agent that shares the folder."""
    world = machine.world
    other = replace(flat("other"), dirs=(DirPlan("~/.flat"),))
    world.install("acme", {"flat": flat(), "other": other})
    assert machine.run("activate", "--yes", "--host", "flat")[0] == 0
    assert "other" not in machine.run("activate", "--yes")[1]
    hooks = world.home / ".flat/hooks.json"
    hooks.write_text(hooks.read_text().replace('"version": 1', '"version": 1, "mine": 2'))
    assert "other" in machine.run("activate", "--yes")[1]


def test_rows_of_two_rounds(machine: Machine) -> None:
    """Another program writes the file meanwhile: what the first look wanted there is not told."""
    world = machine.world
    meddling = PROGRAM.replace(
        "status = main()",
        "from hatch_agentplugin.place import transaction\n"
        "real = transaction.finish\n"
        "def finish(*all, **more):\n"
        "    transaction.finish = real\n"
        f"    folder = {str(world.home / '.flat')!r}\n"
        "    os.makedirs(folder, exist_ok=True)\n"
        "    with open(folder + '/hooks.json', 'w') as file:\n"
        "        file.write('{\"version\": 1}')\n"
        "    return real(*all, **more)\n"
        "transaction.finish = finish\n"
        "status = main()",
    )
    line = ("activate", "--yes", "--host", "grouped,flat", "--json")
    program = write(world.root / "program/agent-plugin", meddling)
    done = subprocess.run(
        [sys.executable, str(program), *line],
        env=machine.environ,
        cwd=world.project,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = {(row["host"], row["state"]) for row in json.loads(done.stdout)["rows"]}
    assert rows == {("grouped", "placed"), ("flat", "placed")}
    second = machine.run(*line)
    assert machine.answered(*line) == second[:3]


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_after_an_upgrade_and_with_two_plugins(machine: Machine, form: tuple[str, ...]) -> None:
    """Rows come in the same order and number, renewed or added, with keys that plugins share."""
    world = machine.world
    world.install("acme", all_shapes("acme", EVENTS[:2]))
    line = ("activate", "--yes", "--host", "*", *form)
    assert machine.run(*line)[0] == 0
    world.install("acme", all_shapes("acme", (EVENTS[2], *EVENTS[:2])), version="2.0")
    world.install("second", all_shapes("second"))
    assert machine.run(*line)[0] == 0
    answered = machine.answered(*line)
    machine.note.unlink()
    assert machine.run(*line)[:3] == answered


def test_note_comes_back(machine: Machine) -> None:
    """After a run that finds everything as it shall be, in spite of a difference."""
    line = ("activate", "--yes", "--host", "*")
    assert machine.run(*line)[0] == 0
    settings = machine.world.home / ".grouped/settings.json"
    settings.write_text(settings.read_text().replace('"mine": 1', '"mine": 2'))
    assert machine.run(*line)[3] == "made"
    assert machine.answered(*line)[0] == 0


@pytest.mark.parametrize(
    "how", ["writable", "pipe", "link", "folder of the variable", "standard input closed"]
)
def test_note_is_trusted_only_where_nobody_else_writes(machine: Machine, how: str) -> None:
    """And no run fails or waits for its sake."""
    line = ("activate", "--yes", "--host", "*")
    assert machine.run(*line)[0] == 0
    if how == "writable":
        machine.note.chmod(0o666)
    elif how == "pipe":
        machine.note.unlink()
        os.mkfifo(machine.note)
    elif how == "link":
        machine.note.rename(machine.world.root / "note")
        machine.note.symlink_to(machine.world.root / "note")
    elif how == "folder of the variable":
        shutil.copytree(machine.world.state, machine.world.project / "ap")
        status, _, err, made = machine.run(*line, AGENT_PLUGIN_HOME="ap")
        assert (status, made) == (1, "made"), err
        return
    else:
        closed = ["/bin/sh", "-c", '"$@" <&-', "sh", sys.executable, str(machine.program)]
        done = subprocess.run([*closed, *line], env=machine.environ, capture_output=True)
        assert done.returncode == 0, done.stderr
        return
    assert machine.run(*line)[::3] == (0, "made")


def test_working_folder_that_is_gone(machine: Machine) -> None:
    """With a relative name of the program, too."""
    gone = machine.world.root / "gone"
    gone.mkdir()
    line = '"$0" -c "from hatch_agentplugin.cli import main; raise SystemExit(main())" "$@"'
    done = subprocess.run(
        ["/bin/sh", "-c", f'rmdir "$PWD"; {line}', sys.executable, "activate", "--yes",
         "--host", "grouped"],
        cwd=gone, env=machine.environ, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def _looked(log: Path) -> set[tuple[str, str]]:
    """The looks of a traced process, as the note has them."""
    looks = set()
    for line in log.read_text().splitlines():
        call = re.search(r'(\w+)\((?:AT_FDCWD[^,]*, )?"([^"]*)"(.*)', line)
        if call is None:
            continue
        name, path, rest = call.groups()
        if name in ("newfstatat", "stat", "lstat"):
            looks.add(("lstat" if name == "lstat" or "NOFOLLOW" in rest else "stat", path))
        elif name in ("openat", "open"):
            looks.add(("list" if "O_DIRECTORY" in rest else "read", path))
        elif name in ("readlink", "readlinkat"):
            looks.add(("link", path))
    return looks


@pytest.mark.skipif(STRACE is None, reason="needs strace")
@pytest.mark.parametrize("before", ["nothing", "some"])
def test_nothing_is_looked_at_unnoted(machine: Machine, before: str) -> None:
    """A run that is made takes no look that its note does not have, but for Python's own."""
    log = machine.world.root / "log"
    line = ("activate", "--yes")
    if before == "some":
        machine.world.install("other", {"grouped": grouped()})
        assert machine.run(*line, "--host", "grouped,flat")[0] == 0
    machine.world.put_on_path("grouped", "flat", "shims", "module", "owned")
    assert machine.run(*line)[0] == 0
    fields = machine.note.read_bytes().decode("utf-8", "surrogateescape").split("\0")[3:]
    noted = set(zip(fields[::3], fields[1::3], strict=False))
    machine.note.unlink()
    traced = [str(STRACE), "-f", "-s", "4096", "-e", "trace=file", "-o", str(log)]
    done = subprocess.run(
        [*traced, sys.executable, str(machine.program), *line],
        env=machine.environ,
        cwd=machine.world.project,
        capture_output=True,
        check=False,
    )
    if done.returncode and not log.exists():
        pytest.skip("nothing can be traced here")
    root = str(machine.world.root)
    places = (str(machine.world.home), f"{root}/bin", "/var/lib/agent-plugin")
    mine = {
        (kind, path)
        for kind, path in _looked(log)
        if path.startswith(places) or "_agent_plugin" in path
    }
    assert len(mine) > 60
    own = machine.world.state / "_place"
    # The lock is held to leave a note; the ledger and its copy are told apart by their content.
    ours = {(kind, path) for kind, path in mine if path.startswith((str(own), f"{root}/made"))}
    assert ours <= {
        *((kind, str(own / "ledger.json")) for kind in ("stat", "lstat", "read")),
        *((kind, str(own / "lock")) for kind in ("stat", "read")),
        ("list", str(own / "journal")),
        ("lstat", str(own / "journal/journal.json")),  # of which there is no name in the folder
        *((kind, str(machine.note)) for kind in ("read", "stat")),
    }
    # A folder of ours is looked into for being empty, which it is not while a file of ours is there.
    files = [path for kind, path in noted if kind == "read"]
    full = {("list", str(one)) for path in files for one in Path(path).parents}
    assert mine - ours - noted - full == set()
