"""Slots: the native events of a host on which declared hooks run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hatch_agentplugin.adapter import Host, Matcher, Native
from hatch_agentplugin.declaration import Hook
from hatch_agentplugin.words import EVENTS

#: Seconds between our own deadline and the host's, so that our answer comes first.
MARGIN = 5.0


@dataclass(frozen=True)
class Slot:
    """One native event of one host, with the hooks that run on it."""

    host: Host
    event: str
    """Canonical event."""
    native: Native
    name: str
    """The canonical event, or ``event.Native`` for its further native events."""
    hooks: tuple[Hook, ...]
    names: Mapping[str, tuple[str, ...]]
    """Hook key -> native tool names it is for; a missing key means every tool."""

    @property
    def selected_tools(self) -> tuple[str, ...] | None:
        """Native names of the tools that any hook is for; None: every tool."""
        if len(self.names) < len(self.hooks):
            return None
        return tuple(dict.fromkeys(name for names in self.names.values() for name in names))

    @property
    def entry_matchers(self) -> tuple[str, ...] | None:
        """Native matchers, one per entry; None if the entry has no matcher."""
        if not self.native.matcher or self.selected_tools is None:
            return None
        return matchers(self.host.matcher, self.selected_tools)

    @property
    def is_exact(self) -> bool:
        """The host starts the launcher for exactly the tools that every hook is for."""
        if not self.names:
            return True
        return self.entry_matchers is not None and len(set(self.names.values())) == 1

    @property
    def budget(self) -> float:
        """Seconds that all hooks together may take."""
        return sum(hook.timeout for hook in self.hooks)

    @property
    def limit(self) -> float | None:
        """Greatest timeout that the host grants, in seconds; None: any."""
        run = self.host.run
        bounds = [bound for bound in (self.native.timeout_max, run.maximum) if bound is not None]
        if run.unit == "none":
            bounds.append(run.default)
        return min(bounds, default=None)

    @property
    def entry_timeout(self) -> float:
        """Timeout of the host's entry, in seconds."""
        timeout = self.budget + MARGIN
        return timeout if self.limit is None else min(timeout, self.limit)

    @property
    def deadline(self) -> float:
        """Seconds after which we answer for a hook that is still running."""
        return min(self.budget, self.entry_timeout - min(MARGIN, self.entry_timeout * 0.2))


def slots_of(hooks: Sequence[Hook], host: Host) -> list[Slot]:
    """Return the host's slots for all declared hooks, in the order of a session."""
    if not host.delivery:
        return []
    selected = [hook for hook in hooks if selects_host(hook, host)]
    return [
        slot
        for event in EVENTS
        for slot in make_slots(host, event, [hook for hook in selected if hook.event == event])
    ]


def make_slots(host: Host, event: str, hooks: Sequence[Hook]) -> list[Slot]:
    """Return the slots of a canonical event: one per native event that some hook is for."""
    slots: list[Slot] = []
    for native in host.natives(event):
        served = [hook for hook in hooks if _serves(native, hook)]
        names = {} if native.tools else _names(host, event, served)
        chosen = tuple(hook for hook in served if names.get(hook.key) != ())
        if chosen:
            name = event if not slots else f"{event}.{native.name}"
            kept = {key: value for key, value in names.items() if value}
            slots.append(Slot(host, event, native, name, chosen, kept))
    return slots


def _serves(native: Native, hook: Hook) -> bool:
    """Tell whether a native event, which may be for some kinds of tool only, serves a hook."""
    return not native.tools or not hook.tools or bool(set(native.tools) & set(hook.tools))


def _names(host: Host, event: str, hooks: Sequence[Hook]) -> dict[str, tuple[str, ...]]:
    """Return hook key -> native tool names, for hooks that have selectors."""
    if not EVENTS[event].tool:
        return {}
    return {hook.key: native_names(host, hook.tools) for hook in hooks if hook.tools}


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
    and hosts that also have lists of exact names treat it as a regular expression.
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
