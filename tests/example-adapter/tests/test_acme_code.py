"""Acme Code keeps what every adapter promises."""

from pathlib import Path

import acme_code

from hatch_agentplugin.testing.adapter_kit import AdapterSuite


class TestAcmeCode(AdapterSuite):
    """Each test of the suite, for this host."""

    hosts = acme_code.agent_plugin_hosts()
    payloads = Path(acme_code.__file__).parent / "payloads"
