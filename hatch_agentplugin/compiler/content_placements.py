"""Placements of everything besides hooks: MCP servers, skills, commands and rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from hatch_agentplugin.adapter import File, Host, Mcp
from hatch_agentplugin.compiler.hook_placements import Placements, target, with_text_placeholders
from hatch_agentplugin.declaration import Declaration, Server
from hatch_agentplugin.plan import Item, Key, OwnFile, Placement
from hatch_agentplugin.templates import fill, strings
from hatch_agentplugin.words import PLUGIN_ROOT, USER_VARIABLE, ScopeName


def content_placements(declaration: Declaration, host: Host) -> Placements:
    """Return the placements per scope."""
    found: dict[ScopeName, list[Placement]] = {}
    for server in declaration.mcp:
        for scope, placement in server_placements(server, host):
            found.setdefault(scope, []).append(placement)
    for kind in ("skills", "commands"):
        for scope, folder in targets_of(host, kind).items():
            for path in files_of(declaration, kind):
                found.setdefault(scope, []).append(_file(declaration, host, kind, path, folder))
    if declaration.rules:
        for scope, file in host.content.rules.items():
            found.setdefault(scope, []).append(
                _rules(declaration.plugin.id, declaration.rules, file)
            )
    return {scope: tuple(rows) for scope, rows in found.items()}


def files_of(declaration: Declaration, kind: str) -> Sequence[str]:
    """Return the declared files of one kind of content, as paths in the bundle."""
    if kind == "rules":
        return [declaration.rules] if declaration.rules else []
    return declaration.skills if kind == "skills" else declaration.commands


def targets_of(host: Host, kind: str) -> Mapping[ScopeName, File]:
    """Return where a host reads one kind of content, per scope."""
    content = host.content
    return {"skills": content.skills, "commands": content.commands, "rules": content.rules}[kind]


def _file(declaration: Declaration, host: Host, kind: str, path: str, folder: File) -> Placement:
    """Return the placement of one file of a skill, or of one command."""
    name = path.removeprefix(f"{kind}/")
    if kind == "commands":
        name = name.removesuffix(".md") + host.content.command_suffix
    file = File(folder.dir, f"{folder.path}/{name}" if folder.path else name)
    unit = "/".join(path.split("/")[:2]) if kind == "skills" else ""
    return OwnFile((kind,), (target(file, declaration.plugin.id, ""),), artifact=path, unit=unit)


def _rules(plugin: str, path: str, file: File) -> Placement:
    """Return a file of our own if its path contains the plugin's id, else a block of text."""
    targets = (target(file, plugin, ""),)
    if "{plugin}" in file.path:
        return OwnFile(("rules",), targets, artifact=path)
    return Key(targets, "text", (plugin, "rules"), {"$file": path}, event="rules")


#: Scopes in which the files are placed.
SCOPES: tuple[ScopeName, ...] = ("user", "project")


def has_folder(host: Host) -> bool:
    """Tell whether the host has a known folder for its hooks or settings."""
    return host.delivery is not None and any(host.delivery.files.get(scope) for scope in SCOPES)


def prebuilt_placements(declaration: Declaration, host: Host) -> Placements:
    """Return the placements per scope, below the folder of the host's hooks or settings."""
    rows = declaration.prebuilt.get(host.id, {})
    if not rows or host.delivery is None:
        return {}
    return {
        scope: tuple(
            OwnFile(
                (),
                (target(File(files[0].dir, path), declaration.plugin.id, ""),),
                artifact=source,
                executable=source in declaration.executables,
            )
            for path, source in rows.items()
        )
        for scope in SCOPES
        if (files := host.delivery.files.get(scope))
    }


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
        return "declared for other agents only"
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
        return "has no syntax for a variable of the user"
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
