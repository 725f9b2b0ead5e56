"""The hosts' own plugin packages: what each is made of, and how a user gets one."""

from __future__ import annotations

from typing import Any

from hatch_agentplugin.adapter import Dir, File
from hatch_agentplugin.hosts.package import Bundle, Seen, Servers, Windows

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
#: An npm package takes no author's keys of ours amiss, but publishes only what ``files`` names, and
#: only by a semantic version (libnpmpublish 11: "invalid semver").
NPM: dict[str, Any] = {**ABOUT, "version": "$semver", "type": "module", "files": ["*"]}

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
        seen=(
            Seen(
                file=File(Dir("~/.claude", env="CLAUDE_CONFIG_DIR"), "settings.json"),
                at=("enabledPlugins",),
            ),
        ),
        install="claude plugin marketplace add DIR && claude plugin install $name@$market",
    ),
    "codex": Bundle(
        manifest=".codex-plugin/plugin.json",
        fields=ABOUT,
        hooks="hooks/hooks.json",
        root="${PLUGIN_ROOT}",
        windows=Windows(
            key="commandWindows",
            line='if exist "%PLUGIN_ROOT%\\launch.cmd" "%PLUGIN_ROOT%\\launch.cmd" $host $slot',
        ),
        servers=Servers(file=".mcp.json", root=".", folder="."),
        marketplace=".agents/plugins/marketplace.json",
        index=CODEX_INDEX,
        seen=(
            Seen(
                file=File(Dir("~/.codex", env="CODEX_HOME"), "config.toml"),
                at=("plugins",),
                format="toml",
            ),
        ),
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
        # Folders of one's own, and of marketplaces: NAME/COMMIT (public plugins, 2026).
        seen=(
            Seen(file=File(Dir("~/.cursor"), "plugins/local/{plugin}")),
            Seen(file=File(Dir("~/.cursor"), "plugins/cache"), inside="{plugin}"),
        ),
        install="copy DIR/$name to ~/.cursor/plugins/local/$name, or import DIR as a marketplace",
    ),
    "copilot-cli": Bundle(
        manifest="plugin.json",
        fields=ABOUT,
        hooks="hooks.json",
        root="${PLUGIN_ROOT}",
        windows=Windows(
            key="powershell",
            other="bash",
            line='$r = $env:PLUGIN_ROOT; if ($r -and (Test-Path -LiteralPath "$r\\launch.cmd")) '
            '{ & "$r\\launch.cmd" $host $slot; exit $LASTEXITCODE }',
        ),
        servers=Servers(file=".mcp.json", root="${PLUGIN_ROOT}"),
        marketplace=".github/plugin/marketplace.json",
        index=INDEX,
        seen=(
            Seen(
                file=File(Dir("~/.copilot", env="COPILOT_HOME"), "settings.json"),
                at=("enabledPlugins",),
            ),
        ),
        install="copilot plugin marketplace add DIR && copilot plugin install $name@$market",
    ),
    "droid": Bundle(
        manifest=".factory-plugin/plugin.json",
        fields=ABOUT,
        hooks="hooks/hooks.json",
        at=("hooks", "$event"),
        root="${DROID_PLUGIN_ROOT}",
        # 0.225.2 fills in the root's variable in hooks, and in no server.
        servers=Servers(file="mcp.json", root=""),
        commands="commands",
        marketplace=".factory-plugin/marketplace.json",
        index=INDEX,
        seen=(
            Seen(
                file=File(
                    Dir("~/.factory", env="FACTORY_HOME_OVERRIDE", inside=".factory"),
                    "settings.json",
                ),
                at=("enabledPlugins",),
            ),
        ),
        # Droid calls a marketplace by the name of its folder.
        install="droid plugin marketplace add DIR && droid plugin install $name@droid",
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
        seen=(
            Seen(
                file=File(
                    Dir("~/.gemini", env="GEMINI_CLI_HOME", inside=".gemini"),
                    "extensions/{plugin}",
                )
            ),
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
        seen=(Seen(file=File(Dir("~/.qwen", env="QWEN_HOME"), "extensions/{plugin}")),),
        install="qwen extensions install DIR/$name --consent",
    ),
    # No variable names the folder, but it is the working folder of the hooks. The vendor's schema of
    # the manifest is closed, and its loader (1.1.25) drops a hooks file for one wrong value.
    "antigravity-cli": Bundle(
        manifest="plugin.json",
        fields={key: ABOUT[key] for key in ("name", "description")},
        hooks="hooks.json",
        root=".",
        servers=Servers(
            file="mcp_config.json",
            root="",
            remote={"streamable-http": "serverUrl", "sse": "serverUrl"},
            types={},
        ),
        # What `activate` places has no launcher in that folder. The second is that of 1.0.0 and 1.0.1.
        seen=(
            Seen(file=File(Dir("~/.gemini/config"), "plugins/{plugin}/launch")),
            Seen(file=File(Dir("~/.gemini/antigravity-cli"), "plugins/{plugin}/launch")),
        ),
        install="agy plugin install DIR/$name",
    ),
    # Vendor's repository of 2026-08, plugin/manifest.ts and plugin/store.ts; loaded by 2.1.0.
    "kimi": Bundle(
        manifest="kimi.plugin.json",
        fields={
            **{key: ABOUT[key] for key in ("name", "version", "description", "author", "homepage")},
            "license": "$license",
            "keywords": "$keywords",
            "skills": "$skills",
            "commands": "$commands",
        },
        hooks="kimi.plugin.json",
        root="${KIMI_PLUGIN_ROOT}",
        servers=Servers(
            file="kimi.plugin.json",
            root=".",
            folder="./",
            types={"sse": "sse"},
            type_key="transport",
        ),
        commands="commands",
        marketplace="marketplace.json",
        index={
            "version": "2",
            "plugins": [{"id": "$name", "displayName": "$name", "source": "$source"}],
        },
        seen=(
            Seen(
                file=File(Dir("~/.kimi-code", env="KIMI_CODE_HOME"), "plugins/installed.json"),
                at=("plugins",),
            ),
        ),
        install="in Kimi Code: /plugins install DIR/$name",
    ),
    "opencode": Bundle(
        manifest="package.json",
        fields={**NPM, "main": "$entry", "exports": {".": "$entry", "./server": "$entry"}},
        module="$name.js",
        skills="",
        seen=(
            Seen(
                file=File(
                    Dir("~/.config/opencode", env="XDG_CONFIG_HOME", inside="opencode"),
                    "opencode.json",
                ),
                at=("plugin",),
                format="jsonc",
            ),
        ),
        install='add "file://DIR/$name" to "plugin" in opencode.json, or publish it to npm',
    ),
    "pi": Bundle(
        manifest="package.json",
        fields={
            **NPM,
            "keywords": ["pi-package"],
            "pi": {"extensions": ["$entry"], "skills": ["./skills"]},
        },
        module="extensions/$name.js",
        seen=(
            Seen(
                file=File(Dir("~/.pi/agent", env="PI_CODING_AGENT_DIR"), "settings.json"),
                at=("packages",),
            ),
        ),
        install="pi install DIR/$name",
    ),
}
