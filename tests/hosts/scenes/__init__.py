"""What each host can show beyond the common session, and what it can't show headless and why.

A module per host has its `SCENES` and `UNREACHED`: event, or event and outcome ("turn-end halt"),
to the reason; an event stands for all of its outcomes. A test holds both to the adapters' tables.
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
