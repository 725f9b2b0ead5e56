"""MCPB: one local MCP server in one file, which clients install by a click.

Written to the format's own words, https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
(0.3, and 0.4 for the type ``uv``). Pure; the schemas lie in ``portable/schemas``.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from posixpath import normpath
from typing import Any

from hatch_agentplugin.agent_plugins.manifest import author_of
from hatch_agentplugin.declaration import Server
from hatch_agentplugin.packages.output import Files, zipped
from hatch_agentplugin.packages.runner import Runner
from hatch_agentplugin.packages.servers import INTERPRETERS, LeftOut
from hatch_agentplugin.packages.versions import semver
from hatch_agentplugin.plan import dump
from hatch_agentplugin.problems import TABLE, ConfigError, Problem

_HERE = "${__dirname}"
#: On Windows only the Store's Python is called python3 too.
_PYTHON, _PYTHON_ON_WINDOWS = "python3", "python"
_USERS = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
#: How a script or a program begins -> what runs it, on which systems.
_KINDS: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (b"\x7fELF", "binary", ("linux",)),
    (b"MZ", "binary", ("win32",)),
    (b"\xcf\xfa\xed\xfe", "binary", ("darwin",)),
    (b"\xca\xfe\xba\xbe", "binary", ("darwin",)),
    (b"#!", "binary", ("darwin", "linux")),
)


def bundles(runner: Runner, asked: bool) -> tuple[Files, list[str]]:
    """A file per local server, and a line for everything that can't be in one.

    Where none can be made that is a mistake if it was ``asked`` for, and nothing to speak of
    otherwise. Raises ConfigError.
    """
    made: Files = {}
    notes: list[str] = []
    servers = [server for server in runner.declaration.mcp if server.command is not None]
    for server in runner.declaration.mcp:
        if server.command is None:
            notes.append(f"the server {server.name} is left out: MCPB has local servers only")
    for server in servers:
        more = f"-{server.name}" if len(servers) > 1 else ""
        try:
            parts = _Bundle(runner, server, more).files()
        except LeftOut as why:
            notes.append(f"the server {server.name} is left out: {why}")
            continue
        packed = io.BytesIO()
        zipped(parts, packed)
        made[f"{runner.project.plugin.id}{more}.mcpb"] = (packed.getvalue(), False)
    if not made:
        if asked:
            what = "no MCPB file can be made, which is one local server: there is no such server"
            raise ConfigError([Problem(f"{TABLE}.mcp", what, "; ".join(notes) or _EXAMPLE)])
        return {}, []
    if problems := list(_missing(runner)):
        if asked:
            raise ConfigError(problems)
        return {}, [f"{problem.where} {problem.what}" for problem in problems]
    rest = [name for name, there in _beside(runner) if there]
    if rest:
        notes.append(f"MCPB holds one server and no {', '.join(rest)}")
    return made, [*notes, "a user gets it by: opening the .mcpb file in Claude Desktop"]


_EXAMPLE = 'declare one: [tool.agent-plugin.mcp.acme] with command = "acme-mcp"'


def _beside(runner: Runner) -> Iterator[tuple[str, bool]]:
    declared = runner.declaration
    yield "hooks", bool(declared.hooks)
    yield "skills", bool(declared.skills)
    yield "commands", bool(declared.commands)
    yield "rules", declared.rules is not None


def _missing(runner: Runner) -> Iterator[Problem]:
    """What the manifest demands of ``[project]``."""
    if not runner.project.summary:
        yield Problem("project.description", "is missing, and a manifest of MCPB demands one",
                      'add the line: description = "..."')  # fmt: skip
    if semver(runner.project.version) is None:
        yield Problem("project.version", f'"{runner.project.version}" can\'t be a semantic version, '
                      "which a manifest of MCPB demands", "use at most three numbers")  # fmt: skip


class _Bundle:
    """One server's file."""

    def __init__(self, runner: Runner, server: Server, more: str) -> None:
        self.runner = runner
        self.server = server
        self.more = more
        """What sets its name apart: a client takes a second file of one name for an update."""
        self.asked: dict[str, Any] = {}
        """What the user is asked for at installation."""
        self.taken = 0
        """Arguments that the entry point stands for."""
        self.env: dict[str, str] = {}

    def files(self) -> Files:
        """Everything in the zip. Raises :class:`LeftOut`."""
        if self.server.cwd is not None:
            raise LeftOut("MCPB has no key for its working folder")
        if self.server.hosts:
            raise LeftOut('MCPB has no "hosts"')
        kind, entry, start, files, runs_on = self._start()
        env = {name: self._placed(text) for name, text in {**self.env, **self.server.env}.items()}
        args = [*start[1:], *map(self._placed, self.server.args[self.taken :])]
        config: dict[str, Any] = {"command": start[0]}
        config |= {"args": args} if args else {}
        config |= {"env": env} if env else {}
        if start[0] == _PYTHON:
            config["platform_overrides"] = {"win32": {"command": _PYTHON_ON_WINDOWS}}
        server = {"type": kind, "entry_point": entry, "mcp_config": config}
        own = f"{_HERE}/lib/{self.runner.folder}/"
        if any(own in text for text in [*start, *args, *env.values()]):
            files = files | self.runner.bundle()
        manifest = self._manifest(server, runs_on)
        return {"manifest.json": (dump(manifest), False), **files}

    def _start(self) -> tuple[str, str, list[str], Files, tuple[str, ...]]:
        """Type, entry point, the words that start it, its files, and the systems it runs on."""
        command = self.server.command or ""
        folder = f"lib/{self.runner.folder}"
        if command.startswith("./"):
            name = normpath(command)
            return self._own(f"{folder}/{name}", name)
        if command in self.runner.project.scripts:
            return self._program(command)
        first = self.server.args[0] if self.server.args else ""
        if command in INTERPRETERS and first == "-m":
            return self._module(*self.server.args[1:2])
        if command in (*INTERPRETERS, "node") and first.startswith("${PLUGIN_ROOT}/"):
            entry = normpath(first.replace("${PLUGIN_ROOT}", folder))
            self.taken = 1
            if command == "node":
                return "node", entry, ["node", f"{_HERE}/{entry}"], {}, ()
            return self._script(entry)
        raise LeftOut(
            f"{command} is not in the plugin, and MCPB wants all that a server needs in it"
        )

    def _own(self, entry: str, name: str) -> tuple[str, str, list[str], Files, tuple[str, ...]]:
        """A file of the project that can be executed."""
        data = self.runner.stored[name][0]
        suffix = name.rpartition(".")[2]
        if suffix == "py":
            return self._script(entry)
        if suffix in ("js", "mjs", "cjs"):
            return "node", entry, ["node", f"{_HERE}/{entry}"], {}, ()
        for begin, kind, systems in _KINDS:
            if data.startswith(begin):
                return kind, entry, [f"{_HERE}/{entry}"], {}, systems
        raise LeftOut(f"{name} is neither a program nor a script that names its interpreter")

    def _script(self, entry: str) -> tuple[str, str, list[str], Files, tuple[str, ...]]:
        """A file of the project for Python."""
        if not self.runner.uvx:
            return "python", entry, [_PYTHON, f"{_HERE}/{entry}"], self._python_files(), ()
        path = f"Path(__file__).parents[1] / {entry!r}"
        text = f"import runpy\nfrom pathlib import Path\n\nrunpy.run_path(str({path}), run_name='__main__')\n"
        kind, started, words, files, systems = self._by_uv(text)
        return kind, started, words, files | self.runner.bundle(), systems

    def _program(self, command: str) -> tuple[str, str, list[str], Files, tuple[str, ...]]:
        """A console script of the plugin's."""
        if self.runner.uvx:
            module, name = self.runner.reference(command)
            first = name.partition(".")[0]
            return self._by_uv(
                f"import sys\n\nfrom {module} import {first}\n\nsys.exit({name}())\n"
            )
        found = self.runner.program(command)
        if found is None:
            raise LeftOut(f'{command} is of another distribution; runner = "uvx" gets it')
        self._complete()
        entry, files = found
        return "python", entry, [_PYTHON, f"{_HERE}/{entry}"], files, ()

    def _module(self, module: str = "") -> tuple[str, str, list[str], Files, tuple[str, ...]]:
        """``python -m module``."""
        self.taken = 2
        if self.runner.uvx:
            run = f"run_module({module!r}, run_name='__main__', alter_sys=True)"
            return self._by_uv(f"import runpy\n\nrunpy.{run}\n")
        file = self.runner.module_file(module, "__main__")
        if file is None:
            raise LeftOut(f"the plugin has no module {module} that can be run")
        entry = f"lib/{file}"
        return "python", entry, [_PYTHON, "-m", module], self._python_files(), ()

    def _python_files(self) -> Files:
        """The author's packages, which a Python server imports."""
        self._complete()
        self.env["PYTHONPATH"] = f"{_HERE}/lib"
        return dict(self.runner.sources())

    def _by_uv(self, text: str) -> tuple[str, str, list[str], Files, tuple[str, ...]]:
        """The client's uv gets the plugin and what it depends on, and runs the text."""
        project = (
            f"[project]\nname = {json.dumps(self.runner.project.plugin.id + '-mcpb')}\n"
            f'version = "0"\nrequires-python = {json.dumps(self._python)}\n'
            f"dependencies = [{json.dumps(self.runner.requirement)}]\n"
        )
        files: Files = {
            "pyproject.toml": (project.encode("utf-8"), False),
            "src/run-server.py": (text.encode("utf-8"), False),
        }
        start = ["uv", "run", "--directory", _HERE, "src/run-server.py"]
        return "uv", "src/run-server.py", start, files, ()

    def _complete(self) -> None:
        """The format's rule: all dependencies must be bundled."""
        if self.runner.others:
            raise LeftOut(
                f"MCPB wants {', '.join(self.runner.others)} bundled with it; "
                'runner = "uvx" in [tool.agent-plugin.bundle] has the client\'s uv get that'
            )

    @property
    def _python(self) -> str:
        return self.runner.project.requires_python or ">=3.10"

    def _placed(self, text: str) -> str:
        plugin = self.runner.project.plugin.id
        text = text.replace("${PLUGIN_ROOT}", f"{_HERE}/lib/{self.runner.folder}")
        text = text.replace("${PLUGIN_DATA}", f"${{HOME}}/.agent-plugin/{plugin}/data")

        def ask(found: re.Match[str]) -> str:
            name = found[1].lower()
            self.asked[name] = {
                "type": "string",
                "title": found[1],
                "description": f"Value of {found[1]}",
                "sensitive": True,
                "required": True,
            }
            return f"${{user_config.{name}}}"

        return _USERS.sub(ask, text)

    def _manifest(self, server: dict[str, Any], runs_on: tuple[str, ...]) -> dict[str, Any]:
        project, about = self.runner.project, self.runner.project.about
        kind = server["type"]
        runtimes = {"python": self._python} if kind in ("python", "uv") else {}
        works = {"platforms": list(runs_on), "runtimes": runtimes}
        author = author_of(about)
        document: dict[str, Any] = {
            "manifest_version": "0.4" if kind == "uv" else "0.3",
            "name": project.plugin.id + self.more,
            "display_name": project.name + (f" ({self.server.name})" if self.more else ""),
            "version": semver(project.version) or project.version,
            "description": project.summary,
            "author": {**author, "name": author.get("name") or project.name},
            "repository": {"type": "git", "url": about.repository} if about.repository else None,
            "homepage": about.homepage,
            "server": server,
            "tools_generated": True,
            "keywords": list(about.keywords),
            "license": about.license,
            "user_config": self.asked,
            "compatibility": {key: value for key, value in works.items() if value},
        }
        return {key: value for key, value in document.items() if value}
