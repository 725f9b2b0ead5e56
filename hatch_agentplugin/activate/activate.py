"""Activate: from plans to the files as they should be. Pure: reads through the work, writes nothing.

A placement is made once and then left alone; an upgrade changes only what its new plan says
differently; what the user has changed or removed stays as he wants it and is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from hatch_agentplugin.activate import placed_list
from hatch_agentplugin.activate.conflicts import without_conflicts
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import Installed, is_gone
from hatch_agentplugin.activate.host_packages import package_seen
from hatch_agentplugin.activate.locate import Place
from hatch_agentplugin.activate.own_files import take_file
from hatch_agentplugin.activate.resolve import Wanted, WantedError, caller, wanted
from hatch_agentplugin.activate.result import Refused, Row
from hatch_agentplugin.activate.wire import Wiring
from hatch_agentplugin.activate.workspace import Owner, Work, events_of
from hatch_agentplugin.edit import MISSING, Found
from hatch_agentplugin.plan import HostPlan, Plan
from hatch_agentplugin.transaction.ledger import Placed, PluginRow
from hatch_agentplugin.transaction.problem import FileProblem

#: The content of a plugin's launcher.
RenderLauncher = Callable[[Context, str, PluginRow], bytes]


@dataclass(frozen=True)
class Activation:
    """What is asked for."""

    plugins: tuple[tuple[Installed, Plan], ...]
    hosts: tuple[str, ...]
    place: Place
    replace: bool = False
    """Take over from another environment; write again what the user has changed or removed."""


def activate(
    work: Work,
    asked: Activation,
    context: Context,
    render_launcher: RenderLauncher,
    failed: Collection[str] = (),
) -> None:
    """Make the placements of all plugins in all hosts. Failures become rows of the report."""
    for installed, plan in asked.plugins:
        if not _may_own(work, installed, asked, context):
            continue
        for_all = placed_list.for_all(context, installed.id)
        for host in asked.hosts:
            if host in failed:
                continue
            owner = Owner(
                plugin=installed.id,
                version=installed.version,
                host=host,
                scope=asked.place.scope,
                project=asked.place.project if asked.place.in_project else None,
                environment=context.environment,
            )
            saved = work.save()
            try:
                _activate_host(
                    work, owner, installed, plan.hosts.get(host), asked, context, host in for_all
                )
            except (Refused, FileProblem) as error:
                work.restore(saved)
                work.rows.append(owner.row("failed", str(error)))
        _own(work, installed, context, render_launcher)


def _may_own(work: Work, installed: Installed, asked: Activation, context: Context) -> bool:
    """Whether this environment may place the plugin: another one has it only for itself."""
    row = work.plugins.get(installed.id)
    if row is None or row.environment == context.environment or asked.replace:
        return True
    if not any(placed.plugin == installed.id for placed in work.placed):
        return True
    if is_gone(row.bundle):
        return True
    owner = Owner(installed.id, installed.version, "", asked.place.scope, None, "")
    work.rows.append(
        owner.row(
            "failed",
            f"{row.version} is active from {row.environment}; "
            "--replace lets this environment take it over",
        )
    )
    return False


def _own(
    work: Work, installed: Installed, context: Context, render_launcher: RenderLauncher
) -> None:
    """Write the launcher and enter the plugin into the ledger, where anything is placed."""
    mine = [placed for placed in work.placed if placed.plugin == installed.id]
    if not mine:
        return
    row = PluginRow(
        bundle=str(installed.bundle),
        python=context.python,
        runtime=context.runtime,
        version=installed.version,
        environment=context.environment,
    )
    _write_launcher(work, installed.id, row, mine[-1].host, context, render_launcher)
    placed_list.write(work, installed.id, mine[-1].host, context)
    work.plugins[installed.id] = row


def _write_launcher(
    work: Work, plugin: str, row: PluginRow, group: str, context: Context, render: RenderLauncher
) -> bool:
    data = render(context, plugin, row)
    path = context.launcher(plugin)
    if work.desk.read(path) == data:
        return False
    work.desk.write(path, data, group, executable=True, private=True)
    return True


def repair(
    work: Work, plugin: str, row: PluginRow, context: Context, render_launcher: RenderLauncher
) -> None:
    """Write the launcher and the marks of an active plugin again, where they are not right."""
    if _write_launcher(work, plugin, row, plugin, context, render_launcher):
        work.rows.append(Row(plugin, "", "", "updated", path=str(context.launcher(plugin))))
    placed_list.write(work, plugin, plugin, context)


def _activate_host(
    work: Work,
    owner: Owner,
    installed: Installed,
    plan: HostPlan | None,
    asked: Activation,
    context: Context,
    for_all: bool,
) -> None:
    if plan is None or not plan.scopes:
        work.rows.append(owner.row("skipped", "the plugin has nothing for this host"))
        return
    if owner.scope not in plan.scopes:
        scopes = ", ".join(plan.scopes)
        work.rows.append(
            owner.row("skipped", f"the host has no {owner.scope} scope, only {scopes}")
        )
        return
    _check_scopes(work, owner, asked)
    if for_all and (why := _placed_for_all(work, owner, asked)):
        work.rows.append(owner.row("skipped", why))
        return
    if plan.slots and not asked.replace:
        seen = package_seen(plan, owner.plugin, context, work.desk.on_disk)
    else:
        seen = None
    if seen:
        raise Refused(
            f"you have it as a plugin of {plan.name}'s own already ({seen}), and it would run "
            "twice; uninstall that one there, or --replace places it: then that one is silent"
        )
    who = caller(owner.host, plan, owner.plugin, context, asked.place, installed.bundle)
    try:
        wish = wanted(plan, installed.bundle, who, context.machine, asked.place)
    except WantedError as error:
        raise Refused(str(error)) from None
    mine = _mine(work, owner)
    _drop_gone(work, owner, mine, {one.key for one in wish.placements})
    wish_here = [_under_known_names(work, one) for one in wish.placements]
    for events, why in wish.left_out:
        work.rows.append(owner.row("skipped", why, events=events))
    Wiring(work, owner, asked.replace).place(without_conflicts(work, owner, wish_here))
    if not _mine(work, owner):
        return
    for path, data in wish.scripts:
        if work.desk.read(path) != data:
            work.desk.write(path, data, owner.host, executable=True, private=True)


def _mine(work: Work, owner: Owner) -> list[Placed]:
    """What is placed for an owner."""
    return [placed for placed in work.placed.of(owner.plugin, owner.host) if owner.has(placed)]


def _check_scopes(work: Work, owner: Owner, asked: Activation) -> None:
    """One home per hook: the user's own entry and a project's would both fire."""
    if not asked.place.in_project or asked.replace:
        return
    for placed in work.placed.of(owner.plugin, owner.host):
        if placed.scope == "user":
            raise Refused(
                "active for this user already, in every project; --replace adds it to the project "
                "too, where it stays silent for you"
            )
        if placed.project == owner.project and placed.scope not in ("managed", owner.scope):
            raise Refused(f"active in this project already, in the {placed.scope} scope")


def _placed_for_all(work: Work, owner: Owner, asked: Activation) -> str:
    """Why a user needs no entry of his own: the administrator has placed one for everybody."""
    if owner.scope not in ("user", "local") or asked.replace or _mine(work, owner):
        return ""
    return (
        "the administrator of this machine has placed it for all users; --replace adds an entry of "
        "your own, which stays silent"
    )


def _under_known_names(work: Work, one: Wanted) -> Wanted:
    names = [work.name(spot.path) for spot in one.spots]
    if names == [spot.path for spot in one.spots]:
        return one
    spots = [replace(spot, path=name) for spot, name in zip(one.spots, names, strict=True)]
    return replace(one, spots=tuple(spots))


def _drop_gone(work: Work, owner: Owner, mine: Sequence[Placed], keys: Collection[str]) -> None:
    """Take out what the new plan no longer has."""
    gone = [placed for placed in mine if placed.placement.get("key") not in keys]
    for placed in gone:
        if placed.record is None:
            take_file(work, owner, placed)
        elif work.found(placed) is Found.PRESENT:
            work.change(placed.path, owner.host, [(placed, MISSING)])
            work.rows.append(owner.row("removed", path=placed.path, events=events_of(placed)))
        else:
            work.strike(placed)
            work.rows.append(
                owner.row("kept", "changed or removed by you", path=placed.path,
                          events=events_of(placed))
            )  # fmt: skip
