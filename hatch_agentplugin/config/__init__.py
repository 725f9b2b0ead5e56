"""Reads ``[tool.agent-plugin]`` of a project into a checked :class:`Declaration`.

All mistakes are reported together by one :class:`ConfigError`. The author's code is not imported.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hatch_agentplugin.compiler.prebuilt import has_folder
from hatch_agentplugin.config import content, paths
from hatch_agentplugin.config.handlers import Sources
from hatch_agentplugin.config.hooks_file import expand
from hatch_agentplugin.config.models import AgentPluginTable, HookTable, Project, ServerTable
from hatch_agentplugin.config.rules import broken_rules
from hatch_agentplugin.config.type_errors import problems_of
from hatch_agentplugin.declaration import Declaration, Hook, Server
from hatch_agentplugin.plan import Plugin
from hatch_agentplugin.problems import TABLE, ConfigError, Problem, toml_key
from hatch_agentplugin.words import canonical_event

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["ConfigError", "Problem", "Sources", "declare", "load", "plugin_id", "read_table"]


def plugin_id(name: str) -> str:
    """The plugin's id: the distribution's name as PEP 503 normalises it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_table(root: Path) -> Mapping[str, Any] | None:
    """The table ``[tool.agent-plugin]`` as it stands, None where a project has none.

    Raises OSError where there is no pyproject.toml, :class:`ConfigError` where it is not TOML.
    """
    text = (root / "pyproject.toml").read_bytes()
    try:
        document = tomllib.loads(text.decode("utf-8"))
    except ValueError as error:
        raise ConfigError([Problem("the file", "is not TOML", str(error))]) from None
    tool = document.get("tool", {})
    table: Mapping[str, Any] | None = tool.get("agent-plugin") if isinstance(tool, dict) else None
    return table


def load(root: Path, hosts: Collection[str], plugin: Plugin, sources: Sources) -> Declaration:
    """The declaration of the project in ``root``.

    ``hosts`` are the ids of the known hosts; ``sources`` maps paths in the wheel
    (``acme/hooks.py``) to the project's files, and is where handlers are looked up.
    Raises :class:`ConfigError` with every mistake, OSError where there is no pyproject.toml.
    """
    return declare(read_table(root) or {}, plugin, Project(root, hosts, sources))


def declare(table: Any, plugin: Plugin, project: Project) -> Declaration:
    """Check the table and make the declaration of it. Raises :class:`ConfigError`."""
    table = expand(table, project.root)
    problems: list[Problem] = []
    try:
        model = AgentPluginTable.model_validate(table, context=project)
    except ValidationError as error:
        problems += problems_of(error, table)
    problems += _rules(table)
    problems += _content_rules(table, project)
    if problems:
        order = _positions(table)
        problems.sort(key=lambda problem: order.get(problem.where, 0))
        raise ConfigError(list(dict.fromkeys(problems)))
    hooks = tuple(_hooks(model, table))
    moved = content.moved(project.root, model.skills, model.commands, model.rules)
    files = [name for name in _files(model, project.root) if moved.get(name) != name]
    if taken := next((name for name in files if name in moved), None):
        where = f"{TABLE}.{taken.partition('/')[0]}"
        raise ConfigError([Problem(where, f'"{taken}" of the project has that place in the bundle',
                                   "rename the folder, or do not include the other one")])  # fmt: skip
    return Declaration(
        plugin=plugin,
        hooks=hooks,
        files=tuple(files),
        native={
            host: {event: tuple(entries) for event, entries in events.items()}
            for host, events in model.native.items()
        },
        prebuilt=model.prebuilt,
        executables=frozenset(
            path
            for rows in model.prebuilt.values()
            for path in rows.values()
            if os.access(project.root / path, os.X_OK)
        ),
        mcp=tuple(_server(name, row) for name, row in model.mcp.items()),
        skills=tuple(sorted(name for name in moved if name.startswith("skills/"))),
        commands=tuple(sorted(name for name in moved if name.startswith("commands/"))),
        rules=next((name for name in moved if name.startswith("rules/")), None),
        moved=dict(sorted(moved.items())),
        carrier=model.bundle.carrier,
    )


