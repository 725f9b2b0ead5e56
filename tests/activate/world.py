"""A user's machine in a scratch folder: a home, a project, environments with plugins in them."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate import operations
from hatch_agentplugin.activate.activate import Activation
from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.discover import discover
from hatch_agentplugin.activate.locate import Machine, Scope
from hatch_agentplugin.activate.operations import Result, Selection
from hatch_agentplugin.hosts.delivery import Dir, File
from hatch_agentplugin.plan import HostPlan, Item, Key, OwnFile, Placement, Plan, Plugin, Shim
from hatch_agentplugin.transaction.state import State
from hatch_agentplugin.words import ScopeName

TREE = Path(__file__).parents[2]

#: Native names of the events that the plans here use.
NATIVE = {
    "session-start": "SessionStart",
    "pre-tool-use": "PreToolUse",
    "post-tool-use": "PostToolUse",
    "turn-end": "Stop",
}
EVENTS = ("session-start", "pre-tool-use", "turn-end")


def launcher(slot: str, form: str = "sh", guard: bool = False) -> dict[str, Any]:
    """The node that stands for a command in a plan."""
    node: dict[str, Any] = {"slot": slot, "form": form}
    if guard:
        node["guard"] = True
    return {"$launcher": node}


def host(
    name: str,
    scopes: Mapping[ScopeName, Sequence[Placement]],
    events: Sequence[str] = EVENTS,
    **more: Any,
) -> HostPlan:
    """A host's plan; its program is called like it."""
    return HostPlan(
        name=name,
        binaries=(name,),
        dirs=(Dir(f"~/.{name}"),),
        slots=tuple(events),
        scopes={scope: tuple(placements) for scope, placements in scopes.items()},
        **more,
    )


def grouped(
    name: str = "grouped", events: Sequence[str] = EVENTS, timeout: int = 10, **more: Any
) -> HostPlan:
    """Grouped entries in a settings file that is the user's (Claude Code's shape)."""

    def items(folder: str, env: str | None) -> list[Placement]:
        place = File(Dir(folder, env), "settings.json")
        return [
            Item(event, (place,), "json", ("hooks", NATIVE[event]), entry(event, timeout))
            for event in events
        ]

    variable = f"{name.upper()}_CONFIG_DIR"
    scopes: dict[ScopeName, Sequence[Placement]] = {
        "user": items(f"~/.{name}", variable),
        "project": items(f".{name}", None),
        "local": [replace(one, files=(File(Dir(f".{name}"), "settings.local.json"),))
                  for one in items(f".{name}", None) if isinstance(one, Item)],
    }  # fmt: skip
    return host(name, scopes, events, **more)


def entry(event: str, timeout: int = 10, **node: Any) -> dict[str, Any]:
    """One grouped entry."""
    return {
        "matcher": "*",
        "hooks": [{"type": "command", "command": launcher(event, **node), "timeout": timeout}],
    }


def flat(name: str = "flat", events: Sequence[str] = EVENTS) -> HostPlan:
    """Flat entries and a version key (Cursor's shape)."""
    files = (File(Dir(f"~/.{name}"), "hooks.json"),)
    key = Key(files, "json", ("version",), 1, keep=True)
    items = [
        Item(event, files, "json", ("hooks", NATIVE[event]), {"command": launcher(event)})
        for event in events
    ]
    return host(name, {"user": [key, *items]}, events)


def owned(plugin: str, name: str = "owned", events: Sequence[str] = EVENTS) -> HostPlan:
    """A JSON file of our own in a folder (Copilot's shape)."""
    files = (File(Dir(f"~/.{name}"), f"hooks/{plugin}.json"),)
    document = {
        "version": 1,
        "hooks": {NATIVE[event]: [{"bash": launcher(event, guard=True)}] for event in events},
    }
    return host(name, {"user": [OwnFile(tuple(events), files, value=document)]}, events)


def shims(name: str = "shims", events: Sequence[str] = EVENTS) -> HostPlan:
    """One executable per event (Cline's shape)."""
    folder = Dir(f"~/Documents/{name}")
    rows = [
        Shim(event, event, tuple(File(folder, f"Hooks/{NATIVE[event]}{end}")
                                 for end in ("", ".sh", ".bash")))
        for event in events
    ]  # fmt: skip
    return host(name, {"user": rows}, events)


def module(plugin: str, name: str = "module", events: Sequence[str] = EVENTS) -> HostPlan:
    """A code module of our own, and its name in a list of the user's settings."""
    folder = Dir(f"~/.config/{name}", "XDG_CONFIG_HOME", name)
    files = (File(folder, f"plugin/{plugin}.js"),)
    listed = Item("", (File(folder, "config.jsonc"),), "jsonc", ("plugin",), f"./{plugin}.js")
    own = OwnFile(tuple(events), files, artifact=f"hosts/{name}/user/{plugin}.js")
    return host(name, {"user": [own, listed]}, events)


def all_shapes(plugin: str, events: Sequence[str] = EVENTS) -> dict[str, HostPlan]:
    """A host of every shape."""
    plans = (
        grouped(events=events), flat(events=events), owned(plugin, events=events),
        shims(events=events), module(plugin, events=events),
    )  # fmt: skip
    return {plan.name: plan for plan in plans}


