"""Checks our tables in ``[tool.hatch.build]``, of the hook and of the target. Standard library only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hatch_agentplugin.problems import Problem, choose, quoted

#: Keys that Hatchling itself reads in the table of any hook and of any target.
_OF_ANY_HOOK = ("dependencies", "enable-by-default", "require-runtime-dependencies",
                "require-runtime-features")  # fmt: skip
_OF_ANY_TARGET = ("artifacts", "dependencies", "dev-mode-dirs", "dev-mode-exact", "directory",
                  "exclude", "force-include", "hooks", "ignore-vcs", "include", "only-include",
                  "only-packages", "packages", "reproducible", "require-runtime-dependencies",
                  "require-runtime-features", "skip-excluded-dirs", "sources", "versions")  # fmt: skip
_HOSTS = "hosts"
_RUNNER = "runner"


def hook_problems(name: str, table: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the mistakes in the hook's table, which has no options of its own."""
    for key in table:
        if key not in _OF_ANY_HOOK:
            advice = "remove it; the build hook has no options, hooks are declared in [tool.agent-plugin]"
            yield Problem(f"tool.hatch.build.hooks.{name}.{key}", "unknown key", advice)


def target_problems(name: str, table: Mapping[str, Any], hosts: Sequence[str]) -> Iterator[Problem]:
    """Yield the mistakes in the target's table; ``hosts`` are the ids that have packages."""
    where = f"tool.hatch.build.targets.{name}"
    chosen = table.get(_HOSTS, ())
    if isinstance(chosen, str) or not isinstance(chosen, Sequence):
        yield Problem(f"{where}.{_HOSTS}", "must be an array", f'write ["{hosts[0]}"]')
        chosen = hosts
    for n, host in enumerate(chosen, 1):
        if host not in hosts:
            what = f"{quoted(host)} has no package"
            yield Problem(f"{where}.{_HOSTS}[{n}]", what, choose(str(host), hosts))
    if _HOSTS in table and not chosen:
        yield Problem(f"{where}.{_HOSTS}", "must not be an empty array",
                      "name an agent, or remove the line to make every package")  # fmt: skip
    for key in table:
        if key not in (_HOSTS, *_OF_ANY_TARGET):
            advice = choose(key, (_HOSTS,), ", and Hatchling's own options")
            if key == _RUNNER:
                advice = "write it in [tool.agent-plugin.packages]"
            yield Problem(f"{where}.{key}", "unknown key", advice)
