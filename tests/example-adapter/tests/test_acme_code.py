"""Acme Code keeps what every adapter promises."""

import acme_code

from hatch_agentplugin.testing.adapter_kit import AdapterSuite


class TestAcmeCode(AdapterSuite):
    """Each test of the suite, for this host."""

    adapters = (acme_code,)
