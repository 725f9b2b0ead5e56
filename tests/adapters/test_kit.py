"""The built-in hosts pass the kit that third parties test theirs with."""

from __future__ import annotations

from pathlib import Path

import agentplugin_adapters
import pytest

from hatch_agentplugin.hosts.matrix import built_in_hosts
from hatch_agentplugin.testing.adapter_kit import AdapterSuite
from hatch_agentplugin.testing.adapter_kit.suite import Kit


class TestBuiltIn(AdapterSuite):
    """All of them, by the same door."""

    hosts = tuple(built_in_hosts().values())
    payloads = Path(agentplugin_adapters.__file__).parent / "payloads"

    @pytest.mark.slow
    def test_every_outcome_through_the_launcher(self, adapter_kit: Kit) -> None:
        """About a thousand calls."""
        super().test_every_outcome_through_the_launcher(adapter_kit)
