"""Mistakes in the description of a host's plugin package."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.hosts.check import check_host
from hatch_agentplugin.hosts.package import Seen

HOSTS = built_in_hosts()


def mistakes(host: str, **changes: Any) -> list[str]:
    bundle = HOSTS[host].package
    assert bundle is not None
    return check_host(replace(HOSTS[host], package=replace(bundle, **changes)))


@pytest.mark.parametrize("host", [name for name, host in HOSTS.items() if host.package])
def test_ours_are_right(host: str) -> None:
    assert check_host(HOSTS[host]) == []


@pytest.mark.parametrize(
    ("host", "changes", "says"),
    [
        ("codex", {"module": "x.js"}, "needs module if the delivery is a Module"),
        ("opencode", {"module": "", "hooks": "hooks.json", "root": "x"}, "needs module if the delivery is a Module"),
        ("codex", {"root": ""}, "package.root"),
        ("codex", {"index": {}}, "need each other"),
        ("codex", {"manifest": "../plugin.json"}, "leaves the package"),
        ("codex", {"seen": (Seen(file=replace(
            HOSTS["codex"].delivery.files["user"][0], path="../x")),)}, "package.seen"),  # type: ignore[union-attr]
    ],
)  # fmt: skip
def test_mistakes(host: str, changes: dict[str, Any], says: str) -> None:
    assert any(says in mistake for mistake in mistakes(host, **changes))
