"""Checks of what a declaration says about files, commands and placeholders.

Every function takes the author's value, returns what is worth keeping of it and raises
:class:`Mistake`. Standard library only.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path, PurePosixPath

from hatch_agentplugin.names import is_safe_relative
from hatch_agentplugin.problems import Mistake, choose, quoted
from hatch_agentplugin.sources import RESERVED
from hatch_agentplugin.words import nearest

PLACEHOLDERS = ("${PLUGIN_ROOT}", "${PLUGIN_DATA}")

_ROOT = "${PLUGIN_ROOT}/"
_PLACEHOLDER = re.compile(r"\$\{[^}]*\}?")
_WITHOUT_BRACES = re.compile(r"\$(PLUGIN_ROOT|PLUGIN_DATA)\b")
_PROGRAM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OURS = ("PLUGIN_ROOT", "PLUGIN_DATA", "AGENT_PLUGIN_", "AP_")


def project_path(text: str, example: str = "./scripts/hook.sh") -> str:
    """A path below a folder, normalised to ``a/b``."""
    if "\\" in text:
        raise Mistake(
            f"{quoted(text)} has a backslash", f"write {quoted(text.replace(chr(92), '/'))}"
        )
    if not is_safe_relative(text) or not PurePosixPath(text).parts:
        raise Mistake(
            f"{quoted(text)} is not a path inside the project",
            f'write a relative path without "..", for example "{example}"',
        )
    return PurePosixPath(text).as_posix()


def condition(text: str) -> str:
    """``when``: a path below the project that the plugin's user works in."""
    return project_path(text, ".acme")


def project_file(root: Path, text: str) -> str:
    """A file or folder of the project that can travel in the bundle, as ``a/b``."""
    path = project_path(text)
    top = path.partition("/")[0].lower()
    if top in RESERVED:
        raise Mistake(
            f"{quoted(text)} would lie where the bundle keeps its own {quoted(top)}",
            "move it into another folder, for example ./scripts/",
        )
    _must_exist(root, path, text)
    if not (root / path).resolve().is_relative_to(root.resolve()):
        raise Mistake(
            f"{quoted(text)} is a link that leads out of the project",
            "put the file itself into the project",
        )
    return path


def _must_exist(root: Path, path: str, text: str) -> None:
    if os.path.exists(root / path):
        return
    if (root / "PKG-INFO").is_file():
        raise Mistake(
            f"{quoted(text)} is not in the source distribution",
            "include it by tool.hatch.build.targets.sdist, or commit it where a .gitignore hides it",
        )
    folder = (root / path).parent
    names = sorted(os.listdir(folder)) if folder.is_dir() else []
    near = nearest(Path(path).name, names)
    beside = PurePosixPath(path).parent
    advice = f"did you mean {quoted('./' + (beside / near).as_posix())}?" if near else (
        "write a path relative to pyproject.toml that exists"
    )  # fmt: skip
    raise Mistake(f"{quoted(text)} does not exist", advice)


def command(root: Path, text: str) -> str:
    """One executable token: a bare program name, or ``./``-relative and inside the project."""
    if _PLACEHOLDER.search(text):
        raise Mistake(
            f"a placeholder in the command {quoted(text)}",
            'write a bare program name or a path like "./scripts/hook.sh"; '
            "placeholders are for args, env and cwd",
        )
    if text.startswith("./") and not _has_arguments(root, text):
        return script(root, text)
    if _PROGRAM.fullmatch(text):
        return text
    raise Mistake(f"{quoted(text)} is not one executable token", _token_advice(root, text))


def _has_arguments(root: Path, text: str) -> bool:
    """Whether it is a file of the project and more, as one writes for a shell."""
    words = text.split()
    return len(words) > 1 and not os.path.exists(root / text) and (root / words[0]).is_file()


