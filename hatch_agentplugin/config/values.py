"""Checks of single values in ``[tool.agent-plugin]``, as annotated types for the models.

Without a :class:`ProjectContext` as validation context, only rules that need no project are checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ValidationInfo

from hatch_agentplugin.config import paths, servers, skills
from hatch_agentplugin.config.handlers import Sources, check_handler
from hatch_agentplugin.problems import Mistake, choose, quoted
from hatch_agentplugin.words import EVENTS, SELECTORS, canonical_event, nearest_event

#: Seconds from which on a timeout is likely to be in milliseconds.
TIMEOUT_LIMIT = 1000

#: Tool names that authors know from agents, in lower case -> what to write instead.
_TOOL_HINTS = {
    "*": 'remove "tools": then the hook is for every tool',
    "bash": 'write "shell", or <agent>:Bash for one agent',
    "edit": 'write "file.write", or <agent>:Edit for one agent',
    "write": 'write "file.write", or <agent>:Write for one agent',
    "read": 'write "file.read", or <agent>:Read for one agent',
    "task": 'write "agent", or <agent>:Task for one agent',
    "webfetch": 'write "web", or <agent>:WebFetch for one agent',
    "websearch": 'write "web", or <agent>:WebSearch for one agent',
}


@dataclass(frozen=True)
class ProjectContext:
    """The project that values are checked against."""

    root: Path
    """Folder of pyproject.toml."""
    hosts: Collection[str]
    """Ids of the known hosts, or a mapping of ids to hosts."""
    sources: Sources
    """Path in the wheel -> file, where handlers are looked up."""


def _with_root(check: Callable[[Path, str], str]) -> AfterValidator:
    def validate(value: str, info: ValidationInfo) -> str:
        return check(info.context.root, value) if info.context else value

    return AfterValidator(validate)


def one_as_list(value: Any) -> Any:
    """Return a single table as a list of one, and any other value unchanged."""
    return [value] if isinstance(value, dict) else value


def _event(name: str) -> str:
    if canonical_event(name) is None:
        near = nearest_event(name)
        advice = f"allowed: {', '.join(EVENTS)}, and their common spellings"
        if near:
            advice = f'did you mean "{near}"? {advice[0].upper()}{advice[1:]}'
        raise Mistake(f"unknown event {quoted(name)}", advice)
    return name


def _host(name: str, info: ValidationInfo) -> str:
    if info.context and name not in info.context.hosts:
        raise Mistake(f"unknown agent {quoted(name)}", choose(name, sorted(info.context.hosts)))
    return name


def _selector(name: str, info: ValidationInfo) -> str:
    host, colon, tool = name.partition(":")
    if colon and tool:
        _host(host, info)
    elif name not in SELECTORS:
        advice = _TOOL_HINTS.get(name.lower()) or choose(name, SELECTORS, ", or <agent>:<Name>")
        raise Mistake(f"unknown tool selector {quoted(name)}", advice)
    return name


def _handler(reference: str, info: ValidationInfo) -> str:
    return check_handler(reference, info.context.sources) if info.context else reference


def _timeout(value: float) -> float:
    if value >= TIMEOUT_LIMIT and math.isfinite(value):
        advice = f"timeouts are in seconds, not milliseconds: write {value / 1000:g}"
        raise Mistake(f"must be below {TIMEOUT_LIMIT} seconds, got {value:g}", advice)
    if not math.isfinite(value) or value <= 0:
        advice = "write a number of seconds, for example 10"
        raise Mistake(f"must be greater than 0 seconds, got {value:g}", advice)
    return float(value)


def _host_path(path: str) -> str:
    return paths.project_path(path, "plugin/acme.js")


def _prebuilt_file(root: Path, text: str) -> str:
    path = paths.project_file(root, text)
    if not (root / path).is_file():
        raise Mistake(f"{quoted(text)} is not a file", "write a line for each file to place")
    return path


def not_empty(value: list[Any]) -> list[Any]:
    """Check that an event has a hook or native entry."""
    if not value:
        raise Mistake("must not be an empty array", "declare a hook, or remove the line")
    return value


def _restriction(value: list[str]) -> list[str]:
    if not value:
        raise Mistake("must not be an empty array", "name at least one, or remove the key for all")
    return list(dict.fromkeys(value))


def _json(value: Any) -> Any:
    """Check that JSON can hold the value: native entries are written into hosts' documents."""
    if isinstance(value, (date, time)) or (isinstance(value, float) and not math.isfinite(value)):
        advice = "write it as a string, in quotes"
        raise Mistake(f"{value} cannot be written into the agent's settings", advice)
    items = value.values() if isinstance(value, dict) else value
    for item in items if isinstance(value, (dict, list)) else ():
        _json(item)
    return value


Event = Annotated[str, AfterValidator(_event)]
HostId = Annotated[str, AfterValidator(_host)]
Handler = Annotated[str, AfterValidator(_handler)]
Selectors = Annotated[list[Annotated[str, AfterValidator(_selector)]], AfterValidator(_restriction)]
HostIds = Annotated[list[HostId], AfterValidator(_restriction)]
Timeout = Annotated[float, AfterValidator(_timeout)]
Condition = Annotated[str, AfterValidator(paths.condition)]

Command = Annotated[str, _with_root(paths.command)]
Argument = Annotated[str, _with_root(paths.argument)]
Variable = Annotated[str, AfterValidator(paths.variable)]
VariableValue = Annotated[str, _with_root(paths.variable_value)]
WorkingFolder = Annotated[str, AfterValidator(paths.working_folder)]

ServerName = Annotated[str, AfterValidator(servers.server_name)]
ServerArgument = Annotated[str, _with_root(servers.argument)]
Url = Annotated[str, AfterValidator(servers.url)]
Header = Annotated[str, AfterValidator(servers.header)]
HeaderValue = Annotated[str, AfterValidator(servers.value)]

NativeEntries = Annotated[
    list[Annotated[Any, AfterValidator(_json)]],
    BeforeValidator(one_as_list),
    AfterValidator(not_empty),
]

ProjectFile = Annotated[str, _with_root(paths.project_file)]
HostPath = Annotated[str, AfterValidator(_host_path)]
PrebuiltFile = Annotated[str, _with_root(_prebuilt_file)]
SkillsFolder = Annotated[str, _with_root(skills.skills_folder)]
CommandsFolder = Annotated[str, _with_root(skills.commands_folder)]
RulesFile = Annotated[str, _with_root(skills.rules_file)]
