"""Checks of MCP servers, skills, commands, rules and native entries. Standard library only.

Functions take the author's value, return what is worth keeping and raise :class:`Mistake`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from hatch_agentplugin.adapter import Entries, Host
from hatch_agentplugin.config import paths
from hatch_agentplugin.declaration import Server
from hatch_agentplugin.problems import Mistake, choose, quoted

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_SKILL = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,63}")
_USER_VARIABLE = re.compile(r"\$\{env:([^}]*)\}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_NAMED_FILE = re.compile(r"\$\{PLUGIN_ROOT\}/([A-Za-z0-9._/@+-]+)")
#: How the literal tokens of well-known services begin.
_SECRETS = re.compile(
    r"\b(?:sk-[\w-]{16}|gh[opsu]_\w{16}|github_pat_\w|glpat-\w|xox[abprs]-|AKIA[A-Z0-9]{12}|AIza\w{16}"
    r"|npm_\w{16}|pypi-\w{16}|hf_\w{16})"
)
_ONLY_LOCAL = ("args", "env", "cwd")
_ONLY_REMOTE = ("headers", "transport")


def server_name(name: str) -> str:
    """The name of an MCP server, which every host takes as a key."""
    if not _NAME.fullmatch(name):
        raise Mistake(
            f"{quoted(name)} is not a server's name",
            "use up to 64 letters, digits, hyphens and underscores",
        )
    return name


def argument(root: Path, text: str) -> str:
    """An argument or a variable of a server; also ``${env:NAME}`` may stand in it."""
    value(text)
    if names := paths.root_file(text):
        paths.project_file(root, names)
    return text


def value(text: str) -> str:
    """A text with the placeholders of servers: a header, or a part of an address."""
    for name in _USER_VARIABLE.findall(text):
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise Mistake(f"{quoted(name)} is not a variable name", 'write "${env:NAME}"')
    rest = _USER_VARIABLE.sub("", text)
    for found in re.findall(r"\$\{[^}]*\}?", rest):
        if found not in paths.PLACEHOLDERS:
            allowed = (*paths.PLACEHOLDERS, "${env:NAME}")
            raise Mistake(f"unknown placeholder {quoted(found)}", choose(found, allowed))
    return paths.with_braces(paths.plain(text))


def header(name: str) -> str:
    """The name of an HTTP header."""
    if not _HEADER.fullmatch(name):
        raise Mistake(f"{quoted(name)} is not a header's name", 'for example "Authorization"')
    return name


def address(text: str) -> str:
    """The address of a remote server."""
    value(text)
    if not re.fullmatch(r"https?://[^\s/]\S*", text):
        raise Mistake(f"{quoted(text)} is not an address", 'for example "https://acme.dev/mcp"')
    return text


def skills_folder(root: Path, text: str) -> str:
    """A folder of ``NAME/SKILL.md`` trees."""
    folder = _folder(root, text, "skills")
    found = False
    for child in sorted((root / folder).iterdir()):
        if child.name.startswith((".", "__")) or child.name.lower() == "readme.md":
            continue
        shown = f"{folder}/{child.name}"
        if not child.is_dir():
            raise Mistake(
                f"{quoted(shown)} is not in the folder of a skill",
                f"move it to {quoted(f'{folder}/{child.stem}/SKILL.md')}, or out of the folder",
            )
        _check_skill(child, shown)
        found = True
    if not found:
        raise Mistake(f"{quoted(text)} holds no skill", f"write {folder}/NAME/SKILL.md")
    return folder


def _check_skill(folder: Path, shown: str) -> None:
    name = folder.name
    if not _SKILL.fullmatch(name):
        raise Mistake(
            f"{quoted(name)} is not a skill's name",
            "use lower-case letters, digits and single hyphens",
        )
    try:
        text = (folder / "SKILL.md").read_text("utf-8")
    except FileNotFoundError:
        raise Mistake(f"{quoted(shown)} has no SKILL.md", "write it, or move the folder") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{quoted(shown + '/SKILL.md')} can't be read", str(error)) from None
    keys = _front_matter(text)
    form = f"begin it with: ---, name: {name}, description: ..., ---, a line each"
    for key in ("name", "description"):
        if not keys.get(key):
            raise Mistake(f"{quoted(shown + '/SKILL.md')} has no {key}", form)
    if keys["name"] != name:
        raise Mistake(
            f"the skill in {quoted(shown)} calls itself {quoted(keys['name'])}",
            f"folder and name have to be the same: write name: {name}",
        )


def _front_matter(text: str) -> dict[str, str]:
    """The plain keys of a file's front matter; hosts read it as YAML."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != "---":
        return {}
    keys = {}
    for line in lines[1:]:
        if line.rstrip() == "---":
            break
        key, colon, rest = line.partition(":")
        if colon and key.strip() == key:
            keys[key] = rest.strip().strip("\"'")
    return keys


