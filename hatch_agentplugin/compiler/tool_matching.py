"""Translates tool selectors into a host's tool names, and these into the host's matchers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hatch_agentplugin.adapter import Host, Matcher
from hatch_agentplugin.declaration import Hook

_SIMPLE = re.compile(r"[A-Za-z0-9_-]+")


def native_names(host: Host, selectors: Iterable[str]) -> tuple[str, ...]:
    """Return the host's native tool names for selectors and ``<host>:<Name>`` forms.

    In a name ``*`` stands for any text. Names for other hosts, and selectors for which the host has no
    tool, give nothing.
    """
    names: dict[str, None] = {}
    for selector in selectors:
        owner, colon, name = selector.partition(":")
        if not colon:
            names.update(dict.fromkeys(host.tools.get(selector, ())))
        elif owner == host.id:
            names[name] = None
    return tuple(names)


def selects_host(hook: Hook, host: Host) -> bool:
    """Tell whether the hook is for this host, by ``hosts`` and by ``<host>:<Name>`` selectors."""
    if hook.hosts and host.id not in hook.hosts:
        return False
    foreign = [tool for tool in hook.tools if ":" in tool and not tool.startswith(f"{host.id}:")]
    return not hook.tools or len(foreign) < len(hook.tools)


def _regex(names: Iterable[str]) -> str:
    return "|".join(".*".join(map(re.escape, name.split("*"))) for name in names)


def matchers(dialect: Matcher, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the native matchers for exactly these names; each gets an entry of its own.

    Returns None if the host has no matcher. All hosts with regular expressions read ``^(A|B)$`` alike,
    and hosts that also have lists of exact names take it for a regular expression.
    """
    if dialect.style == "none":
        return None
    simple = all(_SIMPLE.fullmatch(name) for name in names)
    if dialect.style == "exact-list" and simple:
        return ("|".join(names),)
    if dialect.style in ("exact-list", "regex"):
        return (f"^({_regex(names)})$",)
    if dialect.style == "regex-whole":
        return (_regex(names),)
    if dialect.style == "glob":
        return names
    return names if len(names) == 1 and simple else (f"re:{_regex(names)}",)
