"""Status: per plugin, host and event whether it is placed, accepted by the host, and has fired.

Reads only. Each of the three has its own proof: the file, the host's switches, the launcher's mark.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import Installed, discover, is_gone
from hatch_agentplugin.activate.host_packages import package_seen
from hatch_agentplugin.activate.locate import LocateError, Place, locate
from hatch_agentplugin.activate.placed_list import for_all
from hatch_agentplugin.activate.result import Refused
from hatch_agentplugin.activate.warnings import of_files, of_links
from hatch_agentplugin.activate.workspace import Work, events_of
from hatch_agentplugin.edit import DocumentError, Found, value_at
from hatch_agentplugin.hosts.content import is_content
from hatch_agentplugin.invocation import call
from hatch_agentplugin.plan import HostPlan, Plan, PlanError, SwitchPlan
from hatch_agentplugin.transaction.ledger import Ledger, Placed, PluginRow
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader

Standing = Literal["placed", "edited", "removed", "file gone", "unreadable"]
Accepted = Literal["yes", "no", "off", "disabled", "needs review", "unknown"]


@dataclass(frozen=True)
class Line:
    """One event of one plugin in one host and scope."""

    host: str
    scope: str
    event: str
    path: str
    placed: Standing
    accepted: Accepted
    why: str = ""
    """Why it is not accepted, or not placed."""
    fired: float | None = None
    """When it last fired, in seconds since 1970."""
    project: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The line as a JSON object."""
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
    """The version that was activated; for one that is not, the installed one."""
    environment: str
    active: bool
    lines: tuple[Line, ...] = ()
    problems: tuple[str, ...] = ()
    """What has drifted: package or launcher gone, upgraded, disabled."""
    notes: tuple[str, ...] = ()
    """What is odd and yet works, with advice."""

    def to_json(self) -> dict[str, Any]:
        """The plugin as a JSON object."""
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
    """The status of the named plugins, by default of all that are active or installed here."""
    reader = Reader({})
    work = Work(reader.read, ledger, reader.resolve)
    result = []
    for plugin in sorted({placed.plugin for placed in ledger.entries}):
        if not names or plugin in names:
            result.append(_active(context, work, plugin, ledger.plugins.get(plugin)))
    active = {one.id for one in result}
    for one in () if context.state.shared else discover()[0]:
        if one.id not in active and (not names or one.id in names):
            result.append(
                PluginStatus(one.id, one.version, context.environment, False, (), ("not active",))
            )
    return result


def installed_by(row: PluginRow, plugin: str) -> Installed:
    """The plugin as the environment that placed it has it."""
    return Installed(plugin, plugin, row.version, Path(row.bundle))


def _active(context: Context, work: Work, plugin: str, row: PluginRow | None) -> PluginStatus:
    plan, problems = _plan(context, plugin, row)
    if not os.path.exists(context.launcher(plugin)):
        problems.append("its launcher is gone: no hook runs; activate again")
    if row is not None and plan is not None:
        problems += _interpreter(context, row.python)
        if plan.plugin.version != row.version:
            problems.append(
                f"upgraded to {plan.plugin.version} since; activate again for its new events"
            )
    entries = [placed for placed in work.placed if placed.plugin == plugin]
    hosts = dict(plan.hosts) if plan else {}
    lines = _Lines(context, work, plugin, hosts)
    return PluginStatus(
        id=plugin,
        version=row.version if row else "?",
        environment=row.environment if row else "?",
        active=True,
        lines=tuple(line for placed in entries for line in lines.of(placed)),
        problems=tuple(problems),
        notes=(
            *_packages(context, plugin, hosts, entries),
            *of_files(entries, hosts),
            *of_links(entries),
        ),
    )


def _packages(
    context: Context, plugin: str, hosts: Mapping[str, HostPlan], entries: list[Placed]
) -> Iterator[str]:
    """Hosts in which the user has the plugin by the host's own plugin system too."""
    for host in dict.fromkeys(placed.host for placed in entries if events_of(placed)):
        if host in hosts and (seen := package_seen(hosts[host], plugin, context)):
            yield (
                f"{host} has it as a plugin of its own too ({seen}), which stays silent; "
                "uninstall one of the two"
            )


