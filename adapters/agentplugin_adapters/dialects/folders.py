"""Folders and files that belong to no single host."""

from __future__ import annotations

from collections.abc import Mapping

from hatch_agentplugin.adapter import Dir, File, ScopeName

#: The project itself.
ROOT = Dir(".")
#: Folders that public proposals name for all agents.
AGENTS = Dir(".agents")
HOME_AGENTS = Dir("~/.agents")
AGENTS_MD: Mapping[ScopeName, File] = {"project": File(ROOT, "AGENTS.md")}
#: The user's folder of Visual Studio Code, which its extensions use too.
VSCODE = Dir(
    "~/.config/Code/User",
    macos="~/Library/Application Support/Code/User",
    windows="%APPDATA%/Code/User",
)


def in_both(user: Dir, project: Dir, path: str) -> Mapping[ScopeName, File]:
    """The same path below a host's user folder and its project folder."""
    return {"user": File(user, path), "project": File(project, path)}
