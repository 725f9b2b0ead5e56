"""Pi: hooks are an extension, a code module."""

from __future__ import annotations

from agentplugin_adapters.dialects import packages, pi, servers
from agentplugin_adapters.dialects.folders import ROOT, in_both
from agentplugin_adapters.evidence import program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    File,
    Host,
    HostPackage,
    Native,
    Seen,
    bridge,
    hookimpl,
)

USER = Dir("~/.pi/agent", env="PI_CODING_AGENT_DIR")
PROJECT = Dir(".pi")
READ = program("0.99.0")
TYPES = program("1.6.0", "types of the package")
OLDER = witnessed("0.73.1")

HOST = Host(
    id="pi",
    name="Pi",
    evidence=witnessed("1.6.0"),
    detect=Detect(binaries=("pi",), dirs=(USER,)),
    delivery=pi.module(USER, PROJECT, "@earendil-works/pi-coding-agent"),
    wire=pi.WIRE,
    tools={
        "shell": ("bash", "powershell"),
        "file.read": ("read",),
        "file.write": ("edit", "write"),
        "mcp": ("mcp__*",),
    },
    events={
        **pi.EVENTS,
        "turn-end": Native("agent_before_settle", can=bridge("keep-going", "message")),
        "pre-compact": Native(
            "session_before_compact", can=bridge("deny", "message"), evidence=OLDER
        ),
        "post-compact": Native("session_compact", evidence=OLDER),
        "notification": Native(
            "ui_prompt_start", near="only dialogs of extensions", evidence=TYPES
        ),
        "model-switch-after": Native("model_select", evidence=TYPES),
    },
    after_project=("Trust the project in Pi; print mode skips its extensions without a message.",),
    note="turn-end needs Pi 0.80.4, and keep-going needs 0.87.",
    content=Content(
        mcp=servers.plain(
            File(USER, "mcp.json"),
            File(PROJECT, "mcp.json"),
            cwd="cwd",
            variable="${NAME}",
            evidence=READ,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "prompts"),
        rules={"user": File(USER, "AGENTS.md"), "project": File(ROOT, "AGENTS.md")},
        evidence=READ,
    ),
    package=HostPackage(
        manifest="package.json",
        fields={
            **packages.NPM,
            "keywords": ["pi-package"],
            "pi": {"extensions": ["$entry"], "skills": ["./skills"]},
        },
        module="extensions/$name.js",
        seen=(Seen(file=File(USER, "settings.json"), at=("packages",)),),
        install="pi install DIR/$name",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Pi."""
    return [HOST]
