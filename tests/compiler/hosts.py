"""Small hosts for compiler tests; each has one trait of real hosts."""

from __future__ import annotations

from typing import Any

from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    Evidence,
    Executables,
    File,
    Host,
    Matcher,
    Module,
    Native,
    Run,
    Signature,
    Wire,
    bridge,
)

EVIDENCE = Evidence(basis="documented", version="1", date="2026-01-01")
GROUPED: dict[str, Any] = {
    "matcher": "$matcher",
    "hooks": [{"type": "command", "command": "$command", "timeout": "$timeout"}],
}
TOOLS = {
    "shell": ("Bash",),
    "file.write": ("Write", "Edit"),
    "mcp": ("mcp__*",),
}


def entries_host(**changes: Any) -> Host:
    """A host with grouped entries in a shared file and an exact-list matcher."""
    values: dict[str, Any] = {
        "id": "alpha",
        "name": "Alpha",
        "evidence": EVIDENCE,
        "detect": Detect(binaries=("alpha",), dirs=(Dir("~/.alpha"),)),
        "delivery": Entries(
            files={"user": (File(Dir("~/.alpha", env="ALPHA_DIR"), "settings.json"),)},
            at=("hooks", "$event"),
            entry=GROUPED,
        ),
        "events": {
            "pre-tool-use": Native(
                name="PreTool",
                matcher=True,
                can={"deny": {"decision": "deny", "event": "$event", "why": "$reason"}},
            ),
            "turn-end": Native(name="Stop"),
        },
        "tools": TOOLS,
        "matcher": Matcher(style="exact-list"),
        "wire": Wire(fields={"session": "session_id", "tool": ("tool_name", "toolName")}),
    }
    return Host(**{**values, **changes})


def executables_host() -> Host:
    """A host with one executable per event, two native session starts and no matcher."""
    return Host(
        id="beta",
        name="Beta",
        evidence=EVIDENCE,
        detect=Detect(),
        delivery=Executables(
            files={"user": (File(Dir("~/.beta"), "{event}"), File(Dir("~/.beta"), "{event}.sh"))}
        ),
        events={
            "session-start": (Native(name="TaskStart"), Native(name="TaskResume")),
            "pre-tool-use": Native(name="PreTool", can={"deny": {"cancel": True}}),
        },
        tools={"shell": ("run_commands",)},
        run=Run(form="file", unit="none", default=30),
    )


def module_host() -> Host:
    """A host with a code module."""
    return Host(
        id="gamma",
        name="Gamma",
        evidence=EVIDENCE,
        detect=Detect(),
        delivery=Module(
            files={"user": (File(Dir("~/.gamma"), "plugin/{plugin}.js"),)},
            package="gamma",
            templates=("gamma.js.j2",),
            params={"folder": "plugin"},
        ),
        events={"pre-tool-use": Native(name="tool.before", can=bridge("deny", "modify-input"))},
        tools={"shell": ("bash",)},
    )


def reader_host() -> Host:
    """A host that also runs Alpha's entries."""
    return entries_host(
        id="delta",
        name="Delta",
        also_reads={"alpha": ("user",)},
        signatures=(Signature(field="delta_version"), Signature(env="DELTA")),
    )


def hookless_host() -> Host:
    """A host without hooks."""
    return Host(id="zero", name="Zero", evidence=EVIDENCE, detect=Detect())
