"""A home with the files of three hosts, and a minimal computation that installs hooks in them.

A hook is a line ``hook VERSION`` in a host's file, or a whole file of our own. Version 0 has no
hook; versions 1 and 2 differ in every way that a transaction must handle.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from hatch_agentplugin.transaction.journal import is_left_over
from hatch_agentplugin.transaction.ledger import Inserted, Ledger, LedgerEntry, load
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.proposal import Change, Proposal
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.transaction.transaction import Outcome, run

THEIRS = {
    "dotfiles/alpha.json": b"alpha's own\r\n",
    ".gamma/config.toml": "gamma's öwn\n".encode(),
    ".gamma/theirs.js": b"// theirs\n",
}
LINKS = {".alpha/settings.json": "../dotfiles/alpha.json"}
MODES = {"dotfiles/alpha.json": 0o600, ".gamma/config.toml": 0o640}
GROUPS = ("alpha", "beta", "gamma", "launcher")


@dataclass(frozen=True)
class Hook:
    """One hook of one version, in one file."""

    group: str
    path: str
    line: bytes = b""
    own: bytes = b""
    executable: bool = False


HOOKS: dict[int, tuple[Hook, ...]] = {
    0: (),
    1: (
        Hook("launcher", ".agent-plugin/demo/launch", own=b"#!/bin/sh\n# 1\n", executable=True),
        Hook("alpha", ".alpha/settings.json", line=b"hook 1\n"),
        Hook("gamma", ".gamma/config.toml", line=b"hook 1\n"),
        Hook("gamma", ".gamma/hooks/deep/own.js", own=b"// one\n"),
    ),
    2: (
        Hook("launcher", ".agent-plugin/demo/launch", own=b"#!/bin/sh\n# 2\n", executable=True),
        Hook("alpha", ".alpha/settings.json", line=b"hook 2\n"),
        Hook("beta", ".beta/nested/hooks.json", line=b"hook 2\n"),
        Hook("gamma", ".gamma/config.toml", line=b"hook 2\n"),
        Hook("gamma", ".gamma/more.toml", line=b"hook 2\n"),
    ),
}


class World:
    """A home folder and its state folder, with checks of what must hold for both."""

    def __init__(self, home: Path, *, fresh: bool = True) -> None:
        self.home = home
        self.state = State.from_environ({}, home)
        self.attributes = False
        self.problems: dict[str, FileProblem] = {}
        if fresh:
            self._make(home)

    def _make(self, home: Path) -> None:
        home.mkdir(exist_ok=True)
        for name, data in THEIRS.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(MODES.get(name, 0o644))
        for name, target in LINKS.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).symlink_to(target)
        try:
            os.setxattr(home / "dotfiles/alpha.json", "user.note", b"theirs")
            self.attributes = True
        except (AttributeError, OSError):
            pass

    def activate(self, version: int, **options: float) -> Outcome:
        """Run a transaction that installs a version; 0 removes everything."""
        return run(self.state, lambda *seen: self.propose(version, *seen), **options)  # type: ignore[arg-type]

    def propose(self, version: int, reader: Reader, ledger: Ledger) -> Proposal:
        """Return the changes from the present files to a version."""
        self.problems.clear()
        changes: list[Change] = []
        entries: list[LedgerEntry] = []
        for group in GROUPS:
            old = [entry for entry in ledger.entries if entry.host == group]
            try:
                if group in reader.failed:
                    raise reader.failed[group]
                changes += self._changes(version, group, old, reader)
                entries += [self._entry(hook, version) for hook in HOOKS[version]
                            if hook.group == group]  # fmt: skip
            except FileProblem as problem:
                self.problems[group] = problem
                entries += old
        return Proposal(tuple(changes), replace(ledger, entries=tuple(entries)))

    def _changes(
        self, version: int, group: str, old: list[LedgerEntry], reader: Reader
    ) -> list[Change]:
        after: dict[str, Change] = {}
        for entry in old:
            data = reader.read(Path(entry.path))
            if entry.inserted and data is not None:
                data = data.replace(entry.inserted.value.encode(), b"")
            mine = entry.inserted is None or not data
            after[entry.path] = Change(Path(entry.path), None if mine else data, group)
        for hook in HOOKS[version]:
            if hook.group == group:
                path = self.home / hook.path
                seen = after[str(path)].data if str(path) in after else reader.read(path)
                after[str(path)] = Change(
                    path, hook.own or (seen or b"") + hook.line, group,
                    executable=hook.executable, private=bool(hook.own),
                )  # fmt: skip
        return list(after.values())

    def _entry(self, hook: Hook, version: int) -> LedgerEntry:
        return LedgerEntry(
            plugin="demo", version=str(version), host=hook.group, scope="user",
            path=str(self.home / hook.path), kind="file" if hook.own else "item",
            key=hook.path, environment="/env",
            inserted=Inserted("text", (), hook.line.decode(), 0) if hook.line else None,
            sha256=sha256(hook.own).hexdigest() if hook.own else None,
        )  # fmt: skip

    def expected(self, version: int) -> dict[str, bytes]:
        """Return every file outside our own folder as it is with a version."""
        files = dict(THEIRS)
        for hook in HOOKS[version]:
            name = "dotfiles/alpha.json" if hook.path in LINKS else hook.path
            files[name] = hook.own or files.get(name, b"") + hook.line
        return files

    def files(self) -> dict[str, bytes]:
        """Return every file outside our own folder as it is now."""
        return {str(path.relative_to(self.home)): path.read_bytes() for path in self._walk()}

    def _walk(self) -> Iterator[Path]:
        for folder, _, names in os.walk(self.home):
            if not Path(folder).is_relative_to(Path(self.state.ledger).parent):
                yield from (Path(folder) / name for name in names
                            if not (Path(folder) / name).is_symlink())  # fmt: skip

    def folders(self) -> set[str]:
        """Return every folder outside the state folder."""
        return {os.path.relpath(folder, self.home) for folder, _, _ in os.walk(self.home)
                if not Path(folder).is_relative_to(self.state.root)}  # fmt: skip

    def snapshot(self, name: str = "aside") -> Path:
        """Copy the whole home, for `put_back`."""
        aside = self.home.with_name(name)
        shutil.rmtree(aside, ignore_errors=True)
        shutil.copytree(self.home, aside, symlinks=True)
        return aside

    def put_back(self, aside: Path) -> None:
        """Make the home what it was at a `snapshot`."""
        shutil.rmtree(self.home)
        shutil.copytree(aside, self.home, symlinks=True)

    def versions(self, group: str, candidates: tuple[int, ...], now: dict[str, bytes]) -> set[int]:
        """Return the versions whose files of a group are those in `now`."""
        names = {hook.path for hooks in HOOKS.values() for hook in hooks if hook.group == group}
        names = {"dotfiles/alpha.json" if name in LINKS else name for name in names}
        return {
            version for version in candidates
            if all(now.get(name) == self.expected(version).get(name) for name in names)
        }  # fmt: skip

    def check_whole(self, *candidates: int) -> None:
        """No file is half written or lost, even in the middle of a transaction."""
        allowed = [self.expected(version) for version in candidates]
        now = self.files()
        for name in {name for files in allowed for name in files}:
            assert now.get(name) in [files.get(name) for files in allowed], name

    def check_recovered(self, *candidates: int) -> None:
        """Every group is one of the versions, the ledger is true, and nothing is left over."""
        self.check_groups(*candidates)
        self.check_ledger()
        self.check_kept()
        self.check_folders(allowed=() if len(candidates) == 1 else load(self.state)[0].folders)
        assert set(self.files()) <= {n for v in candidates for n in self.expected(v)}
        assert not is_left_over(self.state)

    def check_groups(self, *candidates: int) -> None:
        """Every group is wholly one of the versions."""
        now = self.files()
        for group in GROUPS:
            assert self.versions(group, candidates, now), f"{group} is half done: {now}"

    def check_folders(self, allowed: tuple[str, ...] = ()) -> None:
        """No folder is left empty, except those that the next command will remove."""
        for folder, folders, files in os.walk(self.home):
            if not Path(folder).is_relative_to(self.state.root):
                assert folders or files or folder in allowed, f"{folder} is left over"

    def check_ledger(self, *, edited: bool = False) -> None:
        """The ledger is true; with `edited`, other programs may have written the files since."""
        ledger, notes = load(self.state)
        assert notes == ()
        placed = {(entry.path, entry.inserted.value if entry.inserted else entry.sha256)
                  for entry in ledger.entries}  # fmt: skip
        there = set()
        for hook in {hook for hooks in HOOKS.values() for hook in hooks}:
            path = self.home / hook.path
            data = path.read_bytes() if path.exists() else b""
            if hook.line and hook.line in data:
                there.add((str(path), hook.line.decode()))
            if hook.own and data == hook.own:
                there.add((str(path), sha256(hook.own).hexdigest()))
        assert placed == there
        for name, row in ledger.files.items():
            assert edited or sha256(Path(name).read_bytes()).hexdigest() == row.sha256

    def check_kept(self) -> None:
        """Links, modes and attributes have not changed."""
        for name, target in LINKS.items():
            assert os.readlink(self.home / name) == target
        for name, mode in MODES.items():
            assert (self.home / name).stat().st_mode & 0o777 == mode, name
        if self.attributes:
            assert os.getxattr(self.home / "dotfiles/alpha.json", "user.note") == b"theirs"
        launcher = Path(self.state.plugin("demo"), "launch")
        if launcher.exists():
            assert launcher.stat().st_mode & 0o777 == 0o700
