"""Mistral Vibe: the common session shows all that it has."""

from __future__ import annotations

from tests.hosts.scene import Scene

SCENES: tuple[Scene, ...] = ()
UNREACHED: dict[str, str] = {}