def _server(name: str, row: ServerTable) -> Server:
    return Server(
        name=name,
        command=row.command,
        args=tuple(row.args),
        env=row.env,
        cwd=row.cwd,
        url=row.url,
        headers=row.headers,
        transport=row.transport,
        hosts=tuple(row.hosts or ()),
    )


def _content_rules(table: Any, project: Project) -> Iterator[Problem]:
    """What can be said of servers and native events by looking at several values at once."""
    for name, server in _tables(table, "mcp"):
        for key, mistake in content.broken_server(server):
            where = f"{TABLE}.{toml_key('mcp', name)}.{key}".rstrip(".")
            yield Problem(where, mistake.what, mistake.advice)
    hosts = project.hosts if isinstance(project.hosts, Mapping) else {}
    for name, _ in _tables(table, "prebuilt"):
        if name in hosts and not has_folder(hosts[name]):
            where = f"{TABLE}.{toml_key('prebuilt', name)}"
            yield Problem(where, "no folder of this host's is known", "place the files by hand")
    for name, events in _tables(table, "native"):
        if name in hosts:
            for keys, mistake in content.broken_native(hosts[name], events, project.root):
                where = f"{TABLE}.{toml_key('native', name, *keys)}"
                yield Problem(where, mistake.what, mistake.advice)


def _tables(table: Any, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables below a key, as far as the table has its form."""
    value = table.get(key) if isinstance(table, dict) else None
    for name, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, dict):
            yield name, item


def _raw_hooks(table: Any) -> Iterator[tuple[str, str, Any]]:
    """Event as spelt, TOML key and raw value of every hook, as far as the table has its form."""
    hooks = table.get("hooks") if isinstance(table, dict) else None
    for event, value in hooks.items() if isinstance(hooks, dict) else ():
        if isinstance(value, dict):
            yield event, toml_key("hooks", event), value
        for n, item in enumerate(value if isinstance(value, list) else ()):
            yield event, toml_key("hooks", event, n), item


def _rules(table: Any) -> Iterator[Problem]:
    known = {field.alias or name for name, field in HookTable.model_fields.items()}
    for spelling, key, hook in _raw_hooks(table):
        if isinstance(hook, dict):
            for name, mistake in broken_rules(canonical_event(spelling), hook, known):
                where = f"{TABLE}.{key}.{name}".rstrip(".")
                yield Problem(where, mistake.what, mistake.advice)


def _hooks(model: AgentPluginTable, table: Any) -> Iterator[Hook]:
    """The hooks in the order of the file; two spellings of an event run one after the other."""
    rows = [row for event in model.hooks.values() for row in event]
    for (spelling, key, _), row in zip(_raw_hooks(table), rows, strict=True):
        yield Hook(
            key=key,
            event=canonical_event(spelling) or spelling,
            handler=row.handler,
            command=row.command,
            args=tuple(row.args),
            env=row.env,
            cwd=row.cwd,
            tools=tuple(row.tools or ()),
            hosts=tuple(row.hosts or ()),
            timeout=row.timeout,
            when=row.when,
            on_error=row.on_error,
            result=row.result,
        )


def _files(model: AgentPluginTable, root: Path) -> list[str]:
    """Every file that travels: scripts, what arguments and variables name, what is included."""
    named = list(model.include)
    for row in (row for rows in model.hooks.values() for row in rows):
        named += [row.command] if row.command and row.command.startswith("./") else []
        named += filter(None, map(paths.root_file, [*row.args, *row.env.values()]))
    for server in model.mcp.values():
        command = server.command or ""
        named += [command] if command.startswith("./") else []
        named += filter(None, map(paths.root_file, [*server.args, *server.env.values()]))
    named += [f"./{name}" for name in content.named_files(model.native)]
    named += [path for rows in model.prebuilt.values() for path in rows.values()]
    found = {
        file for path in named for file in paths.travelling(root, paths.project_file(root, path))
    }
    return sorted(found)


def _positions(table: Any) -> dict[str, int]:
    """TOML keys in the order of the file."""
    keys: dict[str, int] = {}

    def walk(value: Any, *where: str | int) -> None:
        keys[toml_key(*where)] = len(keys)
        if isinstance(value, dict):
            for key, item in value.items():
                walk(item, *where, key)
        elif isinstance(value, list):
            for n, item in enumerate(value):
                walk(item, *where, n)

    walk(table, TABLE)
    return keys
