"""MCP servers in a host's package: their entries, and how they start without an installed plugin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hatch_agentplugin.declaration import Server
from hatch_agentplugin.hosts.package import PackageServers
from hatch_agentplugin.packages.output import Files
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.templates import fill_folders
from hatch_agentplugin.words import PLUGIN_DATA, PLUGIN_ROOT, USER_VARIABLE

#: Commands that mean the Python of the plugin's environment, which finds its packages.
INTERPRETERS = ("python", "python3")


class LeftOut(Exception):
    """The package cannot contain a server; the message is the reason."""


def row(
    server: Server, where: PackageServers | None, runner: Runner
) -> tuple[dict[str, Any], Files]:
    """Return the server's entry, and the files that it needs. Raises :class:`LeftOut`."""
    if where is None:
        raise LeftOut("it has no key for servers")
    texts = list(_texts(server))
    if any(map(USER_VARIABLE.search, texts)):
        raise LeftOut("it does not replace ${env:NAME}")
    if not where.data and any(PLUGIN_DATA in text for text in texts):
        raise LeftOut(f"it has no placeholder for {PLUGIN_DATA}")
    if server.url is not None:
        return _remote(server, where), {}
    return _local(server, where, runner)


def _texts(server: Server) -> Iterator[str]:
    yield from (*server.args, *server.env.values(), *server.headers.values())
    yield from filter(None, (server.cwd, server.url))


def _remote(server: Server, where: PackageServers) -> dict[str, Any]:
    if server.transport not in where.remote:
        raise LeftOut(f"it has no {server.transport} servers")
    made: dict[str, Any] = {where.remote[server.transport]: server.url}
    if server.transport in where.types:
        made = {where.type_key: where.types[server.transport], **made}
    return made | ({"headers": dict(server.headers)} if server.headers else {})


def _local(server: Server, where: PackageServers, runner: Runner) -> tuple[dict[str, Any], Files]:
    # ${PLUGIN_ROOT} is the bundle's folder, which lies in lib/
    server, files = startable(server, runner, f"{PLUGIN_ROOT}/..")
    command = server.command or ""
    is_inside = command.startswith("./") or any(PLUGIN_ROOT in text for text in _texts(server))
    if is_inside:
        if not where.root:
            raise LeftOut("it has no placeholder for the package's folder")
        if where.folder and server.cwd is not None:
            raise LeftOut("its servers find files of the package only from the package's folder")
        files |= runner.bundle()
    root = f"{where.root}/lib/{runner.folder}"

    def filled(text: str) -> str:
        return fill_folders(text, root, where.data)

    made: dict[str, Any] = {"command": root + command[1:] if command.startswith("./") else command}
    made |= {"args": [filled(arg) for arg in server.args]} if server.args else {}
    made |= {"env": {k: filled(v) for k, v in server.env.items()}} if server.env else {}
    cwd = where.folder if is_inside and where.folder else filled(server.cwd or "")
    return made | ({"cwd": cwd} if cwd else {}), files


def startable(server: Server, runner: Runner, lib: str) -> tuple[Server, Files]:
    """Return the server in a form that runs without the installed plugin, and the files it needs.

    ``lib`` is the path of the package's ``lib`` folder in an argument. Raises :class:`LeftOut`.
    """
    command = server.command or ""
    if command not in (*runner.project.scripts, *INTERPRETERS):
        return server, {}
    if runner.uvx:
        args = ("--from", runner.requirement, command, *server.args)
        return replace(server, command="uvx", args=args), {}
    if command in INTERPRETERS:
        if runner.missing:
            raise LeftOut(f'the plugin needs {runner.missing}; runner = "uvx" installs it')
        env = {"PYTHONPATH": lib, **server.env}
        return replace(server, command="python3", env=env), runner.sources()
    found = runner.program(command)
    if found is None:
        what = f"{command} is a program of another distribution"
        raise LeftOut(f'{what}; runner = "uvx" installs it')
    if runner.missing:
        raise LeftOut(f'{command} needs {runner.missing}; runner = "uvx" installs it')
    path, files = found
    args = (path.replace("lib", lib, 1), *server.args)
    return replace(server, command="python3", args=args), files
