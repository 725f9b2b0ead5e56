"""The host programs that can be driven headless, one module each."""

from __future__ import annotations

from tests.hosts.drivers import claude_code, opencode
from tests.hosts.drivers._driver import Driver, run

__all__ = ["DRIVERS", "Driver", "run"]

DRIVERS: tuple[Driver, ...] = (
    claude_code.DRIVER,
    opencode.DRIVER,
)
