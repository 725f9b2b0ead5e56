"""``restore``: list the backups of the user's files, or restore one file."""

from __future__ import annotations

import os
import time
from pathlib import Path

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.cli.arguments import (
    Options,
    Subparsers,
    add_change_options,
    add_ledger_scope,
    context_of,
    need_consent,
)
from hatch_agentplugin.cli.errors import UsageError
from hatch_agentplugin.cli.lookup import suggestion
from hatch_agentplugin.cli.results import show_result
from hatch_agentplugin.cli.terminal import confirm, diff, out, out_json, say, table
from hatch_agentplugin.transaction import backups


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "restore", help="list the backups of your files, or restore a file from its newest backup"
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="(default: list all backups)")
    add_ledger_scope(parser, "user")
    add_change_options(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    context = context_of(options)
    if options.file is None:
        _list_backups(options, context)
        return 0
    need_consent(options)
    path = Path(os.path.abspath(options.file))
    found = backups.find(context.state, path)
    if not found:
        known = {one.path for one in backups.find(context.state)}
        raise UsageError(f"{path} has no backup{suggestion(str(path), known)}")
    data = backups.read(context.state, found[0])
    if not options.yes and not options.dry_run:
        now = path.read_bytes() if os.path.lexists(path) else None
        say(diff(path, now, data))
        confirm("Restore this file?")
    result = operations.restore(context, path, data, dry_run=options.dry_run)
    show_result(result, context, options)
    return 0 if result.ok else 1


def _list_backups(options: Options, context: Context) -> None:
    found = backups.find(context.state)
    if options.json:
        rows = [{"path": one.path, "time": one.time, "size": one.size} for one in found]
        out_json({"backups": rows})
    elif found:
        cells = [
            (time.strftime("%Y-%m-%d %H:%M", time.localtime(one.time)), str(one.size), one.path)
            for one in found
        ]
        out(table(cells, ("time", "bytes", "file")))
    else:
        say("there are no backups, because no file of yours was changed")
