"""Placements of everything besides hooks: MCP servers, skills, commands and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hatch_agentplugin.adapter import File, Host
from hatch_agentplugin.compiler.hook_placements import Placements, target
from hatch_agentplugin.compiler.server_placements import server_placements
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.plan import Key, OwnFile, Placement
from hatch_agentplugin.words import ScopeName


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