def commands_folder(root: Path, text: str) -> str:
    """A folder of ``NAME.md`` files."""
    folder = _folder(root, text, "commands")
    names = list(_children(root / folder))
    for name in names:
        stem, dot, ending = name.rpartition(".")
        if not dot or ending != "md" or not _NAME.fullmatch(stem):
            raise Mistake(
                f"{quoted(f'{folder}/{name}')} is not a command",
                "a command is one file NAME.md; letters, digits, hyphens and underscores name it",
            )
    if not names:
        raise Mistake(f"{quoted(text)} holds no command", f"write {folder}/NAME.md")
    return folder


def _children(folder: Path) -> Iterator[str]:
    for child in sorted(folder.iterdir()):
        if not child.name.startswith((".", "__")) and child.name.lower() != "readme.md":
            yield child.name if child.is_file() else f"{child.name}/"


def rules_file(root: Path, text: str) -> str:
    """A file whose text becomes a block in AGENTS.md and its likes."""
    path = paths.project_file(root, text)
    if not (root / path).is_file():
        raise Mistake(f"{quoted(text)} is not a file", 'name one, for example "RULES.md"')
    try:
        content = (root / path).read_text("utf-8")
    except UnicodeDecodeError:
        raise Mistake(f"{quoted(text)} is not UTF-8", "save it as UTF-8") from None
    if not content.strip():
        raise Mistake(f"{quoted(text)} is empty", "write the rules, or leave the key out")
    return path


def _folder(root: Path, text: str, example: str) -> str:
    path = paths.project_file(root, text)
    if not (root / path).is_dir():
        raise Mistake(f"{quoted(text)} is not a folder", f'name one, for example "{example}"')
    return path


def moved(
    root: Path, skills: str | None, commands: str | None, rules: str | None
) -> dict[str, str]:
    """Path in the bundle -> path in the project, of all files of these."""
    found = {}
    for top, folder in (("skills", skills), ("commands", commands)):
        for path in paths.travelling(root, folder) if folder else ():
            rest = path.removeprefix(f"{folder}/")
            names = PurePosixPath(rest).parts
            hidden = names[0].startswith((".", "__")) or names[0].lower() == "readme.md"
            if not hidden:
                found[f"{top}/{rest}"] = path
    if rules:
        found[f"rules/{PurePosixPath(rules).name}"] = rules
    return found


def broken_server(server: Mapping[str, Any]) -> Iterator[tuple[str, Mistake]]:
    """The key and the mistake for every rule that a server breaks."""
    local, remote = "command" in server, "url" in server
    if local == remote:
        what = "both command and url" if local else "neither command nor url"
        advice = 'write command = "acme-mcp", or url = "https://acme.dev/mcp"'
        yield "", Mistake(what, advice)
        return
    kind = "a remote server" if local else "a local program"
    for key in _ONLY_REMOTE if local else _ONLY_LOCAL:
        if key in server:
            yield key, Mistake(f"is for {kind}", "remove it")


def broken_native(
    host: Host, events: Mapping[str, Any], root: Path
) -> Iterator[tuple[tuple[str, ...], Mistake]]:
    """The key below ``native.<host>`` and the mistake for every native event that can't be."""
    if not isinstance(host.delivery, Entries):
        what = f"{host.name} has no entries that could be placed as they are"
        yield (), Mistake(what, "remove the table; native entries are for hosts with such a file")
        return
    known = native_events(host)
    for event, entries in events.items():
        if event not in known:
            yield (
                (event,),
                Mistake(f"{host.name} has no event {quoted(event)}", choose(event, known)),
            )
        for name in named_files(entries):
            try:
                paths.project_file(root, f"./{name}")
            except Mistake as mistake:
                yield (event,), mistake


def native_events(host: Host) -> list[str]:
    """Every native event of a host, each once."""
    names = [native.name for event in host.events for native in host.natives(event)]
    return sorted({*names, *host.native_only})


def named_files(entries: Any) -> Iterator[str]:
    """The files below ``${PLUGIN_ROOT}`` that strings of native entries name."""
    if isinstance(entries, str):
        yield from (name.rstrip(".") for name in _NAMED_FILE.findall(entries))
    elif isinstance(entries, (Mapping, Sequence)):
        for item in entries.values() if isinstance(entries, Mapping) else entries:
            yield from named_files(item)


def secrets(servers: Collection[Server]) -> Iterator[tuple[str, str]]:
    """The TOML keys whose values look like tokens, and what to write instead."""
    for server in servers:
        for key, table in (("env", server.env), ("headers", server.headers)):
            for name, text in table.items():
                if _SECRETS.search(text):
                    yield f"mcp.{server.name}.{key}.{name}", "${env:NAME}"
