"""Where each host has MCP servers, skills, commands and rules; modules by how it writes a server.

Paths are from the hosts' own packages, the vendors' pages and two public tools that write them.
"""

from __future__ import annotations

from agentplugin_adapters._content_facts import with_evidence
from agentplugin_adapters._content_opencode import OPENCODES
from agentplugin_adapters._content_others import OTHERS, TABLES
from agentplugin_adapters._content_plain import PLAIN
from agentplugin_adapters._content_typed import TYPED_MAPS
from hatch_agentplugin.hosts.content import Content

#: Hosts of which no place for any of this is known.
_NONE = ("codebuddy", "copilot-cloud-agent", "jetbrains-copilot", "tabnine")

#: Host id -> where its content goes.
CONTENT: dict[str, Content] = {
    host: with_evidence(host, content)
    for host, content in {
        **PLAIN,
        **TYPED_MAPS,
        **OPENCODES,
        **TABLES,
        **OTHERS,
        **dict.fromkeys(_NONE, Content()),
    }.items()
}
