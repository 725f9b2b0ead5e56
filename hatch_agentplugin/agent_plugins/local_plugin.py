"""Compiles a local plugin: a folder or archive of Agent Plugins, with the adapters on this machine.

jinja2 may be missing there; then hooks that need it are left out with a note. No code of the plugin
runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from hatch_agentplugin.activate.local_store import Files
from hatch_agentplugin.adapter import Host, Module
from hatch_agentplugin.agent_plugins import hooks, manifest, mcp, read_files
from hatch_agentplugin.agent_plugins.entry_values import IsFile
from hatch_agentplugin.agent_plugins.manifest import ManifestError
from hatch_agentplugin.agent_plugins.read_files import File, FolderError
from hatch_agentplugin.compiler import Render, compile_bundle
from hatch_agentplugin.declaration import Declaration, Server
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import Plan

#: Top-level names of a bundle that the compiler writes.
_COMPILED = ("fire", "hosts", "plan.json")


class LocalPluginError(ValueError):
    """A folder or archive that cannot be used at all; the message is the reason."""


@dataclass(frozen=True)
class Compiled:
    """A local plugin that is ready to be stored and activated."""

    plan: Plan
    files: Files
    """The bundle."""
    notes: tuple[str, ...]
    """A line for everything that is skipped."""


def compile_folder(path: Path, hosts: Mapping[str, Host] | None = None) -> Compiled:
    """Read and compile the folder or archive at ``path``; default: for all installed hosts.

    Raises :class:`LocalPluginError`.
    """
    try:
        files = read_files.read(path)
        declaration, notes = declare(files)
    except (FolderError, ManifestError) as error:
        raise LocalPluginError(str(error)) from None
    usable, render = dict(_installed_hosts() if hosts is None else hosts), _renderer()
    if render is None:
        usable, without_hooks = _without_modules(usable)
        if without_hooks and declaration.hooks:
            notes.append(
                f"{', '.join(without_hooks)}: hooks are skipped, because they need jinja2; install "
                "jinja2 beside hatch-agentplugin and activate the plugin again"
            )
    compiled = compile_bundle(declaration, usable.values(), render or _no_modules)
    stored = {name: _stored(name, files[name], declaration) for name in declaration.files}
    stored |= {name: (data, False) for name, data in compiled.files.items()}
    return Compiled(compiled.plan, stored, tuple(notes))


def declare(files: Mapping[str, File]) -> tuple[Declaration, list[str]]:
    """Return the declaration of a plugin's files, and a note for everything that is skipped.

    Raises :class:`~hatch_agentplugin.agent_plugins.manifest.ManifestError`.
    """
    plugin, notes = manifest.read(files[manifest.FILE].data)
    kept = {name for name in files if name.partition("/")[0] not in _COMPILED}
    for top in sorted({name.partition("/")[0] for name in files.keys() - kept}):
        notes.append(f"{top}: left out, because the bundle uses this name itself")

    def is_file(path: str) -> bool:
        return _normalized(path) in kept

    found = _read_hooks(files, is_file)
    servers, server_notes = _read_servers(files, is_file)
    notes += [*found.notes, *server_notes]
    declaration = Declaration(
        plugin=plugin,
        hooks=found.hooks,
        files=tuple(sorted(kept)),
        mcp=servers,
        skills=tuple(_skills(kept)),
    )
    if not (declaration.hooks or declaration.mcp or declaration.skills):
        notes.append("nothing to activate: the plugin has no usable hooks, servers or skills")
    return declaration, notes


def _read_hooks(files: Mapping[str, File], is_file: IsFile) -> hooks.Read:
    if hooks.FILE not in files:
        return hooks.Read()
    try:
        return hooks.read(files[hooks.FILE].data, is_file)
    except hooks.HooksError as error:
        return hooks.Read(notes=(str(error),))


def _read_servers(
    files: Mapping[str, File], is_file: IsFile
) -> tuple[tuple[Server, ...], list[str]]:
    if mcp.FILE not in files:
        return (), []
    return mcp.read(files[mcp.FILE].data, is_file)


def _stored(name: str, file: File, declaration: Declaration) -> tuple[bytes, bool]:
    """Return a file's content; programs become executable, since archives may lose the mode."""
    commands = [hook.command for hook in declaration.hooks]
    commands += [server.command for server in declaration.mcp]
    programs = {_normalized(one) for one in commands if one and one.startswith("./")}
    return file.data, file.executable or name in programs


def _normalized(path: str) -> str:
    """Return ``a/b`` for ``./a/./b``, as the plugin's files are named."""
    return PurePosixPath(path).as_posix()


def _skills(names: Iterable[str]) -> Iterator[str]:
    """Yield the files of all folders ``skills/NAME`` that contain a SKILL.md."""
    names = sorted(names)
    skills = {name.split("/")[1] for name in names
              if name.startswith("skills/") and name.split("/")[2:] == ["SKILL.md"]}  # fmt: skip
    for name in names:
        parts = name.split("/")
        if parts[0] == "skills" and len(parts) > 2 and parts[1] in skills:
            yield name


def _installed_hosts() -> Mapping[str, Host]:
    """Return the hosts of all installed adapters; without pluggy, of the built-in ones."""
    try:
        from hatch_agentplugin.hosts.registry import load_hosts  # needs pluggy
    except ImportError:
        return built_in_hosts()
    return load_hosts()


def _without_modules(hosts: Mapping[str, Host]) -> tuple[dict[str, Host], list[str]]:
    """Remove the hooks of hosts whose hooks are code modules, and return these hosts' ids."""
    modules = [host.id for host in hosts.values() if isinstance(host.delivery, Module)]
    usable = {
        name: replace(host, delivery=None) if name in modules else host
        for name, host in hosts.items()
    }
    return usable, modules


def _renderer() -> Render | None:
    """Return the function that renders code modules, None if jinja2 is missing."""
    try:
        from hatch_agentplugin.compiler.code_modules import render  # needs jinja2
    except ImportError:
        return None
    return render


def _no_modules(package: str, template: str, context: Mapping[str, Any]) -> str:
    raise AssertionError(f"{package}: {template}: no host with a code module is left")
