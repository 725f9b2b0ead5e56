"""Auggie."""

from __future__ import annotations

from tests.hosts.scene import Scene

SCENES: tuple[Scene, ...] = ()
UNREACHED: dict[str, str] = {
    "notification": "`--print` and the editor's protocol ask nothing that the host notifies of",
}
