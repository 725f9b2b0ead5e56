"""What ``activate`` does otherwise where an administrator places for all users, or in an image."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import Installed
from hatch_agentplugin.activate.locate import LocateError
from hatch_agentplugin.cli import options
from hatch_agentplugin.cli.ui import Failure
from hatch_agentplugin.invocation import call
from hatch_agentplugin.plan import Plan, PlanError

_MOST_NAMED = 8


def in_image(context: Context) -> Context:
    """The surroundings with an environment that lies in the image. Raises Failure."""
    try:
        return context.in_image()
    except LocateError as error:
        raise Failure(str(error)) from None


def plugins_in_image(known: options.Known, context: Context) -> options.Known:
    """The plugins, whose packages have to lie in the image. Raises Failure."""
    try:
        return tuple(_in_image(one, plan, context) for one, plan in known)
    except LocateError as error:
        raise Failure(str(error)) from None


def _in_image(one: Installed, plan: Plan, context: Context) -> tuple[Installed, Plan]:
    """A plugin as the image has it: in the same place there may be another version than here."""
    bundle = Path(context.named(str(one.bundle)))
    if bundle == one.bundle:
        return one, plan
    one = replace(one, bundle=bundle)
    try:
        plan = one.plan()
    except PlanError as error:
        raise Failure(f"{one.name}: its plan in the image cannot be used: {error}") from None
    return replace(one, version=plan.plugin.version), plan


def hosts(known: options.Known) -> list[str]:
    """Every host that has a folder for all users: who uses the machine may install it later.

    Raises Failure where there is none.
    """
    found = {
        host for _, plan in known for host, one in plan.hosts.items() if "managed" in one.scopes
    }
    if not found:
        raise Failure(_none_known(_without(known)))
    return sorted(found)


def notes(known: options.Known, chosen: list[str], named: bool, context: Context) -> Iterator[str]:
    """What an administrator should know before it is placed."""
    left = [] if named else [host for host in _without(known) if host not in chosen]
    if left:
        yield _none_known(left)
    if not context.has_interpreter(context.python):
        yield (
            f"{context.inside(context.python)} leads to a program that is not in "
            f"{context.machine.image} yet; hooks in Python are silent until it is"
        )
    yield from _others(context)


def _none_known(hosts: list[str]) -> str:
    """Name hosts without a folder for all users, where they are not too many to read."""
    text = "no settings for all users are known of "
    if len(hosts) <= _MOST_NAMED:
        return text + ", ".join(hosts)
    some = ", ".join(hosts[:_MOST_NAMED])
    return f"{text}{some} and {len(hosts) - _MOST_NAMED} more; {call('hosts')} shows the scopes of each"


def _others(context: Context) -> Iterator[str]:
    """What keeps other users from running it, or lets one of them change what all run."""
    if os.name == "nt":
        return
    image = context.machine.image
    places = [context.environment, context.runtime]
    if not image:  # In one, links mean something else; whether they lead anywhere is said already.
        places.append(os.path.dirname(os.path.realpath(context.python)))
    owners: set[int] = {0}
    for folder in _with_parents(places, image):
        status = os.stat(folder)
        if status.st_mode & 0o005 != 0o005:
            yield (
                f"other users cannot enter {context.inside(folder)}, so nothing runs for them; "
                "install the plugin into an environment that all can read, such as one in /opt, "
                "with a Python that all can run"
            )
        if status.st_uid not in owners and not image:  # Who builds an image need not be root.
            owners.add(status.st_uid)
            yield (
                f"{folder} belongs to user {status.st_uid}, who can change what all users run; "
                "install the plugin into an environment of root's, made with a Python of root's"
            )
        if who := _may_replace(status, image):
            yield (
                f"{who} may replace what is in {context.inside(folder)}, and so what all users run; "
                "take that right away (chmod go-w)"
            )


def _may_replace(status: os.stat_result, image: str) -> str:
    """Who besides its owner may replace what is in a folder; empty for nobody."""
    if status.st_mode & stat.S_ISVTX:
        return ""
    if status.st_mode & stat.S_IWOTH:
        return "anybody"
    if status.st_mode & stat.S_IWGRP and status.st_gid != 0 and not image:
        return f"group {status.st_gid}"
    return ""


def _with_parents(places: list[str], image: str) -> list[Path]:
    """Folders with those above them, outermost first; of an image only what is in it."""
    folders: dict[Path, None] = {}
    for place in places:
        parents = [Path(place), *Path(place).parents]
        if image:
            parents = parents[: parents.index(Path(image))]
        folders.update(dict.fromkeys(reversed(parents)))
    return list(folders)


def _without(known: options.Known) -> list[str]:
    plans = [(host, one) for _, plan in known for host, one in plan.hosts.items()]
    return sorted({host for host, one in plans if one.scopes and "managed" not in one.scopes})