@dataclass
class World:
    """The scratch folder, and what is done in it."""

    root: Path
    home: Path
    environ: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, root: Path, home: str = "home") -> World:
        """A machine with an empty home folder and no host on it."""
        folder = root / home
        folder.mkdir(parents=True)
        (root / "bin").mkdir()
        (root / "project").mkdir()
        environ = {"HOME": str(folder), "USERPROFILE": str(folder), "PATH": str(root / "bin")}
        return cls(root, folder, environ)

    @property
    def project(self) -> Path:
        """A project folder outside the home."""
        return self.root / "project"

    @property
    def state(self) -> Path:
        """Where placing keeps its own files."""
        return self.home / ".agent-plugin"

    def site(self, environment: str = "env") -> Path:
        """The folder that an environment's packages are in."""
        folder = self.root / environment / "site-packages"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def install(
        self,
        plugin: str,
        hosts: Mapping[str, HostPlan] | None = None,
        version: str = "1.0",
        environment: str = "env",
    ) -> Path:
        """Install a plugin as a wheel would; an older version of it goes. Returns its bundle."""
        self.uninstall(plugin, environment)
        site = self.site(environment)
        bundle = site / f"{plugin.replace('-', '_')}_agent_plugin"
        hosts = all_shapes(plugin) if hosts is None else hosts
        for name, plan in hosts.items():
            for placements in plan.scopes.values():
                for one in placements:
                    if isinstance(one, OwnFile) and one.artifact:
                        write(bundle / one.artifact, f"// {name}\nexport const l = "
                              "@AGENT_PLUGIN_LAUNCHER@;\n")  # fmt: skip
            for slot in plan.slots:
                write(bundle / f"fire/{name}/{slot}.sh", "exit 0\n")
        identity = Plugin(plugin, plugin, version)
        write(bundle / "plan.json", Plan(identity, "digest", dict(hosts)).to_bytes())
        mark = {
            "format": 1, "id": plugin, "name": plugin, "version": version, "bundle": bundle.name,
        }  # fmt: skip
        info = site / f"{plugin.replace('-', '_')}-{version}.dist-info"
        write(info / "extra_metadata/agent-plugin/plugin.json", json.dumps(mark))
        return bundle

    def uninstall(self, plugin: str, environment: str = "env") -> None:
        """Remove a plugin's package."""
        name = plugin.replace("-", "_")
        for folder in self.site(environment).glob(f"{name}[_-]*"):
            shutil.rmtree(folder)

    def put_on_path(self, *names: str) -> None:
        """Give hosts a program."""
        for name in names:
            program = self.root / "bin" / name
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)

    def context(self, environment: str = "env") -> Context:
        """The surroundings of a run in an environment."""
        machine = Machine(self.environ, str(self.home), "linux")
        return Context(
            machine=machine,
            state=State.from_environ(self.environ, self.home),
            environment=str(self.root / environment),
            python=sys.executable,
            runtime=str(TREE),
        )

    def activate(
        self,
        *plugins: str,
        hosts: Sequence[str] | None = None,
        scope: ScopeName = "user",
        environment: str = "env",
        replace: bool = False,
        dry_run: bool = False,
    ) -> Result:
        """Activate plugins of an environment; by default all, in every host they know."""
        installed, bad = discover([str(self.site(environment))])
        assert not bad
        known = tuple((one, one.plan()) for one in installed if not plugins or one.id in plugins)
        names = dict.fromkeys(name for _, plan in known for name in plan.hosts)
        place = Scope(scope, str(self.project) if scope in ("project", "local") else None)
        asked = Activation(known, tuple(names) if hosts is None else tuple(hosts), place, replace)
        return operations.activate(self.context(environment), asked, dry_run=dry_run)

    def deactivate(
        self, *plugins: str, environment: str = "env", keep_data: bool = False, **more: Any
    ) -> Result:
        """Deactivate plugins; by default all."""
        selection = Selection(plugins=plugins or None, **more)
        return operations.deactivate(self.context(environment), selection, keep_data=keep_data)

    def prune(self) -> Result:
        """Take back what belongs to packages that are gone."""
        return operations.deactivate(self.context(), operations.orphans)


def write(path: Path, content: str | bytes, mode: int | None = None) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if mode is not None:
        path.chmod(mode)
    return path


def snapshot(folder: Path, times: bool = False) -> dict[str, tuple[Any, ...]]:
    """Everything below a folder: kind, mode, content, and with ``times`` when it was changed."""

    def walk() -> Iterator[tuple[str, tuple[Any, ...]]]:
        for root, folders, files in os.walk(folder):
            for name in (*folders, *files):
                path = Path(root, name)
                status = path.lstat()
                content: object = None
                if stat.S_ISLNK(status.st_mode):
                    content = os.readlink(path)
                elif stat.S_ISREG(status.st_mode):
                    content = path.read_bytes()
                time = (status.st_mtime_ns, status.st_ino) if times else ()
                yield str(path.relative_to(folder)), (status.st_mode, content, *time)

    return dict(walk())


def states(result: Result) -> dict[str, int]:
    """How many rows of each state a result has."""
    counts: dict[str, int] = {}
    for row in result.rows:
        counts[row.state] = counts.get(row.state, 0) + 1
    return counts
