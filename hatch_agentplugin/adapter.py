"""Everything that the author of a host adapter imports: one coding agent, described as data.

An adapter is a package with one module, its payloads and evidence beside it, and an entry point in
the group ``agent_plugin.adapters`` with the host's id as its name::

    from hatch_agentplugin.adapter import Host, hookimpl

    HOST = Host(id="acme-code", ...)

    @hookimpl
    def agent_plugin_hosts():
        return [HOST]

Templates of entries and replies are JSON values with placeholders. A key whose placeholder has no
value is left out.

======================  =================================================================
placeholder             value
======================  =================================================================
``$command``            the command line (or list, or path) that starts the launcher
``$event``              the native event name
``$matcher``            the native tool matcher
``$timeout``            the hook's timeout in the host's unit
``$plugin``             the plugin's id
``$id``                 an id unique per plugin, host and event, for hosts that need names
``$reason`` ``$text``   in replies: the handler's reason; the context or the message
``$input`` ``$output``  in replies: the changed tool input; the changed tool output
``$output-text``        the changed output for hosts that need text; other values as JSON
======================  =================================================================
"""

from __future__ import annotations

from hatch_agentplugin.hosts.content import Content, Mcp
from hatch_agentplugin.hosts.delivery import (
    Beside,
    Delivery,
    Dir,
    Entries,
    Executables,
    File,
    Module,
    Register,
    Seen,
    Switch,
    Template,
)
from hatch_agentplugin.hosts.events import (
    BRIDGE,
    BRIDGE_WIRE,
    Basis,
    Evidence,
    Matcher,
    Native,
    Run,
    Signature,
    Wire,
    bridge,
    replies,
)
from hatch_agentplugin.hosts.hookspec import ENTRY_POINT_GROUP, PROJECT_NAME, hookimpl
from hatch_agentplugin.hosts.host import Detect, Host
from hatch_agentplugin.hosts.package import HostPackage, PackageServers, WindowsCommand
from hatch_agentplugin.words import DocumentFormat, ScopeName

__all__ = [
    "BRIDGE",
    "BRIDGE_WIRE",
    "ENTRY_POINT_GROUP",
    "PROJECT_NAME",
    "Basis",
    "Beside",
    "Content",
    "Delivery",
    "Detect",
    "Dir",
    "DocumentFormat",
    "Entries",
    "Evidence",
    "Executables",
    "File",
    "Host",
    "HostPackage",
    "Matcher",
    "Mcp",
    "Module",
    "Native",
    "PackageServers",
    "Register",
    "Run",
    "ScopeName",
    "Seen",
    "Signature",
    "Switch",
    "Template",
    "WindowsCommand",
    "Wire",
    "bridge",
    "hookimpl",
    "replies",
]
