"""Acme Code, an invented agent."""

from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Entries,
    Evidence,
    File,
    Host,
    Matcher,
    Mcp,
    Native,
    Run,
    Wire,
    hookimpl,
)

SEEN = Evidence(basis="witnessed", version="4.2", date="2026-11-30", source="ran it")
READ = Evidence(
    basis="documented", version="2026", date="2026-11-30", source="https://acme.example/hooks"
)

USER = Dir("~/.acme-code", env="ACME_CODE_HOME")
PROJECT = Dir(".acme-code")

DENY = {"decision": "no", "why": "$reason"}

HOST = Host(
    id="acme-code",
    name="Acme Code",
    evidence=SEEN,
    detect=Detect(binaries=("acme-code",), dirs=(USER,)),
    # A hook is an item of the list `hooks.<event>` in settings.json.
    delivery=Entries(
        files={
            "user": (File(USER, "settings.json"),),
            "project": (File(PROJECT, "settings.json"),),
        },
        at=("hooks", "$event"),
        entry={"match": "$matcher", "run": "$command", "seconds": "$timeout"},
    ),
    # Acme Code runs it as a line for a shell, with a timeout in seconds.
    run=Run(form="sh", unit="s", default=60),
    # Names of tools by kind, and the language of the tool matcher.
    tools={
        "shell": ("run",),
        "file.read": ("view",),
        "file.write": ("save", "patch"),
        "mcp": ("mcp__*",),
    },
    matcher=Matcher(style="exact-list"),
    # The payload on standard input.
    wire=Wire(
        fields={
            "session": "session.id",
            "cwd": "session.folder",
            "tool": "name",
            "input": "arguments",
            "output": "result",
            "prompt": "text",
        }
    ),
    # The events, and what Acme Code understands as an answer.
    events={
        "session-start": Native("Hello", can={"context": {"tell": "$text"}}),
        "turn-start": Native("Prompt", can={"context": {"tell": "$text"}, "deny": DENY}),
        "pre-tool-use": Native(
            "BeforeTool",
            matcher=True,
            can={
                "deny": DENY,
                "allow": {"decision": "yes"},
                "modify-input": {"arguments": "$input"},
            },
        ),
        "post-tool-use": Native("AfterTool", matcher=True, evidence=READ),
        "turn-end": Native(
            "Done", can={"keep-going": {"$exit": 2, "$stderr": "$reason"}}, evidence=READ
        ),
        "session-end": Native("Bye", evidence=READ),
    },
    native_only=("Coffee",),
    # Where MCP servers, skills and rules go.
    content=Content(
        mcp=Mcp(
            files={"user": (File(USER, "settings.json"),)},
            at=("servers", "$name"),
            stdio={"program": "$argv", "env": "$env"},
            http={"address": "$url"},
            variable="${NAME}",
        ),
        skills={"user": File(USER, "skills")},
        rules={"project": File(Dir("."), "AGENTS.md")},
    ),
    after_project=("Acme Code asks for your trust when it first opens the project.",),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Acme Code."""
    return [HOST]
