"""Factory Droid: Claude Code's dialect in part."""

from __future__ import annotations

from agentplugin_adapters.dialects import claude, packages, servers, settings
from agentplugin_adapters.dialects.folders import AGENTS_MD, in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    HostPackage,
    Matcher,
    Native,
    PackageServers,
    Run,
    Seen,
    hookimpl,
)

USER = Dir("~/.factory", env="FACTORY_HOME_OVERRIDE", inside=".factory")
PROJECT = Dir(".factory")
READ = program("0.225.1")
IN_SETTINGS = ("hooks", "$event")

HOST = Host(
    id="droid",
    name="Factory Droid",
    evidence=witnessed("0.225.2"),
    detect=Detect(binaries=("droid",), dirs=(USER,)),
    bom=False,
    # An event in hooks.json masks the event in settings.json, so ours joins the user's.
    delivery=Entries(
        files={
            "user": (File(USER, "hooks.json"), File(USER, "settings.json", at=IN_SETTINGS)),
            "project": (
                File(PROJECT, "hooks.json"),
                File(PROJECT, "settings.json", at=IN_SETTINGS),
            ),
        },
        at=("$event",),
        entry=claude.GROUP,
    ),
    matcher=Matcher(style="regex"),
    # If the status is not 0, standard error becomes part of the tool's result; hence the guard.
    run=Run(guard=True, default=60),
    wire=claude.WIRE,
    tools={
        "shell": ("Execute",),
        "file.read": ("Read",),
        "file.write": ("Create", "Edit", "MultiEdit", "ApplyPatch"),
        "agent": ("Task",),
        "web": ("FetchUrl", "WebSearch"),
    },
    events={
        "session-start": Native("SessionStart", can=claude.can("context")),
        "turn-start": Native(
            "UserPromptSubmit",
            can=claude.can("context", "halt", deny=claude.BLOCK),
            near="not in `droid exec`",
            evidence=READ,
        ),
        # After an ask the tool runs. A changed input is merged into the old one.
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=claude.can("allow", "deny", "modify-input", halt=claude.DENY_AND_HALT),
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=claude.can("context", "halt")),
        # Another hook's block overrides a halt.
        "turn-end": Native("Stop", can=claude.can("keep-going")),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact", evidence=READ),
        "notification": Native("Notification", evidence=READ),
        "subagent-stop": Native("SubagentStop", can=claude.can("keep-going"), evidence=READ),
    },
    switches=(
        settings.off(
            File(USER, "settings.json"), File(PROJECT, "settings.json"), key="hooksDisabled"
        ),
    ),
    content=Content(
        mcp=servers.typed(
            File(USER, "mcp.json"),
            File(PROJECT, "mcp.json"),
            evidence=READ,
        ),
        skills=in_both(USER, PROJECT, "skills"),
        commands=in_both(USER, PROJECT, "commands"),
        rules=AGENTS_MD,
        evidence=BY_OTHER_TOOLS,
    ),
    package=HostPackage(
        manifest=".factory-plugin/plugin.json",
        fields=packages.ABOUT,
        hooks="hooks/hooks.json",
        at=IN_SETTINGS,
        root="${DROID_PLUGIN_ROOT}",
        # 0.225.2 replaces the variable of the root in hooks, but not in servers.
        servers=PackageServers(file="mcp.json", root=""),
        commands="commands",
        marketplace=".factory-plugin/marketplace.json",
        index=packages.INDEX,
        seen=(Seen(file=File(USER, "settings.json"), at=("enabledPlugins",)),),
        # The folder's name is the marketplace's name.
        install="droid plugin marketplace add DIR && droid plugin install $name@droid",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Factory Droid."""
    return [HOST]
