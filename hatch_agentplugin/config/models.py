"""The pydantic models of ``[tool.agent-plugin]``: every key with its type, meaning and example."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from hatch_agentplugin.config import values
from hatch_agentplugin.declaration import DEFAULT_TIMEOUT, RunnerName


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

    handler: values.Handler | None = Field(default=None, examples=["acme.hooks:guard"])
    """A Python callable of the project, ``package.module:callable``; it gets the event."""
    command: values.Command | None = Field(default=None, examples=["./scripts/turn-end.sh"])
    """One executable: a bare program name, or a path inside the project that starts with ``./``."""
    args: list[values.Argument] = Field(default=[], examples=[["--data", "${PLUGIN_DATA}/state"]])
    """Arguments of the command; ``${PLUGIN_ROOT}`` and ``${PLUGIN_DATA}`` are replaced."""
    env: dict[values.Variable, values.VariableValue] = Field(
        default={}, examples=[{"LOG": "${PLUGIN_DATA}/log"}]
    )
    """Environment variables of the command, with the same placeholders."""
    cwd: values.WorkingFolder | None = Field(default=None, examples=["${PLUGIN_ROOT}"])
    """Working folder of the command; default: the folder in which the agent runs it."""
    tools: values.Selectors | None = Field(default=None, examples=[["shell", "file.write"]])
    """Only for calls of these tools: selectors, or ``<agent>:<Name>`` for an agent's own name."""
    hosts: values.HostIds | None = Field(default=None, examples=[["claude-code"]])
    """Only for these agents."""
    timeout: values.Timeout = Field(default=DEFAULT_TIMEOUT, examples=[10])
    """Seconds that the hook may take."""
    when: values.Condition | None = Field(default=None, examples=[".acme"])
    """Only if this path exists in the user's project."""
    on_error: Literal["allow", "deny"] = Field(default="allow", examples=["deny"])
    """The answer if the handler fails or exceeds its timeout."""
    result: Literal["none", "context"] = Field(default="none", examples=["context"])
    """``context``: the output of the command goes to the model, up to a limit."""


class ServerTable(_Table):
    """One MCP server: a local program (``command``) or a remote server (``url``)."""

    command: values.Command | None = Field(default=None, examples=["acme-mcp"])
    """One executable: a program of the plugin's environment or on the user's PATH, or a path inside
    the project that starts with ``./``."""
    args: list[values.ServerArgument] = Field(default=[], examples=[["--data", "${PLUGIN_DATA}"]])
    """Arguments; ``${PLUGIN_ROOT}``, ``${PLUGIN_DATA}`` and ``${env:NAME}`` are replaced."""
    env: dict[values.Variable, values.ServerArgument] = Field(
        default={}, examples=[{"ACME_TOKEN": "${env:ACME_TOKEN}"}]
    )
    """Environment variables, with the same placeholders."""
    cwd: values.WorkingFolder | None = Field(default=None, examples=["${PLUGIN_DATA}"])
    """Working folder of the program."""
    url: values.Url | None = Field(default=None, examples=["https://acme.dev/mcp"])
    """URL of a remote server."""
    headers: dict[values.Header, values.HeaderValue] = Field(
        default={}, examples=[{"Authorization": "Bearer ${env:ACME_TOKEN}"}]
    )
    """HTTP headers for a remote server; ``${env:NAME}`` keeps secrets out of the file."""
    transport: Literal["streamable-http", "sse"] = Field(
        default="streamable-http", examples=["sse"]
    )
    """Transport of a remote server."""
    hosts: values.HostIds | None = Field(default=None, examples=[["claude-code"]])
    """Only for these agents."""


class PackagesTable(_Table):
    """How the agents' own plugin packages are made."""

    runner: RunnerName = Field(default="python", examples=["uvx"])
    """How handlers run in a package. ``python``: the package contains them, and any python3 runs
    them; ``uvx``: uvx installs them from the package index, with their dependencies."""


_Hooks = Annotated[
    list[HookTable],
    BeforeValidator(values.one_as_list),
    AfterValidator(values.not_empty),
]


class AgentPluginTable(_Table):
    """``[tool.agent-plugin]``."""

    hooks: dict[values.Event, _Hooks] = {}
    """Event -> hooks in the order they run; a single table counts as an array of one."""
    include: list[values.ProjectFile] = Field(default=[], examples=[["./templates"]])
    """Further files and folders of the project that go into the bundle, at the same path."""
    native: dict[values.HostId, dict[str, values.NativeEntries]] = {}
    """Agent -> native event -> entries that are placed unchanged."""
    prebuilt: dict[values.HostId, dict[values.HostPath, values.PrebuiltFile]] = Field(
        default={}, examples=[{"opencode": {"plugin/acme.js": "./build/acme.js"}}]
    )
    """Agent -> path in the agent's folder -> file of the project that is placed there unchanged."""
    mcp: dict[values.ServerName, ServerTable] = {}
    """Name -> MCP server that the agents get."""
    skills: values.SkillsFolder | None = Field(default=None, examples=["skills"])
    """A folder of skills, ``NAME/SKILL.md``."""
    commands: values.CommandsFolder | None = Field(default=None, examples=["commands"])
    """A folder of commands, ``NAME.md``."""
    rules: values.RulesFile | None = Field(default=None, examples=["RULES.md"])
    """A file whose text the agents get in AGENTS.md or its like."""
    packages: PackagesTable = PackagesTable()
    """How the agents' own plugin packages are made."""
