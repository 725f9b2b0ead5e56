"""How hosts write an MCP server: a plain map, a map with types, OpenCode's list, TOML tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from agentplugin_adapters.dialects.folders import ROOT
from hatch_agentplugin.adapter import Dir, Evidence, File, Mcp, ScopeName

LOCAL = {"command": "$program", "args": "$args", "env": "$env"}
URL = {"url": "$url"}
REMOTE = {**URL, "headers": "$headers"}
#: For hosts that call the address ``serverUrl``.
SERVER_URL = {"serverUrl": "$url", "headers": "$headers"}
TYPED = {"type": "stdio", **LOCAL}
HTTP = {"type": "http", **REMOTE}
SSE = {"type": "sse", **REMOTE}


def plain(
    user: File,
    project: File | None = None,
    *,
    cwd: str = "",
    remote: Mapping[str, Any] | None = REMOTE,
    sse: Mapping[str, Any] | None = None,
    variable: str = "",
    format: Literal["json", "jsonc"] = "json",
    evidence: Evidence,
) -> Mcp:
    """A map of ``{command, args, env}``; an entry with only an address is a remote server.

    ``cwd`` is the host's key for the working folder.
    """
    return Mcp(
        files=_files(user, project),
        at=("mcpServers", "$name"),
        stdio={**LOCAL, cwd: "$cwd"} if cwd else LOCAL,
        http=remote,
        sse=sse,
        variable=variable,
        format=format,
        evidence=evidence,
    )


def typed(
    user: File,
    project: File,
    *,
    stdio: Mapping[str, Any] = TYPED,
    http: Mapping[str, Any] | None = HTTP,
    sse: Mapping[str, Any] | None = None,
    at: tuple[str, ...] = ("mcpServers", "$name"),
    variable: str = "",
    format: Literal["json", "jsonc"] = "json",
    evidence: Evidence,
) -> Mcp:
    """The same with a required ``type`` in each entry."""
    return Mcp(
        files=_files(user, project),
        at=at,
        stdio=stdio,
        http=http,
        sse=sse,
        variable=variable,
        format=format,
        evidence=evidence,
    )


def opencode(user: Dir, name: str, *, headers: bool = True, evidence: Evidence) -> Mcp:
    """One list for program and arguments, in ``name.json`` or ``name.jsonc``."""
    remote = {"type": "remote", "url": "$url", "enabled": True}
    return Mcp(
        files={
            "user": (File(user, f"{name}.json"), File(user, f"{name}.jsonc")),
            "project": (File(ROOT, f"{name}.json"), File(ROOT, f"{name}.jsonc")),
        },
        at=("mcp", "$name"),
        stdio={"type": "local", "command": "$argv", "environment": "$env", "enabled": True},
        http={**remote, "headers": "$headers"} if headers else remote,
        variable="{env:NAME}",
        format="jsonc",
        evidence=evidence,
    )


def tables(
    user: File,
    project: File,
    *,
    stdio: Mapping[str, Any] = LOCAL,
    http: Mapping[str, Any] = REMOTE,
    variable: str = "",
    evidence: Evidence,
) -> Mcp:
    """One TOML table per server."""
    return Mcp(
        files=_files(user, project),
        at=("mcp_servers", "$name"),
        stdio=stdio,
        http=http,
        variable=variable,
        format="toml",
        evidence=evidence,
    )


def _files(user: File, project: File | None) -> dict[ScopeName, tuple[File, ...]]:
    files: dict[ScopeName, tuple[File, ...]] = {"user": (user,)}
    if project:
        files["project"] = (project,)
    return files
