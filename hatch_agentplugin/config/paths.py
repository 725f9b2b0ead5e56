"""Checks of paths, commands, arguments and variables in a declaration. Standard library only.

Every function takes the author's value, returns it (paths normalised) and raises :class:`Mistake`.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path, PurePosixPath

from hatch_agentplugin.names import (
    is_launcher_variable,
    is_program,
    is_safe_relative,
    is_variable,
)
from hatch_agentplugin.problems import Mistake, choose, quoted
from hatch_agentplugin.sources import RESERVED
from hatch_agentplugin.words import FOLDERS, PLUGIN_ROOT, nearest

_PLACEHOLDER = re.compile(r"\$\{[^}]*\}?")
_WITHOUT_BRACES = re.compile(r"\$(PLUGIN_ROOT|PLUGIN_DATA)\b")


def project_path(text: str, example: str = "./scripts/hook.sh") -> str:
    """Check a path below a folder; returned as ``a/b``."""
    if "\\" in text:
        right = text.replace("\\", "/")
        raise Mistake(f"{quoted(text)} contains a backslash", f"write {quoted(right)}")
    if not is_safe_relative(text) or not PurePosixPath(text).parts:
        raise Mistake(
            f"{quoted(text)} is not a path inside the project",
            f'write a relative path without "..", for example "{example}"',
        )
    return PurePosixPath(text).as_posix()


def condition(text: str) -> str:
    """Check ``when``: a path below the project in which the user works."""
    return project_path(text, ".acme")


def project_file(root: Path, text: str) -> str:
    """Check a file or folder of the project that goes into the bundle; returned as ``a/b``."""
    path = project_path(text)
    top = path.partition("/")[0].lower()
    if top in RESERVED:
        raise Mistake(
            f"{quoted(text)} collides with {quoted(top)} of the bundle itself",
            "move it into another folder, for example ./scripts/",
        )
    _check_exists(root, path, text)
    if not (root / path).resolve().is_relative_to(root.resolve()):
        raise Mistake(
            f"{quoted(text)} is a link that points outside the project",
            "copy the file into the project",
        )
    return path


def _check_exists(root: Path, path: str, text: str) -> None:
    if os.path.exists(root / path):
        return
    if (root / "PKG-INFO").is_file():
        raise Mistake(
            f"{quoted(text)} is missing from the source distribution",
            "add it to tool.hatch.build.targets.sdist, or remove the .gitignore rule that hides it",
        )
    folder = (root / path).parent
    names = sorted(os.listdir(folder)) if folder.is_dir() else []
    near = nearest(Path(path).name, names)
    advice = "write the path of an existing file, relative to pyproject.toml"
    if near:
        beside = PurePosixPath(path).parent / near
        advice = f"did you mean {quoted('./' + beside.as_posix())}?"
    raise Mistake(f"{quoted(text)} does not exist", advice)


# --- commands ---


def command(root: Path, text: str) -> str:
    """Check one executable: a bare program name, or a ``./`` path inside the project."""
    if _PLACEHOLDER.search(text):
        raise Mistake(
            f"the command {quoted(text)} contains a placeholder",
            'write a bare program name or a path like "./scripts/hook.sh"; '
            "placeholders are for args, env and cwd",
        )
    if text.startswith("./") and not _has_arguments(root, text):
        return _script(root, text)
    if is_program(text):
        return text
    raise Mistake(f"{quoted(text)} is not one executable", _command_advice(root, text))


def _has_arguments(root: Path, text: str) -> bool:
    """Tell whether a text is a file of the project and arguments, as for a shell."""
    words = text.split()
    return len(words) > 1 and not os.path.exists(root / text) and (root / words[0]).is_file()


def _command_advice(root: Path, text: str) -> str:
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if len(words) > 1 and not os.path.exists(root / text):
        rest = ", ".join(f'"{word}"' for word in words[1:])
        return f'write command = "{words[0]}", args = [{rest}]; commands do not run in a shell'
    safe = text.replace("\\", "/")
    if is_safe_relative(safe) and "/" in safe:
        return f"write {quoted('./' + safe)} for a file of the project"
    return 'write a bare program name ("git"), or "./" and a path inside the project'


def _script(root: Path, text: str) -> str:
    """Check a file of the project that can be executed."""
    path = root / project_file(root, text)
    if not path.is_file():
        raise Mistake(f"{quoted(text)} is not a file", "write the path of the script itself")
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
            "save it with LF line endings, and keep them with .gitattributes: *.sh text eol=lf",
        )
    return text


# --- arguments, variables and working folders ---


def argument(root: Path, text: str) -> str:
    """Check an argument; a file it names below ``${PLUGIN_ROOT}`` must exist in the project."""
    _known_placeholders(text)
    if path := below_plugin_root(text):
        project_file(root, path)
    return text


def variable(name: str) -> str:
    """Check the name of a variable that an author may set."""
    if not is_variable(name):
        raise Mistake(
            f"{quoted(name)} is not a valid variable name", "use letters, digits and underscores"
        )
    if is_launcher_variable(name):
        raise Mistake(f"{quoted(name)} is set by the launcher", "use another name")
    return name


def variable_value(root: Path, text: str) -> str:
    """Check the value of a variable: like an argument, but no shell will expand it."""
    return argument(root, with_braces(text))


def working_folder(text: str) -> str:
    """Check ``cwd``: a placeholder or the user's project, and a path below it."""
    _known_placeholders(with_braces(text))
    start = next((name for name in FOLDERS if text.startswith(name)), "")
    below = text.removeprefix(start).removeprefix("/") if start else text
    if below and not is_safe_relative(below):
        raise Mistake(
            f"{quoted(text)} is not a path below the user's project, the plugin or its data",
            'write for example "${PLUGIN_ROOT}", "${PLUGIN_DATA}/work" or "docs"',
        )
    return text


def _known_placeholders(text: str) -> None:
    for found in _PLACEHOLDER.findall(without_nul(text)):
        if found not in FOLDERS:
            raise Mistake(f"unknown placeholder {quoted(found)}", choose(found, FOLDERS))


def with_braces(text: str) -> str:
    """Check that no placeholder lacks its braces: only a shell would expand it."""
    if found := _WITHOUT_BRACES.search(text):
        right = _WITHOUT_BRACES.sub(r"${\1}", text)
        raise Mistake(f"the placeholder {quoted(found[0])} has no braces", f"write {quoted(right)}")
    return text


def without_nul(text: str) -> str:
    """Check that a text can be an argument or a variable on every system."""
    if "\0" in text:
        raise Mistake(
            f"{quoted(text)} contains a NUL character", "remove it; no program can receive it"
        )
    return text


def below_plugin_root(text: str) -> str | None:
    """Return the path below ``${PLUGIN_ROOT}/`` that a text consists of, None for other texts."""
    rest = text.removeprefix(f"{PLUGIN_ROOT}/")
    return rest if rest != text and rest and "$" not in rest else None
