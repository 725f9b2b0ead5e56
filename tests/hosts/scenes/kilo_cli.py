"""Kilo CLI, a fork of OpenCode."""

from __future__ import annotations

from tests.hosts.scenes import opencode

SCENES = opencode.scenes("KILO_CONFIG_CONTENT")
UNREACHED: dict[str, str] = {}
