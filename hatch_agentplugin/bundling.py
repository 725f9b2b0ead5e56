"""Makes the hosts' own plugin packages of a project: the same hooks, for other marketplaces.

A package runs where there is only ``python3``: it holds its launcher, the tables of its host, the
dispatcher and the author's package. Everything is data until :func:`write` or :func:`archive`.
"""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hatch_agentplugin import config
from hatch_agentplugin._build import RUNTIME, Project, build, bundle_folder
from hatch_agentplugin.adapter import Host
from hatch_agentplugin.declaration import Declaration, Server
from hatch_agentplugin.events import EVENTS
from hatch_agentplugin.native_bundle import Bundle, Servers, fill
from hatch_agentplugin.place.launcher import render_packaged
from hatch_agentplugin.plan import LAUNCHER_TEXT, HostPlan, Item, Key, OwnFile, dump
from hatch_agentplugin.portable.manifest import author_of

#: Path -> content, and whether it can be executed.
Files = dict[str, tuple[bytes, bool]]

#: The time of entries in archives where SOURCE_DATE_EPOCH names none; hatchling's own.
EPOCH = 1580601600
_HERE = Path(__file__).parent
#: Parts of ours that a package needs to run handlers.
_RUNTIME = ("__init__.py", *(f"fire/{name}.py" for name in (
    "__init__", "answer", "api", "commands", "dispatch", "guard", "incoming", "log", "rounds",
    "text")))  # fmt: skip


@dataclass(frozen=True)
class Packages:
    """The packages of some hosts."""

    files: Files
    """Path below the output folder: ``HOST/NAME/...``, and ``HOST/`` for the index."""
    notes: tuple[str, ...]
    """A line for everything that a package can't carry, and how a user gets it."""


def hosts_with_packages(hosts: Mapping[str, Host]) -> list[str]:
    """The ids of the hosts for which a package can be made."""
    return [name for name, host in hosts.items() if host.bundle is not None]


