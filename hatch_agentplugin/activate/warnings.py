"""What is odd about the files that our entries stand in: said once, calmly, and never mended."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.edit import DocumentError, editor
from hatch_agentplugin.plan import HostPlan
from hatch_agentplugin.transaction.ledger import Placed
from hatch_agentplugin.transaction.problem import FileProblem
from hatch_agentplugin.transaction.reader import Reader

_BOM = b"\xef\xbb\xbf"
#: Formats whose usual parsers refuse a byte order mark: ``JSON.parse``, and most of TOML's.
_WITHOUT_BOM = ("json", "jsonc", "toml")

#: Folders of a home in which many programs have one of their own.
_SHARED_FOLDERS = (".config", "Documents")


def of_files(entries: Iterable[Placed], hosts: Mapping[str, HostPlan]) -> list[str]:
    """What the user should know of the documents in which entries stand."""
    by_path: dict[str, list[Placed]] = {}
    for placed in entries:
        if placed.record is not None:
            by_path.setdefault(placed.path, []).append(placed)
    reader = Reader({})
    return [text for path, some in by_path.items() for text in _of_file(reader, path, some, hosts)]


def _of_file(
    reader: Reader, path: str, entries: list[Placed], plans: Mapping[str, HostPlan]
) -> Iterator[str]:
    try:
        data = reader.read(Path(path)) or b""
    except FileProblem:
        return
    names = dict.fromkeys(placed.host for placed in entries)
    hosts = ", ".join(names)
    record: dict[str, Any] = entries[0].record or {}
    if data.startswith(_BOM):
        takes = {name: plans[name].bom if name in plans else None for name in names}
        if refusing := [name for name in names if takes[name] is False]:
            yield (
                f"{path} begins with a byte order mark, and {', '.join(refusing)} reads no such "
                "file; save it as UTF-8 without one"
            )
        elif None in takes.values() and record["format"] in _WITHOUT_BOM:
            yield (
                f"{path} begins with a byte order mark, which many programs refuse; should {hosts} "
                "not take it, save it as UTF-8 without one"
            )
    try:
        yield from _misshapen(path, data, entries, hosts)
    except DocumentError:
        return


def _misshapen(path: str, data: bytes, entries: list[Placed], hosts: str) -> Iterator[str]:
    """Entries of others beside ours that lack what makes one: some hosts then skip the file."""
    shapes: dict[tuple[str, ...], tuple[Any, str]] = {}
    for placed in entries:
        record: dict[str, Any] = placed.record or {}
        if record["op"] == "item" and isinstance(record["value"], dict):
            shapes.setdefault(tuple(record["path"]), (record["value"], record["format"]))
    seen = set()
    for at, (ours, name) in shapes.items():
        editing = editor(name)
        lists = {at: editing.get(data, at)}
        siblings = editing.get(data, at[:-1]) if len(at) > 1 else None
        if isinstance(siblings, dict):
            lists |= {(*at[:-1], key): value for key, value in siblings.items()}
        for place, items in lists.items():
            if place in seen or not isinstance(items, list):
                continue
            seen.add(place)
            for number, item in enumerate(items):
                if why := _lacks(item, ours):
                    line = editing.line_of(data, place, number)
                    where = path if line is None else f"{path}, line {line}"
                    yield (
                        f"{where}: an entry of {'.'.join(place)} that is not ours {why}; {hosts} may "
                        "skip it, or every entry with it. We leave it: correct it or take it out"
                    )


def _lacks(item: Any, ours: dict[str, Any]) -> str:
    """What a foreign entry lacks of the shape that ours has; empty if nothing."""
    if not isinstance(item, dict):
        return "is no object"
    for key, value in ours.items():
        groups = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
        if groups and not isinstance(item.get(key), list):
            return f'has no list "{key}"'
    return ""


def of_links(entries: Iterable[Placed]) -> list[str]:
    """Files that are really kept elsewhere, in a git repository, and change there too."""
    texts = []
    for path in dict.fromkeys(placed.path for placed in entries):
        real = os.path.realpath(path)
        repository = _repository(real)
        named = _repository(os.path.abspath(path), by_name=True)
        if repository and (named is None or repository != os.path.realpath(named)):
            texts.append(
                f"{path} is kept in the git repository {repository}: our entries show up there as a "
                "change, with paths of this machine; leave them out of a commit that others use"
            )
    return texts


def _repository(path: str, *, by_name: bool = False) -> str | None:
    """The git work tree that a path is in; ``by_name`` without following links of its folders."""
    folder = os.path.dirname(path)
    while True:
        if not (by_name and os.path.islink(folder)) and os.path.lexists(f"{folder}/.git"):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def of_windows(context: Context, entries: Iterable[Placed], mounts: str = "/mnt") -> list[str]:
    """In WSL: agents of Windows, which have a home of their own or run what is placed here."""
    machine = context.machine
    if machine.system != "linux" or not machine.variable("WSL_DISTRO_NAME"):
        return []
    home = os.path.realpath(machine.home)
    homes = list(_windows_homes(mounts))
    if any(home == one or home.startswith(one + os.sep) for one in homes):
        text = (
            f"{machine.home} is a home of Windows: agents that run there read the same files, and "
        )
        return [text + "cannot run what is placed from here; set HOME to one of this Linux"]
    texts: dict[str, None] = {}
    for placed in entries:
        below = os.path.relpath(placed.path, machine.home).split(os.sep)
        below = below[: 2 if below[0] in _SHARED_FOLDERS else 1]
        for one in homes if below[0] != ".." else ():
            folder = os.path.join(one, *below)
            if os.path.isdir(folder):
                texts[
                    f"{placed.host} has a home on Windows too, {folder}: an agent that runs there "
                    "does not see what is placed here; activate there as well, with a Python of "
                    "Windows"
                ] = None
    return list(texts)


def _windows_homes(mounts: str) -> Iterator[str]:
    """The users' homes on Windows's drives as this Linux sees them."""
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
