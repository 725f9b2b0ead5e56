"""The tables of ours in ``[tool.hatch.build]``: which keys they may have. Standard library only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hatch_agentplugin.problems import Problem, choose, quoted

#: What Hatchling itself reads in the table of any hook and of any target.
_OF_ANY_HOOK = ("dependencies", "enable-by-default", "require-runtime-dependencies",
                "require-runtime-features")  # fmt: skip
_OF_ANY_TARGET = ("artifacts", "dependencies", "dev-mode-dirs", "dev-mode-exact", "directory",
                  "exclude", "force-include", "hooks", "ignore-vcs", "include", "only-include",
                  "only-packages", "packages", "reproducible", "require-runtime-dependencies",
                  "require-runtime-features", "skip-excluded-dirs", "sources", "versions")  # fmt: skip
_HOSTS = "hosts"
_CARRIER = "carrier"


def hook_problems(name: str, table: Mapping[str, Any]) -> Iterator[Problem]:
    """The mistakes in the hook's table, which has no keys of our own."""
    for key in table:
        if key not in _OF_ANY_HOOK:
            advice = "it has no options of its own; hooks are declared in [tool.agent-plugin]"
            yield Problem(f"tool.hatch.build.hooks.{name}.{key}", "unknown key", advice)


def target_problems(name: str, table: Mapping[str, Any], hosts: Sequence[str]) -> Iterator[Problem]:
    """The mistakes in the target's table; ``hosts`` are those that have packages."""
    where = f"tool.hatch.build.targets.{name}"
    wanted = table.get(_HOSTS, ())
    if isinstance(wanted, str) or not isinstance(wanted, Sequence):
        yield Problem(f"{where}.{_HOSTS}", "an array is expected", f'write ["{hosts[0]}"]')
        wanted = hosts
    for n, host in enumerate(wanted, 1):
        if host not in hosts:
            what = f"no package can be made for {quoted(host)}"
            yield Problem(f"{where}.{_HOSTS}[{n}]", what, choose(str(host), hosts))
    if _HOSTS in table and not wanted:
        yield Problem(f"{where}.{_HOSTS}", "an empty array",
                      "name a host, or remove the line for all that have packages")  # fmt: skip
    for key in table:
        if key not in (_HOSTS, *_OF_ANY_TARGET):
            hint = choose(key, (_HOSTS,), ", and Hatchling's own options")
            if key == _CARRIER:
                hint = "write it in [tool.agent-plugin.bundle], where the command reads it too"
            yield Problem(f"{where}.{key}", "unknown key", hint)
