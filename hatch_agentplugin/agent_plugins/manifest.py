"""``plugin.json`` and ``mcp.json`` of Agent Plugins 1.0.0: made from a declaration, and read.

Standard library only.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from hatch_agentplugin.declaration import Server
from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.plan import Plugin, dump
from hatch_agentplugin.problems import Problem

PLUGIN_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
MCP_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
#: Versions that are read; 1.1.0 adds a label and an icon to the manifest.
KNOWN_SCHEMAS = (PLUGIN_SCHEMA, PLUGIN_SCHEMA.replace("1.0.0", "1.1.0"))
NAME = re.compile(r"(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?")
NAME_RULE = (
    "1 to 64 of a-z, 0-9, hyphen and period, a letter or digit first and last, no two hyphens or "
    "periods in a row"
)
MAX_BYTES = 1024 * 1024

_HEADER = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_SECTION = "Agent Plugins 1.0.0, section 7.2.1"
_PLACES = ("${PLUGIN_ROOT}", "${PLUGIN_DATA}")


class ManifestError(ValueError):
    """A ``plugin.json`` that makes the folder no plugin; the message says why."""


@dataclass(frozen=True, kw_only=True)
class About:
    """What ``[project]`` says besides name, version and description; empty where it does not."""

    author: str = ""
    email: str = ""
    homepage: str = ""
    repository: str = ""
    license: str = ""
    keywords: tuple[str, ...] = ()


def author_of(about: About) -> dict[str, str]:
    """The author as manifests have him; empty where there is none."""
    pairs = {"name": about.author, "email": about.email}
    return {key: value for key, value in pairs.items() if value}


def plugin_json(plugin: Plugin, about: About) -> bytes:
    """The manifest; the plugin's id is a valid name by the way it is made."""
    document: dict[str, Any] = {
        "$schema": PLUGIN_SCHEMA,
        "name": plugin.id,
        "version": plugin.version,
        "description": plugin.summary,
        "author": author_of(about),
        "homepage": about.homepage,
        "repository": about.repository,
        "license": about.license,
        "keywords": list(about.keywords),
    }
    return dump({key: value for key, value in document.items() if value})


def mcp_json(servers: Iterable[Server]) -> tuple[bytes | None, list[str], list[Problem]]:
    """The file for the portable servers, a line for each that is not, and what is forbidden."""
    rows: dict[str, Any] = {}
    notes: list[str] = []
    problems: list[Problem] = []
    for server in servers:
        why = _why_left_out(server)
        if why:
            notes.append(f"mcp.json: {server.name}: left out: {why}")
            continue
        found = list(_forbidden(server))
        problems += found
        if not found:
            rows[server.name] = _server(server)
    data = dump({"$schema": MCP_SCHEMA, "mcpServers": rows}) if rows else None
    return data, notes, problems


def _why_left_out(server: Server) -> str:
    texts = (server.command, *server.args, *server.env.values(), server.cwd, server.url,
             *server.headers.values())  # fmt: skip
    if any(text and "${env:" in text for text in texts):
        return "the format fills in no variables of the user's"
    if server.hosts:
        return 'the format has no "hosts"'
    return ""


def _server(server: Server) -> dict[str, Any]:
    if server.url:
        row: dict[str, Any] = {"type": server.transport, "url": server.url}
        return row | ({"headers": dict(server.headers)} if server.headers else {})
    row = {"type": "stdio", "command": server.command}
    row |= {"args": list(server.args)} if server.args else {}
    row |= {"env": dict(server.env)} if server.env else {}
    return row | ({"cwd": server.cwd} if server.cwd else {})


def _forbidden(server: Server) -> Iterator[Problem]:
    def problem(key: str, what: str, advice: str) -> Problem:
        return Problem(f"tool.agent-plugin.mcp.{server.name}.{key}", f"{what} ({_SECTION})", advice)

    if server.url is not None:
        why = url_mistake(server.url)
        if why:
            yield problem("url", f'"{server.url}" {why}', "write an https URL without user or #")
        names = [name.lower() for name in server.headers]
        for name in dict.fromkeys(names):
            if not _HEADER.fullmatch(name) or names.count(name) > 1:
                yield problem("headers", f'"{name}" is no header name, or twice', "rename it")
    elif server.cwd and not _is_portable_folder(server.cwd):
        yield problem(
            "cwd",
            f'"{server.cwd}" is not in the plugin or its data',
            'write "./folder", "${PLUGIN_ROOT}" or "${PLUGIN_DATA}"',
        )


def url_mistake(url: str) -> str:
    """What makes a URL unfit for ``mcp.json``; empty where nothing does."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "is not a URL"
    if parts.scheme not in ("http", "https") or not host:
        return "is not an absolute http or https URL"
    if parts.username is not None or parts.password is not None or "#" in url:
        return "holds a user or a fragment"
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


def _is_portable_folder(path: str) -> bool:
    if path.startswith("./"):
        return is_safe_relative(path[2:]) if path != "./" else True
    for name in _PLACES:
        below = path.removeprefix(name)
        if below != path:
            return not below or (below[0] == "/" and is_safe_relative(below.strip("/") or "."))
    return False


# --- reading ---


def read_manifest(data: bytes) -> tuple[Plugin, list[str]]:
    """The plugin that a ``plugin.json`` names, and a line for each key that is ignored.

    Raises :class:`ManifestError`.
    """
    raw = _load(data, "plugin.json")
    schema = raw.get("$schema")
    if schema not in KNOWN_SCHEMAS:
        raise ManifestError(
            f"plugin.json: $schema: {schema!r:.100} is not a version of Agent Plugins known here; "
            f'allowed: "{PLUGIN_SCHEMA}"'
        )
    name = raw.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ManifestError(f"plugin.json: name: {name!r:.100} is not a name: {NAME_RULE}")
    texts = {}
    for key in ("version", "description"):
        value = raw.get(key, "")
        if not isinstance(value, str):
            raise ManifestError(f"plugin.json: {key}: a string is expected")
        texts[key] = "".join(char if char.isprintable() else " " for char in value)[:256].strip()
    known = {"$schema", "name", "version", "description", "author", "homepage", "repository",
             "license", "keywords", "extensions", "displayName", "icon"}  # fmt: skip
    notes = [f"plugin.json: {key}: unknown key, ignored" for key in raw if key not in known]
    return Plugin(name, name, texts["version"] or "0", texts["description"]), notes


def _load(data: bytes, name: str) -> Mapping[str, Any]:
    if len(data) > MAX_BYTES:
        raise ManifestError(f"{name}: larger than {MAX_BYTES} bytes")
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{name}: is not JSON: {error}") from None
    if not isinstance(raw, dict):
        raise ManifestError(f"{name}: an object is expected")
    return raw
