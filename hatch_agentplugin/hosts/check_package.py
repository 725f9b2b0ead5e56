"""Checks the description of a host's own plugin package."""

from __future__ import annotations

from collections.abc import Iterator

from hatch_agentplugin.hosts.check_rules import check_file
from hatch_agentplugin.hosts.delivery import Module
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.names import is_safe_relative


def check_package(host: Host) -> Iterator[str]:
    """Yield every problem in ``host.package``."""
    package = host.package
    if package is None:
        return
    is_module = isinstance(host.delivery, Module)
    if is_module != bool(package.module) or is_module == bool(package.hooks):
        yield "package: needs module if the delivery is a Module, else hooks"
    if package.hooks and not package.root:
        yield "package.root: must not be empty, or no hook finds the launcher"
    if bool(package.marketplace) != bool(package.index):
        yield "package: marketplace and index need each other"
    paths = {
        "manifest": package.manifest,
        "hooks": package.hooks,
        "module": package.module,
        "skills": package.skills,
        "commands": package.commands,
        "marketplace": package.marketplace,
        "servers.file": package.servers.file if package.servers else "",
    }
    for key, path in paths.items():
        if path and not is_safe_relative(path):
            yield f"package.{key}: {path!r} leaves the package"
    for seen in package.seen:
        yield from check_file("package.seen", seen.file, ("{plugin}",))
        if seen.inside and seen.at:
            yield "package.seen: inside and at exclude each other"
        if seen.inside and not is_safe_relative(seen.inside.format(plugin="x")):
            yield f"package.seen: {seen.inside!r} leaves its folder"
