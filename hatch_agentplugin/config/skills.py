"""Checks the folders of skills and commands, and the file of rules.

Functions take the author's value, return the normalised path and raise :class:`Mistake`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from hatch_agentplugin.config import paths
from hatch_agentplugin.names import is_server_name
from hatch_agentplugin.problems import Mistake, quoted

_SKILL = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,63}")


def is_ignored(name: str) -> bool:
    """Tell whether an entry of a skills or commands folder is no skill and no command."""
    return name.startswith((".", "__")) or name.lower() == "readme.md"


def _children(folder: Path) -> list[Path]:
    return [child for child in sorted(folder.iterdir()) if not is_ignored(child.name)]


def _folder(root: Path, text: str, example: str) -> str:
    path = paths.project_file(root, text)
    if not (root / path).is_dir():
        raise Mistake(f"{quoted(text)} is not a folder", f'write a folder, for example "{example}"')
    return path


# --- skills ---


def skills_folder(root: Path, text: str) -> str:
    """Check a folder of ``NAME/SKILL.md``."""
    folder = _folder(root, text, "skills")
    children = _children(root / folder)
    if not children:
        raise Mistake(f"{quoted(text)} contains no skill", f"write {folder}/NAME/SKILL.md")
    for child in children:
        _check_skill(child, f"{folder}/{child.name}")
    return folder


def _check_skill(folder: Path, shown: str) -> None:
    if not folder.is_dir():
        new = f"{shown.rpartition('/')[0]}/{folder.stem}/SKILL.md"
        raise Mistake(
            f"{quoted(shown)} is not inside the folder of a skill",
            f"move it to {quoted(new)}, or to another folder",
        )
    if not _SKILL.fullmatch(folder.name):
        raise Mistake(
            f"{quoted(folder.name)} is not a valid name for a skill",
            "use up to 64 lower-case letters, digits and single hyphens",
        )
    shown = f"{shown}/SKILL.md"
    keys = _front_matter(_read_skill(folder / "SKILL.md", shown), shown)
    for key in ("name", "description"):
        _check_key(keys, key, shown, folder.name)
    if keys["name"] != folder.name:
        raise Mistake(
            f"{quoted(shown)}: name is {quoted(keys['name'])}, but the folder is "
            f"{quoted(folder.name)}",
            f"write name: {folder.name}, or rename the folder",
        )


def _read_skill(file: Path, shown: str) -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        raise Mistake(f"{quoted(shown)} is missing", "write it, or move the folder") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{quoted(shown)} cannot be read", str(error)) from None


def _front_matter(text: str, shown: str) -> dict[Any, Any]:
    """Return the YAML mapping between the first two lines ``---``; empty if there is none."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != "---":
        return {}
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise Mistake(
            f"{quoted(shown)}: the front matter does not end",
            "write a line --- after the last key",
        )
    try:
        keys = yaml.safe_load("\n".join(["", *lines[1:end]]))  # an empty line keeps line numbers
    except (yaml.YAMLError, ValueError) as error:
        raise Mistake(
            f"{quoted(shown)}: the front matter is not valid YAML: {_reason(error)}",
            "correct the line; a value that contains a colon must be in quotes",
        ) from None
    if not isinstance(keys, dict):
        raise Mistake(f"{quoted(shown)}: the front matter is not a mapping", "write name: NAME")
    return keys


def _reason(error: Exception) -> str:
    """Return a parser's message on one line, with the line number in the file."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"line {error.problem_mark.line + 1}: {error.problem}"
    return str(error).replace("\n", " ")


def _check_key(keys: dict[Any, Any], key: str, shown: str, name: str) -> None:
    value = keys.get(key)
    if value is None or value == "":
        raise Mistake(
            f"{quoted(shown)} has no {key}",
            f"begin the file with four lines: ---, name: {name}, description: ..., ---",
        )
    if not isinstance(value, str):
        raise Mistake(
            f"{quoted(shown)}: {key} must be a string, got {value!r:.60}",
            f'write it in quotes: {key}: "..."',
        )


# --- commands and rules ---


def commands_folder(root: Path, text: str) -> str:
    """Check a folder of ``NAME.md`` files."""
    folder = _folder(root, text, "commands")
    children = _children(root / folder)
    if not children:
        raise Mistake(f"{quoted(text)} contains no command", f"write {folder}/NAME.md")
    for child in children:
        if child.is_dir() or child.suffix != ".md" or not is_server_name(child.stem):
            shown = f"{folder}/{child.name}{'/' if child.is_dir() else ''}"
            raise Mistake(
                f"{quoted(shown)} is not a command",
                "a command is a file NAME.md; use letters, digits, hyphens and underscores",
            )
    return folder


def rules_file(root: Path, text: str) -> str:
    """Check a file whose text goes into AGENTS.md and its like."""
    path = paths.project_file(root, text)
    if not (root / path).is_file():
        raise Mistake(f"{quoted(text)} is not a file", 'write a file, for example "RULES.md"')
    try:
        content = (root / path).read_text("utf-8")
    except UnicodeDecodeError:
        raise Mistake(f"{quoted(text)} is not UTF-8", "save it as UTF-8") from None
    if not content.strip():
        raise Mistake(f"{quoted(text)} is empty", "write the rules, or remove the key")
    return path
