"""The adapter for Acme Code keeps the promises of every adapter."""

import acme_code

from hatch_agentplugin.testing.adapter_kit import AdapterSuite


class TestAcmeCode(AdapterSuite):
    """Every test of the suite, for this agent."""

    adapters = (acme_code,)
