"""Content of OpenCode's family: a server's program and arguments are one list."""

from __future__ import annotations

from agentplugin_adapters._servers import (
    AGENTS_MD,
    KILO,
    MIMO,
    OPENCODE,
    ROOT,
    both,
    in_folder,
    opencode,
)
from hatch_agentplugin.adapter import Dir, File
from hatch_agentplugin.hosts.content import Content

KILO_MCP = opencode(KILO, "kilo")

#: Program and arguments in one list.
OPENCODES: dict[str, Content] = {
    "opencode": Content(
        mcp=opencode(OPENCODE, "opencode"),
        skills=in_folder(OPENCODE, Dir(".opencode"), "skills"),
        commands=in_folder(OPENCODE, Dir(".opencode"), "commands"),
        rules=both(File(OPENCODE, "AGENTS.md"), File(ROOT, "AGENTS.md")),
    ),
    "kilo-cli": Content(
        mcp=KILO_MCP,
        skills=in_folder(KILO, Dir(".kilo"), "skills"),
        commands=in_folder(KILO, Dir(".kilo"), "commands"),
        rules=AGENTS_MD,
    ),
    "kilo": Content(
        mcp=KILO_MCP,
        skills=in_folder(Dir("~/.kilo"), Dir(".kilo"), "skills"),
        commands={"project": File(Dir(".kilo"), "commands")},
        rules=AGENTS_MD,
    ),
    "mimo-code": Content(
        mcp=opencode(MIMO, "mimocode", headers=False),
        skills=in_folder(MIMO, Dir(".mimocode"), "skills"),
        commands=in_folder(MIMO, Dir(".mimocode"), "commands"),
        rules=AGENTS_MD,
    ),
}
