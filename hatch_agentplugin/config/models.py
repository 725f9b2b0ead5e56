"""The pydantic models of ``[tool.agent-plugin]``: keys, types, and the checks of single values.

What one value must be is said here, what several keys must be together in ``_config_rules``.
Without a :class:`Project` as validation context only what needs no project is checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
)

from hatch_agentplugin.config import content, paths
from hatch_agentplugin.config.handlers import Sources, check_handler
from hatch_agentplugin.declaration import DEFAULT_TIMEOUT
from hatch_agentplugin.problems import Mistake, choose, quoted
from hatch_agentplugin.words import EVENTS, SELECTORS, canonical_event, nearest_event

#: From here on a number of seconds is taken for milliseconds.
LONGEST_TIMEOUT = 1000

#: Names that authors know from hosts, folded -> what to write instead.
_TOOL_HINTS = {
    "*": 'leave "tools" out: then the hook is for every tool',
    "bash": 'write "shell", or <host>:Bash for one host',
    "edit": 'write "file.write", or <host>:Edit for one host',
    "write": 'write "file.write", or <host>:Write for one host',
    "read": 'write "file.read", or <host>:Read for one host',
    "task": 'write "agent", or <host>:Task for one host',
    "webfetch": 'write "web", or <host>:WebFetch for one host',
    "websearch": 'write "web", or <host>:WebSearch for one host',
}


@dataclass(frozen=True)
class Project:
    """What values are checked against."""

    root: Path
    hosts: Collection[str]
    sources: Sources


def _with_root(check: Callable[[Path, str], str]) -> AfterValidator:
    def validate(value: str, info: ValidationInfo) -> str:
        return check(info.context.root, value) if info.context else value

    return AfterValidator(validate)


def _one_as_list(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


def _event(name: str) -> str:
    if canonical_event(name) is None:
        near = nearest_event(name)
        advice = f"allowed: {', '.join(EVENTS)}, and common spellings of these"
        if near:
            advice = f'did you mean "{near}"? {advice[0].upper()}{advice[1:]}'
        raise Mistake(f"unknown event {quoted(name)}", advice)
    return name


def _host(name: str, info: ValidationInfo) -> str:
    if info.context and name not in info.context.hosts:
        raise Mistake(f"unknown host {quoted(name)}", choose(name, sorted(info.context.hosts)))
    return name


def _selector(name: str, info: ValidationInfo) -> str:
    host, colon, tool = name.partition(":")
    if colon and tool:
        _host(host, info)
    elif name not in SELECTORS:
        advice = _TOOL_HINTS.get(name.lower()) or choose(name, SELECTORS, ", or <host>:<Name>")
        raise Mistake(f"unknown tool selector {quoted(name)}", advice)
    return name


def _handler(reference: str, info: ValidationInfo) -> str:
    return check_handler(reference, info.context.sources) if info.context else reference


def _timeout(value: float) -> float:
    if value >= LONGEST_TIMEOUT:
        raise Mistake(
            f"{value:g} looks like milliseconds",
            f"timeouts are seconds: write {value / 1000:g}, or any number below {LONGEST_TIMEOUT}",
        )
    if not math.isfinite(value) or value <= 0:
        raise Mistake(f"{value:g} is no time to run", "write a number of seconds above 0")
    return float(value)


def _place(path: str) -> str:
    """Where a ready file goes, below the host's own folder."""
    return paths.project_path(path, "plugin/acme.js")


def _ready_file(root: Path, text: str) -> str:
    path = paths.project_file(root, text)
    if not (root / path).is_file():
        raise Mistake(f"{quoted(text)} is not a file", "name each file that is to be placed")
    return path


def _some(value: list[Any]) -> list[Any]:
    """The hooks or native entries of an event."""
    if not value:
        raise Mistake("an empty array", "declare a hook, or remove the line")
    return value


def _not_empty(value: list[str]) -> list[str]:
    if not value:
        raise Mistake("an empty array", "leave the key out where there is no restriction")
    return list(dict.fromkeys(value))


def _data(value: Any) -> Any:
    """What JSON can hold, since native entries are written into the hosts' documents."""
    if isinstance(value, (date, time)) or (isinstance(value, float) and not math.isfinite(value)):
        raise Mistake(f"{value} can't be written into a host's document", "write it as a string")
    for item in value.values() if isinstance(value, dict) else value if _is_list(value) else ():
        _data(item)
    return value


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


Event = Annotated[str, AfterValidator(_event)]
HostId = Annotated[str, AfterValidator(_host)]
Selector = Annotated[str, AfterValidator(_selector)]
Variable = Annotated[str, AfterValidator(paths.variable)]
Argument = Annotated[str, _with_root(paths.argument)]
Value = Annotated[str, _with_root(paths.variable_value)]
ServerArgument = Annotated[str, _with_root(content.argument)]


