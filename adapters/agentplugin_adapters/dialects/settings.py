"""Hooks in a settings file, as in most hosts, and the settings that switch them off."""

from __future__ import annotations

from typing import Any

from agentplugin_adapters.dialects import claude
from hatch_agentplugin.adapter import (
    Dir,
    DocumentFormat,
    Entries,
    File,
    ScopeName,
    Switch,
    Template,
)


def entries(
    user: Dir,
    project: Dir | None = None,
    name: str = "settings.json",
    *,
    local: str = "",
    managed: File | None = None,
    entry: Template = claude.GROUP,
    format: DocumentFormat = "json",
) -> Entries:
    """A list per event under ``hooks``, in one file per scope.

    ``local`` is the name of a project's file that is not shared. ``entry`` is a group like Claude
    Code's by default.
    """
    files: dict[ScopeName, tuple[File, ...]] = {"user": (File(user, name),)}
    if project:
        files["project"] = (File(project, name),)
        if local:
            files["local"] = (File(project, local),)
    if managed:
        files["managed"] = (managed,)
    return Entries(files=files, at=("hooks", "$event"), entry=entry, format=format)


def off(
    *files: File, key: str = "disableAllHooks", is_: Any = True, format: DocumentFormat = "json"
) -> Switch:
    """A setting that switches all hooks off; ``key`` is a dotted path."""
    value = "" if is_ is True else f" = {str(is_).lower()}"
    says = f"{key}{value} switches all hooks off"
    return Switch(files=files, at=tuple(key.split(".")), is_=is_, format=format, says=says)
