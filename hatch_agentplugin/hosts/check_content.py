"""Checks where a host's MCP servers, skills, commands and rules go."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hatch_agentplugin.hosts.check_rules import check_file, check_names, check_placeholders
from hatch_agentplugin.hosts.content import Mcp
from hatch_agentplugin.hosts.delivery import Module
from hatch_agentplugin.hosts.host import Host
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.templates import strings
from hatch_agentplugin.words import DOCUMENT_FORMATS, SCOPES, SERVER_PLACEHOLDERS

#: Kind of server -> placeholders of which its template needs one.
_NEEDED = {"stdio": ("$program", "$argv", "$line"), "http": ("$url",), "sse": ("$url",)}


def check_content(host: Host) -> Iterator[str]:
    """Yield every problem in ``host.content``."""
    content = host.content
    if content.mcp is not None:
        yield from _mcp(content.mcp)
    for kind, files in (
        ("skills", content.skills),
        ("commands", content.commands),
        ("rules", content.rules),
    ):
        yield from check_names(f"content.{kind}", files, SCOPES)
        for file in files.values():
            placeholders = ("{plugin}",) if kind == "rules" else ()
            yield from check_file(f"content.{kind}", file, placeholders)
    if not re.fullmatch(r"(\.[a-z]+)+", content.command_suffix):
        yield f"content.command_suffix: {content.command_suffix!r} is not a file extension"


def _mcp(mcp: Mcp) -> Iterator[str]:
    yield from check_names("content.mcp.files", mcp.files, SCOPES)
    for scope, files in mcp.files.items():
        if not files:
            yield f"content.mcp.files.{scope}: must not be empty"
        for file in files:
            yield from check_file("content.mcp.files", file)
    yield from check_names("content.mcp.format", [mcp.format], DOCUMENT_FORMATS)
    if not mcp.at:
        yield "content.mcp.at: must not be empty"
    elif mcp.as_list == ("$name" in mcp.at):
        yield "content.mcp.at: needs $name, except with as_list"
    if mcp.variable and "NAME" not in mcp.variable:
        yield "content.mcp.variable: needs NAME"
    for kind in _NEEDED:
        yield from _template(mcp, kind)


def _template(mcp: Mcp, kind: str) -> Iterator[str]:
    template = getattr(mcp, kind)
    if template is None:
        return
    where = f"content.mcp.{kind}"
    yield from check_placeholders(where, template, SERVER_PLACEHOLDERS)
    texts = set(strings(template))
    if not texts.intersection(_NEEDED[kind]):
        yield f"{where}: needs {' or '.join(_NEEDED[kind])}"
    if mcp.as_list and "$name" not in texts:
        yield f"{where}: needs $name, because the servers are a list"


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
