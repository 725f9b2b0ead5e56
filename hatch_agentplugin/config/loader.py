"""Reads pyproject.toml, checks the table by every rule and makes a :class:`Declaration` of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hatch_agentplugin import sources
from hatch_agentplugin.compiler.content_placements import has_folder
from hatch_agentplugin.config.bundled_files import files_by_content, files_in_place
from hatch_agentplugin.config.handlers import Sources
from hatch_agentplugin.config.hook_rules import broken_rules
from hatch_agentplugin.config.hooks_file import expand
from hatch_agentplugin.config.models import AgentPluginTable, HookTable, ServerTable
from hatch_agentplugin.config.servers import native_mistakes, server_mistakes
from hatch_agentplugin.config.type_errors import problems_of
from hatch_agentplugin.config.values import ProjectContext
from hatch_agentplugin.declaration import Declaration, Hook, Server
from hatch_agentplugin.plan import Plugin
from hatch_agentplugin.problems import TABLE, ConfigError, Mistake, Problem, toml_key
from hatch_agentplugin.words import canonical_event


def read_table(root: Path) -> Mapping[str, Any] | None:
    """Return the table ``[tool.agent-plugin]`` unchecked, None if the project has none.

    Raises OSError if pyproject.toml cannot be read, :class:`ConfigError` if it is not TOML.
    """
    try:
        return sources.read_table(root)
    except ValueError as error:
        raise ConfigError([Problem("", "not valid TOML", str(error))]) from None


def load(root: Path, hosts: Collection[str], plugin: Plugin, modules: Sources) -> Declaration:
    """Return the declaration of the project in ``root``.

    ``hosts`` are the ids of the known hosts; if it is a mapping to hosts, native entries are checked
    as well. ``modules`` maps paths in the wheel (``acme/hooks.py``) to files of the project; handlers
    are looked up there. Raises :class:`ConfigError` with every mistake, OSError if pyproject.toml
    cannot be read.
    """
    project = ProjectContext(root, hosts, modules)
    table = expand(read_table(root) or {}, root)
    return _declaration(_validate(table, project), table, plugin, root)


def _validate(table: Any, project: ProjectContext) -> AgentPluginTable:
    """Check types and single values, then everything that depends on several values."""
    problems: list[Problem] = []
    try:
        model = AgentPluginTable.model_validate(table, context=project)
    except ValidationError as error:
        problems += problems_of(error, table)
    problems += _hook_problems(table)
    problems += _server_problems(table)
    problems += _host_problems(table, project)
    if problems:
        order = _positions(table)
        problems.sort(key=lambda problem: order.get(problem.where, 0))
        raise ConfigError(list(dict.fromkeys(problems)))
    return model


def _declaration(model: AgentPluginTable, table: Any, plugin: Plugin, root: Path) -> Declaration:
    moved = files_by_content(root, model)
    files = [name for name in files_in_place(root, model) if moved.get(name) != name]
    _check_collisions(files, moved)
    prebuilt = [path for rows in model.prebuilt.values() for path in rows.values()]
    return Declaration(
        plugin=plugin,
        hooks=tuple(_hooks(model, table)),
        files=tuple(files),
        native={
            host: {event: tuple(entries) for event, entries in events.items()}
            for host, events in model.native.items()
        },
        prebuilt=model.prebuilt,
        executables=frozenset(path for path in prebuilt if os.access(root / path, os.X_OK)),
        mcp=tuple(_server(name, row) for name, row in model.mcp.items()),
        skills=tuple(sorted(name for name in moved if name.startswith("skills/"))),
        commands=tuple(sorted(name for name in moved if name.startswith("commands/"))),
        rules=next((name for name in moved if name.startswith("rules/")), None),
        moved=dict(sorted(moved.items())),
        runner=model.packages.runner,
    )


def _check_collisions(files: Collection[str], moved: Mapping[str, str]) -> None:
    for name in files:
        if name in moved:
            key = name.partition("/")[0]
            what = f'"{moved[name]}" and "{name}" would have the same path in the bundle'
            advice = "rename one of the folders, or do not include the second one"
            raise ConfigError([Problem(f"{TABLE}.{key}", what, advice)])


def _hooks(model: AgentPluginTable, table: Any) -> Iterator[Hook]:
    """Yield the hooks in the order of the file; two spellings of an event are one event."""
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


# --- rules over several values; they read the raw table, which may have wrong types elsewhere ---


def _problem(mistake: Mistake, *keys: str, below: str = "") -> Problem:
    where = f"{TABLE}.{toml_key(*keys)}.{below}".rstrip(".")
    return Problem(where, mistake.what, mistake.advice)


def _hook_problems(table: Any) -> Iterator[Problem]:
    known = {field.alias or name for name, field in HookTable.model_fields.items()}
    for spelling, key, hook in _raw_hooks(table):
        if isinstance(hook, dict):
            for name, mistake in broken_rules(canonical_event(spelling), hook, known):
                where = f"{TABLE}.{key}.{name}".rstrip(".")
                yield Problem(where, mistake.what, mistake.advice)


def _server_problems(table: Any) -> Iterator[Problem]:
    for name, server in _tables(table, "mcp"):
        for key, mistake in server_mistakes(server):
            yield _problem(mistake, "mcp", name, below=key)


def _host_problems(table: Any, project: ProjectContext) -> Iterator[Problem]:
    """Check ``prebuilt`` and ``native``, which need the hosts themselves and not only their ids."""
    hosts = project.hosts if isinstance(project.hosts, Mapping) else {}
    for name, _ in _tables(table, "prebuilt"):
        if name in hosts and not has_folder(hosts[name]):
            what = f"the folder of {hosts[name].name} is not known"
            yield _problem(
                Mistake(what, "remove the table and copy the files yourself"), "prebuilt", name
            )
    for name, events in _tables(table, "native"):
        if name in hosts:
            for keys, mistake in native_mistakes(hosts[name], events, project.root):
                yield _problem(mistake, "native", name, *keys)


def _tables(table: Any, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the tables below a key, and nothing if the value has another type."""
    value = table.get(key) if isinstance(table, dict) else None
    for name, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, dict):
            yield name, item


def _raw_hooks(table: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield the event as spelt, the TOML key and the raw value of every hook."""
    hooks = table.get("hooks") if isinstance(table, dict) else None
    for event, value in hooks.items() if isinstance(hooks, dict) else ():
        if isinstance(value, dict):
            yield event, toml_key("hooks", event), value
        for n, item in enumerate(value if isinstance(value, list) else ()):
            yield event, toml_key("hooks", event, n), item


def _positions(table: Any) -> dict[str, int]:
    """Return every TOML key of the table -> its position in the file."""
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
