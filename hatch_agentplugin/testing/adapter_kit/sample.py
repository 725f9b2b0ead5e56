"""The plugin for tests of adapters: every event, kind of tool and kind of content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hatch_agentplugin.activate.discover import Installed
from hatch_agentplugin.adapter import Host
from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.compiler.code_modules import render
from hatch_agentplugin.declaration import Declaration, Hook, Server
from hatch_agentplugin.plan import HostPlan, Plugin
from hatch_agentplugin.simulate import Bundle
from hatch_agentplugin.words import EVENTS, SELECTORS

PLUGIN = Plugin("sample", "sample", "1.0", "Uses every event, tool selector and kind of content.")
#: Variables with the handler's answer, and with the file to which it writes its event.
ANSWER, SEEN = "SAMPLE_ANSWER", "SAMPLE_SEEN"
TIMEOUT = 10.0

_HANDLER = f'''
import json
import os


def handle(event):
    """Write the event to a file; answer as the test says."""
    if path := os.environ.get("{SEEN}"):
        seen = {{name: getattr(event, name) for name in event.__slots__}}
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(seen, file)
        os.replace(path + ".new", path)
    return json.loads(os.environ.get("{ANSWER}", "null"))
'''
#: Path in the bundle -> text.
FILES = {
    "skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets.\n---\n\nSay hello.\n",
    "commands/sample-check.md": "---\ndescription: Check.\n---\nCheck $ARGUMENTS.\n",
    "rules/RULES.md": "# Sample\n\nSpeak plainly.\n",
}
_SERVERS = (
    Server(
        name="local",
        command="sample-server",
        args=("--data", "${PLUGIN_DATA}/db", "a b"),
        env={"SAMPLE_ROOT": "${PLUGIN_ROOT}"},
    ),
    Server(name="remote", url="https://sample.example/mcp"),
)


@dataclass(frozen=True)
class Sample:
    """A plugin compiled for one host, in a folder as if it were installed."""

    host: Host
    bundle: Bundle
    declaration: Declaration

    @classmethod
    def make(cls, host: Host, site: Path, declaration: Declaration | None = None) -> Sample:
        """Compile into the folder ``site``; another declaration needs no files of the sample."""
        declared = declaration or declare(host)
        folder = site / f"{declared.plugin.id.replace('-', '_')}_agent_plugin"
        files = dict(compile_bundle(declared, [host], render).files)
        if declaration is None:
            files |= {name: text.encode() for name, text in FILES.items()}
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (site / "sample_hooks.py").write_text(_HANDLER, "utf-8")
        return cls(host, Bundle.read(folder), declared)

    @property
    def plan(self) -> HostPlan | None:
        """The host's part of the plan; None if the host gets nothing."""
        return self.bundle.plan.hosts.get(self.host.id)

    @property
    def installed(self) -> Installed:
        """The plugin as `activate` discovers it."""
        plugin = self.declaration.plugin
        return Installed(plugin.id, plugin.name, plugin.version, Path(self.bundle.folder))

    @property
    def tables(self) -> Sequence[tuple[str, dict[str, Any]]]:
        """Every slot of the host with its fire table."""
        slots = self.plan.slots if self.plan else ()
        return [(slot, self.bundle.table(self.host.id, slot)) for slot in slots]

    @property
    def report(self) -> str:
        """The build's report about the host, a line per event."""
        rows = [
            f"{cell.event} -> {cell.native or '-'}: {cell.state}; {cell.reason}".rstrip("; ") + "\n"
            for cell in self.bundle.plan.report
        ]
        return "".join(rows)


def declare(host: Host) -> Declaration:
    """Return the sample's declaration, which is nearly the same for every host."""
    hooks = [
        _hook(event, number, tools)
        for event in EVENTS
        for number, tools in enumerate(_tools(event, host), 1)
    ]
    return Declaration(
        plugin=PLUGIN,
        hooks=tuple(hooks),
        mcp=_SERVERS,
        skills=("skills/greet/SKILL.md",),
        commands=("commands/sample-check.md",),
        rules="rules/RULES.md",
    )


def _tools(event: str, host: Host) -> list[tuple[str, ...]]:
    """Return one selection of tools per hook: each kind of tool before a tool, else all tools."""
    if event == "pre-tool-use" and host.tools:
        return [(selector,) for selector in SELECTORS]
    return [()]


def _hook(event: str, number: int, tools: tuple[str, ...]) -> Hook:
    return Hook(
        key=f"hooks.{event}[{number}]",
        event=event,
        handler="sample_hooks:handle",
        tools=tools,
        timeout=TIMEOUT,
    )
