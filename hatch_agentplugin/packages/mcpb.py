"""MCPB: a file with one local MCP server, which clients install with a click.

The manifest follows https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md (version 0.3,
and 0.4 for the type ``uv``); ``agent_plugins/schemas`` contains the schemas.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from posixpath import normpath
from typing import Any

from hatch_agentplugin.agent_plugins.manifest import author_of
from hatch_agentplugin.declaration import Server
from hatch_agentplugin.packages.output import Files, semver, write_zip
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.packages.servers import INTERPRETERS, LeftOut
from hatch_agentplugin.plan import dump
from hatch_agentplugin.problems import TABLE, ConfigError, Problem
from hatch_agentplugin.templates import fill_folders
from hatch_agentplugin.words import PLUGIN_ROOT, USER_VARIABLE

#: The client replaces it with the folder into which it has unpacked the file.
_HERE = "${__dirname}"
#: On Windows only the Python from the Store is called python3 too.
_PYTHON, _PYTHON_ON_WINDOWS = "python3", "python"
_EXAMPLE = 'declare one: [tool.agent-plugin.mcp.acme] with command = "acme-mcp"'
#: First bytes of a program or script -> the platforms it runs on.
_PLATFORMS: tuple[tuple[bytes, tuple[str, ...]], ...] = (
    (b"\x7fELF", ("linux",)),
    (b"MZ", ("win32",)),
    (b"\xcf\xfa\xed\xfe", ("darwin",)),
    (b"\xca\xfe\xba\xbe", ("darwin",)),
    (b"#!", ("darwin", "linux")),
)


def files(runner: Runner, is_required: bool) -> tuple[Files, list[str]]:
    """Return a file per local server, and a note for everything that is left out.

    If no file can be made and ``is_required`` is false, return nothing. Raises ConfigError if no file
    can be made and ``is_required`` is true.
    """
    made, notes = _server_files(runner)
    if not made:
        if is_required:
            what = "no MCPB file can be made, because no local server fits into one"
            raise ConfigError([Problem(f"{TABLE}.mcp", what, "; ".join(notes) or _EXAMPLE)])
        return {}, []
    if problems := list(_missing_metadata(runner)):
        if is_required:
            raise ConfigError(problems)
        return {}, [f"{problem.where} {problem.what}" for problem in problems]
    others = [kind for kind, is_declared in _other_content(runner) if is_declared]
    if others:
        notes.append(f"an MCPB file contains one server and no {', '.join(others)}")
    return made, [*notes, "install it by opening the .mcpb file in Claude Desktop"]


def _server_files(runner: Runner) -> tuple[Files, list[str]]:
    made: Files = {}
    servers = [server for server in runner.declaration.mcp if server.command is not None]
    notes = [f"the server {server.name} is left out: MCPB has local servers only"
             for server in runner.declaration.mcp if server.command is None]  # fmt: skip
    for server in servers:
        suffix = f"-{server.name}" if len(servers) > 1 else ""
        try:
            contents = _McpbFile(runner, server, suffix).files()
        except LeftOut as why:
            notes.append(f"the server {server.name} is left out: {why}")
            continue
        packed = io.BytesIO()
        write_zip(contents, packed)
        made[f"{runner.project.plugin.id}{suffix}.mcpb"] = (packed.getvalue(), False)
    return made, notes


def _other_content(runner: Runner) -> Iterator[tuple[str, bool]]:
    declared = runner.declaration
    yield "hooks", bool(declared.hooks)
    yield "skills", bool(declared.skills)
    yield "commands", bool(declared.commands)
    yield "rules", declared.rules is not None


def _missing_metadata(runner: Runner) -> Iterator[Problem]:
    """Yield a problem for each key that the manifest requires and ``[project]`` lacks."""
    project = runner.project
    if not project.summary:
        what = "is missing, and an MCPB manifest requires it"
        yield Problem("project.description", what, 'add the line: description = "..."')
    if semver(project.version) is None:
        what = f'"{project.version}" is not a semantic version, which an MCPB manifest requires'
        yield Problem("project.version", what, "use at most three numbers")


@dataclass(frozen=True)
class _Start:
    """How a server starts."""

    kind: str
    """The manifest's type of server."""
    entry: str
    """Path of the entry point in the file."""
    argv: list[str]
    files: Files = field(default_factory=dict)
    """Files that the server needs."""
    platforms: tuple[str, ...] = ()
    """Platforms that it runs on; empty: all."""
    env: dict[str, str] = field(default_factory=dict)
    args_used: int = 0
    """Number of declared arguments that ``argv`` already contains."""


