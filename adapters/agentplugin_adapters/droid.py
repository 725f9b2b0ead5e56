"""Factory Droid, seen running at 0.225.2; events marked otherwise were read in the program."""

from __future__ import annotations

from agentplugin_adapters import _claude as claude
from agentplugin_adapters import _settings as settings
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._claude import can
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program, witnessed
from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    File,
    Host,
    Matcher,
    Native,
    Run,
    hookimpl,
)

USER = Dir("~/.factory", env="FACTORY_HOME_OVERRIDE", inside=".factory")
PROJECT = Dir(".factory")
READ = program("0.225.1")
NAMES = ("hooks.json", "settings.json")

HOST = Host(
    id="droid",
    name="Factory Droid",
    content=CONTENT["droid"],
    bundle=BUNDLES["droid"],
    evidence=witnessed("0.225.2"),
    detect=Detect(binaries=("droid",), dirs=(USER,)),
    bom=False,
    # An event in hooks.json masks the same event in settings.json, so ours goes where it is.
    delivery=Entries(
        files={
            "user": tuple(File(USER, name) for name in NAMES),
            "project": tuple(File(PROJECT, name) for name in NAMES),
        },
        at=("$event",),
        second_at={"settings.json": ("hooks", "$event")},
        entry=claude.GROUP,
    ),
    matcher=Matcher(style="regex"),
    # Any other status than 0 glues standard error to the tool's result, hence the guard.
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
        "session-start": Native("SessionStart", can=can("context")),
        "turn-start": Native(
            "UserPromptSubmit",
            can=can("context", "halt", deny=claude.BLOCK),
            near="not in `droid exec`",
            evidence=READ,
        ),
        # After an ask the tool runs; a changed input is merged into the old one.
        "pre-tool-use": Native(
            "PreToolUse",
            matcher=True,
            can=can("allow", "deny", "modify-input", halt=claude.DENY_AND_HALT),
        ),
        "post-tool-use": Native("PostToolUse", matcher=True, can=can("context", "halt")),
        "turn-end": Native("Stop", can=can("keep-going")),  # a halt yields to another's block
        "session-end": Native("SessionEnd"),
        "pre-compact": Native("PreCompact", evidence=READ),
        "notification": Native("Notification", evidence=READ),
        "subagent-stop": Native("SubagentStop", can=can("keep-going"), evidence=READ),
    },
    switches=(
        settings.off(
            File(USER, "settings.json"), File(PROJECT, "settings.json"), key="hooksDisabled"
        ),
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Factory Droid."""
    return [HOST]
