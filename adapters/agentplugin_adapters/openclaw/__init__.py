"""OpenClaw: hooks are an extension, a code module with manifests."""

from __future__ import annotations

from collections.abc import Mapping

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.evidence import documented, program, witnessed
from hatch_agentplugin.adapter import (
    BRIDGE_WIRE,
    Content,
    Detect,
    Dir,
    File,
    Host,
    Mcp,
    Module,
    Native,
    Register,
    ScopeName,
    bridge,
    hookimpl,
)

USER = Dir("~/.openclaw", env="OPENCLAW_STATE_DIR")
#: NemoClaw runs OpenClaw.
NEMOCLAW = Dir("~/.nemoclaw")
FOLDER = "extensions/{plugin}"
PAGE = documented("2026.9.6", "documents in the package")
READ = program("2026.9.6")
SERVERS = Mcp(
    files={"user": (File(USER, "openclaw.json"),)},
    at=("mcp", "servers", "$name"),
    stdio={**servers.LOCAL, "cwd": "$cwd"},
    http={**servers.REMOTE, "transport": "streamable-http"},
    sse={**servers.REMOTE, "transport": "sse"},
    format="jsonc",
    variable="${NAME}",
    evidence=READ,
)
SKILLS: Mapping[ScopeName, File] = {"user": File(USER, "skills")}

HOST = Host(
    id="openclaw",
    name="OpenClaw",
    evidence=witnessed("2026.9.6"),
    detect=Detect(binaries=("openclaw",), dirs=(USER, NEMOCLAW)),
    bom=True,
    delivery=Module(
        files={
            "user": (
                File(USER, f"{FOLDER}/package.json"),
                File(USER, f"{FOLDER}/openclaw.plugin.json"),
                File(USER, f"{FOLDER}/index.mjs"),
            )
        },
        package=__name__,
        templates=("openclaw_package.json.j2", "openclaw_manifest.json.j2", "openclaw.mjs.j2"),
        register={
            "user": (
                Register(
                    file=File(USER, "openclaw.json"),
                    at=("plugins", "entries", "$plugin"),
                    value={"enabled": True, "hooks": {"allowConversationAccess": True}},
                    format="jsonc",
                ),
                Register(  # if the list exists, only the plugins in it are loaded
                    file=File(USER, "openclaw.json"),
                    at=("plugins", "allow"),
                    value="$plugin",
                    op="item",
                    format="jsonc",
                    only_if_present=True,
                ),
            )
        },
    ),
    wire=BRIDGE_WIRE,
    tools={
        "shell": ("exec",),
        "file.read": ("read",),
        "file.write": ("write", "edit", "apply_patch"),
        "agent": ("spawn_agent",),
        "web": ("web_fetch", "web_search"),
        "mcp": ("*__*",),
    },
    events={
        "session-start": Native("session_start", can=bridge("context")),
        "turn-start": Native("before_agent_run", can=bridge("deny", "context")),
        "pre-tool-use": Native("before_tool_call", can=bridge("deny", "ask", "modify-input")),
        "post-tool-use": Native("after_tool_call"),
        "post-tool-use-failure": Native("after_tool_call"),
        "turn-end": Native(
            "before_agent_finalize",
            can=bridge("keep-going"),
            near="cannot keep going after a tool that may have changed something",
        ),
        "session-end": Native("session_end", timeout_max=2, near="only through the gateway"),
        "pre-compact": Native("before_compaction", evidence=PAGE),
        "post-compact": Native("after_compaction", evidence=PAGE),
        "subagent-start": Native("subagent_spawned", evidence=PAGE),
        "subagent-stop": Native("subagent_ended", evidence=PAGE),
    },
    after=("Restart OpenClaw's gateway.",),
    note="`openclaw agent exec` fires no hook of any plugin.",
    content=Content(mcp=SERVERS, skills=SKILLS, evidence=READ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """OpenClaw."""
    return [HOST]
