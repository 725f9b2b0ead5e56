"""The commands of placing, each one transaction: activate, deactivate, prune, restore.

Everything is decided by pure functions over a working copy; here they meet the disk.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import is_gone
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.activate.run import run
from hatch_agentplugin.activate.workspace import Owner, Work, events_of
from hatch_agentplugin.transaction.ledger import Ledger, Placed, PluginRow, load
from hatch_agentplugin.transaction.transaction import Outcome

#: Stands for a host where none is meant.
RESTORE = "restore"


@dataclass(frozen=True)
class Result:
    """What one command has done; in a dry run, what it would do."""

    rows: tuple[Row, ...]
    outcome: Outcome
    after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Host -> what the user must still do there."""
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything that was asked for is done."""
        return not any(row.state == "failed" for row in self.rows)


@dataclass(frozen=True)
class Selection:
    """Which placements are meant; None leaves a part open."""

    plugins: Collection[str] | None = None
    hosts: Collection[str] | None = None
    scope: str | None = None
    project: str | None = None
    environment: str | None = None
    path: str | None = None

    def has(self, placed: Placed) -> bool:
        """Whether a placement is meant."""
        return (
            (self.plugins is None or placed.plugin in self.plugins)
            and (self.hosts is None or placed.host in self.hosts)
            and (self.scope is None or placed.scope == self.scope)
            and (self.project is None or placed.project in (None, self.project))
            and (self.environment is None or placed.environment == self.environment)
            and (self.path is None or placed.path == self.path)
        )


def render_launcher(context: Context, plugin: str, row: PluginRow) -> bytes:
    """The content of a plugin's launcher on this machine."""
    from hatch_agentplugin.scripts import launcher

    windows = context.machine.system == "windows"
    text = (launcher.render_windows if windows else launcher.render)(
        plugin=plugin,
        state=None if context.state.shared else str(context.state.plugin(plugin)),
        bundle=context.inside(row.bundle),
        python=context.inside(row.python),
        runtime=context.inside(row.runtime),
        everybodys="" if context.state.shared else context.everybodys(plugin),
    )
    return text.encode("utf-8") if windows else os.fsencode(text)


def activate(
    context: Context,
    asked: Activation,
    *,
    dry_run: bool = False,
    wait: float = 10.0,
) -> Result:
    """Place plugins in hosts. Raises FileProblem when nothing can be done at all."""
    from hatch_agentplugin.activate import activate as activating

    def compute(work: Work, failed: Collection[str]) -> Sequence[Path]:
        activating.activate(work, asked, context, render_launcher, failed)
        return ()

    rows, outcome = run(context, compute, True, dry_run, wait)
    if not dry_run:
        _make_fired(context, outcome.ledger)
        _make_data(context, outcome.ledger)
        _sweep_if_idle(context, outcome.ledger)
    changed = {row.host for row in rows if row.state in ("placed", "updated", "adopted")}
    after = {
        host: texts
        for _, plan in asked.plugins
        for host, host_plan in plan.hosts.items()
        if host in changed and (texts := host_plan.after.get(asked.place.scope, ()))
    }
    notes = _notes(asked, rows, outcome, changed) if changed else ()
    return Result(rows, outcome, after, tuple(notes))


def _notes(
    asked: Activation, rows: Collection[Row], outcome: Outcome, changed: set[str]
) -> list[str]:
    """What the user should know of the hosts in which something has changed."""
    from hatch_agentplugin.activate.notes import readers

    notes = readers(asked, outcome.ledger, changed)
    new = {str(one.path) for one in outcome.diffs if one.before is None}
    if paths := {row.path for row in rows if row.host in changed} - new:
        from hatch_agentplugin.activate.warnings import of_files

        hosts = {host: one for _, plan in asked.plugins for host, one in plan.hosts.items()}
        notes += of_files((one for one in outcome.ledger.entries if one.path in paths), hosts)
    return notes


