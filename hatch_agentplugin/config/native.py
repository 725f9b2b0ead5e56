"""Checks native entries: ``[tool.agent-plugin.native.<host>]``. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hatch_agentplugin.adapter import Entries, Host
from hatch_agentplugin.config import paths
from hatch_agentplugin.problems import Mistake, choose, quoted
from hatch_agentplugin.templates import strings

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
