"""Leaves out content (servers, skills, commands, rules) whose name the user already uses.

Hooks do not need content, so a conflict leaves out one thing and the report says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from hatch_agentplugin import edit
from hatch_agentplugin.activate.own_files import sharers
from hatch_agentplugin.activate.resolve import Candidate, ResolvedPlacement
from hatch_agentplugin.activate.result import Done
from hatch_agentplugin.activate.wire import placed_as
from hatch_agentplugin.activate.workspace import Owner, Workspace
from hatch_agentplugin.edit import MISSING

Conflict = tuple[Done, str]


def without_conflicts(
    workspace: Workspace, owner: Owner, placements: Sequence[ResolvedPlacement]
) -> list[ResolvedPlacement]:
    """Return the placements that are possible or already made; report the others.

    Raises Refused for a document that cannot be parsed.
    """
    known = workspace.known(owner)
    conflicts: dict[str, Conflict] = {}
    for one in placements:
        if one.content and placed_as(one, known) is None:
            found = _conflict(workspace, owner, one)
            name = one.unit or one.key
            if found is not None and conflicts.get(name, ("skipped",))[0] == "skipped":
                conflicts[name] = found
    kept = []
    for one in placements:
        conflict = conflicts.get(one.unit or one.key)
        if conflict is None or placed_as(one, known) is not None:
            kept.append(one)
            continue
        state, note = conflict
        path = str(one.candidates[0].path)
        workspace.rows.append(owner.row(state, note, path=path, events=one.events))
    return kept


def _conflict(workspace: Workspace, owner: Owner, one: ResolvedPlacement) -> Conflict | None:
    """Return the state and note of the report row if something is in the way, else None."""
    for candidate in one.candidates:
        found: Conflict | None = None
        if one.kind != "file" and workspace.exists(candidate.path):
            found = _value_conflict(workspace, owner, one, candidate)
        elif one.kind == "file" and (data := workspace.read(candidate.path)) is not None:
            found = _file_conflict(workspace, owner, one, candidate.path, data)
        if found is not None:
            return found
    return None


def _file_conflict(
    workspace: Workspace, owner: Owner, one: ResolvedPlacement, path: Path, data: bytes
) -> Conflict | None:
    shared = sharers(workspace, owner.plugin, path)
    if shared:
        same = shared[0].sha256 == sha256(data).hexdigest()
        return None if same else ("kept", f"you have changed {path}")
    others = workspace.entries.at(str(path))
    if others:
        return "failed", f"{path} exists already, from {others[0].plugin}"
    if data == one.data:
        return "skipped", "you already have an identical file"
    return "failed", f"{path} is not ours; nothing in it was changed"


def _value_conflict(
    workspace: Workspace, owner: Owner, one: ResolvedPlacement, candidate: Candidate
) -> Conflict | None:
    document = workspace.document(candidate.path, one.format)
    if one.kind == "item":
        name = one.value.get("name") if isinstance(one.value, dict) else None
        for item in document.foreign_items(candidate.at):
            if isinstance(item, dict) and item.get("name") == name:
                return "failed", f'{candidate.path} has another "{name}"; nothing was changed'
        return None
    entry = edit.Entry("key", candidate.at, one.value)
    if document.shareable(owner.plugin, entry) is not None:
        return None
    if document.has(entry):
        # A block of text has no key in the file: an equal one of another plugin is no conflict.
        is_ours = document.format == "text" and document.is_ours(entry)
        return None if is_ours else ("skipped", "you already have an identical entry")
    if document.format != "text" and document.get(candidate.at) is not MISSING:
        where = ".".join(candidate.at)
        return "failed", f"{candidate.path}: {where} has another value; nothing was changed"
    return None
