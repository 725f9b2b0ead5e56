"""What a host gets besides hooks: placements of servers, skills, commands and rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from hatch_agentplugin.adapter import File, Host, Scope
from hatch_agentplugin.compiler.placements import Placed, target
from hatch_agentplugin.declaration import Declaration, Server
from hatch_agentplugin.hosts.content import Mcp
from hatch_agentplugin.plan import Cell, Item, Key, OwnFile, Placement
from hatch_agentplugin.templates import fill, map_strings, strings
from hatch_agentplugin.words import FOLDERS, PLUGIN_ROOT, USER_VARIABLE


def content(declaration: Declaration, host: Host) -> tuple[Placed, list[Cell]]:
    """The placements per scope, and a report cell for each thing that is declared."""
    placed: dict[Scope, list[Placement]] = {}
    cells: list[Cell] = []
    for server in declaration.mcp:
        cells.append(_server(server, host, placed))
    for kind, paths, places in (
        ("skills", declaration.skills, host.content.skills),
        ("commands", declaration.commands, host.content.commands),
        ("rules", [declaration.rules] if declaration.rules else [], host.content.rules),
    ):
        if paths:
            for scope, file in places.items():
                placed.setdefault(scope, []).extend(_files(declaration, host, kind, paths, file))
            native = next(iter(places.values())).path if places else ""
            reason = f"no place for {kind} is known"
            cells.append(_cell(host, kind, native, places, reason))
    return {scope: tuple(rows) for scope, rows in placed.items()}, cells


def nodes(value: Any) -> Any:
    """A value in which every string with a placeholder is a ``$text`` node."""
    return map_strings(value, _node)


def _node(text: str) -> Any:
    return {"$text": text} if any(folder in text for folder in FOLDERS) else text


def _cell(host: Host, event: str, native: str, scopes: Mapping[Scope, Any], reason: str) -> Cell:
    if not scopes:
        return Cell(host.id, event, "", "skipped", reason)
    note = "" if "user" in scopes else f"{' and '.join(scopes)} scope only"
    return Cell(host.id, event, native, "native", note)


def _server(server: Server, host: Host, placed: dict[Scope, list[Placement]]) -> Cell:
    """Add the placements of one server."""
    event = f"mcp:{server.name}"
    dialect = host.content.mcp
    reason = _why_not(server, host)
    if dialect is None or reason:
        return Cell(host.id, event, "", "skipped", reason)
    slots = {"$name": server.name, **_slots(server, dialect)}
    value = fill(_template(server, dialect), slots)
    at = tuple(fill(list(dialect.at), slots))
    for scope, files in dialect.files.items():
        goals = tuple(target(file, "", "") for file in files)
        rows = placed.setdefault(scope, [])
        if dialect.as_list:
            rows.append(Item(event, goals, dialect.format, at, value))
        else:
            rows.append(Key(goals, dialect.format, at, value, event=event))
    cell = _cell(host, event, ".".join(dialect.at[:-1] or dialect.at), dialect.files, "")
    if not server.cwd or "$cwd" in strings(_template(server, dialect)):
        return cell
    where = "it runs where the agent runs servers, not in the plugin"
    return replace(cell, reason="; ".join(filter(None, (cell.reason, where))))


def _template(server: Server, dialect: Mcp) -> Any:
    if server.command:
        return dialect.stdio
    return dialect.sse if server.transport == "sse" else dialect.http


def _why_not(server: Server, host: Host) -> str:
    """Why a host can't have a server; empty when it can."""
    dialect = host.content.mcp
    if server.hosts and host.id not in server.hosts:
        return "declared for other hosts only"
    if dialect is None:
        return "no place for servers is known"
    template = _template(server, dialect)
    if template is None:
        kind = "programs" if server.command else f"remote servers by {server.transport}"
        return f"no way to write {kind} is known"
    slots = set(strings(template))
    for slot, declared in (
        ("$env", server.env),
        ("$cwd", server.cwd if server.cwd_matters else None),
        ("$headers", server.headers),
    ):
        if declared and slot not in slots:
            return f"has no place for {slot[1:]}"
    texts = [*server.args, *server.env.values(), *server.headers.values(), server.url or ""]
    if not dialect.variable and any(map(USER_VARIABLE.search, texts)):
        return "can't name a variable of the user's"
    return ""


def _slots(server: Server, dialect: Mcp) -> dict[str, Any]:
    def text(value: str) -> Any:
        named = USER_VARIABLE.sub(lambda match: dialect.variable.replace("NAME", match[1]), value)
        return nodes(named)

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


def _files(
    declaration: Declaration, host: Host, kind: str, paths: Sequence[str], file: File
) -> Iterator[Placement]:
    plugin = declaration.plugin.id
    if kind == "rules" and "{plugin}" not in file.path:
        goal = (target(file, plugin, ""),)
        yield Key(goal, "text", (plugin, "rules"), {"$file": paths[0]}, event="rules")
        return
    for path in paths:
        goal = (target(File(file.dir, _below(file.path, path, kind, host)), plugin, ""),)
        unit = "/".join(path.split("/")[:2]) if kind == "skills" else ""
        yield OwnFile((kind,), goal, artifact=path, unit=unit)


def _below(folder: str, path: str, kind: str, host: Host) -> str:
    """The path of a file of ours below the host's folder."""
    if kind == "rules":
        return folder
    rest = path.removeprefix(f"{kind}/")
    if kind == "commands":
        rest = rest.removesuffix(".md") + host.content.command_suffix
    return f"{folder}/{rest}" if folder else rest
