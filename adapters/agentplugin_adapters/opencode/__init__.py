"""OpenCode: hooks are a plugin, a code module."""

from __future__ import annotations

from agentplugin_adapters.dialects import opencode, packages, servers
from agentplugin_adapters.dialects.folders import ROOT, in_both
from agentplugin_adapters.evidence import program, witnessed
from hatch_agentplugin.adapter import Content, Detect, Dir, File, Host, HostPackage, Seen, hookimpl

USER = Dir("~/.config/opencode", env="XDG_CONFIG_HOME", inside="opencode")
PROJECT = Dir(".opencode")
READ = program("1.18.33")

HOST = Host(
    id="opencode",
    name="OpenCode",
    evidence=witnessed("1.18.33"),
    detect=Detect(binaries=("opencode",), dirs=(USER,)),
    delivery=opencode.module(USER, PROJECT, "@opencode-ai/plugin"),
    events=opencode.EVENTS,
    tools=opencode.TOOLS,
    wire=opencode.WIRE,
    note=opencode.NOTE,
    content=Content(
        mcp=servers.opencode(
            USER,
            "opencode",
            evidence=READ,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules={"user": File(USER, "AGENTS.md"), "project": File(ROOT, "AGENTS.md")},
        evidence=READ,
    ),
    package=HostPackage(
        manifest="package.json",
        fields={**packages.NPM, "main": "$entry", "exports": {".": "$entry", "./server": "$entry"}},
        module="$name.js",
        skills="",
        seen=(Seen(file=File(USER, "opencode.json"), at=("plugin",), format="jsonc"),),
        install='add "file://DIR/$name" to "plugin" in opencode.json, or publish it to npm',
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """OpenCode."""
    return [HOST]
