"""Activate, deactivate, restore and repair: each changes the machine in one transaction."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hatch_agentplugin.activate import activate as activating
from hatch_agentplugin.activate import deactivate as deactivating
from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.cleanup import clean_up, clear
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import is_gone
from hatch_agentplugin.activate.notes import data_note, shared_hosts
from hatch_agentplugin.activate.result import Row
from hatch_agentplugin.activate.run import Run
from hatch_agentplugin.activate.warnings import of_documents
from hatch_agentplugin.activate.workspace import Owner, Workspace
from hatch_agentplugin.scripts import launcher
from hatch_agentplugin.transaction.ledger import Ledger, LedgerEntry, PluginRow, load
from hatch_agentplugin.transaction.transaction import Outcome

#: The host of a report row, and the group of a change, that concerns no single host.
RESTORE = "restore"


@dataclass(frozen=True)
class Result:
    """The result of an operation; in a dry run, the result it would have."""

    rows: tuple[Row, ...]
    outcome: Outcome
    after: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Host -> steps left to the user."""
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not any(row.state == "failed" for row in self.rows)


@dataclass(frozen=True)
class Selection:
    """Selects ledger entries; a part that is None selects all."""

    plugins: Collection[str] | None = None
    hosts: Collection[str] | None = None
    scope: str | None = None
    project: str | None = None
    environment: str | None = None
    path: str | None = None

    def has(self, entry: LedgerEntry) -> bool:
        """Return whether an entry is selected."""
        return (
            (self.plugins is None or entry.plugin in self.plugins)
            and (self.hosts is None or entry.host in self.hosts)
            and (self.scope is None or entry.scope == self.scope)
            and (self.project is None or entry.project in (None, self.project))
            and (self.environment is None or entry.environment == self.environment)
            and (self.path is None or entry.path == self.path)
        )


def activate(
    context: Context, asked: Activation, *, dry_run: bool = False, wait: float = 10.0
) -> Result:
    """Place plugins in hosts. Raises FileProblem if nothing can be done at all.

    `wait` is how many seconds to wait for another command to finish.
    """
    with Run(context, own_files_first=True, dry_run=dry_run, wait=wait) as run:
        for workspace in run:
            activating.activate(workspace, asked, context, render_launcher)
    rows, outcome = run.rows, run.outcome
    if not dry_run:
        _make_fired_folders(context, outcome.ledger)
        _make_data_folders(context, outcome.ledger)
        _clean_up_if_idle(context, outcome.ledger)
    changed = {row.host for row in rows if row.state in ("placed", "updated", "adopted")}
    after = {
        host: texts
        for _, plan in asked.plugins
        for host, host_plan in plan.hosts.items()
        if host in changed and (texts := host_plan.after.get(asked.scope.name, ()))
    }
    return Result(rows, outcome, after, tuple(_notes(asked, rows, outcome, changed)))


def _notes(
    asked: Activation, rows: Collection[Row], outcome: Outcome, changed: set[str]
) -> list[str]:
    """Return notes for the user about the hosts that have changed."""
    notes = shared_hosts(asked, outcome.ledger, changed)
    new = {str(one.path) for one in outcome.diffs if one.before is None}
    paths = {row.path for row in rows if row.host in changed} - new
    hosts = {host: one for _, plan in asked.plugins for host, one in plan.hosts.items()}
    return notes + of_documents([e for e in outcome.ledger.entries if e.path in paths], hosts)


def deactivate(
    context: Context,
    selection: Selection | Callable[[Ledger], Collection[LedgerEntry]],
    *,
    keep_data: bool = False,
    dry_run: bool = False,
    wait: float = 10.0,
) -> Result:
    """Remove selected placements. Raises FileProblem if nothing can be done at all.

    With its last placement the plugin's folder is removed too, including the data that its hooks
    have stored, unless `keep_data` is true.
    """
    with Run(context, own_files_first=False, dry_run=dry_run, wait=wait) as run:
        for workspace in run:
            deactivating.deactivate(workspace, _selected(workspace, selection), context)
    rows, outcome = run.rows, run.outcome
    left = {one.plugin for one in outcome.ledger.entries}
    gone = sorted({row.plugin for row in rows} - left)
    notes = [note for one in gone if (note := data_note(context.state, one, keep_data))]
    if not dry_run:
        for plugin in gone:
            clear(context.state, plugin, keep_data)
        # Another command may have removed our folder meanwhile, and `clear` has made it again.
        _clean_up_if_idle(context, load(context.state)[0] if gone else outcome.ledger)
    return Result(rows, outcome, notes=tuple(notes))


