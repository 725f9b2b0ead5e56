"""One host's package: its manifest, hooks, launcher, skills, commands, servers and index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hatch_agentplugin.agent_plugins.manifest import author_of
from hatch_agentplugin.hosts.package import HostPackage, fill
from hatch_agentplugin.packages import servers
from hatch_agentplugin.packages.output import Files
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.packages.versions import semver
from hatch_agentplugin.plan import LAUNCHER_TEXT, HostPlan, Item, Key, OwnFile, dump
from hatch_agentplugin.words import EVENTS

#: The launcher as code that finds it from the module's own place.
_HERE = """process.platform === "win32"
  ? decodeURIComponent(new URL("%slaunch.cmd", import.meta.url).pathname.slice(1)).replaceAll("/", "\\\\")
  : decodeURIComponent(new URL("%slaunch", import.meta.url).pathname)"""


class Package:
    """A package in the making."""

    def __init__(
        self, runner: Runner, host: str, bundle: HostPackage, plan: HostPlan | None
    ) -> None:
        self.runner = runner
        self.declaration = runner.declaration
        self.stored = runner.stored
        self.host = host
        self.bundle = bundle
        self.plan = plan
        self.notes: list[str] = []
        plugin, about = runner.project.plugin, runner.project.about
        self.values = {
            "$name": plugin.id,
            "$version": plugin.version,
            "$semver": semver(plugin.version) or plugin.version,
            "$description": plugin.summary,
            "$author": author_of(replace(about, author=about.author or plugin.name)),
            "$homepage": about.homepage,
            "$repository": about.repository,
            "$license": about.license,
            "$keywords": list(about.keywords),
            "$market": f"{plugin.id}-plugins",
            "$source": f"./{plugin.id}",
            "$skills": f"./{bundle.skills}/" if self.declaration.skills else "",
            "$commands": f"./{bundle.commands}/" if self.declaration.commands else "",
        }
        self.values["$module"] = fill(bundle.module, self.values)
        fires = bundle.module and plan is not None and plan.slots
        self.values["$entry"] = f"./{self.values['$module']}" if fires else ""

    def files(self) -> Files:
        """Everything below the host's folder."""
        documents: dict[str, Any] = {self.bundle.manifest: fill(self.bundle.fields, self.values)}
        made: Files = {}
        if self.plan is not None and self.plan.slots:
            if self.bundle.hooks:
                self._merge(documents, self.bundle.hooks, self._hooks())
            else:
                made |= self._module()
            made |= self._launcher()
        for kind, there in (
            ("native entries of the author's", self.declaration.native),
            ("files below prebuilt", self.declaration.prebuilt),
        ):
            if there.get(self.host):
                self.notes.append(f"{kind} are not carried")
        made |= self._add_servers(documents)
        made |= self._content()
        if not made and len(documents) == 1 and "mcpServers" not in documents[self.bundle.manifest]:
            self.notes.append("there is nothing in the package but its manifest")
        made |= {path: (dump(value), False) for path, value in documents.items()}
        name = str(self.values["$name"])
        result = {f"{self.host}/{name}/{path}": content for path, content in made.items()}
        if self.bundle.marketplace:
            index = dump(fill(self.bundle.index, self.values))
            result[f"{self.host}/{self.bundle.marketplace}"] = (index, False)
        if self.bundle.install:
            self.notes.append(f"a user gets it by: {fill(self.bundle.install, self.values)}")
        return result

    @staticmethod
    def _merge(documents: dict[str, Any], path: str, value: Mapping[str, Any]) -> None:
        documents[path] = {**documents.get(path, {}), **value}

    def _hooks(self) -> dict[str, Any]:
        """The document that the user's settings would get, with the package's launcher in it."""
        document: dict[str, Any] = {}
        for placed in self.plan.scopes.get("user", ()) if self.plan else ():
            if isinstance(placed, OwnFile) and placed.value and set(placed.events) & set(EVENTS):
                document |= self._command(placed.value)
            elif isinstance(placed, Key) and placed.keep and not placed.event:
                document[placed.at[0]] = placed.value
            elif isinstance(placed, Item) and placed.event in EVENTS:
                self._append(document, placed)
        return document

    def _append(self, document: dict[str, Any], item: Item) -> None:
        at = list(item.at)
        if self.bundle.at is not None:
            at = [at[-1] if key == "$event" else key for key in self.bundle.at]
        node = document
        for key in at[:-1]:
            node = node.setdefault(key, {})
        node.setdefault(at[-1], []).append(self._command(item.value))

    def _command(self, value: Any) -> Any:
        """A value in which every launcher is the package's own."""
        if isinstance(value, dict):
            if set(value) == {"$launcher"}:
                return self._start(value["$launcher"])
            filled = {key: self._command(item) for key, item in value.items()}
            key = next((key for key, item in value.items() if _is_launcher(item)), None)
            return filled if key is None else self._for_windows(filled, key, value[key])
        if isinstance(value, list):
            return [self._command(item) for item in value]
        return value

    def _start(self, node: Mapping[str, Any]) -> str | list[str]:
        path, slot = f"{self.bundle.root}/launch", node["slot"]
        if node.get("form") == "argv":
            return ["sh", path, self.host, slot]
        line = f'sh "{path}" {self.host} {slot}'
        return f'[ -f "{path}" ] || exit 0; {line}' if node.get("guard") else line

    def _for_windows(self, entry: dict[str, Any], key: str, node: Any) -> dict[str, Any]:
        """The entry with the command for Windows, where the host has a key for it."""
        there = self.bundle.windows
        if there is None:
            return entry
        line = fill(there.line, {"$host": self.host, "$slot": node["$launcher"]["slot"]})
        renamed = {(there.other or key) if name == key else name: v for name, v in entry.items()}
        return renamed | {there.key: line}

    def _module(self) -> Files:
        """The code module, which finds the launcher beside itself."""
        module = str(self.values["$module"])
        start = f"hosts/{self.host}/user/"
        found = [name for name in self.stored if name.startswith(start)]
        if len(found) != 1:
            self.notes.append("its hooks are more than one module, and are not carried")
            return {}
        up = "../" * module.count("/") or "./"
        text = self.stored[found[0]][0].decode("utf-8").replace(LAUNCHER_TEXT, _HERE % (up, up))
        text = text.replace(
            ", placed by agent-plugin; `agent-plugin deactivate` takes the file away", ""
        )
        return {module: (text.encode("utf-8"), False)}

    def _launcher(self) -> Files:
        self.notes += self.runner.notes()
        return self.runner.launcher(self.host)

    def _content(self) -> Files:
        made: Files = {}
        for kind, names, folder in (
            ("skills", self.declaration.skills, self.bundle.skills),
            ("commands", self.declaration.commands, self.bundle.commands),
        ):
            if names and not folder:
                self.notes.append(f"the package can't carry {kind}")
                continue
            for name in names:
                made[f"{folder}/{name.partition('/')[2]}"] = self.stored[name]
        if self.declaration.rules:
            self.notes.append("the package can't carry rules")
        return made

    def _add_servers(self, documents: dict[str, Any]) -> Files:
        where = self.bundle.servers
        rows: dict[str, Any] = {}
        made: Files = {}
        for server in self.declaration.mcp:
            if server.hosts and self.host not in server.hosts:
                continue
            try:
                rows[server.name], files = servers.row(server, where, self.runner)
            except servers.LeftOut as why:
                self.notes.append(f"the package can't carry the server {server.name}: {why}")
            else:
                made |= files
        if rows and where is not None:
            self._merge(documents, where.file, {"mcpServers": rows})
        return made


def _is_launcher(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"$launcher"}
