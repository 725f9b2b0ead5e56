"""Checks where a host says its content goes. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from hatch_agentplugin.hosts.content import MCP_SLOTS, Mcp
from hatch_agentplugin.hosts.delivery import File, Scope
from hatch_agentplugin.hosts.host import Host

CheckFile = Callable[[str, File, Sequence[str]], Iterator[str]]


def content_mistakes(host: Host, check_file: CheckFile) -> Iterator[str]:
    """Every mistake in ``host.content``; ``check_file`` takes where, file and placeholders."""
    if host.content.mcp is not None:
        yield from _mcp(host.content.mcp, check_file)
    places: tuple[tuple[str, Mapping[Scope, File], tuple[str, ...]], ...] = (
        ("skills", host.content.skills, ()),
        ("commands", host.content.commands, ()),
        ("rules", host.content.rules, ("{plugin}",)),
    )
    for kind, files, placeholders in places:
        yield from _scopes(f"content.{kind}", files)
        for file in files.values():
            yield from check_file(f"content.{kind}", file, placeholders)
    if not re.fullmatch(r"(\.[a-z]+)+", host.content.command_suffix):
        yield f"content.command_suffix: {host.content.command_suffix!r} is no ending"


def _mcp(mcp: Mcp, check_file: CheckFile) -> Iterator[str]:
    yield from _scopes("content.mcp.files", mcp.files)
    for scope, files in mcp.files.items():
        if not files:
            yield f"content.mcp.files.{scope}: empty"
        for file in files:
            yield from check_file("content.mcp.files", file, ())
    if mcp.format not in ("json", "jsonc", "toml", "yaml"):
        yield f"content.mcp.format: {mcp.format!r} is not one of json, jsonc, toml, yaml"
    if mcp.as_list == ("$name" in mcp.at) or not mcp.at:
        yield "content.mcp.at: a key wants $name in its path, a list must not have it"
    if mcp.variable and "NAME" not in mcp.variable:
        yield "content.mcp.variable: lacks NAME"
    wanted = {"stdio": ("$program", "$argv", "$line"), "http": ("$url",), "sse": ("$url",)}
    for kind, slots in wanted.items():
        template = getattr(mcp, kind)
        texts = list(_texts(template))
        for text in texts:
            if text[:1] == "$" and text not in MCP_SLOTS:
                yield f"content.mcp.{kind}: unknown {text!r}; allowed: {', '.join(MCP_SLOTS)}"
        if template is not None and not set(slots) & set(texts):
            yield f"content.mcp.{kind}: has none of {', '.join(slots)}"
        if template is not None and mcp.as_list and "$name" not in texts:
            yield f"content.mcp.{kind}: an item of a list wants $name"


def _scopes(where: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in get_args(Scope):
            yield f"{where}: unknown scope {name!r}"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, Sequence)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)