def _token_advice(root: Path, text: str) -> str:
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if len(words) > 1 and not os.path.exists(root / text):
        rest = ", ".join(f'"{word}"' for word in words[1:])
        return f'write command = "{words[0]}", args = [{rest}]; no shell reads the command'
    safe = text.replace("\\", "/")
    if is_safe_relative(safe) and "/" in safe:
        return f"write {quoted('./' + safe)} for a file of the project"
    return 'write a bare program name ("git"), or "./" and a path inside the project'


def script(root: Path, text: str) -> str:
    """A file of the project that can be executed; returned as written."""
    path = root / project_file(root, text)
    if not path.is_file():
        raise Mistake(f"{quoted(text)} is not a file", "name the script itself")
    if os.name != "nt" and not os.access(path, os.X_OK):
        raise Mistake(
            f"{quoted(text)} is not executable",
            f"run: chmod +x {shlex.quote(text)}, and commit the mode",
        )
    with path.open("rb") as file:
        first = file.readline(256)
    if first.startswith(b"#!") and first.endswith(b"\r\n"):
        raise Mistake(
            f"the first line of {quoted(text)} ends with CRLF, so its interpreter is not found",
            "save it with LF line ends, and keep them by .gitattributes: *.sh text eol=lf",
        )
    return text


def filled(text: str) -> str:
    """A text in which only the known placeholders stand."""
    plain(text)
    for found in _PLACEHOLDER.findall(text):
        if found not in PLACEHOLDERS:
            raise Mistake(f"unknown placeholder {quoted(found)}", choose(found, PLACEHOLDERS))
    return text


def with_braces(text: str) -> str:
    """A text in which no placeholder lacks its braces, since only a shell would fill it in."""
    if found := _WITHOUT_BRACES.search(text):
        right = _WITHOUT_BRACES.sub(r"${\1}", text)
        raise Mistake(f"{quoted(found[0])} is not filled in", f"write {quoted(right)}")
    return text


def plain(text: str) -> str:
    """A text that can be an argument or a variable on every system."""
    if "\0" in text:
        raise Mistake(f"{quoted(text)} has a NUL character", "no program can be given one")
    return text


def argument(root: Path, text: str) -> str:
    """An argument or a variable; a file it names below ``${PLUGIN_ROOT}`` must be the project's."""
    filled(text)
    if names := root_file(text):
        project_file(root, names)
    return text


def variable_value(root: Path, text: str) -> str:
    """The value of a variable: as an argument, and no shell will read it."""
    return argument(root, with_braces(text))


def root_file(text: str) -> str | None:
    """The path below ``${PLUGIN_ROOT}`` that an argument is, if it is one."""
    rest = text.removeprefix(_ROOT)
    return rest if rest != text and rest and "$" not in rest else None


def variable(name: str) -> str:
    """The name of a variable that an author may set."""
    if not _VARIABLE.fullmatch(name):
        raise Mistake(
            f"{quoted(name)} is not a variable name", "use letters, digits and underscores"
        )
    if name.startswith(_OURS):
        raise Mistake(f"{quoted(name)} is set by the launcher itself", "choose another name")
    return name


def working_folder(text: str) -> str:
    """``cwd``: one of the placeholders or the user's project, and a path below it."""
    filled(with_braces(text))
    start = next((name for name in PLACEHOLDERS if text.startswith(name)), "")
    below = text.removeprefix(start).removeprefix("/") if start else text
    if below and not is_safe_relative(below):
        raise Mistake(
            f"{quoted(text)} is not a path below the user's project, the plugin or its data",
            'write for example "${PLUGIN_ROOT}", "${PLUGIN_DATA}/work" or "docs"',
        )
    return text


def travelling(root: Path, path: str) -> list[str]:
    """The files that travel for a path of the project: itself, or all files of a folder.

    Links out of the project and byte code stay behind.
    """
    start = root / path
    if not start.is_dir():
        return [path]
    home = root.resolve()
    found = []
    for folder, folders, names in os.walk(start):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", ".git"))
        for name in names:
            file = Path(folder, name)
            if file.is_file() and file.resolve().is_relative_to(home):
                found.append(file.relative_to(root).as_posix())
    return sorted(found)
