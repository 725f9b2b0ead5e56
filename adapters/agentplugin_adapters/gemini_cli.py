"""Gemini CLI, seen running at 0.61.0 and read in its repository."""

from __future__ import annotations

from agentplugin_adapters import _gemini as gemini
from agentplugin_adapters import _settings as settings
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import program, witnessed
from agentplugin_adapters._gemini import can
from hatch_agentplugin.adapter import Detect, Dir, File, Host, Matcher, Native, Run, hookimpl

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

HOST = Host(
    id="gemini-cli",
    name="Gemini CLI",
    content=CONTENT["gemini-cli"],
    bundle=BUNDLES["gemini-cli"],
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
        "session-start": Native("SessionStart", can=can("context", "message")),
        "turn-start": Native("BeforeAgent", can=can("deny", "context", "halt", "message")),
        # Asking makes an unattended run hang, and an allow does not keep the host from asking.
        "pre-tool-use": Native(
            "BeforeTool", matcher=True, can=can("deny", "modify-input", "halt", "message")
        ),
        "post-tool-use": Native(
            "AfterTool", matcher=True, can=can("context", "modify-output", "halt", "message")
        ),
        "turn-end": Native("AfterAgent", can=can("keep-going", "halt", "message")),
        "session-end": Native("SessionEnd"),
        "pre-compact": Native(
            "PreCompress", near="fires before every model call, also when nothing is compressed"
        ),
        "notification": Native("Notification", evidence=program("0.61.0")),
    },
    native_only=gemini.NATIVE_ONLY,
    after_project=("Trust the folder in Gemini CLI; its project hooks are not loaded before.",),
    switches=(
        settings.off(
            File(USER, "settings.json"),
            File(PROJECT, "settings.json"),
            key=gemini.OFF,
            is_=False,
            format="jsonc",
        ),
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Gemini CLI."""
    return [HOST]
