"""``restore``."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate import operations
from hatch_agentplugin.cli import command, show
from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import (
    Failure,
    UsageFailure,
    confirm,
    diff,
    out,
    out_json,
    say,
    table,
)
from hatch_agentplugin.transaction import backups as _backups


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    return (
        Command(
            "restore",
            "give a file back the bytes it had before our first change",
            run_restore,
            (
                Option("file", nargs="?", metavar="FILE", help="(default: list what there is)"),
                *command.whose("user"),
                *command.CHANGE,
            ),
        ),
    )


def run_restore(options: Any) -> int:
    """Run the command. Returns the exit status."""
    context = _options.context(options)
    if options.file is None:
        return _list(options, context)
    _options.need_consent(options)
    path = Path(os.path.abspath(options.file))
    backups = _backups.find(context.state, path)
    if not backups:
        names = {one.path for one in _backups.find(context.state)}
        hint = _options.did_you_mean(str(path), names)
        raise UsageFailure(f"there is no backup of {path}{hint}")
    data = _backups.read(context.state, backups[0])
    if not options.yes and not options.dry_run:
        try:
            now = path.read_bytes() if os.path.lexists(path) else None
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from None
        say(diff(path, now, data))
        if not confirm("Restore it?"):
            return _options.declined(options)
    result = operations.restore(context, path, data, dry_run=options.dry_run)
    show.show(result, context, as_json=options.json, dry_run=options.dry_run, full=options.full)
    return 0 if result.ok else 1


def _list(options: Any, context: Any) -> int:
    found = _backups.find(context.state)
    if options.json:
        rows = [{"path": one.path, "time": one.time, "size": one.size} for one in found]
        out_json({"backups": rows})
        return 0
    if not found:
        say("there are no backups: nothing of yours was changed")
        return 0
    rows_shown = [
        (time.strftime("%Y-%m-%d %H:%M", time.localtime(one.time)), str(one.size), one.path)
        for one in found
    ]
    out(table(rows_shown, ("kept", "bytes", "file")))
    return 0
