"""Tests for authors of host adapters: one class checks everything that an adapter promises.

::

    from hatch_agentplugin.testing.adapter_kit import AdapterSuite

    import acme_adapter

    class TestAcme(AdapterSuite):
        adapters = (acme_adapter,)

Run ``pytest --agent-plugin-update-golden`` once to write the golden files beside the test, read them,
commit them. The built-in adapters are tested by the same class. Needs pytest and what compiling
needs: ``pip install hatch-agentplugin[build] pytest``.
"""

import pytest

pytest.register_assert_rewrite(
    "hatch_agentplugin.testing.adapter_kit.firing", "hatch_agentplugin.testing.adapter_kit.suite"
)

from hatch_agentplugin.testing.adapter_kit.golden import (  # noqa: E402
    UPDATE_OPTION,
    compare_golden,
    placed_files,
)
from hatch_agentplugin.testing.adapter_kit.sample import Sample  # noqa: E402
from hatch_agentplugin.testing.adapter_kit.suite import AdapterSuite  # noqa: E402

__all__ = ["UPDATE_OPTION", "AdapterSuite", "Sample", "compare_golden", "placed_files"]
