"""Acme Code keeps what every adapter promises."""

from pathlib import Path

from acme_code import agent_plugin_hosts

from hatch_agentplugin.adapter_kit import AdapterSuite


class TestAcmeCode(AdapterSuite):
    """Each test of the suite, for this host."""

    hosts = agent_plugin_hosts()
    payloads = Path(__file__).parent / "payloads"
