"""Compiles a folder or archive of Agent Plugins where it is installed, by the adapters there.

The base install has no jinja2; what needs it is left out and said. Nothing of the plugin is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from hatch_agentplugin.activate.local_store import Files
from hatch_agentplugin.adapter import Host, Module
from hatch_agentplugin.agent_plugins import folder, hooks, manifest, servers
from hatch_agentplugin.agent_plugins.folder import Content, FolderError
from hatch_agentplugin.agent_plugins.manifest import ManifestError
from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import Plan

#: What compiling puts at the top of a bundle.
_OURS = ("fire", "hosts", "plan.json")


class InstallError(ValueError):
    """A folder or archive of which nothing can be used; the message says why."""


@dataclass(frozen=True)
class Compiled:
    """A plugin made ready to be stored and placed."""

    plan: Plan
    files: Files
    notes: tuple[str, ...]
    """A line for everything of the plugin that is skipped."""


def compile_folder(path: Path, hosts: Mapping[str, Host] | None = None) -> Compiled:
    """Read and compile what is at ``path``. Raises :class:`InstallError`."""
    try:
        files = folder.read(path)
        declaration, notes = declare(files)
    except (FolderError, ManifestError) as error:
        raise InstallError(str(error)) from None
    render, without = _renderer()
    known, missing = _usable(installed_hosts() if hosts is None else hosts, without)
    if missing and declaration.hooks:
        notes.append(
            f"{', '.join(missing)}: hooks are skipped, because they are code made with jinja2; "
            "install jinja2 beside hatch-agentplugin and activate again"
        )
    compiled = compile_bundle(declaration, known, render)
    programs = {
        _plain(command)
        for command in _commands(declaration)
        if command and command.startswith("./")
    }
    stored = {
        name: (files[name].data, files[name].executable or name in programs)
        for name in declaration.files
    }
    stored |= {name: (data, False) for name, data in compiled.files.items()}
    return Compiled(compiled.plan, stored, tuple(notes))


def declare(files: Mapping[str, Content]) -> tuple[Declaration, list[str]]:
    """The declaration of a plugin's files, and a line for everything that is skipped.

    Raises :class:`~hatch_agentplugin.agent_plugins.manifest.ManifestError`.
    """
    plugin, notes = manifest.read_manifest(files["plugin.json"].data)
    kept = {name for name in files if name.partition("/")[0] not in _OURS}
    for top in sorted({name.partition("/")[0] for name in files.keys() - kept}):
        notes.append(f"{top}: left out, because the bundle keeps its own files there")

    def is_file(path: str) -> bool:
        return _plain(path) in kept

    found = hooks.Read()
    if hooks.FILE in kept:
        try:
            found = hooks.read(files[hooks.FILE].data, is_file)
        except hooks.HooksError as error:
            notes.append(str(error))
    local, said = ((), []) if servers.FILE not in kept else servers.read(
        files[servers.FILE].data, is_file
    )  # fmt: skip
    notes += [*found.notes, *said]
    declaration = Declaration(
        plugin=plugin,
        hooks=found.hooks,
        files=tuple(sorted(kept)),
        mcp=local,
        skills=tuple(_skills(kept)),
    )
    if not (declaration.hooks or declaration.mcp or declaration.skills):
        notes.append(
            "there is nothing to place: no hooks, no servers and no skills that can be used"
        )
    return declaration, notes


def _plain(path: str) -> str:
    """A path of the plugin as its files are named: ``a/b`` for ``./a/./b``."""
    return PurePosixPath(path).as_posix()


def _commands(declaration: Declaration) -> Iterable[str | None]:
    yield from (hook.command for hook in declaration.hooks)
    yield from (server.command for server in declaration.mcp)


def _skills(names: Iterable[str]) -> Iterable[str]:
    names = sorted(names)
    whole = {name.split("/")[1] for name in names
             if name.startswith("skills/") and name.split("/")[2:] == ["SKILL.md"]}  # fmt: skip
    for name in names:
        parts = name.split("/")
        if parts[0] == "skills" and len(parts) > 2 and parts[1] in whole:
            yield name


def installed_hosts() -> Mapping[str, Host]:
    """The hosts of the installed adapters; of the built-in ones alone where pluggy is missing."""
    try:
        from hatch_agentplugin.hosts.registry import load_hosts
    except ImportError:
        return built_in_hosts()
    return load_hosts()


def _usable(hosts: Mapping[str, Host], without: bool) -> tuple[list[Host], list[str]]:
    """The hosts, without the hooks of those whose module can't be rendered."""
    lost = [host.id for host in hosts.values() if without and isinstance(host.delivery, Module)]
    return [
        replace(host, delivery=None) if host.id in lost else host for host in hosts.values()
    ], lost


def _renderer() -> tuple[Any, bool]:
    """What renders code modules, and whether it is missing."""
    try:
        from hatch_agentplugin.compiler.code_modules import render
    except ImportError:
        return (lambda *_: ""), True
    return render, False
