"""A plugin whose answers a test chooses, compiled and activated for a real host."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.compiler import compile_bundle
from hatch_agentplugin.compiler.code_modules import render
from hatch_agentplugin.declaration import Declaration, Hook
from hatch_agentplugin.plan import Plugin
from tests.activate.world import World, write
from tests.hosts._sandbox import Run
from tests.hosts.drivers import Driver, run
from tests.hosts.model import Script

HANDLER = '''
import json
from pathlib import Path

HERE = Path(__file__).parent


def answer(event):
    """Log the event and answer it, at a turn's end only the first time."""
    with open(HERE / "seen.jsonl", "a", encoding="utf-8") as log:
        fields = {name: getattr(event, name) for name in event.__slots__ if name != "raw"}
        fields["sent"] = list(event.raw)
        log.write(json.dumps(fields, default=str) + "\\n")
    told = json.loads((HERE / "answers.json").read_text("utf-8")).get(event.event)
    once = HERE / "kept-going"
    if told is None or (event.event == "turn-end" and once.exists()):
        return None
    if event.event == "turn-end":
        once.touch()
    swap = told.pop("swap", None)
    if swap:
        told["input"] = json.loads(json.dumps(event.input).replace(*swap))
    return told
'''


def install(
    root: Path, host: Host, answers: Mapping[str, Any], driver: Driver | None = None
) -> World:
    """Compile for every event the host has, install, and activate."""
    world = World.make(root, "home")
    site = world.site()
    hooks = tuple(
        Hook(key=f"hooks.{event}[1]", event=event, handler="probe_hooks:answer", timeout=20)
        for event in host.events
    )
    declared = Declaration(plugin=Plugin("probe", "probe", "1.0"), hooks=hooks)
    for name, data in compile_bundle(declared, [host], render).files.items():
        write(site / "probe_agent_plugin" / name, data)
    mark = {
        "format": 1,
        "id": "probe",
        "name": "probe",
        "version": "1.0",
        "bundle": "probe_agent_plugin",
    }
    info = site / "probe-1.0.dist-info" / "extra_metadata/agent-plugin/plugin.json"
    write(info, json.dumps(mark))
    write(site / "probe_hooks.py", HANDLER)
    write(site / "answers.json", json.dumps(answers))
    if driver:
        driver.prepare(world.home, world.project)
    placed = world.activate(hosts=[host.id])
    assert placed.ok, placed.rows
    return world


@dataclass(frozen=True)
class Probe:
    """The plugin in one host's scratch home."""

    world: World
    host: Host
    driver: Driver

    @classmethod
    def make(cls, root: Path, host: Host, driver: Driver, answers: Mapping[str, Any]) -> Probe:
        """Compile for every event the host has, install, and activate."""
        world = install(root, host, answers, driver)
        return cls(world, host, driver)

    def run(self, script: Script) -> Run:
        """Run the host once without a terminal."""
        prompt = "please make the file"
        return run(self.driver, self.world.home, self.world.project, prompt, script)

    def seen(self) -> Sequence[dict[str, Any]]:
        """Return the events that the handler got, in order."""
        file = self.world.site() / "seen.jsonl"
        if not file.exists():
            return []
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    def log(self) -> str:
        """Return the log of the plugin's failures."""
        file = self.world.state / "probe/log"
        return file.read_text("utf-8") if file.exists() else ""
