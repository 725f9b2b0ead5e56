"""Antigravity CLI: hooks are in a plugin that it has imported."""

from __future__ import annotations

from agentplugin_adapters.dialects import antigravity, packages
from agentplugin_adapters.evidence import BY_OTHER_TOOLS, claimed
from hatch_agentplugin.adapter import (
    Beside,
    Content,
    Detect,
    Dir,
    Entries,
    File,
    Host,
    HostPackage,
    PackageServers,
    Register,
    Seen,
    hookimpl,
)

OWN = "plugins/{plugin}"

HOST = Host(
    id="antigravity-cli",
    name="Antigravity CLI",
    evidence=claimed("1.1.4", "public tools that write its files"),
    detect=Detect(binaries=("agy",)),
    # Only hooks of imported plugins fire.
    delivery=Entries(
        files={"user": (File(antigravity.CONFIG, f"{OWN}/hooks.json"),)},
        beside={
            "user": (
                Beside(
                    file=File(antigravity.CONFIG, f"{OWN}/plugin.json"), value=packages.HOOKS_ONLY
                ),
            )
        },
        register={
            "user": (
                Register(
                    file=File(antigravity.CONFIG, "import_manifest.json"),
                    at=("imports",),
                    value={"name": "$plugin", "components": ["hooks"]},
                    op="item",
                ),
            )
        },
        at=("$plugin", "$event"),
        entry=antigravity.ENTRY,
        own=True,
    ),
    matcher=antigravity.MATCHER,
    wire=antigravity.WIRE,
    tools=antigravity.TOOLS,
    events=antigravity.EVENTS,
    native_only=("PostInvocation",),
    content=Content(mcp=antigravity.SERVERS, evidence=BY_OTHER_TOOLS),
    package=HostPackage(
        manifest="plugin.json",
        fields={key: packages.ABOUT[key] for key in ("name", "description")},
        hooks="hooks.json",
        root=".",
        servers=PackageServers(
            file="mcp_config.json",
            root="",
            remote={"streamable-http": "serverUrl", "sse": "serverUrl"},
            types={},
        ),
        # `activate` puts no launcher into these folders. 1.0.0 and 1.0.1 use the second one.
        seen=(
            Seen(file=File(antigravity.CONFIG, "plugins/{plugin}/launch")),
            Seen(file=File(Dir("~/.gemini/antigravity-cli"), "plugins/{plugin}/launch")),
        ),
        install="agy plugin install DIR/$name",
    ),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Antigravity CLI."""
    return [HOST]
