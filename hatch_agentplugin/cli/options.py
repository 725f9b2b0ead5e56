"""What the options that several commands share mean on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeAlias

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import BadMarker, Installed, discover
from hatch_agentplugin.activate.locate import LocateError, Machine, Place
from hatch_agentplugin.cli.ui import Failure, UsageFailure, say, say_error
from hatch_agentplugin.invocation import quoted
from hatch_agentplugin.plan import Plan, PlanError, ScopeName

Found: TypeAlias = tuple[list[Installed], list[BadMarker]]
Known: TypeAlias = tuple[tuple[Installed, Plan], ...]

EVERY = "*"


def context(options: Any) -> Context:
    """The surroundings of this process for the scope that is asked for. Raises UsageFailure.

    For the managed one that is an administrator's, maybe in an image.
    """
    root: str | None = getattr(options, "root", None)
    if getattr(options, "scope", None) != "managed":
        if root is not None:
            raise UsageFailure("--root goes with --scope managed alone")
        return Context.here()
    # What is placed for all users is for all of them to read, whatever root's own files are.
    os.umask(0o022)
    try:
        return Context.here(Machine.here(image=_image(root))).managed()
    except LocateError as error:
        raise UsageFailure(str(error)) from None


def _image(root: str | None) -> str:
    """The folder of an image as Machine wants it. Raises UsageFailure."""
    if root is None:
        return ""
    if not os.path.isabs(root):
        raise UsageFailure(f"--root {root}: not an absolute path")
    real = os.path.realpath(root)
    if not os.path.isdir(real):
        there = "not a folder" if os.path.lexists(root) else "does not exist"
        raise UsageFailure(f"--root {root}: {there}; it names the root folder of the image")
    return "" if os.path.dirname(real) == real else real


def known_plugins(
    names: Sequence[str],
    *,
    strict: bool = True,
    found: Found | None = None,
) -> tuple[Known, bool]:
    """The installed plugins that are named, all without names, and whether some are unusable.

    An unusable one is reported and the others go on. ``found`` is what `discover` has found, where
    it was asked already. Raises UsageFailure for
    an unknown name, unless not ``strict``.
    """
    installed, bad = found or discover()
    for mark in bad:
        say_error(f"{mark.path}: {mark.reason}")
    ids = [plugin.id for plugin in installed]
    wanted = [plugin_id(name, ids, strict=strict) for name in names] or ids
    known = []
    broken = bool(bad)
    for plugin in installed:
        if plugin.id not in wanted:
            continue
        try:
            known.append((plugin, plugin.plan()))
        except PlanError as error:
            say_error(f"{plugin.name}: its plan cannot be used: {error}")
            broken = True
    return tuple(known), broken


def tell_stale(known: Known) -> bool:
    """Say which editable installs have hooks compiled from an older state of their project.

    Returns whether any is editable.
    """
    editable = [(plugin, plan) for plugin, plan in known if plugin.source is not None]
    for plugin, plan in editable:
        _tell_stale(plugin, plan)
    return bool(editable)


def _tell_stale(plugin: Installed, plan: Plan) -> None:
    from pathlib import Path  # late, both: few plugins are editable

    from hatch_agentplugin.sources import is_stale

    assert plugin.source is not None
    if is_stale(plan.inputs, Path(plugin.bundle), Path(plugin.source)):
        again = f"pip install -e {quoted(str(plugin.source))}"
        say(f"note: {plugin.name}: what it declares has changed since it was installed; {again}")


def is_name(text: str, ids: Collection[str]) -> bool:
    """Whether a text is the name of a plugin, in any spelling; a path never is."""
    return plugin_id(text, ids, strict=False) in ids


def plugin_id(name: str, ids: Collection[str], *, strict: bool = True) -> str:
    """The id for a plugin's name in any spelling. Raises UsageFailure for an unknown one."""
    if name in ids:
        return name
    folded = re.sub(r"[-_.]+", "-", name).lower()
    if not strict or folded in ids:
        return folded
    if not ids:
        raise UsageFailure(f'there is no plugin "{name}" here, nor any other')
    raise UsageFailure(f'there is no plugin "{name}" here{did_you_mean(name, ids)}')


def host_names(given: Sequence[str] | None, allowed: Collection[str]) -> list[str] | None:
    """The hosts that are asked for, or None where none are. Raises UsageFailure."""
    if given is None:
        return None
    names = [name.strip() for text in given for name in text.split(",") if name.strip()]
    if not names:
        raise UsageFailure("--host names no agent")
    result: dict[str, None] = {}
    for name in names:
        if name == EVERY:
            result.update(dict.fromkeys(sorted(allowed)))
        elif name in allowed:
            result[name] = None
        else:
            raise UsageFailure(f'there is no agent "{name}"{did_you_mean(name, allowed)}')
    return list(result)


def event(name: str) -> str:
    """A canonical event by any spelling. Raises UsageFailure."""
    from hatch_agentplugin.words import EVENTS, canonical_event, nearest_event

    found = canonical_event(name)
    if found is None:
        near = nearest_event(name)
        hint = f'; did you mean "{near}"?' if near else f"; there are: {', '.join(EVENTS)}"
        raise UsageFailure(f'there is no event "{name}"{hint}')
    return found


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """The end of a message about an unknown name."""
    allowed = sorted(allowed)
    from hatch_agentplugin.words import nearest

    near = nearest(name, allowed)
    if near:
        return f'; did you mean "{near}"?'
    return f"; there are: {', '.join(allowed)}" if allowed else ""


def hosts_of(known: Known) -> set[str]:
    """Every host that the plans speak of, also those in which a plugin has no hooks."""
    return {host for _, plan in known for host in plan.hosts} | {
        cell.host for _, plan in known for cell in plan.report
    }


def place_of(options: Any, default: ScopeName | None = "user") -> Place | None:
    """The scope and project asked for; None where neither is and there is no default."""
    scope: ScopeName | None = options.scope
    if scope is None:
        scope = "project" if options.project else default
    if scope is None:
        return None
    if options.project and scope not in ("project", "local"):
        raise UsageFailure(f"--project does not go with the {scope} scope")
    if scope not in ("project", "local"):
        return Place(scope)
    try:
        folder = os.path.abspath(options.project or os.getcwd())
    except OSError:
        raise UsageFailure(
            "the working folder is gone; --project names one that is there"
        ) from None
    if not os.path.isdir(folder):
        raise UsageFailure(f"{folder} is not a folder")
    if os.path.realpath(folder) == os.path.realpath(Context.here().machine.home):
        raise UsageFailure("the home folder is not a project; --project names one")
    return Place(scope, folder)


def need_consent(options: Any) -> None:
    """Refuse to go on where nobody can be asked and nobody has said yes."""
    from hatch_agentplugin.cli.ui import is_terminal

    if not (options.yes or options.dry_run or is_terminal()):
        raise UsageFailure("this is not a terminal, so nobody can be asked: say --yes")


def declined(options: Any) -> int:
    """Say that nothing was done, after a no. Returns the exit status."""
    if options.json:
        raise Failure("nothing was changed")
    say("nothing was changed")
    return 1


def need_plugins(known: Known, broken: bool, environment: str) -> None:
    """Stop where there is no plugin to work with."""
    if known:
        return
    if broken:
        raise Failure("no plugin here can be used")
    raise Failure(f"no plugin is installed in this environment, {environment}")
