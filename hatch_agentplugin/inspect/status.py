"""Status: for each plugin, host and event, whether the hook is placed, is accepted and has fired.

Reads only. The evidence is the file, the host's switches, and the launcher's fired stamp.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.detect import package_seen
from hatch_agentplugin.activate.discover import Installed, discover, is_gone
from hatch_agentplugin.activate.locate import LocateError, Scope, locate
from hatch_agentplugin.activate.placed_list import managed_hosts
from hatch_agentplugin.activate.result import Refused
from hatch_agentplugin.activate.warnings import by_document, of_links
from hatch_agentplugin.activate.workspace import Workspace
from hatch_agentplugin.edit import MISSING, Found
from hatch_agentplugin.hosts.delivery import Switch
from hatch_agentplugin.invocation import call
from hatch_agentplugin.plan import HostPlan, Plan, PlanError
from hatch_agentplugin.transaction.ledger import Ledger, LedgerEntry, PluginRow
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader
from hatch_agentplugin.words import is_content

PlacedState = Literal["placed", "edited", "removed", "file gone", "unreadable"]
Accepted = Literal["yes", "no", "off", "disabled", "needs review", "unknown"]


@dataclass(frozen=True)
class Line:
    """One event of one plugin in one host and scope."""

    host: str
    scope: str
    event: str
    path: str
    placed: PlacedState
    accepted: Accepted
    why: str = ""
    """Why it is not accepted, or not placed."""
    fired: float | None = None
    """When it last fired, in seconds since 1970."""
    project: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the line as a JSON object."""
        return {
            "host": self.host,
            "scope": self.scope,
            "project": self.project,
            "event": self.event,
            "path": self.path,
            "placed": self.placed,
            "accepted": self.accepted,
            "why": self.why or None,
            "fired": self.fired,
        }


@dataclass(frozen=True)
class PluginStatus:
    """One plugin."""

    id: str
    version: str
    """The activated version; for a plugin that is not active, the installed one."""
    environment: str
    active: bool
    lines: tuple[Line, ...] = ()
    problems: tuple[str, ...] = ()
    """Changes since activation: package or launcher gone, upgraded, disabled."""
    notes: tuple[str, ...] = ()
    """Warnings, with advice."""

    def to_json(self) -> dict[str, Any]:
        """Return the plugin as a JSON object."""
        return {
            "plugin": self.id,
            "version": self.version,
            "environment": self.environment,
            "active": self.active,
            "problems": list(self.problems),
            "notes": list(self.notes),
            "hooks": [line.to_json() for line in self.lines],
        }


def status(context: Context, ledger: Ledger, names: tuple[str, ...] = ()) -> list[PluginStatus]:
    """Return the status of the named plugins; by default of all that are active or installed."""
    report = _Report(context, ledger)
    active = sorted({entry.plugin for entry in ledger.entries})
    result = [report.of(plugin) for plugin in active if not names or plugin in names]
    for one in () if context.state.shared else discover()[0]:
        if one.id not in active and (not names or one.id in names):
            result.append(
                PluginStatus(one.id, one.version, context.environment, False, (), ("not active",))
            )
    return result


def installed_by(row: PluginRow, plugin: str) -> Installed:
    """Return the plugin in the environment that placed it."""
    return Installed(plugin, plugin, row.version, Path(row.bundle))


class _Report:
    """Data that several plugins share: each file is read and parsed once."""

    def __init__(self, context: Context, ledger: Ledger) -> None:
        reader = Reader({})
        self.context = context
        self.ledger = ledger
        self.workspace = Workspace(reader.read, ledger, reader.resolve)
        self.plans: dict[str, tuple[Plan | None, list[str]]] = {
            plugin: _plan(context, plugin, ledger.plugins.get(plugin))
            for plugin in dict.fromkeys(entry.plugin for entry in ledger.entries)
        }
        hosts: dict[str, HostPlan] = {}
        for plan, _ in self.plans.values():
            hosts.update(plan.hosts if plan else {})
        self.warnings = dict(by_document(ledger.entries, hosts))

    def of(self, plugin: str) -> PluginStatus:
        """Return the status of one active plugin."""
        context, row = self.context, self.ledger.plugins.get(plugin)
        plan, problems = self.plans[plugin]
        problems = [*problems]
        if not os.path.exists(context.launcher(plugin)):
            problems.append("its launcher is gone: no hook runs; activate again")
        if row is not None and plan is not None:
            problems += _interpreter_problems(context, row.python)
            if plan.plugin.version != row.version:
                new = plan.plugin.version
                problems.append(f"upgraded to {new} since; activate again for its new events")
        entries = self.workspace.entries.of_plugin(plugin)
        hosts = dict(plan.hosts) if plan else {}
        lines = _Lines(context, self.workspace, plugin, hosts)
        paths = dict.fromkeys(entry.path for entry in entries if entry.inserted)
        return PluginStatus(
            id=plugin,
            version=row.version if row else "?",
            environment=row.environment if row else "?",
            active=True,
            lines=tuple(line for entry in entries for line in lines.of(entry)),
            problems=tuple(problems),
            notes=(
                *self._package_notes(plugin, hosts, entries),
                *(text for path in paths for text in self.warnings.get(path, ())),
                *of_links(entries),
            ),
        )

    def _package_notes(
        self, plugin: str, hosts: Mapping[str, HostPlan], entries: Sequence[LedgerEntry]
    ) -> Iterator[str]:
        """Warn of hosts in which the plugin is also installed as a host package."""
        for host in dict.fromkeys(entry.host for entry in entries if entry.events):
            if host not in hosts:
                continue
            seen = package_seen(hosts[host], plugin, self.context, self.workspace.value_at)
            if seen:
                yield (
                    f"{host} also has it as one of its own plugins ({seen}), which does nothing; "
                    "uninstall one of the two"
                )


