"""Writes and reads ``mcp.json`` of Agent Plugins. Standard library only."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from hatch_agentplugin.agent_plugins.entry_values import (
    EntryError,
    IsFile,
    args_of,
    check_keys,
    command_of,
    is_text,
    strings_of,
    working_folder,
)
from hatch_agentplugin.declaration import Server
from hatch_agentplugin.names import is_header, is_server_name
from hatch_agentplugin.plan import dump
from hatch_agentplugin.problems import TABLE, Problem
from hatch_agentplugin.words import PLUGIN_DATA, PLUGIN_ROOT, USER_VARIABLE

FILE = "mcp.json"
SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
#: Versions that are read.
KNOWN_SCHEMAS = (SCHEMA, SCHEMA.replace("1.0.0", "1.1.0"))
MAX_BYTES = 1024 * 1024

_SECTION = "Agent Plugins 1.0.0, section 7.2.1"
_KEYS = {
    "stdio": ("type", "command", "args", "env", "cwd"),
    "streamable-http": ("type", "url", "headers"),
    "sse": ("type", "url", "headers"),
}


# --- writing ---


def write(servers: Iterable[Server]) -> tuple[bytes | None, list[str], list[Problem]]:
    """Return the file for the portable servers, notes about the rest, and violations of the format.

    The file is None if no server is portable.
    """
    rows: dict[str, Any] = {}
    notes: list[str] = []
    problems: list[Problem] = []
    for server in servers:
        why = _why_left_out(server)
        if why:
            notes.append(f"{FILE}: {server.name}: left out: {why}")
            continue
        found = list(_forbidden(server))
        problems += found
        if not found:
            rows[server.name] = _row(server)
    data = dump({"$schema": SCHEMA, "mcpServers": rows}) if rows else None
    return data, notes, problems


def _why_left_out(server: Server) -> str:
    texts = (server.command, *server.args, *server.env.values(), server.cwd, server.url,
             *server.headers.values())  # fmt: skip
    if any(USER_VARIABLE.search(text or "") for text in texts):
        return "the format does not replace ${env:NAME}"
    if server.hosts:
        return 'the format has no "hosts"'
    return ""


def _row(server: Server) -> dict[str, Any]:
    if server.url:
        row: dict[str, Any] = {"type": server.transport, "url": server.url}
        return row | ({"headers": dict(server.headers)} if server.headers else {})
    row = {"type": "stdio", "command": server.command}
    row |= {"args": list(server.args)} if server.args else {}
    row |= {"env": dict(server.env)} if server.env else {}
    return row | ({"cwd": server.cwd} if server.cwd else {})


def _forbidden(server: Server) -> Iterator[Problem]:
    """Yield the violations of the format in a server."""

    def problem(key: str, what: str, advice: str) -> Problem:
        return Problem(f"{TABLE}.mcp.{server.name}.{key}", f"{what} ({_SECTION})", advice)

    if server.url is not None:
        why = url_mistake(server.url)
        if why:
            yield problem("url", f'"{server.url}" {why}', "write an https URL without user or #")
        names = [name.lower() for name in server.headers]
        for name in dict.fromkeys(names):
            if not is_header(name):
                yield problem("headers", f'"{name}" is not a valid header name', "rename it")
            elif names.count(name) > 1:
                yield problem("headers", f'"{name}" occurs twice', "remove one of them")
    elif server.cwd:
        try:
            working_folder(server.cwd)
        except EntryError:
            what = f'"{server.cwd}" is outside the plugin and its data folder'
            advice = f'write "./folder", "{PLUGIN_ROOT}" or "{PLUGIN_DATA}"'
            yield problem("cwd", what, advice)


def url_mistake(url: str) -> str:
    """Return why the format forbids a URL; empty if it allows it."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "is not a URL"
    if parts.scheme not in ("http", "https") or not host:
        return "is not an absolute http or https URL"
    if parts.username is not None or parts.password is not None or "#" in url:
        return "contains a user or a fragment"
    if parts.scheme == "http" and not _is_loopback(host):
        return "is not https"
    return ""


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


# --- reading ---


def read(data: bytes, is_file: IsFile) -> tuple[tuple[Server, ...], list[str]]:
    """Return the servers of a file, and a note for everything that is skipped."""
    try:
        raw = json.loads(data[: MAX_BYTES + 1].decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return (), [f"{FILE}: not valid JSON, so no server is used: {error}"]
    rows = raw.get("mcpServers") if isinstance(raw, dict) else None
    if not isinstance(rows, dict):
        return (), [f"{FILE}: mcpServers: must be an object, so no server is used"]
    if raw.get("$schema") not in KNOWN_SCHEMAS:
        got = f"{raw.get('$schema')!r:.100}"
        return (), [f'{FILE}: $schema: must be "{SCHEMA}", got {got}, so no server is used']
    servers, notes = [], []
    for name, row in rows.items():
        try:
            servers.append(_server(name, row, is_file))
        except EntryError as error:
            notes.append(f"{FILE}: mcpServers.{name:.64}: skipped: {error}")
    return tuple(servers), notes


def _server(name: str, row: Any, is_file: IsFile) -> Server:
    if not is_server_name(name):
        raise EntryError("a name has at most 64 letters, digits, hyphens and underscores")
    kind = row.get("type") if isinstance(row, dict) else None
    if kind not in _KEYS:
        raise EntryError(f"type: must be one of {', '.join(_KEYS)}")
    check_keys(row, _KEYS[kind])
    if kind == "stdio":
        return _local(name, row, is_file)
    url = row.get("url")
    if not is_text(url):
        raise EntryError("url: must be a string")
    if why := url_mistake(url):
        raise EntryError(f"url: {why}")
    return Server(name=name, url=url, headers=strings_of(row, "headers"), transport=kind)


def _local(name: str, row: Mapping[str, Any], is_file: IsFile) -> Server:
    env = strings_of(row, "env")
    if any(variable.upper() in ("PLUGIN_ROOT", "PLUGIN_DATA") for variable in env):
        raise EntryError("env: PLUGIN_ROOT and PLUGIN_DATA are set by the client")
    return Server(
        name=name,
        command=command_of(row, is_file),
        args=args_of(row),
        env=env,
        cwd=working_folder(row.get("cwd", PLUGIN_ROOT)),
        cwd_matters="cwd" in row,
    )
