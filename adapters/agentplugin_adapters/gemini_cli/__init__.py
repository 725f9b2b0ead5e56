"""Gemini CLI."""

from __future__ import annotations

from agentplugin_adapters.dialects import gemini, servers, settings
from agentplugin_adapters.dialects.folders import AGENTS, HOME_AGENTS, ROOT, in_both
from agentplugin_adapters.evidence import program, witnessed
from hatch_agentplugin.adapter import (
    Content,
    Detect,
    Dir,
    File,
    Host,
    HostPackage,
    Matcher,
    Native,
    Run,
    Seen,
    hookimpl,
)

USER = Dir("~/.gemini", env="GEMINI_CLI_HOME", inside=".gemini")
PROJECT = Dir(".gemini")
MANAGED = File(
    Dir(
        "/etc/gemini-cli",
        macos="/Library/Application Support/GeminiCli",
        windows="%ProgramData%/gemini-cli",
    ),
    "settings.json",
)
READ = program("0.61.0")

HOST = Host(
    id="gemini-cli",
    name="Gemini CLI",
    evidence=witnessed("0.61.0"),
    detect=Detect(binaries=("gemini",), dirs=(USER,)),
    bom=False,
    delivery=settings.entries(USER, PROJECT, managed=MANAGED, entry=gemini.GROUP, format="jsonc"),
    matcher=Matcher(style="regex"),
    run=Run(guard=True, unit="ms", default=60, windows_shell="powershell"),
    wire=gemini.WIRE,
    tools={
        "shell": ("run_shell_command",),
        "file.read": ("read_file", "read_many_files"),
        "file.write": ("write_file", "replace"),
        "mcp": ("mcp_*",),
        "web": ("web_fetch", "google_web_search"),
    },
    events={
        "session-start": Native("SessionStart", can=gemini.can("context", "message")),
        "turn-start": Native("BeforeAgent", can=gemini.can("deny", "context", "halt", "message")),
        # An ask makes an unattended run hang, and after an allow the host still asks.
        "pre-tool-use": Native(
            "BeforeTool", matcher=True, can=gemini.can("deny", "modify-input", "halt", "message")
        ),
        "post-tool-use": Native(
            "AfterTool", matcher=True, can=gemini.can("context", "modify-output", "halt", "message")
        ),
        "turn-end": Native("AfterAgent", can=gemini.can("keep-going", "halt", "message")),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native(
            "PreCompress", near="fires before every model call, also when nothing is compressed"
        ),
        "notification": Native("Notification", evidence=READ),
    },
    native_only=gemini.NATIVE_ONLY,
    after_project=("Trust the folder in Gemini CLI; until then it ignores project hooks.",),
    switches=(
        settings.off(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            key=gemini.OFF,
            is_=False,
            format="jsonc",
        ),
    ),
    content=Content(
        mcp=servers.plain(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            cwd="cwd",
            remote=gemini.HTTP,
            sse=servers.REMOTE,
            variable="${NAME}",
            evidence=READ,
        ),
        # It reads these folders first, and warns of a skill that is in its own folder too.
        skills=in_both(HOME_AGENTS, AGENTS, "skills"),
        rules={"user": File(USER, "GEMINI.md"), "project": File(ROOT, "GEMINI.md")},
        evidence=READ,
    ),
    package=HostPackage(
        manifest="gemini-extension.json",
        fields=gemini.EXTENSION,
        hooks="hooks/hooks.json",
        root="${extensionPath}",
        servers=gemini.extension_servers("gemini-extension.json"),
        seen=(Seen(file=File(USER, "extensions/{plugin}")),),
        install="gemini extensions link DIR/$name --consent",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Gemini CLI."""
    return [HOST]
