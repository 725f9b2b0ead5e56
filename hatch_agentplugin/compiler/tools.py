"""Which native tools a hook is for, and how a host's matcher says so."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hatch_agentplugin.adapter import Host, Matcher
from hatch_agentplugin.declaration import Hook

_SIMPLE = re.compile(r"[A-Za-z0-9_-]+")


def native_names(host: Host, selectors: Iterable[str]) -> tuple[str, ...]:
    """The host's native tool names (``*`` = any text) for selectors and ``<host>:<Name>`` forms.

    Names for other hosts and selectors the host has no tool for give nothing.
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
    """Whether the hook is for this host at all, by ``hosts`` and by ``<host>:<Name>`` selectors."""
    if hook.hosts and host.id not in hook.hosts:
        return False
    foreign = [tool for tool in hook.tools if ":" in tool and not tool.startswith(f"{host.id}:")]
    return not hook.tools or len(foreign) < len(hook.tools)


def _regex(names: Iterable[str]) -> str:
    return "|".join(".*".join(map(re.escape, name.split("*"))) for name in names)


def matchers(dialect: Matcher, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The native matchers that let through exactly ``names``; one entry is placed for each.

    None where the host has no matcher. The form ``^(A|B)$`` is read alike by every regex host and
    is taken for a regex by those that also know exact lists.
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