def deactivate(
    context: Context,
    selection: Selection | Callable[[Ledger], Collection[Placed]],
    *,
    keep_data: bool = False,
    dry_run: bool = False,
    wait: float = 10.0,
) -> Result:
    """Take placements back. Raises FileProblem when nothing can be done at all.

    With a plugin's last placement goes its folder, with what its hooks have stored, unless
    ``keep_data``.
    """
    from hatch_agentplugin.activate import deactivate as deactivating
    from hatch_agentplugin.activate.cleanup import clear
    from hatch_agentplugin.activate.notes import data_note

    def compute(work: Work, failed: Collection[str]) -> Sequence[Path]:
        if isinstance(selection, Selection):
            chosen = [placed for placed in work.placed if selection.has(placed)]
        else:
            chosen = list(selection(Ledger(entries=tuple(work.placed), plugins=work.plugins)))
        return deactivating.deactivate(work, chosen, context, failed)

    rows, outcome = run(context, compute, False, dry_run, wait)
    left = {one.plugin for one in outcome.ledger.entries}
    gone = sorted({row.plugin for row in rows} - left)
    notes = [note for one in gone if (note := data_note(context.state, one, keep_data))]
    if not dry_run:
        for plugin in gone:
            clear(context.state, plugin, keep_data)
        # Another command may have swept our folder meanwhile, and clearing has made it again.
        _sweep_if_idle(context, load(context.state)[0] if gone else outcome.ledger)
    return Result(rows, outcome, notes=tuple(notes))


def restore(context: Context, path: Path, data: bytes, *, dry_run: bool = False) -> Result:
    """Give a file back the bytes of a backup; what the ledger says of the file is void then.

    Raises FileProblem when nothing can be done.
    """
    from hatch_agentplugin.activate import deactivate as deactivating

    def compute(work: Work, failed: Collection[str]) -> Sequence[Path]:
        name = work.name(path)
        chosen = work.at(str(name))
        owner = Owner("", "", RESTORE, "user", None, "")
        if RESTORE in failed:
            work.rows.append(owner.row("failed", path=str(name)))
            return ()
        work.desk.write(name, data, RESTORE)
        work.rows.append(owner.row("updated", path=str(name)))
        return deactivating.forget(work, chosen, context)

    rows, outcome = run(context, compute, False, dry_run, 10.0)
    if not dry_run:
        _sweep_if_idle(context, outcome.ledger)
    return Result(rows, outcome)


def repair(context: Context) -> Result:
    """Write launchers and marks again where they are not as they should be.

    Raises FileProblem when nothing can be done.
    """
    from hatch_agentplugin.activate import activate as activating

    def compute(work: Work, failed: Collection[str]) -> Sequence[Path]:
        for plugin, row in work.plugins.items():
            if any(placed.plugin == plugin for placed in work.placed) and plugin not in failed:
                activating.repair(work, plugin, row, context, render_launcher)
        return ()

    rows, outcome = run(context, compute, True, False, 10.0)
    _make_fired(context, outcome.ledger)
    _sweep_if_idle(context, outcome.ledger)
    return Result(rows, outcome)


def orphans(ledger: Ledger) -> list[Placed]:
    """Placements of plugins whose package is no longer installed."""
    return [placed for placed in ledger.entries if is_orphan(ledger, placed)]


def is_orphan(ledger: Ledger, placed: Placed) -> bool:
    """Whether the plugin's bundle is gone from the environment that placed it."""
    row = ledger.plugins.get(placed.plugin)
    return row is None or is_gone(row.bundle)


def _make_data(context: Context, ledger: Ledger) -> None:
    """Make the data folders that placed servers are told of."""
    if context.state.shared:  # The launcher makes those of each user.
        return
    for placed in ledger.entries:
        if any(event.startswith("mcp:") for event in events_of(placed)):
            folder = context.state.plugin(placed.plugin) / "data"
            text = json.dumps(placed.record, ensure_ascii=False)
            if json.dumps(str(folder), ensure_ascii=False)[1:-1] in text:
                with suppress(OSError):
                    if not folder.is_dir():
                        os.mkdir(folder, 0o700)


def _make_fired(context: Context, ledger: Ledger) -> None:
    """Make the folders in which launchers note when an event has fired."""
    if context.state.shared:
        return
    for plugin in dict.fromkeys(placed.plugin for placed in ledger.entries):
        folder = context.state.plugin(plugin) / "fired"
        with suppress(OSError):
            if not folder.is_dir():
                os.mkdir(folder, 0o700)


def _sweep_if_idle(context: Context, ledger: Ledger) -> None:
    if not ledger.entries:
        from hatch_agentplugin.activate.cleanup import sweep

        with suppress(OSError):
            sweep(context.state)