def packages(
    project: Project, hosts: Mapping[str, Host], wanted: Sequence[str], scratch: Path
) -> Packages:
    """Make the packages. ``scratch`` is an empty folder for the build.

    Raises ConfigError for mistakes of the author's.
    """
    built = build(project, hosts, scratch)
    declaration = config.load(project.root, hosts, project.plugin, project.sources)
    stored = {
        name: (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        for name, path in built.files.items()
    }
    files: Files = {}
    notes: list[str] = []
    for name in wanted:
        bundle = hosts[name].bundle
        if bundle is None:
            continue
        plan = built.plan.hosts.get(name)
        maker = _Package(project, declaration, stored, name, bundle, plan)
        files |= maker.files()
        notes += [f"{name}: {note}" for note in maker.notes]
    return Packages(dict(sorted(files.items())), tuple(notes))


class _Package:
    """One host's package in the making."""

    def __init__(
        self,
        project: Project,
        declaration: Declaration,
        stored: Files,
        host: str,
        bundle: Bundle,
        plan: HostPlan | None,
    ) -> None:
        self.project = project
        self.declaration = declaration
        self.stored = stored
        self.host = host
        self.bundle = bundle
        self.plan = plan
        self.notes: list[str] = []
        self.folder = bundle_folder(project.name)
        plugin, about = project.plugin, project.about
        self.values = {
            "$name": plugin.id,
            "$version": plugin.version,
            "$description": plugin.summary,
            "$author": author_of(replace(about, author=about.author or plugin.name)),
            "$homepage": about.homepage,
            "$repository": about.repository,
            "$license": about.license,
            "$keywords": list(about.keywords),
            "$market": f"{plugin.id}-plugins",
            "$source": f"./{plugin.id}",
        }
        self.values["$module"] = fill(bundle.module, self.values)

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
        self._add_servers(documents)
        made |= self._content()
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

    # --- hooks ---

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
        if self.declaration.native.get(self.host):
            self.notes.append("native entries of the author's are not carried")
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
                words = ["sh", f"{self.bundle.root}/launch", self.host, value["$launcher"]["slot"]]
                if value["$launcher"].get("form") == "argv":
                    return words
                return f'sh "{words[1]}" {words[2]} {words[3]}'
            return {key: self._command(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._command(item) for item in value]
        return value

    def _module(self) -> Files:
        """The code module, which finds the launcher beside itself."""
        module = str(self.values["$module"])
        start = f"hosts/{self.host}/user/"
        found = [name for name in self.stored if name.startswith(start)]
        if len(found) != 1:
            self.notes.append("its hooks are more than one module, and are not carried")
            return {}
        up = "../" * module.count("/") or "./"
        here = f'decodeURIComponent(new URL("{up}launch", import.meta.url).pathname)'
        text = self.stored[found[0]][0].decode("utf-8").replace(LAUNCHER_TEXT, here)
        text = text.replace(
            ", placed by agent-plugin; `agent-plugin deactivate` takes the file away", ""
        )
        return {module: (text.encode("utf-8"), False)}

    def _launcher(self) -> Files:
        """The launcher, what it runs, and for handlers what these need."""
        plugin = str(self.values["$name"])
        text = render_packaged(plugin=plugin, bundle=self.folder)
        made: Files = {"launch": (text.encode("utf-8"), True)}
        tables = f"fire/{self.host}/"
        for name, content in self.stored.items():
            top = name.partition("/")[0]
            if name.startswith(tables) or top not in ("fire", "hosts", "plan.json"):
                made[f"lib/{self.folder}/{name}"] = content
        made |= {
            f"lib/hatch_agentplugin/{name}": ((_HERE / name).read_bytes(), False)
            for name in _RUNTIME
        }
        if any(hook.handler for hook in self.declaration.hooks):
            made |= dict(self._sources())
            others = sorted(set(self.project.requires) - {RUNTIME})
            if others:
                self.notes.append(
                    f"handlers find only what python3 has: {', '.join(others)} is not carried"
                )
        return made

    def _sources(self) -> Iterator[tuple[str, tuple[bytes, bool]]]:
        for name, path in self.project.sources.items():
            if "__pycache__" not in name and path.is_file():
                yield f"lib/{name}", (path.read_bytes(), bool(path.stat().st_mode & 0o100))

    # --- what else is declared ---

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

    def _add_servers(self, documents: dict[str, Any]) -> None:
        where = self.bundle.servers
        rows: dict[str, Any] = {}
        for server in self.declaration.mcp:
            if server.hosts and self.host not in server.hosts:
                continue
            row = None if where is None else self._server(server, where)
            if row is None:
                self.notes.append(f"the package can't carry the server {server.name}")
            else:
                rows[server.name] = row
        if rows and where is not None:
            self._merge(documents, where.file, {"mcpServers": rows})

    def _server(self, server: Server, where: Servers) -> dict[str, Any] | None:
        text = json.dumps([server.command, server.args, dict(server.env), server.cwd, server.url,
                           dict(server.headers)])  # fmt: skip
        if "${env:" in text or ("${PLUGIN_DATA}" in text and not where.data):
            return None
        root = f"{where.root}/lib/{self.folder}"
        if server.url is not None:
            if server.transport not in where.remote:
                return None
            row: dict[str, Any] = {where.remote[server.transport]: server.url}
            if server.transport in where.types:
                row = {"type": where.types[server.transport], **row}
            return row | ({"headers": dict(server.headers)} if server.headers else {})

        def placed(value: str) -> str:
            return value.replace("${PLUGIN_ROOT}", root).replace("${PLUGIN_DATA}", where.data)

        command = server.command or ""
        row = {"command": root + command[1:] if command.startswith("./") else command}
        row |= {"args": [placed(arg) for arg in server.args]} if server.args else {}
        row |= {"env": {k: placed(v) for k, v in server.env.items()}} if server.env else {}
        return row | ({"cwd": placed(server.cwd)} if server.cwd else {})


# --- output ---


def write(files: Files, folder: Path) -> None:
    """Write packages below a folder. Raises OSError."""
    for name, (data, executable) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)


def archive(files: Files, path: Path, epoch: int = EPOCH) -> None:
    """Write packages as a zip that is the same for the same files. Raises OSError."""
    stamp = time.gmtime(max(epoch, 315532800))[:6]  # a zip knows no time before 1980
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, (data, executable) in sorted(files.items()):
            row = zipfile.ZipInfo(name, stamp)
            row.create_system = 3
            row.compress_type = zipfile.ZIP_DEFLATED
            row.external_attr = (0o100755 if executable else 0o100644) << 16
            made.writestr(row, data)
