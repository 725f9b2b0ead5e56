"""Which files of the project go into the bundle, and under which path. Standard library only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from hatch_agentplugin.config import paths
from hatch_agentplugin.config.models import AgentPluginTable, HookTable, ServerTable
from hatch_agentplugin.config.servers import named_files
from hatch_agentplugin.config.skills import is_ignored


def files_in_place(root: Path, model: AgentPluginTable) -> list[str]:
    """Return the files that keep their path: scripts, files named in texts, included folders."""
    found = {
        file
        for path in _named_paths(model)
        for file in files_below(root, paths.project_file(root, path))
    }
    return sorted(found)


def _named_paths(model: AgentPluginTable) -> Iterator[str]:
    yield from model.include
    for hooks in model.hooks.values():
        for hook in hooks:
            yield from _paths_of(hook)
    for server in model.mcp.values():
        yield from _paths_of(server)
    yield from (f"./{name}" for name in named_files(model.native))
    for rows in model.prebuilt.values():
        yield from rows.values()


def _paths_of(table: HookTable | ServerTable) -> Iterator[str]:
    if table.command and table.command.startswith("./"):
        yield table.command
    for text in (*table.args, *table.env.values()):
        if path := paths.below_plugin_root(text):
            yield path


def files_by_content(root: Path, model: AgentPluginTable) -> dict[str, str]:
    """Return path in the bundle -> path in the project, for skills, commands and rules."""
    found = {}
    for top, folder in (("skills", model.skills), ("commands", model.commands)):
        for path in files_below(root, folder) if folder else ():
            rest = path.removeprefix(f"{folder}/")
            if not is_ignored(PurePosixPath(rest).parts[0]):
                found[f"{top}/{rest}"] = path
    if model.rules:
        found[f"rules/{PurePosixPath(model.rules).name}"] = model.rules
    return found


def files_below(root: Path, path: str) -> list[str]:
    """Return the file itself, or all files of a folder, as paths below ``root``.

    Byte code and links that point outside the project are left out.
    """
    start = root / path
    if not start.is_dir():
        return [path]
    home = root.resolve()
    found = []
    for folder, folders, names in os.walk(start):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", ".git"))
        for name in names:
            file = Path(folder, name)
            if file.is_file() and file.resolve().is_relative_to(home):
                found.append(file.relative_to(root).as_posix())
    return sorted(found)