def _selected(
    workspace: Workspace, selection: Selection | Callable[[Ledger], Collection[LedgerEntry]]
) -> list[LedgerEntry]:
    if isinstance(selection, Selection):
        return [entry for entry in workspace.entries if selection.has(entry)]
    ledger = Ledger(entries=tuple(workspace.entries), plugins=workspace.plugins)
    return list(selection(ledger))


def restore(context: Context, path: Path, data: bytes, *, dry_run: bool = False) -> Result:
    """Restore a file from a backup, and remove its entries from the ledger.

    The current bytes of the file become its newest backup. Raises FileProblem if nothing can be
    done.
    """
    with Run(context, own_files_first=False, dry_run=dry_run) as run:
        for workspace in run:
            _restore(workspace, workspace.known_path(path), data, context)
    if not dry_run:
        _clean_up_if_idle(context, run.outcome.ledger)
    return Result(run.rows, run.outcome)


def _restore(workspace: Workspace, path: Path, data: bytes, context: Context) -> None:
    owner = Owner("", "", RESTORE, "user", None, "")
    if RESTORE in workspace.failed:
        workspace.rows.append(owner.row("failed", path=str(path)))
        return
    workspace.keep.append(path)
    workspace.write(path, data, RESTORE)
    workspace.rows.append(owner.row("updated", path=str(path)))
    deactivating.forget(workspace, workspace.entries.at(str(path)), context)


def repair(context: Context) -> Result:
    """Rewrite the launchers and placed lists that are wrong.

    Raises FileProblem if nothing can be done.
    """
    with Run(context, own_files_first=True) as run:
        for workspace in run:
            for plugin, row in workspace.plugins.items():
                if workspace.entries.of_plugin(plugin) and plugin not in workspace.failed:
                    activating.repair(workspace, plugin, row, context, render_launcher)
    _make_fired_folders(context, run.outcome.ledger)
    _clean_up_if_idle(context, run.outcome.ledger)
    return Result(run.rows, run.outcome)


def orphans(ledger: Ledger) -> list[LedgerEntry]:
    """Return the entries of plugins whose package is no longer installed."""
    return [entry for entry in ledger.entries if is_orphan(ledger, entry)]


def is_orphan(ledger: Ledger, entry: LedgerEntry) -> bool:
    """Return whether the plugin's bundle is gone from the environment that placed the entry."""
    row = ledger.plugins.get(entry.plugin)
    return row is None or is_gone(row.bundle)


def render_launcher(context: Context, plugin: str, row: PluginRow) -> bytes:
    """Return the content of a plugin's launcher on this machine."""
    windows = context.machine.system == "windows"
    text = (launcher.render_windows if windows else launcher.render)(
        plugin=plugin,
        state=None if context.state.shared else str(context.state.plugin(plugin)),
        bundle=context.inside(row.bundle),
        python=context.inside(row.python),
        runtime=context.inside(row.runtime),
        managed="" if context.state.shared else context.managed_folder(plugin),
    )
    return text.encode("utf-8") if windows else os.fsencode(text)


def _make_data_folders(context: Context, ledger: Ledger) -> None:
    """Make the data folders that the entries of placed servers name."""
    if context.state.shared:  # The launcher makes those of each user.
        return
    for entry in ledger.entries:
        if entry.inserted and any(event.startswith("mcp:") for event in entry.events):
            folder = context.state.plugin(entry.plugin) / "data"
            text = json.dumps(entry.inserted.value, ensure_ascii=False)
            if json.dumps(str(folder), ensure_ascii=False)[1:-1] in text:
                _make_folder(folder)


def _make_fired_folders(context: Context, ledger: Ledger) -> None:
    """Make the folders in which launchers leave their fired stamps."""
    if not context.state.shared:
        for plugin in dict.fromkeys(entry.plugin for entry in ledger.entries):
            _make_folder(context.state.plugin(plugin) / "fired")


def _make_folder(folder: Path) -> None:
    with suppress(OSError):
        if not folder.is_dir():
            os.mkdir(folder, 0o700)


def _clean_up_if_idle(context: Context, ledger: Ledger) -> None:
    if not ledger.entries:
        with suppress(OSError):
            clean_up(context.state)
