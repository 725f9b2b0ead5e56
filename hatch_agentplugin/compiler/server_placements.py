"""Placements of MCP servers: an entry in the host's document, from the host's template."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from hatch_agentplugin.adapter import Host, Mcp
from hatch_agentplugin.compiler.hook_placements import target, with_text_placeholders
from hatch_agentplugin.declaration import Server
from hatch_agentplugin.plan import Item, Key, Placement
from hatch_agentplugin.templates import fill, strings
from hatch_agentplugin.words import PLUGIN_ROOT, USER_VARIABLE, ScopeName


def server_placements(server: Server, host: Host) -> Iterator[tuple[ScopeName, Placement]]:
    """Yield the placement of a server in every scope; nothing if the host cannot have it."""
    mcp = host.content.mcp
    if mcp is None or why_left_out(server, host):
        return
    values = {"$name": server.name, **_values(server, mcp)}
    entry = fill(template_of(server, mcp), values)
    at = tuple(fill(list(mcp.at), values))
    event = f"mcp:{server.name}"
    for scope, files in mcp.files.items():
        targets = tuple(target(file, "", "") for file in files)
        if mcp.as_list:
            yield scope, Item(event, targets, mcp.format, at, entry)
        else:
            yield scope, Key(targets, mcp.format, at, entry, event=event)


def template_of(server: Server, mcp: Mcp) -> Any:
    """Return the host's template for this kind of server, None if it has none."""
    if server.command:
        return mcp.stdio
    return mcp.sse if server.transport == "sse" else mcp.http


def why_left_out(server: Server, host: Host) -> str:
    """Return why a host cannot have a server; empty if it can."""
    mcp = host.content.mcp
    if server.hosts and host.id not in server.hosts:
        return "declared for other hosts only"
    if mcp is None:
        return "no place for servers is known"
    template = template_of(server, mcp)
    if template is None:
        kind = "programs" if server.command else f"remote servers by {server.transport}"
        return f"no way to write {kind} is known"
    placeholders = set(strings(template))
    needed = {
        "$env": server.env,
        "$cwd": server.cwd if server.cwd_matters else None,
        "$headers": server.headers,
    }
    for placeholder, value in needed.items():
        if value and placeholder not in placeholders:
            return f"has no place for {placeholder[1:]}"
    texts = [*server.args, *server.env.values(), *server.headers.values(), server.url or ""]
    if not mcp.variable and any(map(USER_VARIABLE.search, texts)):
        return "can't name a variable of the user's"
    return ""


def _values(server: Server, mcp: Mcp) -> dict[str, Any]:
    """Return the values of the placeholders in a host's template for servers."""

    def text(value: str) -> Any:
        named = USER_VARIABLE.sub(lambda match: mcp.variable.replace("NAME", match[1]), value)
        return with_text_placeholders(named)

    command = server.command or ""
    program: Any = {"$program": command}
    if command.startswith("./"):
        program = {"$text": f"{PLUGIN_ROOT}/{PurePosixPath(command).as_posix()}"}
    args = [text(arg) for arg in server.args]
    return {
        "$program": program,
        "$args": args,
        "$argv": [program, *args],
        "$line": {"$line": [program, *args]},
        "$env": {name: text(value) for name, value in server.env.items()} or None,
        "$cwd": text(server.cwd) if server.cwd else None,
        "$url": text(server.url) if server.url else None,
        "$headers": {name: text(value) for name, value in server.headers.items()} or None,
    }
