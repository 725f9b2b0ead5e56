"""Loads and checks the hosts of all installed adapters, which are pluggy plugins.

Only the build uses it: it needs pluggy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pluggy import HookspecMarker, PluginManager, PluginValidationError

from hatch_agentplugin.hosts.check import check_host
from hatch_agentplugin.hosts.hookspec import ENTRY_POINT_GROUP, PROJECT_NAME
from hatch_agentplugin.hosts.host import Host

__all__ = ["AdapterError", "Adapters", "load_hosts"]

hookspec = HookspecMarker(PROJECT_NAME)


class Adapters:
    """The hooks of an adapter."""

    @hookspec
    def agent_plugin_hosts(self) -> Sequence[Host]:  # type: ignore[empty-body]
        """Return the hosts that the adapter describes; called once per build."""


class AdapterError(Exception):
    """An adapter that cannot be used: ``adapter`` (entry point and distribution) and ``why``."""

    def __init__(self, adapter: str, why: str, advice: str = "") -> None:
        advice = advice or "update or uninstall that distribution, or report this to its authors"
        super().__init__(f"host adapter {adapter}: {why}\n  {advice}")
        self.adapter = adapter
        self.why = why


@dataclass(frozen=True)
class _Found:
    host: Host
    adapter: str


def load_hosts(points: Iterable[EntryPoint] | None = None) -> dict[str, Host]:
    """Return every host of every installed adapter by id, sorted.

    ``points`` replaces the installed entry points. Raises :class:`AdapterError` if an adapter cannot
    be imported, returns something other than hosts, or returns a host with problems, and if two
    adapters describe the same host.
    """
    if points is None:
        points = entry_points(group=ENTRY_POINT_GROUP)
    found: dict[str, _Found] = {}
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        adapter = _named(point)
        for host in _hosts(point, adapter):
            if host.id in found:
                raise AdapterError(
                    adapter,
                    f'describes "{host.id}", as does {found[host.id].adapter}',
                    "uninstall one of the two distributions, or give one host another id",
                )
            found[host.id] = _Found(host, adapter)
    return {host_id: found[host_id].host for host_id in sorted(found)}


def _named(point: EntryPoint) -> str:
    origin = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
    return f'"{point.name}"{origin}'


def _hosts(point: EntryPoint, adapter: str) -> list[Host]:
    """Return the checked hosts of one entry point."""
    try:
        hosts = _call(point.load(), point.name)
    except PluginValidationError as error:
        raise AdapterError(adapter, f"does not fit: {_line(error)}") from error
    except Exception as error:  # a third party's module may raise anything
        raise AdapterError(adapter, f"fails: {type(error).__name__}: {_line(error)}") from error
    for host in hosts:
        if not isinstance(host, Host):
            raise AdapterError(adapter, f"returns {type(host).__name__}, a Host is expected")
        if problems := check_host(host):
            raise AdapterError(adapter, f'host "{host.id}": ' + "; ".join(problems))
    return hosts


def _call(module: Any, name: str) -> list[Host]:
    """Return the hosts of one plugin, registered alone so that its errors have its name."""
    manager = PluginManager(PROJECT_NAME)
    manager.add_hookspecs(Adapters)
    manager.register(module, name)
    manager.check_pending()
    if not manager.get_hookcallers(module):
        raise TypeError("no function agent_plugin_hosts is marked with @hookimpl")
    return [host for hosts in manager.hook.agent_plugin_hosts() for host in hosts]


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
