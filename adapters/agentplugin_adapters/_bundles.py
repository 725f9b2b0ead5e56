"""The hosts' own plugin packages: what each is made of, and how a user gets one."""

from __future__ import annotations

from typing import Any

from hatch_agentplugin.native_bundle import Bundle, Servers

ABOUT: dict[str, Any] = {
    "name": "$name",
    "version": "$version",
    "description": "$description",
    "author": "$author",
    "homepage": "$homepage",
    "repository": "$repository",
    "license": "$license",
    "keywords": "$keywords",
}
#: The index that Claude Code reads, as do most that came after it.
INDEX: dict[str, Any] = {
    "name": "$market",
    "owner": "$author",
    "plugins": [
        {
            "name": "$name",
            "source": "$source",
            "description": "$description",
            "version": "$version",
        }
    ],
}
CODEX_INDEX: dict[str, Any] = {
    "name": "$market",
    "interface": {"displayName": "$name"},
    "plugins": [
        {
            "name": "$name",
            "source": {"source": "local", "path": "$source"},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
            "category": "Productivity",
        }
    ],
}
EXTENSION = {key: ABOUT[key] for key in ("name", "version", "description")}
#: An npm package takes no author's keys of ours amiss, but publishes only what ``files`` names.
NPM: dict[str, Any] = {**ABOUT, "type": "module", "files": ["*"]}

BUNDLES = {
    "claude-code": Bundle(
        manifest=".claude-plugin/plugin.json",
        fields=ABOUT,
        hooks="hooks/hooks.json",
        root="${CLAUDE_PLUGIN_ROOT}",
        servers=Servers(
            file=".mcp.json", root="${CLAUDE_PLUGIN_ROOT}", data="${CLAUDE_PLUGIN_DATA}"
        ),
        commands="commands",
        marketplace=".claude-plugin/marketplace.json",
        index=INDEX,
        install="claude plugin marketplace add DIR && claude plugin install $name@$market",
    ),
    "codex": Bundle(
        manifest=".codex-plugin/plugin.json",
        fields=ABOUT,
        hooks="hooks/hooks.json",
        root="${PLUGIN_ROOT}",
        servers=Servers(file=".mcp.json", root="."),
        marketplace=".agents/plugins/marketplace.json",
        index=CODEX_INDEX,
        install="codex plugin marketplace add DIR && codex plugin add $name@$market",
    ),
    "cursor": Bundle(
        manifest=".cursor-plugin/plugin.json",
        fields=ABOUT,
        hooks="hooks/hooks.json",
        root="${CURSOR_PLUGIN_ROOT}",
        servers=Servers(file="mcp.json", root="${CURSOR_PLUGIN_ROOT}"),
        commands="commands",
        marketplace=".cursor-plugin/marketplace.json",
        index=INDEX,
    ),
    "copilot-cli": Bundle(
        manifest="plugin.json",
        fields=ABOUT,
        hooks="hooks.json",
        root="${PLUGIN_ROOT}",
        marketplace=".github/plugin/marketplace.json",
        index=INDEX,
        install="copilot plugin marketplace add DIR && copilot plugin install $name@$market",
    ),
    "droid": Bundle(
        manifest=".factory-plugin/plugin.json",
        fields=ABOUT,
        hooks="hooks/hooks.json",
        at=("hooks", "$event"),
        root="${DROID_PLUGIN_ROOT}",
        servers=Servers(file="mcp.json", root="${DROID_PLUGIN_ROOT}"),
        commands="commands",
        marketplace=".factory-plugin/marketplace.json",
        index=INDEX,
        install="droid plugin marketplace add DIR && droid plugin install $name@$market",
    ),
    "gemini-cli": Bundle(
        manifest="gemini-extension.json",
        fields=EXTENSION,
        hooks="hooks/hooks.json",
        root="${extensionPath}",
        servers=Servers(
            file="gemini-extension.json",
            root="${extensionPath}",
            remote={"streamable-http": "httpUrl", "sse": "url"},
            types={},
        ),
        install="gemini extensions link DIR/$name --consent",
    ),
    "qwen-code": Bundle(
        manifest="qwen-extension.json",
        fields=EXTENSION,
        hooks="hooks/hooks.json",
        root="${CLAUDE_PLUGIN_ROOT}",
        servers=Servers(
            file="qwen-extension.json",
            root="${extensionPath}",
            remote={"streamable-http": "httpUrl", "sse": "url"},
            types={},
        ),
        install="qwen extensions install DIR/$name --consent",
    ),
    # No variable names the folder, but it is the working folder of the hooks.
    "antigravity-cli": Bundle(
        manifest="plugin.json",
        fields=EXTENSION,
        hooks="hooks.json",
        root=".",
        skills="",
    ),
    "kimi": Bundle(
        manifest="kimi.plugin.json",
        fields={key: ABOUT[key] for key in ("name", "version", "description")},
        hooks="kimi.plugin.json",
        root="${KIMI_PLUGIN_ROOT}",
    ),
    "opencode": Bundle(
        manifest="package.json",
        fields={**NPM, "main": "./$module", "exports": {".": "./$module", "./server": "./$module"}},
        module="$name.js",
        skills="",
        install='add "file://DIR/$name" to "plugin" in opencode.json, or publish it to npm',
    ),
    "pi": Bundle(
        manifest="package.json",
        fields={
            **NPM,
            "keywords": ["pi-package"],
            "pi": {"extensions": ["./$module"], "skills": ["./skills"]},
        },
        module="extensions/$name.js",
        install="pi install DIR/$name",
    ),
}
