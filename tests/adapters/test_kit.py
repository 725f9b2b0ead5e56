"""The built-in adapters pass the adapter kit, like those of third parties."""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_agentplugin.hosts.adapters import built_in_adapters
from hatch_agentplugin.testing.adapter_kit import AdapterSuite
from hatch_agentplugin.testing.adapter_kit.suite import Kit
from tests.built import TREE


class TestBuiltIn(AdapterSuite):
    """Every test of the kit, for every built-in adapter."""

    adapters = tuple(point.load() for point in built_in_adapters())

    def golden_folder(self, host: str) -> Path:
        return TREE / "tests" / "golden" / host / "sample"

    @pytest.mark.slow
    def test_every_outcome_through_the_launcher(self, adapter_kit: Kit) -> None:
        """Calls the launcher about a thousand times."""
        super().test_every_outcome_through_the_launcher(adapter_kit)
