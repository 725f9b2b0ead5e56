"""Warnings about the files that hold our entries: odd, but working. Nothing is repaired."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hatch_agentplugin import edit
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.workspace import inserted_by
from hatch_agentplugin.edit import DocumentError
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction.ledger import LedgerEntry
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader

_BOM = b"\xef\xbb\xbf"
#: Formats whose usual parsers refuse a byte order mark: ``JSON.parse`` and most for TOML.
_WITHOUT_BOM = ("json", "jsonc", "toml")

#: Folders of a home in which many programs have a folder of their own.
_SHARED_FOLDERS = (".config", "Documents")


def of_documents(entries: Iterable[LedgerEntry], hosts: Mapping[str, HostPlan]) -> list[str]:
    """Return warnings about the documents that hold ledger entries."""
    return [text for _, texts in by_document(entries, hosts) for text in texts]


def by_document(
    entries: Iterable[LedgerEntry], hosts: Mapping[str, HostPlan]
) -> Iterator[tuple[str, list[str]]]:
    """Yield each document that holds ledger entries, and the warnings about it."""
    by_path: dict[str, list[LedgerEntry]] = {}
    for entry in entries:
        if entry.inserted is not None:
            by_path.setdefault(entry.path, []).append(entry)
    reader = Reader({})
    for path, some in by_path.items():
        yield path, list(_of_document(reader, path, some, hosts))


def _of_document(
    reader: Reader, path: str, entries: Sequence[LedgerEntry], plans: Mapping[str, HostPlan]
) -> Iterator[str]:
    try:
        data = reader.read(Path(path)) or b""
    except FileProblem:
        return
    names = list(dict.fromkeys(entry.host for entry in entries))
    form = inserted_by(entries[0]).format
    if data.startswith(_BOM):
        yield from _of_bom(path, form, names, plans)
    try:
        document = edit.read(data, form)
    except DocumentError:
        return
    yield from _misshapen(path, document, entries, ", ".join(names))


def _of_bom(
    path: str, format: str, names: Sequence[str], plans: Mapping[str, HostPlan]
) -> Iterator[str]:
    takes = {name: plans[name].bom if name in plans else None for name in names}
    if refusing := [name for name in names if takes[name] is False]:
        yield (
            f"{path} begins with a byte order mark, which {', '.join(refusing)} does not read; "
            "save it as UTF-8 without one"
        )
    elif None in takes.values() and format in _WITHOUT_BOM:
        yield (
            f"{path} begins with a byte order mark, which many programs refuse; if "
            f"{', '.join(names)} does not read it, save it as UTF-8 without one"
        )


def _misshapen(
    path: str, document: edit.Document, entries: Sequence[LedgerEntry], hosts: str
) -> Iterator[str]:
    """Warn of foreign entries of the wrong shape beside ours: some hosts skip such a file."""
    shapes: dict[tuple[str, ...], dict[str, Any]] = {}
    for entry in entries:
        inserted = inserted_by(entry)
        if entry.kind == "item" and isinstance(inserted.value, dict):
            shapes.setdefault(inserted.at, inserted.value)
    checked: set[tuple[str, ...]] = set()
    for at, ours in shapes.items():
        lists = {at: document.get(at)}
        siblings = document.get(at[:-1]) if len(at) > 1 else None
        if isinstance(siblings, dict):
            lists |= {(*at[:-1], key): value for key, value in siblings.items()}
        for place, items in lists.items():
            if place in checked or not isinstance(items, list):
                continue
            checked.add(place)
            for number, item in enumerate(items):
                if problem := _lacks(item, ours):
                    line = document.line_of(place, number)
                    where = path if line is None else f"{path}, line {line}"
                    yield (
                        f"{where}: an entry of {'.'.join(place)} that is not ours {problem}; "
                        f"{hosts} may skip it, or every entry with it. It was left alone: correct it or remove it"
                    )


def _lacks(item: Any, ours: dict[str, Any]) -> str:
    """Return what a foreign entry lacks compared with ours; empty if nothing."""
    if not isinstance(item, dict):
        return "is not an object"
    for key, value in ours.items():
        groups = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
        if groups and not isinstance(item.get(key), list):
            return f'has no list "{key}"'
    return ""


def of_links(entries: Iterable[LedgerEntry]) -> list[str]:
    """Warn of files that are links into a git repository, which shows our entries as a change."""
    texts = []
    for path in dict.fromkeys(entry.path for entry in entries):
        repository = _repository(os.path.realpath(path))
        named = _repository(os.path.abspath(path), by_name=True)
        if repository and (named is None or repository != os.path.realpath(named)):
            texts.append(
                f"{path} is kept in the git repository {repository}: our entries are a change "
                "there, with paths of this machine; leave them out of a commit for others"
            )
    return texts


def _repository(path: str, *, by_name: bool = False) -> str | None:
    """Return the git work tree that a path is in; with `by_name` links are not followed."""
    folder = os.path.dirname(path)
    while True:
        if not (by_name and os.path.islink(folder)) and os.path.lexists(f"{folder}/.git"):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def of_windows(context: Context, entries: Iterable[LedgerEntry], mounts: str = "/mnt") -> list[str]:
    """Warn, in WSL, of agents on Windows that use another home folder or the same files."""
    machine = context.machine
    if machine.system != "linux" or not machine.variable("WSL_DISTRO_NAME"):
        return []
    home = os.path.realpath(machine.home)
    homes = list(_windows_homes(mounts))
    if any(home == one or home.startswith(one + os.sep) for one in homes):
        text = f"{machine.home} is a Windows home folder: agents on Windows read the same files, "
        return [f"{text}but cannot run entries placed from Linux; set HOME to a Linux home folder"]
    texts: dict[str, None] = {}
    for entry in entries:
        below = os.path.relpath(entry.path, machine.home).split(os.sep)
        below = below[: 2 if below[0] in _SHARED_FOLDERS else 1]
        for one in homes if below[0] != ".." else ():
            folder = os.path.join(one, *below)
            if os.path.isdir(folder):
                text = (
                    f"{entry.host} also has a home folder on Windows, {folder}: an agent that runs "
                    "there does not see the entries placed here; activate there too, with a "
                    "Windows Python"
                )
                texts[text] = None
    return list(texts)


def _windows_homes(mounts: str) -> Iterator[str]:
    """Yield the users' home folders on Windows drives, by their paths in this Linux."""
    for drive in _names(mounts):
        users = os.path.join(mounts, drive, "Users")
        for user in _names(users) if len(drive) == 1 else ():
            if user not in ("Public", "Default", "Default User", "All Users"):
                yield os.path.join(users, user)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