class _Table(BaseModel):
    """A TOML table: closed, exact about types, keys in kebab-case."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        alias_generator=lambda name: name.replace("_", "-"),
        use_attribute_docstrings=True,
    )


class HookTable(_Table):
    """One hook: a ``handler`` that may answer, or a ``command`` that only observes."""

    handler: Annotated[str, AfterValidator(_handler)] | None = Field(
        default=None, examples=["acme.hooks:guard"]
    )
    """A Python callable of the project, ``package.module:callable``; it gets the event."""
    command: Annotated[str, _with_root(paths.command)] | None = Field(
        default=None, examples=["./scripts/turn-end.sh"]
    )
    """One executable: a bare program name, or a path inside the project that starts with ``./``."""
    args: list[Argument] = Field(default=[], examples=[["--data", "${PLUGIN_DATA}/state"]])
    """Arguments of the command; ``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}`` are filled in."""
    env: dict[Variable, Value] = Field(default={}, examples=[{"LOG": "${PLUGIN_DATA}/log"}])
    """Environment variables of the command, with the same placeholders."""
    cwd: Annotated[str, AfterValidator(paths.working_folder)] | None = Field(
        default=None, examples=["${PLUGIN_ROOT}"]
    )
    """Working folder of the command; without it, the one the host gives."""
    tools: Annotated[list[Selector], AfterValidator(_not_empty)] | None = Field(
        default=None, examples=[["shell", "file.write"]]
    )
    """Only for calls of these tools: selectors, or ``<host>:<Name>`` for one host's own name."""
    hosts: Annotated[list[HostId], AfterValidator(_not_empty)] | None = Field(
        default=None, examples=[["claude-code"]]
    )
    """Only for these hosts."""
    timeout: Annotated[float, AfterValidator(_timeout)] = Field(
        default=DEFAULT_TIMEOUT, examples=[10]
    )
    """Seconds the hook may take."""
    when: Annotated[str, AfterValidator(paths.condition)] | None = Field(
        default=None, examples=[".acme"]
    )
    """Only where this path exists in the user's project."""
    on_error: Literal["allow", "deny"] = Field(default="allow", examples=["deny"])
    """What a handler that fails or hangs stands for."""
    result: Literal["none", "context"] = Field(default="none", examples=["context"])
    """``context``: what the command prints goes to the model, within bounds."""


class ServerTable(_Table):
    """One MCP server: a local program (``command``) or a remote one (``url``)."""

    command: Annotated[str, _with_root(paths.command)] | None = Field(
        default=None, examples=["acme-mcp"]
    )
    """One executable: a program of the plugin's environment or of the user's, or a path inside the
    project that starts with ``./``."""
    args: list[ServerArgument] = Field(default=[], examples=[["--data", "${PLUGIN_DATA}"]])
    """Arguments; ``${PLUGIN_ROOT}``, ``${PLUGIN_DATA}`` and ``${env:NAME}`` are filled in."""
    env: dict[Variable, ServerArgument] = Field(
        default={}, examples=[{"ACME_TOKEN": "${env:ACME_TOKEN}"}]
    )
    """Environment variables, with the same placeholders."""
    cwd: Annotated[str, AfterValidator(paths.working_folder)] | None = Field(
        default=None, examples=["${PLUGIN_DATA}"]
    )
    """Working folder of the program."""
    url: Annotated[str, AfterValidator(content.address)] | None = Field(
        default=None, examples=["https://acme.dev/mcp"]
    )
    """Address of a remote server."""
    headers: dict[
        Annotated[str, AfterValidator(content.header)],
        Annotated[str, AfterValidator(content.value)],
    ] = Field(default={}, examples=[{"Authorization": "Bearer ${env:ACME_TOKEN}"}])
    """Headers for a remote server; ``${env:NAME}`` keeps secrets out of the file."""
    transport: Literal["streamable-http", "sse"] = Field(
        default="streamable-http", examples=["sse"]
    )
    """How a remote server talks."""
    hosts: Annotated[list[HostId], AfterValidator(_not_empty)] | None = Field(
        default=None, examples=[["claude-code"]]
    )
    """Only for these hosts."""


Hooks = Annotated[list[HookTable], BeforeValidator(_one_as_list), AfterValidator(_some)]
Entry = Annotated[Any, AfterValidator(_data)]
Entries = Annotated[list[Entry], BeforeValidator(_one_as_list), AfterValidator(_some)]


class BundleTable(_Table):
    """How the agents' own plugin packages are made."""

    carrier: Literal["python", "uvx"] = Field(default="python", examples=["uvx"])
    """How handlers run in them: ``python``: they are in the package and any python3 runs them;
    ``uvx``: they come from the package index, with what they depend on."""


class AgentPluginTable(_Table):
    """``[tool.agent-plugin]``."""

    hooks: dict[Event, Hooks] = {}
    """Event -> hooks in the order they run; a single table may stand for an array of one."""
    include: list[Annotated[str, _with_root(paths.project_file)]] = Field(
        default=[], examples=[["./templates"]]
    )
    """Further files and folders of the project that travel in the bundle at the same path."""
    native: dict[HostId, dict[str, Entries]] = {}
    """Host -> native event -> entries that are placed as they are."""
    prebuilt: dict[
        HostId,
        dict[Annotated[str, AfterValidator(_place)], Annotated[str, _with_root(_ready_file)]],
    ] = Field(default={}, examples=[{"opencode": {"plugin/acme.js": "./build/acme.js"}}])
    """Host -> path in the host's folder -> file of the project that is placed there as it is."""
    mcp: dict[Annotated[str, AfterValidator(content.server_name)], ServerTable] = {}
    """Name -> MCP server that the agents get."""
    skills: Annotated[str, _with_root(content.skills_folder)] | None = Field(
        default=None, examples=["skills"]
    )
    """A folder of skills, ``NAME/SKILL.md``."""
    commands: Annotated[str, _with_root(content.commands_folder)] | None = Field(
        default=None, examples=["commands"]
    )
    """A folder of commands, ``NAME.md``."""
    rules: Annotated[str, _with_root(content.rules_file)] | None = Field(
        default=None, examples=["RULES.md"]
    )
    """A file whose text the agents get in AGENTS.md or its like."""
    bundle: BundleTable = BundleTable()
    """How the agents' own plugin packages are made."""
