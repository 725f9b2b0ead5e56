"""An adapter of a third party, with one imaginary host whose hooks are entries in its settings."""

from hatch_agentplugin.adapter import (
    Detect,
    Dir,
    Entries,
    Evidence,
    File,
    Host,
    Matcher,
    Native,
    Wire,
    hookimpl,
)

HOME = Dir("~/.acme-code", env="ACME_CODE_HOME")

HOST = Host(
    id="acme-code",
    name="Acme Code",
    evidence=Evidence(basis="witnessed", version="4.2", date="2026-11-01"),
    detect=Detect(binaries=("acme-code",), dirs=(HOME,)),
    delivery=Entries(
        files={"user": (File(HOME, "settings.json"),)},
        at=("hooks", "$event"),
        entry={"match": "$matcher", "run": "$command", "seconds": "$timeout"},
    ),
    events={
        "pre-tool-use": Native(
            name="BeforeTool", matcher=True, can={"deny": {"verdict": "no", "why": "$reason"}}
        ),
        "turn-end": Native(name="Done"),
    },
    tools={"shell": ("run",), "file.write": ("save",)},
    matcher=Matcher(style="exact-list"),
    wire=Wire(fields={"tool": "name", "input": "arguments"}),
    native_only=("Bored",),
)


@hookimpl
def agent_plugin_hosts():
    return [HOST]
