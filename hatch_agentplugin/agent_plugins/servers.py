"""Reads ``mcp.json`` of Agent Plugins: each server that is right, and a line for each that is not.

Standard library only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from hatch_agentplugin.agent_plugins.manifest import KNOWN_SCHEMAS, MAX_BYTES, url_mistake
from hatch_agentplugin.declaration import Server
from hatch_agentplugin.names import is_safe_relative

FILE = "mcp.json"
_SCHEMAS = tuple(schema.replace("plugin.schema", "mcp.schema") for schema in KNOWN_SCHEMAS)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PROGRAM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*")
_KEYS = {
    "stdio": ("type", "command", "args", "env", "cwd"),
    "streamable-http": ("type", "url", "headers"),
    "sse": ("type", "url", "headers"),
}
_PLACES = ("./", "${PLUGIN_ROOT}", "${PLUGIN_DATA}")


class _Bad(ValueError):
    """One server that can't be used."""


def read(data: bytes, is_file: Callable[[str], bool]) -> tuple[tuple[Server, ...], list[str]]:
    """The servers of the file; where nothing can be used, none and a line that says why."""
    try:
        raw = json.loads(data[: MAX_BYTES + 1].decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return (), [f"{FILE}: is not JSON, so no server is used: {error}"]
    rows = raw.get("mcpServers") if isinstance(raw, dict) else None
    if not isinstance(rows, dict):
        return (), [f"{FILE}: mcpServers: an object is expected, so no server is used"]
    if raw.get("$schema") not in _SCHEMAS:
        return (), [f"{FILE}: $schema: {raw.get('$schema')!r:.100} is not known here"]
    servers, notes = [], []
    for name, row in rows.items():
        try:
            servers.append(_server(name, row, is_file))
        except _Bad as error:
            notes.append(f"{FILE}: mcpServers.{name:.64}: skipped: {error}")
    return tuple(servers), notes


def _server(name: str, row: Any, is_file: Callable[[str], bool]) -> Server:
    if not _NAME.fullmatch(name):
        raise _Bad("its name is not up to 64 letters, digits, hyphens and underscores")
    kind = row.get("type") if isinstance(row, dict) else None
    if kind not in _KEYS:
        raise _Bad(f"type: one of {', '.join(_KEYS)} is expected")
    for key in row:
        if key not in _KEYS[kind]:
            raise _Bad(f'unknown key "{key}"; allowed: {", ".join(_KEYS[kind])}')
    if kind == "stdio":
        return _local(name, row, is_file)
    url = row.get("url")
    if not _is_text(url):
        raise _Bad("url: a string is expected")
    if why := url_mistake(url):
        raise _Bad(f"url: {why}")
    headers = _texts(row, "headers")
    return Server(name=name, url=url, headers=headers, transport=kind)


def _local(name: str, row: Mapping[str, Any], is_file: Callable[[str], bool]) -> Server:
    command = row.get("command")
    if not _is_text(command):
        raise _Bad("command: a string is expected")
    if command.startswith("./"):
        if not is_safe_relative(command[2:]) or not is_file(command[2:]):
            raise _Bad(f'command: the plugin has no file "{command}"')
    elif not _PROGRAM.fullmatch(command):
        raise _Bad(f'command: "{command:.80}" is not one executable')
    args = row.get("args", [])
    if not isinstance(args, list) or not all(map(_is_text, args)):
        raise _Bad("args: an array of strings is expected")
    env = _texts(row, "env")
    if any(name.upper() in ("PLUGIN_ROOT", "PLUGIN_DATA") for name in env):
        raise _Bad("env: PLUGIN_ROOT and PLUGIN_DATA are set by the client")
    return Server(
        name=name,
        command=command,
        args=tuple(args),
        env=env,
        cwd=_folder(row),
        cwd_matters="cwd" in row,
    )


def _folder(row: Mapping[str, Any]) -> str:
    value = row.get("cwd", "${PLUGIN_ROOT}")
    start = next((n for n in _PLACES if isinstance(value, str) and value.startswith(n)), None)
    below = value.removeprefix(start) if start else ""
    if start is None or (below and start != "./" and below[0] != "/"):
        raise _Bad(f"cwd: starts with none of {', '.join(_PLACES)}")
    below = below.strip("/")
    if below and not is_safe_relative(below):
        raise _Bad("cwd: leaves its folder")
    place = "${PLUGIN_ROOT}" if start == "./" else start
    return f"{place}/{below}" if below else place


def _texts(row: Mapping[str, Any], key: str) -> dict[str, str]:
    value = row.get(key, {})
    if not isinstance(value, dict) or not all(map(_is_text, value.values())):
        raise _Bad(f"{key}: an object of strings is expected")
    return dict(value)


def _is_text(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and "\0" not in value
