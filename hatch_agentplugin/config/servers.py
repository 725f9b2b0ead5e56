"""Checks of MCP servers and their values, also for secrets. Standard library only.

Checks of single values take the author's value, return it and raise :class:`Mistake`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from hatch_agentplugin.adapter import Entries, Host
from hatch_agentplugin.config import paths
from hatch_agentplugin.declaration import Server
from hatch_agentplugin.names import is_header, is_server_name, is_variable
from hatch_agentplugin.problems import Mistake, choose, quoted
from hatch_agentplugin.templates import strings
from hatch_agentplugin.words import FOLDERS

_ANY_USER_VARIABLE = re.compile(r"\$\{env:([^}]*)\}")
#: How tokens of well-known services begin.
_SECRETS = re.compile(
    r"\b(?:sk-[\w-]{16}|gh[opsu]_\w{16}|github_pat_\w|glpat-\w|xox[abprs]-|AKIA[A-Z0-9]{12}|AIza\w{16}"
    r"|npm_\w{16}|pypi-\w{16}|hf_\w{16})"
)
_ONLY_LOCAL = ("args", "env", "cwd")
_ONLY_REMOTE = ("headers", "transport")


def server_name(name: str) -> str:
    """Check the name of a server, which hosts use as a key."""
    if not is_server_name(name):
        raise Mistake(
            f"{quoted(name)} is not a valid name for a server",
            "use up to 64 letters, digits, hyphens and underscores",
        )
    return name


def argument(root: Path, text: str) -> str:
    """Check an argument or the value of a variable; it may hold ``${env:NAME}``."""
    value(text)
    if path := paths.below_plugin_root(text):
        paths.project_file(root, path)
    return text


def value(text: str) -> str:
    """Check a text for the placeholders that servers may have."""
    for name in _ANY_USER_VARIABLE.findall(text):
        if not is_variable(name):
            raise Mistake(f"{quoted(name)} is not a valid variable name", 'write "${env:NAME}"')
    rest = _ANY_USER_VARIABLE.sub("", text)
    for found in re.findall(r"\$\{[^}]*\}?", rest):
        if found not in FOLDERS:
            advice = choose(found, (*FOLDERS, "${env:NAME}"))
            raise Mistake(f"unknown placeholder {quoted(found)}", advice)
    return paths.with_braces(paths.without_nul(text))


def header(name: str) -> str:
    """Check the name of an HTTP header."""
    if not is_header(name):
        advice = 'write a name such as "Authorization"'
        raise Mistake(f"{quoted(name)} is not a valid header name", advice)
    return name


def url(text: str) -> str:
    """Check the URL of a remote server."""
    value(text)
    if not re.fullmatch(r"https?://[^\s/]\S*", text):
        advice = 'write a URL such as "https://acme.dev/mcp"'
        raise Mistake(f"{quoted(text)} is not an http or https URL", advice)
    return text


def server_mistakes(server: Mapping[str, Any]) -> Iterator[tuple[str, Mistake]]:
    """Yield the key and the mistake for every rule that a server breaks."""
    is_local, is_remote = "command" in server, "url" in server
    if is_local == is_remote:
        what = "has both command and url" if is_local else "has neither command nor url"
        advice = 'write one of them: command = "acme-mcp" or url = "https://acme.dev/mcp"'
        yield "", Mistake(what, advice)
        return
    kind = "remote servers" if is_local else "local servers"
    for key in _ONLY_REMOTE if is_local else _ONLY_LOCAL:
        if key in server:
            yield key, Mistake(f"is for {kind} only", "remove it")


def secrets(servers: Collection[Server]) -> Iterator[tuple[str, str]]:
    """Yield the TOML keys whose values look like tokens, and the text to write instead."""
    for server in servers:
        for key, table in (("env", server.env), ("headers", server.headers)):
            for name, text in table.items():
                if _SECRETS.search(text):
                    yield f"mcp.{server.name}.{key}.{name}", "${env:NAME}"


_NAMED_FILE = re.compile(r"\$\{PLUGIN_ROOT\}/([A-Za-z0-9._/@+-]+)")


def native_mistakes(
    host: Host, events: Mapping[str, Any], root: Path
) -> Iterator[tuple[tuple[str, ...], Mistake]]:
    """Yield the keys below ``native.<host>`` and the mistake for every wrong native event."""
    if not isinstance(host.delivery, Entries):
        what = f"{host.name} takes no native entries"
        advice = "remove the table; native entries need an agent whose hooks are in a settings file"
        yield (), Mistake(what, advice)
        return
    known = native_events(host)
    for event, entries in events.items():
        if event not in known:
            what = f"{host.name} has no event {quoted(event)}"
            yield (event,), Mistake(what, choose(event, known))
        for name in named_files(entries):
            try:
                paths.project_file(root, f"./{name}")
            except Mistake as mistake:
                yield (event,), mistake


def native_events(host: Host) -> list[str]:
    """Return every native event of a host once, sorted."""
    names = [native.name for event in host.events for native in host.natives(event)]
    return sorted({*names, *host.native_only})


def named_files(entries: Any) -> Iterator[str]:
    """Yield the paths below ``${PLUGIN_ROOT}`` that occur in the strings of native entries."""
    for text in strings(entries):
        yield from (name.rstrip(".") for name in _NAMED_FILE.findall(text))