def _interpreter_problems(context: Context, python: str) -> list[str]:
    """Return the problems of the interpreter that runs the handlers."""
    if context.machine.image:
        there = context.has_interpreter(python)
        return [] if there else [f"its interpreter {context.inside(python)} is not in the image"]
    try:
        os.stat(python)
    except (FileNotFoundError, NotADirectoryError):
        return [f"its interpreter is gone: {python}"]
    except OSError as error:
        return [f"its interpreter cannot be reached: {python}: {error.strerror}"]
    return [] if os.access(python, os.X_OK) else [f"you may not run its interpreter: {python}"]


def _plan(context: Context, plugin: str, row: PluginRow | None) -> tuple[Plan | None, list[str]]:
    if row is None:
        return None, ["the ledger does not know where its package is"]
    if is_gone(row.bundle):
        what = "its package" if os.path.isdir(row.environment) else "its environment"
        prune = call("prune", *(("--scope", "managed") if context.state.shared else ()))
        return None, [f"{what} is gone from {row.environment}; {prune} removes its hooks"]
    try:
        return installed_by(row, plugin).plan(), []
    except PlanError as error:
        return None, [f"its plan cannot be used: {error}"]


@dataclass
class _Lines:
    """Makes the lines of one plugin."""

    context: Context
    workspace: Workspace
    plugin: str
    hosts: Mapping[str, HostPlan]
    _off: dict[tuple[str, str, str | None], str] = field(default_factory=dict)

    def of(self, entry: LedgerEntry) -> Iterator[Line]:
        """Yield a line for each event that a ledger entry serves."""
        if not entry.events:
            return
        state, reason = self._state(entry)
        for event in entry.events:
            fired = _mtime(self.context.fired(self.plugin) / f"{entry.host}.{event}")
            if state == "placed":
                accepted, why = self._accepted(entry, event, fired)
            else:
                accepted, why = "no" if state in ("removed", "file gone") else "unknown", ""
            yield Line(
                host=entry.host,
                scope=entry.scope,
                event=event,
                path=entry.path,
                placed=state,
                accepted=accepted,
                why=reason or why,
                fired=fired,
                project=entry.project,
            )

    def _state(self, entry: LedgerEntry) -> tuple[PlacedState, str]:
        try:
            data = self.workspace.read(Path(entry.path))
            if data is None:
                return "file gone", ""
            if entry.inserted is None:
                same = sha256(data).hexdigest() == entry.sha256
                return ("placed" if same else "edited"), ""
            document = self.workspace.document_of(entry)
            found = document.found(entry)
        except (FileProblem, Refused) as error:
            return "unreadable", str(error)
        if found is Found.PRESENT:
            copies = document.copies(entry)
            return "placed", f"it occurs {copies + 1} times in the file" if copies else ""
        changed = found is Found.CHANGED or document.edited(entry) is not MISSING
        return ("edited" if changed else "removed"), ""

    def _accepted(
        self, entry: LedgerEntry, event: str, fired: float | None
    ) -> tuple[Accepted, str]:
        if is_content(event):
            return "unknown", ""
        if entry.scope != "managed" and entry.host in managed_hosts(self.context, self.plugin):
            return "yes", "your administrator has placed it for all users, which comes first"
        for name in () if self.context.state.shared else ("all", event):
            if os.path.exists(self.context.own(self.plugin) / "disabled" / name):
                return "disabled", f"switched off; {call('enable', self.plugin)} switches it on"
        plan = self.hosts.get(entry.host)
        if plan is None:
            return "unknown", ""
        key = (entry.host, entry.scope, entry.project)
        if key not in self._off:
            scope = Scope(entry.scope, entry.project)
            self._off[key] = switched_off(plan, self.context, scope, self.workspace) or ""
        if self._off[key]:
            return "off", self._off[key]
        review = plan.after.get(entry.scope, ())
        if review and fired is None:
            return "needs review", " ".join(review)
        return "yes", ""


def switched_off(
    plan: HostPlan, context: Context, scope: Scope, workspace: Workspace
) -> str | None:
    """Name the setting that keeps the host from running hooks, or return None."""
    for switch in plan.switches:
        only_managed = all(one.dir.default.startswith("/") for one in switch.files)
        if scope.name == "managed" and only_managed:
            continue  # An administrator's switch lets the administrator's own hooks run.
        for path in _switch_files(switch, context, scope):
            try:
                value = workspace.value_at(path, switch.format, switch.at)
            except (FileProblem, Refused):
                continue
            if type(value) is type(switch.is_) and value == switch.is_:
                return f"{switch.says} ({'.'.join(switch.at)} in {path})"
    return None


def _switch_files(switch: Switch, context: Context, scope: Scope) -> Iterator[Path]:
    for target in switch.files:
        for where in (scope, Scope("managed")):
            try:
                yield locate(target, context.machine, where)
            except LocateError:
                continue
            break


def _mtime(path: Path) -> float | None:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None
