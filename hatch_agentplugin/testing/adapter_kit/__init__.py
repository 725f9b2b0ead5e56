"""Tests for authors of host adapters: one class with tests of everything that an adapter promises.

::

    from hatch_agentplugin.testing.adapter_kit import AdapterSuite

    import acme_adapter

    class TestAcme(AdapterSuite):
        adapters = (acme_adapter,)

Run ``pytest --agent-plugin-update-golden`` to write the golden files, read them, and commit them. The
built-in adapters are tested with the same class. It needs ``hatch-agentplugin[build]`` and pytest.
"""

import pytest

pytest.register_assert_rewrite(
    "hatch_agentplugin.testing.adapter_kit.firing", "hatch_agentplugin.testing.adapter_kit.suite"
)

from hatch_agentplugin.testing.adapter_kit.golden import check_golden, placed_files  # noqa: E402
from hatch_agentplugin.testing.adapter_kit.sample import Sample  # noqa: E402
from hatch_agentplugin.testing.adapter_kit.suite import AdapterSuite  # noqa: E402
from hatch_agentplugin.testing.pytest_plugin import UPDATE_OPTION  # noqa: E402

__all__ = ["UPDATE_OPTION", "AdapterSuite", "Sample", "check_golden", "placed_files"]
