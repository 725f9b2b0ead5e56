"""Activate: compute what to place in hosts. Reads through the workspace, writes nothing.

A placement is made once and then left alone. An upgrade changes only what its new plan says
differently. What the user has changed or removed stays that way and is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from hatch_agentplugin.activate import placed_list
from hatch_agentplugin.activate.conflicts import without_conflicts
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.detect import package_seen
from hatch_agentplugin.activate.discover import Installed, is_gone
from hatch_agentplugin.activate.locate import Scope
from hatch_agentplugin.activate.own_files import remove_file
from hatch_agentplugin.activate.resolve import (
    Resolution,
    ResolvedPlacement,
    ResolveError,
    caller,
    resolve,
)
from hatch_agentplugin.activate.result import Refused, Row
from hatch_agentplugin.activate.wire import Wiring
from hatch_agentplugin.activate.workspace import Owner, Workspace
from hatch_agentplugin.edit import Found
from hatch_agentplugin.plan import HostPlan, Plan
from hatch_agentplugin.transaction.ledger import LedgerEntry, PluginRow
from hatch_agentplugin.transaction.problem import FileProblem

#: Returns the content of a plugin's launcher.
RenderLauncher = Callable[[Context, str, PluginRow], bytes]


@dataclass(frozen=True)
class Activation:
    """The arguments of one activation."""

    plugins: tuple[tuple[Installed, Plan], ...]
    hosts: tuple[str, ...]
    scope: Scope
    replace: bool = False
    """Take over from another environment; restore entries that the user changed or removed."""


def activate(
    workspace: Workspace,
    asked: Activation,
    context: Context,
    render_launcher: RenderLauncher,
) -> None:
    """Place all plugins in all hosts. Failures become rows of the report."""
    for installed, plan in asked.plugins:
        if not _may_own(workspace, installed, asked, context):
            continue
        managed = placed_list.managed_hosts(context, installed.id)
        for host in asked.hosts:
            if host in workspace.failed:
                continue
            owner = Owner(
                plugin=installed.id,
                version=installed.version,
                host=host,
                scope=asked.scope.name,
                project=asked.scope.project if asked.scope.in_project else None,
                environment=context.environment,
            )
            activation = _HostActivation(workspace, owner, installed, asked, context)
            try:
                workspace.check_allowed(owner)
                placements = activation.check(plan.hosts.get(host), host in managed)
            except (Refused, FileProblem) as error:
                workspace.rows.append(owner.row("failed", str(error)))
                continue
            try:
                activation.place(placements)
            except (Refused, FileProblem) as error:
                workspace.refuse(owner, error)
        _own(workspace, installed, context, render_launcher)


def repair(
    workspace: Workspace,
    plugin: str,
    row: PluginRow,
    context: Context,
    render_launcher: RenderLauncher,
) -> None:
    """Rewrite the launcher and the placed list of an active plugin if they are wrong."""
    if _write_launcher(workspace, plugin, row, plugin, context, render_launcher):
        path = str(context.launcher(plugin))
        workspace.rows.append(Row(plugin, "", "", "updated", path=path))
    placed_list.update(workspace, plugin, plugin, context)


def _may_own(
    workspace: Workspace, installed: Installed, asked: Activation, context: Context
) -> bool:
    """Return whether this environment may place the plugin; False if another one owns it."""
    row = workspace.plugins.get(installed.id)
    if row is None or row.environment == context.environment or asked.replace:
        return True
    if not workspace.entries.of_plugin(installed.id) or is_gone(row.bundle):
        return True
    owner = Owner(installed.id, installed.version, "", asked.scope.name, None, "")
    note = (
        f"{row.version} is active from {row.environment}; "
        "--replace lets this environment take it over"
    )
    workspace.rows.append(owner.row("failed", note))
    return False


def _own(
    workspace: Workspace, installed: Installed, context: Context, render_launcher: RenderLauncher
) -> None:
    """Write the launcher and add the plugin to the ledger if anything is placed."""
    mine = workspace.entries.of_plugin(installed.id)
    if not mine:
        return
    row = PluginRow(
        bundle=str(installed.bundle),
        python=context.python,
        runtime=context.runtime,
        version=installed.version,
        environment=context.environment,
    )
    group = mine[-1].host
    _write_launcher(workspace, installed.id, row, group, context, render_launcher)
    placed_list.update(workspace, installed.id, group, context)
    workspace.plugins[installed.id] = row


def _write_launcher(
    workspace: Workspace,
    plugin: str,
    row: PluginRow,
    group: str,
    context: Context,
    render: RenderLauncher,
) -> bool:
    data = render(context, plugin, row)
    path = context.launcher(plugin)
    if workspace.read(path) == data:
        return False
    workspace.write(path, data, group, executable=True, private=True)
    return True


@dataclass(frozen=True)
class _HostActivation:
    """Activates one plugin in one host and scope."""

    workspace: Workspace
    owner: Owner
    installed: Installed
    asked: Activation
    context: Context

    def check(self, plan: HostPlan | None, is_managed: bool) -> Resolution | None:
        """Return the placements for this host, None if there are none. Changes only the report.

        Raises Refused or FileProblem if it cannot be placed.
        """
        if plan is None or not plan.scopes:
            self._skip("the plugin has nothing for this host")
            return None
        if self.owner.scope not in plan.scopes:
            scopes = ", ".join(plan.scopes)
            self._skip(f"the host has no {self.owner.scope} scope, only {scopes}")
            return None
        if is_managed and self._stands_down():
            self._skip(
                "your administrator has placed it for all users; --replace adds an entry of your "
                "own, which does nothing"
            )
            return None
        self._check_scopes()
        self._check_host_package(plan)
        found = self._resolve(plan)
        kept = without_conflicts(self.workspace, self.owner, found.placements)
        self._wiring().check(kept)
        return replace(found, placements=tuple(kept))

    def place(self, resolution: Resolution | None) -> None:
        """Make the placements that `check` returned. Raises Refused or FileProblem."""
        if resolution is None:
            return
        self._remove_outdated({one.key for one in resolution.placements})
        for events, why in resolution.left_out:
            self._skip(why, events)
        self._wiring().place(resolution.placements)
        for path, data in resolution.scripts if self._mine() else ():
            if self.workspace.read(path) != data:
                self.workspace.write(path, data, self.owner.host, executable=True, private=True)

    def _resolve(self, plan: HostPlan) -> Resolution:
        scope, bundle = self.asked.scope, self.installed.bundle
        who = caller(self.owner.host, plan, self.owner.plugin, self.context, scope, bundle)
        try:
            found = resolve(plan, bundle, who, self.context.machine, scope)
        except ResolveError as error:
            raise Refused(str(error)) from None
        return replace(found, placements=tuple(map(self._by_known_paths, found.placements)))

    def _wiring(self) -> Wiring:
        return Wiring(self.workspace, self.owner, self.asked.replace)

    def _skip(self, note: str, events: tuple[str, ...] = ()) -> None:
        self.workspace.rows.append(self.owner.row("skipped", note, events=events))

    def _mine(self) -> list[LedgerEntry]:
        """Return the ledger entries of this owner."""
        return self.workspace.entries.of_owner(self.owner.id)

    def _check_scopes(self) -> None:
        """Refuse a second entry for one hook: the user's own and a project's would both fire."""
        if not self.asked.scope.in_project or self.asked.replace:
            return
        for entry in self.workspace.entries.of(self.owner.plugin, self.owner.host):
            if entry.scope == "user":
                raise Refused(
                    "it is active for this user in every project; --replace adds it to the "
                    "project too, where it does nothing for you"
                )
            others = ("managed", self.owner.scope)
            if entry.project == self.owner.project and entry.scope not in others:
                raise Refused(f"it is already active in this project, in the {entry.scope} scope")

    def _check_host_package(self, plan: HostPlan) -> None:
        """Refuse a plugin that is also installed as a host package."""
        if not plan.slots or self.asked.replace:
            return
        seen = package_seen(plan, self.owner.plugin, self.context, self.workspace.value_at)
        if seen:
            raise Refused(
                f"it is already installed as a plugin of {plan.name} itself ({seen}) and would run "
                "twice; uninstall that one, or use --replace, which disables it"
            )

    def _stands_down(self) -> bool:
        """Return whether the administrator's entry makes one of the user's own unnecessary."""
        if self.owner.scope not in ("user", "local") or self.asked.replace:
            return False
        return not self._mine()

    def _by_known_paths(self, one: ResolvedPlacement) -> ResolvedPlacement:
        candidates = tuple(
            replace(candidate, path=self.workspace.known_path(candidate.path))
            for candidate in one.candidates
        )
        return replace(one, candidates=candidates)

    def _remove_outdated(self, keys: Collection[str]) -> None:
        """Remove the entries that the new plan no longer has."""
        for entry in self._mine():
            if entry.key in keys:
                continue
            if entry.inserted is None:
                remove_file(self.workspace, self.owner, entry)
            elif self.workspace.found(entry) is Found.PRESENT:
                self.workspace.remove(entry)
                self._row_of(entry, "removed")
            else:
                self.workspace.forget(entry)
                self._row_of(entry, "kept", "you have changed or removed it")

    def _row_of(self, entry: LedgerEntry, state: str, note: str = "") -> None:
        row = self.owner.row(state, note, path=entry.path, events=entry.events)
        self.workspace.rows.append(row)
