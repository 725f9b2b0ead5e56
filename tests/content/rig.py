"""A plugin with all kinds of content, compiled and installed like a wheel."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.adapter import Host
from hatch_agentplugin.cli import main
from hatch_agentplugin.compiler import Bundle, compile_bundle
from hatch_agentplugin.config import load
from hatch_agentplugin.declaration import Declaration
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import Plugin

HOSTS: dict[str, Host] = built_in_hosts()

SKILL = "---\nname: {name}\ndescription: Says {name}.\n---\n\n# {name}\n"
FILES = {
    "skills/greet/SKILL.md": SKILL.format(name="greet"),
    "skills/greet/scripts/run.sh": "#!/bin/sh\necho hi\n",
    "skills/tidy-up/SKILL.md": SKILL.format(name="tidy-up"),
    "commands/acme-check.md": "---\ndescription: Check.\n---\nCheck $ARGUMENTS.\n",
    "RULES.md": "# Acme\n\nSpeak plainly.\n",
    "scripts/server.sh": "#!/bin/sh\nexec true\n",
    "data/rules.json": "{}\n",
}
EVERYTHING = """
[tool.agent-plugin]
skills = "skills"
commands = "commands"
rules = "RULES.md"

[tool.agent-plugin.mcp.acme]
command = "python"
args = ["-m", "acme.server", "--data", "${PLUGIN_DATA}/db"]
env = { ACME_ROOT = "${PLUGIN_ROOT}/data" }

[tool.agent-plugin.mcp.plain]
command = "no-such-program"

[tool.agent-plugin.mcp.remote]
url = "https://acme.dev/mcp"
"""


def render(package: str, template: str, context: Mapping[str, Any]) -> str:
    """Render a template without jinja2."""
    return json.dumps({"template": template}, sort_keys=True)


@dataclass
class Rig:
    """A project folder, the site-packages that contain its wheel, and a home folder."""

    root: Path
    home: Path

    @property
    def site(self) -> Path:
        return self.root / "site"

    @property
    def project(self) -> Path:
        """The author's project."""
        return self.root / "acme"

    def write(self, files: Mapping[str, str | bytes], base: Path | None = None) -> None:
        for name, text in files.items():
            path = (base or self.project) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
            if name.endswith(".sh"):
                path.chmod(0o755)

    def declare(self, toml: str, plugin: str = "acme") -> Declaration:
        """Return the declaration for this text of pyproject.toml."""
        self.project.mkdir(parents=True, exist_ok=True)
        (self.project / "pyproject.toml").write_text(toml, "utf-8")
        return load(self.project, HOSTS, Plugin(plugin, plugin, "1.0"), {})

    def compile(
        self, toml: str, hosts: Iterable[str] | None = None, plugin: str = "acme"
    ) -> Bundle:
        """Return the bundle for these hosts, by default all."""
        chosen = HOSTS.values() if hosts is None else [HOSTS[name] for name in hosts]
        return compile_bundle(self.declare(toml, plugin), chosen, render)

    def install(self, toml: str, plugin: str = "acme") -> Path:
        """Compile and install the plugin; return its bundle."""
        declaration = self.declare(toml, plugin)
        bundle = self.site / f"{plugin}_agent_plugin"
        files: dict[str, bytes] = dict(compile_bundle(declaration, HOSTS.values(), render).files)
        sources = {name: name for name in declaration.files} | dict(declaration.moved)
        files |= {name: (self.project / path).read_bytes() for name, path in sources.items()}
        self.write(files, bundle)
        mark = {
            "format": 1, "id": plugin, "name": plugin, "version": "1.0", "bundle": bundle.name,
        }  # fmt: skip
        info = self.site / f"{plugin}-1.0.dist-info/extra_metadata/agent-plugin/plugin.json"
        self.write({str(info): json.dumps(mark)}, Path("/"))
        return bundle

    def cli(self, *words: str, fails: bool = False) -> None:
        """Run the command line, in this process."""
        status = main(list(words))
        assert (status != 0) is fails, f"{words} gave {status}"

    def activate(self, *hosts: str, scope: str = "user", fails: bool = False) -> None:
        names = ["--host", ",".join(hosts or ["*"])]
        where = ["--scope", scope] if scope == "user" else ["--project", str(self.work)]
        self.cli("activate", "--yes", *names, *where, fails=fails)

    def deactivate(self, *words: str) -> None:
        self.cli("deactivate", "--yes", *words)

    @property
    def work(self) -> Path:
        """The project that the user works in."""
        folder = self.root / "work"
        folder.mkdir(exist_ok=True)
        return folder

    def rows(self, capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
        """The rows of a command's JSON."""
        capsys.readouterr()
        main([*words, "--json"])
        rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
        return rows


def snapshot(folder: Path) -> dict[str, tuple[int, bytes | None]]:
    """Return the mode and content of everything below a folder."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.read_bytes() if path.is_file() else None,
        )
        for path in sorted(folder.rglob("*"))
    }


def program(name: str = "python") -> str:
    """Return the path of a program of this environment."""
    return str(Path(sys.prefix, "bin", name))


def states(rows: Sequence[Mapping[str, Any]], event: str) -> set[str]:
    """Return the states of the rows about one thing."""
    return {row["state"] for row in rows if event in row["events"]}
