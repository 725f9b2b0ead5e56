"""What the author of a host adapter imports: the words that describe one coding agent as data.

An adapter is a module with one pluggy hook implementation that returns :class:`Host` objects, and
an entry point in the group ``agent_plugin.adapters`` that names the module::

    from hatch_agentplugin.adapter import Host, hookimpl

    HOST = Host(id="acme-code", ...)

    @hookimpl
    def agent_plugin_hosts():
        return [HOST]

Templates (entries and replies) are JSON values in which a string that is one of the slots below
stands for a value filled in later. A key whose slot has no value is left out.

======================  ===========================================================
slot                    stands for
======================  ===========================================================
``$command``            the command line (or list, or path) that starts the launcher
``$event``              the native event name
``$matcher``            the native tool matcher
``$timeout``            the hook's timeout in the host's unit
``$plugin``             the plugin's id
``$id``                 an id unique per plugin, host and event (for hosts that want a name)
``$reason`` ``$text``   in replies: the handler's reason, the context or message text
``$input`` ``$output``  in replies: the changed tool input, the changed tool output
``$output-text``        the same output for a host that wants text: another value as JSON
======================  ===========================================================

Standard library only, so that tables can be read where pluggy is not installed.
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
    Format,
    Module,
    Register,
    Scope,
    Template,
)
from hatch_agentplugin.hosts.events import (
    Basis,
    Evidence,
    Matcher,
    Native,
    Run,
    Signature,
    Wire,
)
from hatch_agentplugin.hosts.hookspec import ENTRY_POINT_GROUP, PROJECT_NAME, hookimpl
from hatch_agentplugin.hosts.host import Detect, Host, Switch
from hatch_agentplugin.hosts.package import HostPackage, PackageServers, Seen, WindowsCommand
from hatch_agentplugin.hosts.replies import BRIDGE, BRIDGE_WIRE, bridge, replies

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
    "Entries",
    "Evidence",
    "Executables",
    "File",
    "Format",
    "Host",
    "HostPackage",
    "Matcher",
    "Mcp",
    "Module",
    "Native",
    "PackageServers",
    "Register",
    "Run",
    "Scope",
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