class _McpbFile:
    """Makes the file of one server."""

    def __init__(self, runner: Runner, server: Server, suffix: str) -> None:
        self.runner = runner
        self.server = server
        self.suffix = suffix
        """Suffix of the name; a client treats a second file of the same name as an update."""
        self.user_config: dict[str, Any] = {}
        """Values that the client asks the user for when it installs the file."""

    def files(self) -> Files:
        """Return everything in the zip. Raises :class:`LeftOut`."""
        if self.server.cwd is not None:
            raise LeftOut("MCPB has no key for its working folder")
        if self.server.hosts:
            raise LeftOut('MCPB has no "hosts"')
        start = self._start()
        config = self._config(start)
        contents = start.files
        own = f"{_HERE}/lib/{self.runner.folder}/"
        texts = [*start.argv, *config.get("args", ()), *config.get("env", {}).values()]
        if any(own in text for text in texts):
            contents = contents | self.runner.bundle()
        server = {"type": start.kind, "entry_point": start.entry, "mcp_config": config}
        manifest = self._manifest(server, start.platforms)
        return {"manifest.json": (dump(manifest), False), **contents}

    def _config(self, start: _Start) -> dict[str, Any]:
        env = {name: self._filled(text) for name, text in {**start.env, **self.server.env}.items()}
        args = [*start.argv[1:], *map(self._filled, self.server.args[start.args_used :])]
        config: dict[str, Any] = {"command": start.argv[0]}
        config |= {"args": args} if args else {}
        config |= {"env": env} if env else {}
        if start.argv[0] == _PYTHON:
            config["platform_overrides"] = {"win32": {"command": _PYTHON_ON_WINDOWS}}
        return config

    def _filled(self, text: str) -> str:
        plugin = self.runner.project.plugin.id
        root = f"{_HERE}/lib/{self.runner.folder}"
        text = fill_folders(text, root, f"${{HOME}}/.agent-plugin/{plugin}/data")
        return USER_VARIABLE.sub(self._ask_user, text)

    def _ask_user(self, variable: re.Match[str]) -> str:
        name = variable[1].lower()
        self.user_config[name] = {
            "type": "string",
            "title": variable[1],
            "description": f"Value of {variable[1]}",
            "sensitive": True,
            "required": True,
        }
        return f"${{user_config.{name}}}"

    # --- how the server starts ---

    def _start(self) -> _Start:
        command = self.server.command or ""
        first = self.server.args[0] if self.server.args else ""
        if command.startswith("./"):
            return self._executable(normpath(command))
        if command in self.runner.project.scripts:
            return self._console_script(command)
        if command in INTERPRETERS and first == "-m":
            return self._module(*self.server.args[1:2])
        if command in (*INTERPRETERS, "node") and first.startswith(f"{PLUGIN_ROOT}/"):
            entry = normpath(first.replace(PLUGIN_ROOT, f"lib/{self.runner.folder}"))
            start = self._node(entry) if command == "node" else self._python_script(entry)
            return replace(start, args_used=1)
        raise LeftOut(
            f"the plugin does not contain {command}, and an MCPB file must contain all of a server"
        )

    def _executable(self, name: str) -> _Start:
        """Start an executable file of the project."""
        entry = f"lib/{self.runner.folder}/{name}"
        suffix = name.rpartition(".")[2]
        if suffix == "py":
            return self._python_script(entry)
        if suffix in ("js", "mjs", "cjs"):
            return self._node(entry)
        data = self.runner.stored[name][0]
        for first_bytes, platforms in _PLATFORMS:
            if data.startswith(first_bytes):
                return _Start("binary", entry, [f"{_HERE}/{entry}"], platforms=platforms)
        raise LeftOut(f"{name} is neither a program nor a script with an interpreter line")

    @staticmethod
    def _node(entry: str) -> _Start:
        return _Start("node", entry, ["node", f"{_HERE}/{entry}"])

    def _python_script(self, entry: str) -> _Start:
        if self.runner.uvx:
            path = f"Path(__file__).parents[1] / {entry!r}"
            code = f"import runpy\nfrom pathlib import Path\n\nrunpy.run_path(str({path}), run_name='__main__')\n"
            return self._uv(code, self.runner.bundle())
        return self._python(entry, [f"{_HERE}/{entry}"])

    def _console_script(self, command: str) -> _Start:
        if self.runner.uvx:
            module, name = self.runner.reference(command)
            first = name.partition(".")[0]
            return self._uv(f"import sys\n\nfrom {module} import {first}\n\nsys.exit({name}())\n")
        found = self.runner.program(command)
        if found is None:
            raise LeftOut(f'{command} is of another distribution; runner = "uvx" installs it')
        self._check_complete()
        entry, contents = found
        return _Start("python", entry, [_PYTHON, f"{_HERE}/{entry}"], contents)

    def _module(self, module: str = "") -> _Start:
        """Start ``python -m module``."""
        if self.runner.uvx:
            run = f"run_module({module!r}, run_name='__main__', alter_sys=True)"
            return replace(self._uv(f"import runpy\n\nrunpy.{run}\n"), args_used=2)
        file = self.runner.module_file(module, "__main__")
        if file is None:
            raise LeftOut(f"the plugin has no module {module} that can be run")
        return replace(self._python(f"lib/{file}", ["-m", module]), args_used=2)

    def _python(self, entry: str, args: list[str]) -> _Start:
        """Start python3 with the author's packages."""
        self._check_complete()
        env = {"PYTHONPATH": f"{_HERE}/lib"}
        return _Start("python", entry, [_PYTHON, *args], self.runner.sources(), env=env)

    def _uv(self, code: str, more: Files | None = None) -> _Start:
        """Start the code with the client's uv, which installs the plugin and its dependencies."""
        project = (
            f"[project]\nname = {json.dumps(self.runner.project.plugin.id + '-mcpb')}\n"
            f'version = "0"\nrequires-python = {json.dumps(self._python_version)}\n'
            f"dependencies = [{json.dumps(self.runner.requirement)}]\n"
        )
        entry = "src/run-server.py"
        contents: Files = {
            "pyproject.toml": (project.encode("utf-8"), False),
            entry: (code.encode("utf-8"), False),
            **(more or {}),
        }
        return _Start("uv", entry, ["uv", "run", "--directory", _HERE, entry], contents)

    def _check_complete(self) -> None:
        """Check the format's rule that a file contains all dependencies."""
        if self.runner.dependencies:
            raise LeftOut(
                f"an MCPB file must contain {', '.join(self.runner.dependencies)}; "
                'with runner = "uvx" in [tool.agent-plugin.packages] the client\'s uv installs it'
            )

    @property
    def _python_version(self) -> str:
        return self.runner.project.requires_python or ">=3.10"

    # --- the manifest ---

    def _manifest(self, server: dict[str, Any], platforms: tuple[str, ...]) -> dict[str, Any]:
        project, about = self.runner.project, self.runner.project.about
        kind = server["type"]
        runtimes = {"python": self._python_version} if kind in ("python", "uv") else {}
        compatibility = {"platforms": list(platforms), "runtimes": runtimes}
        author = author_of(about)
        document: dict[str, Any] = {
            "manifest_version": "0.4" if kind == "uv" else "0.3",
            "name": project.plugin.id + self.suffix,
            "display_name": project.name + (f" ({self.server.name})" if self.suffix else ""),
            "version": semver(project.version) or project.version,
            "description": project.summary,
            "author": {**author, "name": author.get("name") or project.name},
            "repository": {"type": "git", "url": about.repository} if about.repository else None,
            "homepage": about.homepage,
            "server": server,
            "tools_generated": True,
            "keywords": list(about.keywords),
            "license": about.license,
            "user_config": self.user_config,
            "compatibility": {key: value for key, value in compatibility.items() if value},
        }
        return {key: value for key, value in document.items() if value}
