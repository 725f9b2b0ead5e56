"""The Agent Plugins folder as a package of its own: with handlers as commands, where they can be.

A portable command gets no payload and its answer is lost. So a handler is one where it asks for
neither: at the start and the end of sessions and turns, for every host, and not in place of a
refusal. In a wheel it is none: by no relative path does a bundle find the Python that it is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hatch_agentplugin.adapter import Detect, Entries, Evidence, Host, Native, Wire
from hatch_agentplugin.agent_plugins.root import portable_root
from hatch_agentplugin.compiler.fire_table import fire_table, make_slots
from hatch_agentplugin.declaration import Hook, Server
from hatch_agentplugin.packages import servers
from hatch_agentplugin.packages.output import Files
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.plan import dump
from hatch_agentplugin.scripts.slot import slot_script
from hatch_agentplugin.words import EVENTS, PORTABLE_EVENTS

NAME = "agent-plugins"
_EVENTS = tuple(event for event in PORTABLE_EVENTS if not EVENTS[event].tool)

#: Whoever runs the commands of the folder: it sends nothing, and takes no answer.
CLIENT = Host(
    id=NAME,
    name="a client of Agent Plugins",
    evidence=Evidence(basis="documented", version="1.1.0", date="2026-11-30"),
    detect=Detect(),
    delivery=Entries(files={}, at=(), entry={}),
    wire=Wire(fields={}, environment={"host": "AGENT_PLUGIN_HOST"}),
    events={event: Native(event) for event in _EVENTS},
)


def folder(runner: Runner) -> tuple[Files, list[str]]:
    """Everything below the folder, and a line for everything that it can't carry."""
    declared = runner.declaration
    notes: list[str] = []
    able = [hook for hook in declared.hooks if hook.handler and not _why_not(hook)]
    ours = runner.launcher(NAME, ".portable", _tables(runner, able)) if able else {}
    if taken := sorted(ours.keys() & runner.stored.keys()):
        notes += [f"hooks.json: {hook.key}: left out: {taken[0]} is a file of the plugin's"
                  for hook in able]  # fmt: skip
        able, ours = [], {}
    started, files = _servers(runner, notes)
    hooks = [hook for hook in declared.hooks if hook.command]
    hooks += [
        Hook(key="", event=event, command="./launch", args=(NAME, event))
        for event in _EVENTS
        if any(hook.event == event for hook in able)
    ]
    root = portable_root(
        replace(declared, hooks=tuple(hooks), mcp=tuple(started)), runner.project.about
    )
    notes += root.notes
    notes += [f"the format has no {kind}"
              for kind, there in (("commands", declared.commands), ("rules", declared.rules)) if there]  # fmt: skip
    notes += [f"hooks.json: {hook.key}: left out: {_why_not(hook)}"
              for hook in declared.hooks if hook.handler and _why_not(hook)]  # fmt: skip
    notes += [f"hooks.json: {hook.key}: without an event's fields, and its answer is lost"
              for hook in able]  # fmt: skip
    made = {
        name: content
        for name, content in runner.stored.items()
        if name.partition("/")[0] not in ("fire", "hosts", "plan.json", "commands", "rules")
        and name not in ("hooks.json", "mcp.json")
    }
    made |= files
    made |= {name: (data, False) for name, data in root.files.items()}
    made |= ours
    notes += runner.notes() if able else []
    notes.append(f"a user gets it by: agent-plugin activate DIR/{runner.project.plugin.id}")
    return made, notes


def _why_not(hook: Hook) -> str:
    """Why a handler can't be a portable command; empty where it can."""
    if hook.event not in PORTABLE_EVENTS:
        return f"the format has no event {hook.event}"
    if hook.event not in _EVENTS:
        return "a portable command is not told the tool"
    if hook.hosts:
        return 'the format has no "hosts"'
    return "its failure can't count as a refusal there" if hook.on_error == "deny" else ""


def _servers(runner: Runner, notes: list[str]) -> tuple[list[Server], Files]:
    made: list[Server] = []
    files: Files = {}
    for server in runner.declaration.mcp:
        try:
            started, more = servers.started(server, runner, "${PLUGIN_ROOT}/lib")
        except servers.LeftOut as why:
            notes.append(f"mcp.json: {server.name}: left out: {why}")
        else:
            made.append(started)
            files |= more
    return made, files


def _tables(runner: Runner, able: Sequence[Hook]) -> Files:
    return {
        f"lib/{runner.folder}/fire/{NAME}/{name}": (data, False)
        for event in _EVENTS
        for slot in make_slots(CLIENT, event, [hook for hook in able if hook.event == event])
        for name, data in _table(fire_table(runner.project.plugin.id, slot, {}), event)
    }


def _table(table: dict[str, object], event: str) -> Iterator[tuple[str, bytes]]:
    yield f"{event}.json", dump(table)
    yield f"{event}.sh", slot_script(table).encode("utf-8")