def _interpreter(context: Context, python: str) -> list[str]:
    """What is wrong with the interpreter that runs the handlers, if anything."""
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
        return None, [f"{what} is gone from {row.environment}; {prune} takes it back"]
    try:
        return installed_by(row, plugin).plan(), []
    except PlanError as error:
        return None, [f"its plan cannot be used: {error}"]


@dataclass
class _Lines:
    """Makes the lines of one plugin."""

    context: Context
    work: Work
    plugin: str
    hosts: Mapping[str, HostPlan]
    _off: dict[tuple[str, str, str | None], str] = field(default_factory=dict)

    def of(self, placed: Placed) -> Iterator[Line]:
        """One line for each event that a placement serves."""
        events = events_of(placed)
        if not events:
            return
        standing, reason = self._standing(placed)
        for event in events:
            fired = _mtime(self.context.fired(self.plugin) / f"{placed.host}.{event}")
            if standing == "placed":
                accepted, why = self._accepted(placed, event, fired)
            else:  # What stands there instead is not ours to judge.
                accepted, why = "no" if standing in ("removed", "file gone") else "unknown", ""
            yield Line(
                host=placed.host,
                scope=placed.scope,
                event=event,
                path=placed.path,
                placed=standing,
                accepted=accepted,
                why=reason or why,
                fired=fired,
                project=placed.project,
            )

    def _standing(self, placed: Placed) -> tuple[Standing, str]:
        try:
            data = self.work.desk.read(Path(placed.path))
            if data is None:
                return "file gone", ""
            if placed.record is None:
                return ("placed" if sha256(data).hexdigest() == placed.sha256 else "edited"), ""
            found = self.work.found(placed)
        except (FileProblem, Refused) as error:
            return "unreadable", str(error)
        if found is Found.PRESENT:
            copies = self.work.copies(placed)
            return "placed", f"{copies} more of it in the file" if copies else ""
        changed = found is Found.CHANGED or self.work.edited(placed) is not None
        return ("edited" if changed else "removed"), ""

    def _accepted(self, placed: Placed, event: str, fired: float | None) -> tuple[Accepted, str]:
        if is_content(event):
            return "unknown", ""
        if why := self._stands_down(placed):
            return "yes", why
        for name in () if self.context.state.shared else ("all", event):
            if os.path.exists(self.context.own(self.plugin) / "disabled" / name):
                return "disabled", f"switched off; {call('enable', self.plugin)} switches it on"
        plan = self.hosts.get(placed.host)
        if plan is None:
            return "unknown", ""
        key = (placed.host, placed.scope, placed.project)
        if key not in self._off:
            place = Place(placed.scope, placed.project)
            self._off[key] = switched_off(plan, self.context, place) or ""
        if self._off[key]:
            return "off", self._off[key]
        review = plan.after.get(placed.scope, ())
        if review and fired is None:
            return "needs review", " ".join(review)
        return "yes", ""

    def _stands_down(self, placed: Placed) -> str:
        """Whose entry answers instead of this one, in words."""
        if placed.scope != "managed" and placed.host in for_all(self.context, self.plugin):
            return "the administrator has placed it for all users, and that entry goes first"
        return ""


def switched_off(plan: HostPlan, context: Context, place: Place) -> str | None:
    """What keeps the host from running hooks at all: a setting of the user's or his company's."""
    for switch in plan.switches:
        if place.scope == "managed" and all(
            one.dir.default.startswith("/") for one in switch.files
        ):
            continue  # what only an administrator can set lets his own hooks run
        for path in _switch_files(switch, context, place):
            try:
                data = Reader({}).read(path)
                value = None if data is None else value_at(data, switch.format, switch.at)
            except (FileProblem, DocumentError):
                continue
            if data is not None and type(value) is type(switch.is_) and value == switch.is_:
                return f"{switch.says} ({'.'.join(switch.at)} in {path})"
    return None


def _switch_files(switch: SwitchPlan, context: Context, place: Place) -> Iterator[Path]:
    for target in switch.files:
        for where in (place, Place("managed")):
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
