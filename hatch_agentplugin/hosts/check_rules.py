"""Rules that the checks of a host's parts share; each yields a line per problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hatch_agentplugin.hosts.delivery import Dir, File
from hatch_agentplugin.names import is_plain_folder, is_safe_relative
from hatch_agentplugin.templates import strings
from hatch_agentplugin.words import nearest

_BRACES = re.compile(r"\{[^}]*\}")


def check_names(where: str, names: Iterable[str], allowed: Iterable[str]) -> Iterator[str]:
    """Every name is an allowed one."""
    choices = tuple(allowed)
    for name in names:
        if name not in choices:
            near = nearest(name, choices)
            hint = f', did you mean "{near}"?' if near else f"; allowed: {', '.join(choices)}"
            yield f'{where}: unknown "{name}"{hint}'


def check_placeholders(where: str, template: Any, allowed: Sequence[str]) -> Iterator[str]:
    """Every string that looks like a placeholder is an allowed one."""
    yield from check_names(where, (text for text in strings(template) if text[:1] == "$"), allowed)


def check_file(where: str, file: File, placeholders: Sequence[str] = ()) -> Iterator[str]:
    """The path stays in its folder and has only these placeholders."""
    yield from check_folder(where, file.dir)
    for path in filter(None, (file.path, file.windows)):
        yield from check_names(where, _BRACES.findall(path), placeholders)
        if not is_safe_relative(_BRACES.sub("x", path)):
            yield f"{where}: {path!r} leaves its folder"


def check_folder(where: str, folder: Dir) -> Iterator[str]:
    """No path of the folder has '..' in it."""
    for path in (folder.default, folder.inside, folder.windows or "", folder.macos or ""):
        if not is_plain_folder(path.replace("\\", "/")):
            yield f"{where}: {path!r} must not contain '..'"
