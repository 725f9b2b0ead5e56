"""The host programs that can run headless, one module each."""

from __future__ import annotations

import json
import os

from tests.hosts.drivers import (
    auggie,
    claude_code,
    cline,
    codex,
    copilot_cli,
    droid,
    gemini_cli,
    grok,
    hermes,
    kilo_cli,
    kimi,
    kimi_cli_legacy,
    mistral_vibe,
    omp,
    openclaw,
    opencode,
    pi,
    qwen_code,
)
from tests.hosts.drivers._driver import Driver, run

__all__ = ["DRIVERS", "Driver", "run"]

_VERSIONS: dict[str, str] = json.loads(os.environ.get("AGENT_PLUGIN_TEST_VERSIONS") or "{}")
"""Versions to run instead of the pinned ones, by host."""

DRIVERS: tuple[Driver, ...] = tuple(
    driver.at(_VERSIONS.get(driver.id, driver.version))
    for driver in (
        claude_code.DRIVER,
        opencode.DRIVER,
        codex.DRIVER,
        gemini_cli.DRIVER,
        qwen_code.DRIVER,
        cline.DRIVER,
        copilot_cli.DRIVER,
        pi.DRIVER,
        kilo_cli.DRIVER,
        grok.DRIVER,
        droid.DRIVER,
        kimi.DRIVER,
        kimi_cli_legacy.DRIVER,
        hermes.DRIVER,
        mistral_vibe.DRIVER,
        omp.DRIVER,
        openclaw.DRIVER,
        auggie.DRIVER,
    )
)
