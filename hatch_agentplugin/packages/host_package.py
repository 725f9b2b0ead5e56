"""One host's package: its manifest, hooks, launcher, skills, commands, servers and index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hatch_agentplugin.agent_plugins.manifest import author_of
from hatch_agentplugin.hosts.package import HostPackage
from hatch_agentplugin.packages import servers
from hatch_agentplugin.packages.output import Files, semver
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.plan import LAUNCHER_TEXT, PLACED_NOTE, HostPlan, Item, Key, OwnFile, dump
from hatch_agentplugin.templates import fill
from hatch_agentplugin.words import EVENTS

#: JavaScript for the launcher's path; %s is the path from the module to the package's folder.
LAUNCHER_BESIDE_MODULE = """process.platform === "win32"
  ? decodeURIComponent(new URL("%slaunch.cmd", import.meta.url).pathname.slice(1)).replaceAll("/", "\\\\")
  : decodeURIComponent(new URL("%slaunch", import.meta.url).pathname)"""


class PackageBuilder:
    """Makes the package of one host from the plan and the bundle's files."""

    def __init__(
        self, runner: Runner, host: str, package: HostPackage, plan: HostPlan | None
    ) -> None:
        self.runner = runner
        self.declaration = runner.declaration
        self.host = host
        self.package = package
        self.plan = plan if plan is not None and plan.slots else None
        """The plan if the host has hooks."""
        self.notes: list[str] = []
        """Notes on omitted parts, and on how a user installs the package."""
        self.values = self._values()

    def _values(self) -> dict[str, Any]:
        """Return the values of the placeholders in the package's templates."""
        plugin, about = self.runner.project.plugin, self.runner.project.about
        declared, package = self.declaration, self.package
        values: dict[str, Any] = {
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
            "$skills": f"./{package.skills}/" if declared.skills else None,
            "$commands": f"./{package.commands}/" if declared.commands else None,
        }
        module = fill(package.module, values)
        values["$module"] = module
        values["$entry"] = f"./{module}" if module and self.plan else None
        return {name: value or None for name, value in values.items()}

    def files(self) -> Files:
        """Return everything below the host's folder."""
        package = self.package
        documents: dict[str, Any] = {package.manifest: fill(package.fields, self.values)}
        made = self._hooks(documents) | self._add_servers(documents) | self._content()
        if self.declaration.native.get(self.host):
            self.notes.append("native entries are left out")
        if self.declaration.prebuilt.get(self.host):
            self.notes.append("prebuilt files are left out")
        if not made and len(documents) == 1 and "mcpServers" not in documents[package.manifest]:
            self.notes.append("the package contains only its manifest")
        made |= {path: (dump(value), False) for path, value in documents.items()}
        result = {f"{self.values['$name']}/{path}": content for path, content in made.items()}
        if package.marketplace:
            result[package.marketplace] = (dump(fill(package.index, self.values)), False)
        if package.install:
            self.notes.append(f"install it with: {fill(package.install, self.values)}")
        return result

    # --- hooks ---

    def _hooks(self, documents: dict[str, Any]) -> Files:
        """Add the hooks' entries to a document or make the code module; return the files."""
        if self.plan is None:
            return {}
        made: Files = {}
        if self.package.hooks:
            _merge(documents, self.package.hooks, self._entries(self.plan))
        else:
            made |= self._module()
        self.notes += self.runner.notes()
        return made | self.runner.launcher(self.host)

    def _entries(self, plan: HostPlan) -> dict[str, Any]:
        """Return the document that a user's settings would get, with the package's launcher."""
        document: dict[str, Any] = {}
        for placement in plan.scopes.get("user", ()):
            if isinstance(placement, OwnFile):
                if placement.value and set(placement.events) & set(EVENTS):
                    document |= self._with_launcher(placement.value)
            elif isinstance(placement, Key):
                if placement.keep and not placement.event:
                    document[placement.at[0]] = placement.value
            elif isinstance(placement, Item) and placement.event in EVENTS:
                self._append(document, placement)
        return document

    def _append(self, document: dict[str, Any], item: Item) -> None:
        at = list(item.at)
        if self.package.at is not None:
            at = [at[-1] if key == "$event" else key for key in self.package.at]
        node = document
        for key in at[:-1]:
            node = node.setdefault(key, {})
        node.setdefault(at[-1], []).append(self._with_launcher(item.value))

    def _with_launcher(self, value: Any) -> Any:
        """Return a value in which every launcher placeholder is the package's command."""
        if isinstance(value, dict):
            if _is_launcher(value):
                return self._command(value["$launcher"])
            filled = {key: self._with_launcher(item) for key, item in value.items()}
            key = next((key for key, item in value.items() if _is_launcher(item)), None)
            return filled if key is None else self._for_windows(filled, key, value[key])
        if isinstance(value, list):
            return [self._with_launcher(item) for item in value]
        return value

    def _command(self, launcher: Mapping[str, Any]) -> str | list[str]:
        path, slot = f"{self.package.root}/launch", launcher["slot"]
        if launcher.get("form") == "argv":
            return ["sh", path, self.host, slot]
        line = f'sh "{path}" {self.host} {slot}'
        return f'[ -f "{path}" ] || exit 0; {line}' if launcher.get("guard") else line

    def _for_windows(self, entry: dict[str, Any], key: str, node: Any) -> dict[str, Any]:
        """Return the entry with the command for Windows, if the host has a key for it."""
        windows = self.package.windows
        if windows is None:
            return entry
        line = fill(windows.line, {"$host": self.host, "$slot": node["$launcher"]["slot"]})
        other = windows.other or key
        renamed = {other if name == key else name: value for name, value in entry.items()}
        return renamed | {windows.key: line}

    def _module(self) -> Files:
        """Return the code module, which finds the launcher by its own path."""
        module = str(self.values["$module"])
        start = f"hosts/{self.host}/user/"
        found = [data for name, (data, _) in self.runner.stored.items() if name.startswith(start)]
        if len(found) != 1:
            self.notes.append("the hooks are left out, because they are more than one module")
            return {}
        up = "../" * module.count("/") or "./"
        text = found[0].decode("utf-8").replace(PLACED_NOTE, "")
        text = text.replace(LAUNCHER_TEXT, LAUNCHER_BESIDE_MODULE % (up, up))
        return {module: (text.encode("utf-8"), False)}

    # --- content ---

    def _content(self) -> Files:
        made: Files = {}
        for kind, names, folder in (
            ("skills", self.declaration.skills, self.package.skills),
            ("commands", self.declaration.commands, self.package.commands),
        ):
            if names and not folder:
                self.notes.append(f"{kind} are left out")
                continue
            for name in names:
                made[f"{folder}/{name.partition('/')[2]}"] = self.runner.stored[name]
        if self.declaration.rules:
            self.notes.append("rules are left out")
        return made

    def _add_servers(self, documents: dict[str, Any]) -> Files:
        where = self.package.servers
        rows: dict[str, Any] = {}
        made: Files = {}
        for server in self.declaration.mcp:
            if server.hosts and self.host not in server.hosts:
                continue
            try:
                rows[server.name], files = servers.row(server, where, self.runner)
            except servers.LeftOut as why:
                self.notes.append(f"the server {server.name} is left out: {why}")
            else:
                made |= files
        if rows and where is not None:
            _merge(documents, where.file, {"mcpServers": rows})
        return made


def _merge(documents: dict[str, Any], path: str, value: Mapping[str, Any]) -> None:
    documents[path] = {**documents.get(path, {}), **value}


def _is_launcher(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"$launcher"}
