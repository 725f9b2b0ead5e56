"""Cline: the command line, and the editor extension with more events."""

from __future__ import annotations

from agentplugin_adapters.dialects import servers
from agentplugin_adapters.dialects.folders import in_both
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    Executables,
    File,
    Host,
    Native,
    Run,
    Template,
    Wire,
    hookimpl,
)

DOCUMENTS = Dir("~/Documents/Cline")
HOME = Dir("~/.cline")
DATA = Dir(f"{HOME.default}/data", env="CLINE_DATA_DIR")
RULES = Dir(".clinerules")
#: All of them run: if a foreign script has one name, the next one is used.
NAMES = ("{event}", "{event}.sh", "{event}.bash")
CANCEL: Template = {"cancel": True, "errorMessage": "$reason"}
CONTEXT: Template = {"contextModification": "$text"}
EXTENSION = program("2026-08-22", "vendor's repository")


def _candidates(folder: Dir, below: str) -> tuple[File, ...]:
    return tuple(File(folder, f"{below}/{name}", f"{below}/{{event}}.ps1") for name in NAMES)


HOST = Host(
    id="cline",
    name="Cline",
    evidence=witnessed("3.0.65"),
    detect=Detect(binaries=("cline",), dirs=(DOCUMENTS, HOME)),
    delivery=Executables(
        files={
            "user": _candidates(DOCUMENTS, "Hooks"),
            "project": _candidates(RULES, "hooks"),
        }
    ),
    run=Run(form="file", unit="none", default=30, windows_shell="powershell"),
    wire=Wire(
        fields={
            "session": "taskId",
            "cwd": "workspaceRoots.0",
            "tool": ("tool_call.name", "preToolUse.toolName", "postToolUse.toolName"),
            "input": ("tool_call.input", "preToolUse.parameters", "postToolUse.parameters"),
            "output": ("postToolUse.result", "tool_result"),
            "call_id": "tool_call.id",
            "prompt": "userPromptSubmit.prompt",
            "agent": "agent_id",
            "error": ("error.message", "error"),
            "message": "turn.outputText",
        },
        context_limit=50_000,
    ),
    tools={  # names of the command line and of the extension
        "shell": ("run_commands", "execute_command"),
        "file.read": ("read_files", "read_file"),
        "file.write": ("editor", "apply_patch", "write_to_file", "replace_in_file"),
        "mcp": ("use_mcp_tool",),
        "agent": ("spawn_agent",),
        "web": ("fetch_web_content", "web_search", "web_fetch"),
    },
    events={
        "session-start": (
            Native("TaskStart", detached=True),
            Native("TaskResume", detached=True, evidence=EXTENSION),
        ),
        "turn-start": Native(
            "UserPromptSubmit",
            detached=True,
            near="the command line fires it for the host's own prompts only",
        ),
        "pre-tool-use": Native(
            "PreToolUse",
            can={
                "deny": CANCEL,
                "context": CONTEXT,
                "modify-input": {"overrideInput": "$input"},
                "halt": CANCEL,
            },
            near="a refusal ends the whole run",
        ),
        "post-tool-use": Native("PostToolUse", can={"context": CONTEXT, "halt": CANCEL}),
        "turn-end": Native("TaskComplete", detached=True, near="the end of a task"),
        "session-end": (
            Native(
                "TaskCancel",
                detached=True,
                near="only when the user cancels a task",
                evidence=EXTENSION,
            ),
            Native("SessionShutdown", detached=True, near="only when a run is aborted"),
        ),
        "pre-compact": Native(
            "PreCompact",
            can={"context": CONTEXT, "halt": CANCEL},
            near="the editor extension only",
            evidence=EXTENSION,
        ),
        "notification": Native(
            "Notification", near="the editor extension only", evidence=EXTENSION
        ),
        "stop-failure": Native("TaskError", detached=True),
    },
    after=(
        "Enable hooks in the settings of the Cline extension; the command line needs no setting.",
    ),
    content=Content(
        mcp=servers.plain(
            File(DATA, "settings/cline_mcp_settings.json"),
            # An address alone means server-sent events.
            remote={"type": "streamableHttp", **servers.REMOTE},
            sse=servers.SSE,
            evidence=program("3.0.65"),
        ),
        skills=in_both(HOME, Dir(".cline"), "skills"),
        commands={"user": File(DOCUMENTS, "Workflows"), "project": File(RULES, "workflows")},
        rules={"user": File(DOCUMENTS, "Rules/{plugin}.md"), "project": File(RULES, "{plugin}.md")},
        evidence=BY_OTHER_TOOLS,
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Cline."""
    return [HOST]
