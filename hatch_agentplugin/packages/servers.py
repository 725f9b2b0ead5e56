"""The plugin's MCP servers in a host's package."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hatch_agentplugin.declaration import Server
from hatch_agentplugin.hosts.package import PackageServers
from hatch_agentplugin.packages.output import Files
from hatch_agentplugin.packages.runner import Runner

#: The Python of the plugin's own environment, by which its packages are found.
INTERPRETERS = ("python", "python3")
_ROOT, _DATA = "${PLUGIN_ROOT}", "${PLUGIN_DATA}"


class LeftOut(Exception):
    """A server that the package can't carry; the message says why."""


def row(
    server: Server, where: PackageServers | None, runner: Runner
) -> tuple[dict[str, Any], Files]:
    """The server's entry, and the files that it needs. Raises :class:`LeftOut`."""
    if where is None:
        raise LeftOut("it has no place for servers")
    texts = json.dumps(
        [server.args, dict(server.env), server.cwd, server.url, dict(server.headers)]
    )
    if "${env:" in texts:
        raise LeftOut("it fills in no variables of the user's")
    if _DATA in texts and not where.data:
        raise LeftOut(f"it has no word for {_DATA}")
    if server.url is not None:
        return _remote(server, where), {}
    # From the bundle's folder, which is what the placeholder stands for.
    server, files = started(server, runner, f"{_ROOT}/..")
    inside = json.dumps([server.args, dict(server.env), server.cwd])
    own = _ROOT in inside or (server.command or "").startswith("./")
    if own:
        if not where.root:
            raise LeftOut("it has no word for the package's folder")
        if where.folder and server.cwd is not None:
            raise LeftOut("it finds what is in the package from the package's own folder only")
        files |= runner.bundle()
    root = f"{where.root}/lib/{runner.folder}"

    def placed(value: str) -> str:
        return value.replace(_ROOT, root).replace(_DATA, where.data)

    command = server.command or ""
    made: dict[str, Any] = {"command": root + command[1:] if command.startswith("./") else command}
    made |= {"args": [placed(arg) for arg in server.args]} if server.args else {}
    made |= {"env": {k: placed(v) for k, v in server.env.items()}} if server.env else {}
    folder = where.folder if own and where.folder else placed(server.cwd or "")
    return made | ({"cwd": folder} if folder else {}), files


def _remote(server: Server, where: PackageServers) -> dict[str, Any]:
    if server.transport not in where.remote:
        raise LeftOut(f"it has no {server.transport} servers")
    made: dict[str, Any] = {where.remote[server.transport]: server.url}
    if server.transport in where.types:
        made = {where.type_key: where.types[server.transport], **made}
    return made | ({"headers": dict(server.headers)} if server.headers else {})


def started(server: Server, runner: Runner, lib: str) -> tuple[Server, Files]:
    """The server as it can be started where the plugin is not installed, and what it needs.

    ``lib`` is the package's ``lib`` folder in an argument. Raises :class:`LeftOut`.
    """
    command = server.command or ""
    if command not in (*runner.project.scripts, *INTERPRETERS):
        return server, {}
    if runner.uvx:
        args = ("--from", runner.requirement, command, *server.args)
        return replace(server, command="uvx", args=args), {}
    if command in INTERPRETERS:
        if runner.lost:
            raise LeftOut(f'the plugin needs {runner.lost}; runner = "uvx" gets that too')
        env = {"PYTHONPATH": lib, **server.env}
        return replace(server, command="python3", env=env), dict(runner.sources())
    found = runner.program(command)
    if found is None:
        raise LeftOut(f'{command} is a program of another distribution; runner = "uvx" gets it')
    if runner.lost:
        raise LeftOut(f'{command} needs {runner.lost}; runner = "uvx" gets that too')
    path, files = found
    args = (path.replace("lib", lib, 1), *server.args)
    return replace(server, command="python3", args=args), files
