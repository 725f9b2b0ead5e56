"""Finds host adapters by their entry points, and the files beside an adapter's module.

An adapter's entry point has the id of its host as its name. The built-in adapters are the entry
points of our own distribution; the others are scanned only on request. Does not need pluggy, which
an installed plugin does not depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path

from hatch_agentplugin.hosts.hookspec import ENTRY_POINT_GROUP
from hatch_agentplugin.hosts.host import Host

_DISTRIBUTION = "hatch-agentplugin"


def built_in_adapters() -> list[EntryPoint]:
    """Return the entry points of our own distribution."""
    return list(distribution(_DISTRIBUTION).entry_points.select(group=ENTRY_POINT_GROUP))


def other_adapters() -> list[EntryPoint]:
    """Return the entry points of all other distributions."""
    own = built_in_adapters()
    return [point for point in entry_points(group=ENTRY_POINT_GROUP) if point not in own]


def built_in_hosts() -> dict[str, Host]:
    """Return the hosts of the built-in adapters by id, sorted."""
    found = [host for point in built_in_adapters() for host in point.load().agent_plugin_hosts()]
    return {host.id: host for host in sorted(found, key=lambda host: host.id)}


def all_hosts(
    problem: Callable[[str], None], points: Iterable[EntryPoint] | None = None
) -> dict[str, Host]:
    """Return the hosts of all adapters by id, sorted.

    ``points`` replaces the entry points of other distributions. ``problem`` gets a sentence about
    each adapter that cannot be read; the others are still returned.
    """
    hosts = built_in_hosts()
    for point in other_adapters() if points is None else points:
        try:
            found = list(point.load().agent_plugin_hosts())
            if not all(isinstance(host, Host) for host in found):
                raise TypeError("agent_plugin_hosts returned something other than hosts")
        except Exception as error:  # a third party's module may raise anything
            problem(f'host adapter "{point.name}": {type(error).__name__}: {error}')
            continue
        for host in found:
            hosts.setdefault(host.id, host)
    return dict(sorted(hosts.items()))


def adapter_folder(host: str) -> Path | None:
    """Return the folder of the module that describes a host; None if no adapter has that name.

    Does not import the module.
    """
    for find in (built_in_adapters, other_adapters):
        for point in find():
            if point.name == host:
                return _folder(point)
    return None


def _folder(point: EntryPoint) -> Path | None:
    try:
        spec = find_spec(point.module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec and spec.origin else None
