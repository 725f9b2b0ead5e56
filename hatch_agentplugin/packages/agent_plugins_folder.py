"""The Agent Plugins folder as a package: handlers become commands if the format allows it.

A portable command gets no payload, and its answer is lost. So only handlers that need neither become
commands: those of session and turn events, for every host, without ``on-error = "deny"``.
In a wheel no handler becomes a command, because the bundle contains no relative path to a Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hatch_agentplugin.adapter import Detect, Entries, Evidence, Host, Native, Wire
from hatch_agentplugin.agent_plugins.manifest import portable_root
from hatch_agentplugin.compiler.fire_table import fire_table
from hatch_agentplugin.compiler.slots import make_slots
from hatch_agentplugin.declaration import Declaration, Hook, Server
from hatch_agentplugin.packages import servers
from hatch_agentplugin.packages.output import Files
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.plan import dump
from hatch_agentplugin.scripts.slot import slot_script
from hatch_agentplugin.words import EVENTS, PLUGIN_ROOT, PORTABLE_EVENTS

NAME = "agent-plugins"
_EVENTS = tuple(event for event in PORTABLE_EVENTS if not EVENTS[event].tool)
#: Files of the bundle that the folder omits or rewrites.
_NOT_COPIED = ("fire", "hosts", "plan.json", "commands", "rules", "hooks.json", "mcp.json")

#: The program that runs the commands of the folder. It sends nothing and reads no answer.
CLIENT = Host(
    id=NAME,
    name="a client of Agent Plugins",
    evidence=Evidence(basis="documented", version="1.1.0", date="2026-11-30"),
    detect=Detect(),
    delivery=Entries(files={}, at=(), entry={}),
    wire=Wire(fields={}, environment={"host": "AGENT_PLUGIN_HOST"}),
    events={event: Native(event) for event in _EVENTS},
)


def files(runner: Runner) -> tuple[Files, list[str]]:
    """Return the package, and a note for everything that it leaves out.

    Paths begin with the plugin's id.
    """
    notes: list[str] = []
    handlers, launcher = _handlers(runner, notes)
    startable, server_files = _servers(runner, notes)
    hooks = (*_commands(runner.declaration), *_handler_commands(handlers))
    declaration = replace(runner.declaration, hooks=hooks, mcp=tuple(startable))
    root = portable_root(declaration, runner.project.about)
    notes += [*root.notes, *_left_out(runner.declaration)]
    notes += [f"hooks.json: {hook.key}: runs without the event's fields, and its answer is lost"
              for hook in handlers]  # fmt: skip
    notes += runner.notes() if handlers else []
    plugin = runner.project.plugin.id
    notes.append(f"install it with: agent-plugin activate DIR/{plugin}")
    made = {
        name: content
        for name, content in runner.stored.items()
        if name.partition("/")[0] not in _NOT_COPIED
    }
    made |= server_files
    made |= {name: (data, False) for name, data in root.files.items()}
    made |= launcher
    return {f"{plugin}/{name}": content for name, content in made.items()}, notes


def _handlers(runner: Runner, notes: list[str]) -> tuple[list[Hook], Files]:
    """Return the handlers that become commands, and the launcher that the commands start."""
    portable = [
        hook for hook in runner.declaration.hooks if hook.handler and not _why_left_out(hook)
    ]
    if not portable:
        return [], {}
    launcher = runner.launcher(NAME, ".portable", _tables(runner, portable))
    if taken := sorted(launcher.keys() & runner.stored.keys()):
        notes += [f"hooks.json: {hook.key}: left out: the plugin has a file {taken[0]} itself"
                  for hook in portable]  # fmt: skip
        return [], {}
    return portable, launcher


def _tables(runner: Runner, handlers: Sequence[Hook]) -> Files:
    """Return the fire tables and slot scripts for the client."""
    plugin = runner.project.plugin.id
    return {
        f"lib/{runner.folder}/fire/{NAME}/{name}": (data, False)
        for event in _EVENTS
        for slot in make_slots(CLIENT, event, [hook for hook in handlers if hook.event == event])
        for name, data in _table(fire_table(plugin, slot, {}), event)
    }


def _table(table: dict[str, object], event: str) -> Iterator[tuple[str, bytes]]:
    yield f"{event}.json", dump(table)
    yield f"{event}.sh", slot_script(table).encode("utf-8")


def _commands(declaration: Declaration) -> Iterator[Hook]:
    yield from (hook for hook in declaration.hooks if hook.command)


def _handler_commands(handlers: Sequence[Hook]) -> Iterator[Hook]:
    """Yield one command per event: it starts the launcher, which runs all handlers."""
    for event in _EVENTS:
        if any(hook.event == event for hook in handlers):
            yield Hook(key="", event=event, command="./launch", args=(NAME, event))


def _servers(runner: Runner, notes: list[str]) -> tuple[list[Server], Files]:
    made: list[Server] = []
    files: Files = {}
    for server in runner.declaration.mcp:
        try:
            startable, more = servers.startable(server, runner, f"{PLUGIN_ROOT}/lib")
        except servers.LeftOut as why:
            notes.append(f"mcp.json: {server.name}: left out: {why}")
        else:
            made.append(startable)
            files |= more
    return made, files


def _left_out(declaration: Declaration) -> Iterator[str]:
    if declaration.commands:
        yield "the format has no commands"
    if declaration.rules:
        yield "the format has no rules"
    for hook in declaration.hooks:
        if hook.handler and (why := _why_left_out(hook)):
            yield f"hooks.json: {hook.key}: left out: {why}"


def _why_left_out(hook: Hook) -> str:
    """Return why a handler cannot become a command; empty if it can."""
    if hook.event not in PORTABLE_EVENTS:
        return f"the format has no event {hook.event}"
    if hook.event not in _EVENTS:
        return "a portable command does not get the tool call"
    if hook.hosts:
        return 'the format has no "hosts"'
    return "a portable command cannot refuse" if hook.on_error == "deny" else ""
