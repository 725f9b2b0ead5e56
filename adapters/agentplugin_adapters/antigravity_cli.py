"""Antigravity CLI, by public tools of 2026 and what one of them found on 1.1.4."""

from __future__ import annotations

from agentplugin_adapters import _antigravity as family
from agentplugin_adapters._bundles import BUNDLES
from agentplugin_adapters._content import CONTENT
from agentplugin_adapters._facts import claimed
from hatch_agentplugin.adapter import Beside, Detect, Dir, Entries, File, Host, Register, hookimpl

CONFIG = Dir("~/.gemini/config")
OWN = "plugins/{plugin}"
MANIFEST = {"name": "$plugin", "version": "1.0.0", "description": "Hooks of $plugin"}

HOST = Host(
    id="antigravity-cli",
    name="Antigravity CLI",
    content=CONTENT["antigravity-cli"],
    bundle=BUNDLES["antigravity-cli"],
    evidence=claimed("1.1.4", "public tools that write its files"),
    detect=Detect(binaries=("agy",)),
    # Hooks of imported plugins fire, and no others.
    delivery=Entries(
        files={"user": (File(CONFIG, f"{OWN}/hooks.json"),)},
        beside={"user": (Beside(file=File(CONFIG, f"{OWN}/plugin.json"), value=MANIFEST),)},
        register={
            "user": (
                Register(
                    file=File(CONFIG, "import_manifest.json"),
                    at=("imports",),
                    value={"name": "$plugin", "components": ["hooks"]},
                    op="item",
                ),
            )
        },
        at=("$plugin", "$event"),
        entry=family.ENTRY,
        own=True,
    ),
    matcher=family.MATCHER,
    wire=family.WIRE,
    tools=family.TOOLS,
    events=family.EVENTS,
    native_only=("PostInvocation",),
)


@hookimpl
def agent_plugin_hosts() -> list[Host]:
    """Antigravity CLI."""
    return [HOST]
