"""How hosts write an MCP server, and the folders that their content is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from hatch_agentplugin.adapter import Dir, File, Scope
from hatch_agentplugin.hosts.content import Mcp

Files: TypeAlias = Mapping[Scope, File]
Spots: TypeAlias = dict[Scope, tuple[File, ...]]

ROOT = Dir(".")
AGENTS = Dir(".agents")
HOME_AGENTS = Dir("~/.agents")
CODE = Dir(
    "~/.config/Code/User",
    macos="~/Library/Application Support/Code/User",
    windows="%APPDATA%/Code/User",
)
AGENTS_MD: Files = {"project": File(ROOT, "AGENTS.md")}

# --- how hosts write a server

LOCAL = {"command": "$program", "args": "$args", "env": "$env"}
REMOTE = {"url": "$url", "headers": "$headers"}
TYPED = {"type": "stdio", **LOCAL}
HTTP = {"type": "http", **REMOTE}
SSE = {"type": "sse", **REMOTE}
_OPENCODE = {"type": "local", "command": "$argv", "environment": "$env", "enabled": True}


def spots(user: File | None, project: File | None = None) -> Spots:
    """One file per scope."""
    result: Spots = {}
    if user:
        result["user"] = (user,)
    if project:
        result["project"] = (project,)
    return result


def plain(
    user: File | None,
    project: File | None = None,
    *,
    cwd: str = "",
    remote: Mapping[str, Any] | None = REMOTE,
    sse: Mapping[str, Any] | None = None,
    at: tuple[str, ...] = ("mcpServers", "$name"),
    format: Literal["json", "jsonc"] = "json",
    variable: str = "",
) -> Mcp:
    """A map of ``{command, args, env}``; an address alone says that the server is remote."""
    stdio = {**LOCAL, cwd: "$cwd"} if cwd else LOCAL
    return Mcp(files=spots(user, project), at=at, stdio=stdio, http=remote, sse=sse,
               format=format, variable=variable)  # fmt: skip


def typed(
    user: File | None,
    project: File | None = None,
    *,
    stdio: Mapping[str, Any] = TYPED,
    http: Mapping[str, Any] | None = HTTP,
    sse: Mapping[str, Any] | None = None,
    at: tuple[str, ...] = ("mcpServers", "$name"),
    format: Literal["json", "jsonc"] = "json",
    variable: str = "",
) -> Mcp:
    """The same with a ``type`` that has to be there."""
    return Mcp(files=spots(user, project), at=at, stdio=stdio, http=http, sse=sse,
               format=format, variable=variable)  # fmt: skip


def opencode(user: Dir, name: str, project: Dir = ROOT, headers: bool = True) -> Mcp:
    """One list for program and arguments, ``environment``, and a file that may be ``.jsonc``."""
    remote = {"type": "remote", "url": "$url", "enabled": True}
    return Mcp(
        files={
            "user": (File(user, f"{name}.json"), File(user, f"{name}.jsonc")),
            "project": (File(project, f"{name}.json"), File(project, f"{name}.jsonc")),
        },
        at=("mcp", "$name"),
        stdio=_OPENCODE,
        http={**remote, "headers": "$headers"} if headers else remote,
        format="jsonc",
        variable="{env:NAME}",
    )


def tables(
    user: File,
    project: File,
    stdio: Mapping[str, Any],
    http: Mapping[str, Any],
    variable: str = "",
) -> Mcp:
    """TOML tables."""
    return Mcp(
        files=spots(user, project),
        at=("mcp_servers", "$name"),
        stdio=stdio,
        http=http,
        format="toml",
        variable=variable,
    )


def both(user: File, project: File) -> Files:
    """One place per scope."""
    return {"user": user, "project": project}


def in_folder(user: Dir, project: Dir, name: str) -> Files:
    """A folder of one name in the host's two folders."""
    return both(File(user, name), File(project, name))


# --- the hosts' folders

CLAUDE = Dir("~/.claude", env="CLAUDE_CONFIG_DIR")
CODEX = Dir("~/.codex", env="CODEX_HOME")
COPILOT = Dir("~/.copilot", env="COPILOT_HOME")
CRUSH = Dir("~/.config/crush", env="CRUSH_GLOBAL_CONFIG", windows="%LOCALAPPDATA%/crush")
CURSOR = Dir("~/.cursor")
DEVIN = Dir("~/.config/devin", windows="%APPDATA%/devin")
FACTORY = Dir("~/.factory", env="FACTORY_HOME_OVERRIDE", inside=".factory")
GEMINI = Dir("~/.gemini", env="GEMINI_CLI_HOME", inside=".gemini")
GEMINI_CONFIG = Dir("~/.gemini/config")
GROK = Dir("~/.grok", env="GROK_HOME")
HERMES = Dir("~/.hermes", env="HERMES_HOME", windows="%LOCALAPPDATA%/hermes")
JUNIE = Dir("~/.junie", env="JUNIE_HOME")
KILO = Dir("~/.config/kilo", env="XDG_CONFIG_HOME", inside="kilo")
KIMI = Dir("~/.kimi-code", env="KIMI_CODE_HOME")
KIRO = Dir("~/.kiro", env="KIRO_HOME")
MIMO = Dir("~/.config/mimocode", env="XDG_CONFIG_HOME", inside="mimocode")
OMP = Dir("~/.omp/agent", env="PI_CODING_AGENT_DIR")
OPENCLAW = Dir("~/.openclaw", env="OPENCLAW_STATE_DIR")
OPENCODE = Dir("~/.config/opencode", env="XDG_CONFIG_HOME", inside="opencode")
PI = Dir("~/.pi/agent", env="PI_CODING_AGENT_DIR")
QODER = Dir("~/.qoder", env="QODER_CONFIG_DIR")
QWEN = Dir("~/.qwen", env="QWEN_HOME")
VIBE = Dir("~/.vibe", env="VIBE_HOME")

GEMINI_HTTP = {"httpUrl": "$url", "headers": "$headers"}
SERVER_URL = {"serverUrl": "$url", "headers": "$headers"}
COPILOT_LOCAL = {"type": "local", **LOCAL, "tools": ["*"]}
COPILOT_HTTP = {**HTTP, "tools": ["*"]}
URL = {"url": "$url"}
