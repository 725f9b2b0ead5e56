"""Content of the hosts with a plain map of servers, in a file of theirs or in their settings."""

from __future__ import annotations

from agentplugin_adapters._servers import (
    AGENTS,
    AGENTS_MD,
    CODE,
    CURSOR,
    DEVIN,
    GEMINI,
    GEMINI_CONFIG,
    GEMINI_HTTP,
    HOME_AGENTS,
    JUNIE,
    KIMI,
    KIRO,
    OMP,
    PI,
    QWEN,
    REMOTE,
    ROOT,
    SERVER_URL,
    SSE,
    URL,
    both,
    in_folder,
    plain,
)
from hatch_agentplugin.adapter import Dir, File
from hatch_agentplugin.hosts.content import Content

KIRO_MCP = plain(
    File(KIRO, "settings/mcp.json"), File(Dir(".kiro"), "settings/mcp.json"), format="jsonc"
)
#: Host id -> where its content goes.
PLAIN: dict[str, Content] = {
    "gemini-cli": Content(
        mcp=plain(
            File(GEMINI, "settings.json"), File(Dir(".gemini"), "settings.json"),
            cwd="cwd", remote=GEMINI_HTTP, sse=REMOTE, variable="${NAME}",
        ),
        # It reads these first and warns of a skill that is in its own folder as well.
        skills=in_folder(HOME_AGENTS, AGENTS, "skills"),
        rules=both(File(GEMINI, "GEMINI.md"), File(ROOT, "GEMINI.md")),
    ),
    "qwen-code": Content(
        mcp=plain(
            File(QWEN, "settings.json"), File(Dir(".qwen"), "settings.json"),
            cwd="cwd", remote=GEMINI_HTTP, sse=REMOTE, variable="${NAME}",
        ),
        skills=in_folder(QWEN, Dir(".qwen"), "skills"),
        commands=in_folder(QWEN, Dir(".qwen"), "commands"),
        rules=both(File(QWEN, "QWEN.md"), File(ROOT, "QWEN.md")),
    ),
    "cursor": Content(
        mcp=plain(
            File(CURSOR, "mcp.json"), File(Dir(".cursor"), "mcp.json"), sse=REMOTE,
            variable="${env:NAME}",
        ),
        skills=in_folder(CURSOR, Dir(".cursor"), "skills"),
        commands=in_folder(CURSOR, Dir(".cursor"), "commands"),
        rules=AGENTS_MD,
    ),
    "kiro": Content(
        mcp=KIRO_MCP,
        skills=in_folder(KIRO, Dir(".kiro"), "skills"),
        rules=in_folder(KIRO, Dir(".kiro"), "steering/{plugin}.md"),
    ),
    "kiro-cli-legacy": Content(mcp=KIRO_MCP),
    "kimi": Content(
        mcp=plain(File(KIMI, "mcp.json"), File(Dir(".kimi-code"), "mcp.json")),
        skills=in_folder(KIMI, Dir(".kimi-code"), "skills"),
        rules=AGENTS_MD,
    ),
    "kimi-cli-legacy": Content(
        mcp=plain(File(Dir("~/.kimi", env="KIMI_SHARE_DIR"), "mcp.json"))
    ),
    "antigravity": Content(
        mcp=plain(
            File(GEMINI_CONFIG, "mcp_config.json"), File(AGENTS, "mcp_config.json"),
            remote=SERVER_URL,
        ),
        skills=both(File(Dir("~/.gemini/antigravity"), "skills"), File(AGENTS, "skills")),
        commands={"project": File(AGENTS, "workflows")},
        rules={"project": File(AGENTS, "rules/{plugin}.md")},
    ),
    "antigravity-cli": Content(
        mcp=plain(
            File(GEMINI_CONFIG, "mcp_config.json"), File(AGENTS, "mcp_config.json"),
            remote=SERVER_URL,
        )
    ),
    "devin": Content(
        mcp=plain(
            File(DEVIN, "mcp_config.json"), File(Dir(".devin"), "mcp_config.json"),
            remote=SERVER_URL,
        ),
        skills=in_folder(DEVIN, Dir(".devin"), "skills"),
        rules=AGENTS_MD,
    ),
    "windsurf": Content(  # remote entries were not checked
        mcp=plain(File(Dir("~/.codeium/windsurf"), "mcp_config.json"), remote=None),
        commands={"project": File(Dir(".windsurf"), "workflows")},
        rules={"project": File(Dir(".windsurf"), "rules/{plugin}.md")},
    ),
    "cline": Content(
        mcp=plain(
            File(Dir("~/.cline/data", env="CLINE_DATA_DIR"), "settings/cline_mcp_settings.json"),
            remote={"type": "streamableHttp", **REMOTE},  # an address alone is taken for sse
            sse=SSE,
        ),
        skills=in_folder(Dir("~/.cline"), Dir(".cline"), "skills"),
        commands=both(
            File(Dir("~/Documents/Cline"), "Workflows"), File(Dir(".clinerules"), "workflows")
        ),
        rules=both(
            File(Dir("~/Documents/Cline"), "Rules/{plugin}.md"),
            File(Dir(".clinerules"), "{plugin}.md"),
        ),
    ),
    "auggie": Content(
        mcp=plain(
            File(Dir("~/.augment"), "settings.json"), File(Dir(".augment"), "settings.json"),
            remote=URL,
        ),
        skills=in_folder(Dir("~/.augment"), Dir(".augment"), "skills"),
        commands=in_folder(Dir("~/.augment"), Dir(".augment"), "commands"),
        rules=in_folder(Dir("~/.augment"), Dir(".augment"), "rules/{plugin}.md"),
    ),
    "junie": Content(
        mcp=plain(File(JUNIE, "mcp/mcp.json"), File(Dir(".junie"), "mcp/mcp.json"), remote=URL),
        skills=in_folder(JUNIE, Dir(".junie"), "skills"),
        commands=in_folder(JUNIE, Dir(".junie"), "commands"),
        rules=AGENTS_MD,
    ),
    "deepagents": Content(
        mcp=plain(
            File(Dir("~/.deepagents"), ".mcp.json"), File(Dir(".deepagents"), ".mcp.json"),
            remote={"type": "http", **URL}, sse={"type": "sse", **URL},
        ),
        skills=both(
            File(Dir("~/.deepagents"), "deepagents/skills"), File(Dir(".deepagents"), "skills")
        ),
        rules=AGENTS_MD,
    ),
    "iflow": Content(  # remote entries were not checked
        mcp=plain(
            File(Dir("~/.iflow"), "settings.json"), File(Dir(".iflow"), "settings.json"),
            remote=None,
        )
    ),
    "pi": Content(
        mcp=plain(
            File(PI, "mcp.json"), File(Dir(".pi"), "mcp.json"), cwd="cwd", variable="${NAME}"
        ),
        skills=in_folder(PI, Dir(".pi"), "skills"),
        commands=in_folder(PI, Dir(".pi"), "prompts"),
        rules=both(File(PI, "AGENTS.md"), File(ROOT, "AGENTS.md")),
    ),
    "omp": Content(
        mcp=plain(
            File(OMP, "mcp.json"), File(Dir(".omp"), "mcp.json"), remote=URL, variable="${NAME}"
        ),
        skills=in_folder(OMP, Dir(".omp"), "skills"),
        commands=in_folder(OMP, Dir(".omp"), "commands"),
        rules=both(File(OMP, "AGENTS.md"), File(Dir(".omp"), "RULES.md")),
        mcp_from=(
            "claude-code", "codex", "cursor", "gemini-cli", "opencode", "vscode-copilot", "windsurf",
        ),
    ),
    "roo-code": Content(
        mcp=plain(
            File(CODE, "globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
            File(Dir(".roo"), "mcp.json"), remote=URL,
        ),
        skills={"project": File(Dir(".roo"), "skills")},
        commands={"project": File(Dir(".roo"), "commands")},
        rules={"project": File(Dir(".roo"), "rules/{plugin}.md")},
    ),
    "trae": Content(
        mcp=plain(
            File(Dir("~/.trae"), "mcp.json"), File(Dir(".trae"), "mcp.json"), remote=None
        ),
        rules={"project": File(Dir(".trae"), "project_rules.md")},
    ),
    "warp": Content(
        mcp=plain(
            File(Dir("~/.warp"), ".mcp.json"), File(Dir(".warp"), ".mcp.json"),
            cwd="working_directory",
        ),
        skills={"project": File(AGENTS, "skills")},
        rules=AGENTS_MD,
    ),
    "jetbrains-ai-assistant": Content(
        mcp=plain(File(Dir("~/.ai"), "mcp/mcp.json"), File(Dir(".ai"), "mcp/mcp.json"), remote=None),
        skills={"project": File(AGENTS, "skills")},
    ),
}  # fmt: skip
