"""Checks what a host says of its own plugin package. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hatch_agentplugin.hosts.delivery import File, Module
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.names import is_safe_relative

CheckFile = Callable[[str, File, Sequence[str]], Iterator[str]]


def bundle_mistakes(host: Host, check_file: CheckFile) -> Iterator[str]:
    """Every mistake in ``host.package``; ``check_file`` takes where, file and placeholders."""
    bundle = host.package
    if bundle is None:
        return
    is_module = isinstance(host.delivery, Module)
    if is_module != bool(bundle.module) or is_module == bool(bundle.hooks):
        yield "bundle: a code module has module, any other host has hooks"
    if bundle.hooks and not bundle.root:
        yield "bundle.root: empty, so no hook would find the launcher"
    if bool(bundle.marketplace) != bool(bundle.index):
        yield "bundle: marketplace and index go together"
    paths = {
        "manifest": bundle.manifest,
        "hooks": bundle.hooks,
        "module": bundle.module,
        "skills": bundle.skills,
        "commands": bundle.commands,
        "marketplace": bundle.marketplace,
        "servers.file": bundle.servers.file if bundle.servers else "",
    }
    for key, path in paths.items():
        if path and not is_safe_relative(path):
            yield f"bundle.{key}: {path!r} leaves the package"
    for seen in bundle.seen:
        yield from check_file("bundle.seen", seen.file, ("{plugin}",))
        if seen.inside and (seen.at or not is_safe_relative(seen.inside.format(plugin="x"))):
            yield "bundle.seen: inside is a path below a folder, without at"
