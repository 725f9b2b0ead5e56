"""The events that each host shows beyond the common session, and those that it can't show headless.

A module per host has its `SCENES` and `UNREACHED`. The latter maps an event, or an event and
outcome ("turn-end halt"), to the reason; an event covers all its outcomes. A test compares both
with the adapters.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from tests.hosts.drivers import DRIVERS
from tests.hosts.scene import Scene

_MODULES = {
    driver.id: import_module(f"{__name__}.{driver.id.replace('-', '_')}") for driver in DRIVERS
}
SCENES: Mapping[str, tuple[Scene, ...]] = {id_: m.SCENES for id_, m in _MODULES.items()}
UNREACHED: Mapping[str, Mapping[str, str]] = {id_: m.UNREACHED for id_, m in _MODULES.items()}
