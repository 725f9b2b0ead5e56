"""A user's machine in a scratch folder, with files of the user."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import Machine, Scope, file_path
from hatch_agentplugin.activate.operations import Result, Selection
from hatch_agentplugin.hosts.delivery import File
from hatch_agentplugin.plan import Item, Key, Placement
from hatch_agentplugin.testing.adapter_kit.sample import Sample
from hatch_agentplugin.transaction.ledger import LedgerEntry
from hatch_agentplugin.words import ScopeName

#: A name for the home folder with characters that need quoting.
ODD = 'o\'dd "$HOME" `x` & ünï 日本'
_FOREIGN = {
    "json": '{{\n   "mine": {{"a": [1,2 , 3], "b": 1.50}},\n{rest}   "last": "é"}}',
    "jsonc": '// mine\n{{\n\t"mine": 12345678901234567890, /* kept */\n{rest}\t"last": null,\n}}\n',
    "toml": "# mine\r\nmine = 1   # kept\r\n\r\n[last]\r\nx = 'y'\r\n",
    "yaml": "# mine\nmine:   1\nlast:\n    - x   # kept\n",
    "text": "# Mine\n\nNo jokes.",
}


@dataclass(frozen=True)
class Scratch:
    """A scratch folder with a home folder and a project."""

    root: Path
    sample: Sample
    name: str = "home"

    def __post_init__(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        self.project.mkdir(exist_ok=True)

    @property
    def home(self) -> Path:
        return self.root / self.name

    @property
    def project(self) -> Path:
        return self.root / f"{self.name} project"

    @property
    def context(self) -> Context:
        """The context of a command; no environment variable of this process is in it."""
        environ = {"HOME": str(self.home), "USERPROFILE": str(self.home)}
        here = Context.here(replace(Machine.here(environ), home=str(self.home)))
        return replace(here, environment=str(self.root / "env"))

    @property
    def launcher(self) -> Path:
        return Path(self.context.launcher(self.sample.declaration.plugin.id))

    def place(self, scope: ScopeName) -> Scope:
        return Scope(scope, str(self.project) if scope in ("project", "local") else None)

    def activate(self, scope: ScopeName) -> Result:
        """Activate the sample for its host."""
        known = ((self.sample.installed, self.sample.bundle.plan),)
        asked = Activation(known, (self.sample.host.id,), self.place(scope))
        return operations.activate(self.context, asked)

    def deactivate(self) -> Result:
        """Deactivate everything."""
        return operations.deactivate(self.context, Selection())

    def add_foreign(self, scope: ScopeName) -> list[Path]:
        """Write files of the user where the host's placements go. Return their paths."""
        made: dict[Path, bytes] = {}
        for placement in self.sample.plan.scopes[scope] if self.sample.plan else ():
            for number, target in enumerate(placement.files[:1]):
                path = Path(file_path(target, self.context.machine, self.place(scope)))
                if isinstance(placement, (Item, Key)):
                    made.setdefault(path, _document(placement, target).encode())
                elif number == 0:
                    made.setdefault(path.parent / f"mine{path.suffix}", b"mine\r\n")
        for path, data in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return list(made)

    def snapshot(self) -> dict[str, tuple[int, bytes | None]]:
        """Return mode and content of everything in the home folder and the project."""
        return {
            str(path.relative_to(self.root)): (
                path.lstat().st_mode,
                path.read_bytes() if path.is_file() else None,
            )
            for folder in (self.home, self.project)
            for path in sorted(folder.rglob("*"))
        }

    def commands(self, placed: Sequence[LedgerEntry]) -> Iterator[tuple[str, list[str]]]:
        """Yield slot and command line of every entry that starts the launcher."""
        for one in placed:
            for slot, command in one.commands.items():
                form = self.sample.host.run.form
                if form == "file":
                    yield slot, [one.path]
                elif form == "sh":
                    yield slot, ["/bin/sh", "-c", command]
                elif form == "path":
                    yield slot, [command]
                else:
                    yield slot, shlex.split(command)

    def record_launches(self) -> Path:
        """Replace the launcher by a program that logs its arguments. Return the log's path."""
        log = self.root / "launches"
        text = f'#!/bin/sh\nprintf "%s\\n" "$*" >>{shlex.quote(str(log))}\n'
        self.launcher.write_text(text, "utf-8")
        return log

    def run(self, argv: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        """Run a program as the host does."""
        environ = {"HOME": str(self.home), "PATH": os.defpath}
        return subprocess.run(
            argv, cwd=self.project, env=environ, stdin=subprocess.DEVNULL, capture_output=True
        )


def _document(placement: Placement, target: File) -> str:
    """Return a document of the user; JSON has entries beside ours."""
    assert isinstance(placement, (Item, Key))
    rest = ""
    at = placement.at if target.at is None else target.at
    if placement.format in ("json", "jsonc") and at:
        value: Any = [{"mine": True}] if isinstance(placement, Item) else None
        for key in reversed(at[1:]):
            value = {key: value, "mine-too": {}} if value is not None else {"mine-too": {}}
        if value is not None:
            rest = f"   {json.dumps(at[0])} :{json.dumps(value)},\n"
    text = _FOREIGN[placement.format]
    return text.format(rest=rest) if placement.format in ("json", "jsonc") else text


def is_posix() -> bool:
    """Tell whether this system runs commands for a POSIX shell."""
    return sys.platform != "win32"
