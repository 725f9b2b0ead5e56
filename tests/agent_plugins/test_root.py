"""The Agent Plugins root in every bundle."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

import hatch_agentplugin.agent_plugins
from hatch_agentplugin.agent_plugins.manifest import About, Root, portable_root
from hatch_agentplugin.declaration import Declaration, Hook, Server
from hatch_agentplugin.plan import Plugin

jsonschema = pytest.importorskip("jsonschema")
SCHEMAS = Path(hatch_agentplugin.agent_plugins.__file__).parent / "schemas"
NOBODY = About()
ABOUT = About(author="Ann", email="ann@acme.dev", homepage="https://acme.dev",
              repository="https://acme.dev/git", license="MIT", keywords=("a", "b"))  # fmt: skip


def root(about: About = NOBODY, **parts: Any) -> Root:
    plugin = Plugin("acme-tools", "Acme.Tools", "1.2", "Does things.")
    return portable_root(Declaration(plugin=plugin, **{"hooks": (), **parts}), about)


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_bytes())


def check(made: Root) -> dict[str, Any]:
    """Return the documents of a root, validated by their schemas."""
    documents = {name: json.loads(data) for name, data in made.files.items()}
    for name, document in documents.items():
        jsonschema.Draft202012Validator(schema(name.partition(".")[0])).validate(document)
    return documents


def test_schemas_are_the_published_bytes() -> None:
    """The schemas of Agent Plugins 1.0.0 and of MCPB are the published files, byte for byte."""
    readme = (SCHEMAS / "README.md").read_text("utf-8")
    digests = re.findall(r"`([\w.-]+)\.schema\.json` \| `([0-9a-f]{64})`", readme)
    assert len(digests) == 4
    for name, digest in digests:
        data = (SCHEMAS / f"{name}.schema.json").read_bytes()
        assert hashlib.sha256(data).hexdigest() == digest


def test_schema_of_hooks_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(schema("hooks"))


def test_manifest_alone_where_nothing_is_portable() -> None:
    """A plugin with only handlers is an Agent Plugins root too."""
    made = root(hooks=(Hook(key="hooks.turn-end[1]", event="turn-end", handler="a:b"),))
    assert check(made) == {
        "plugin.json": {
            "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
            "name": "acme-tools",
            "version": "1.2",
            "description": "Does things.",
        }
    }
    (note,) = made.notes
    assert note.startswith("hooks.json: hooks.turn-end[1]: left out: it is a handler")


def test_manifest_with_everything() -> None:
    assert check(root(ABOUT))["plugin.json"] == {
        "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
        "name": "acme-tools",
        "version": "1.2",
        "description": "Does things.",
        "author": {"name": "Ann", "email": "ann@acme.dev"},
        "homepage": "https://acme.dev",
        "repository": "https://acme.dev/git",
        "license": "MIT",
        "keywords": ["a", "b"],
    }


def test_commands_become_hooks() -> None:
    hook = Hook(key="hooks.turn-end[1]", event="turn-end", command="./run.sh",
                args=("${PLUGIN_DATA}/x",), env={"A": "1"}, cwd="${PLUGIN_ROOT}")  # fmt: skip
    made = root(hooks=(hook,))
    assert check(made)["hooks.json"]["hooks"] == {
        "turn-end": [{"command": "./run.sh", "args": ["${PLUGIN_DATA}/x"], "env": {"A": "1"},
                      "cwd": "${PLUGIN_ROOT}"}]
    }  # fmt: skip
    assert made.notes == ()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"tools": ("shell",)}, 'the format has no "tools"'),
        ({"hosts": ("codex",)}, 'the format has no "hosts"'),
        ({"when": ".acme"}, 'the format has no "when"'),
        ({"cwd": "docs"}, "no working folder in the user's project"),
        ({"event": "pre-compact"}, "the format has no event pre-compact"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_would_run_otherwise_is_left_out(more: dict[str, Any], why: str) -> None:
    """A hook whose condition the format cannot express is left out."""
    hook = Hook(**{"key": "k", "event": "pre-tool-use", "command": "git", **more})
    made = root(hooks=(hook,))
    assert "hooks.json" not in made.files
    assert why in made.notes[0]


def test_timeout_and_result_are_lost_with_a_note() -> None:
    hook = Hook(key="k", event="turn-start", command="git", timeout=5, result="context")
    made = root(hooks=(hook,))
    assert check(made)["hooks.json"]["hooks"] == {"turn-start": [{"command": "git"}]}
    assert ["timeout" in made.notes[0], "result" in made.notes[1]] == [True, True]


def test_servers_of_every_kind() -> None:
    servers = (
        Server(name="one", command="./bin/one", args=("-v",), env={"A": "${PLUGIN_DATA}"},
               cwd="${PLUGIN_DATA}/x"),
        Server(name="two", url="https://acme.dev/mcp", headers={"X-A": "b"}),
        Server(name="three", url="http://127.0.0.1:8000/sse", transport="sse"),
    )  # fmt: skip
    assert check(root(mcp=servers))["mcp.json"]["mcpServers"] == {
        "one": {"type": "stdio", "command": "./bin/one", "args": ["-v"],
                "env": {"A": "${PLUGIN_DATA}"}, "cwd": "${PLUGIN_DATA}/x"},
        "two": {"type": "streamable-http", "url": "https://acme.dev/mcp", "headers": {"X-A": "b"}},
        "three": {"type": "sse", "url": "http://127.0.0.1:8000/sse"},
    }  # fmt: skip


def test_servers_with_a_users_variable_are_left_out() -> None:
    made = root(mcp=(Server(name="one", url="https://a.dev", headers={"A": "${env:TOKEN}"}),))
    assert "mcp.json" not in made.files
    assert made.notes == ("mcp.json: one: left out: the format does not replace ${env:NAME}",)


@pytest.mark.parametrize(
    "server",
    [
        Server(name="x", url="http://acme.dev/mcp"),
        Server(name="x", url="https://me@acme.dev/mcp"),
        Server(name="x", url="https://acme.dev/mcp#a"),
        Server(name="x", url="ftp://acme.dev"),
        Server(name="x", url="https://a.dev", headers={"A": "1", "a": "2"}),
        Server(name="x", command="git", cwd="docs"),
        Server(name="x", command="git", cwd="${PLUGIN_DATA}/../x"),
        Server(name="x", command="git", cwd="${PLUGIN_DATA}x"),
    ],
    ids=lambda server: server.url or server.cwd,
)
def test_what_the_format_forbids_is_a_problem_with_its_section(server: Server) -> None:
    (problem,) = root(mcp=(server,)).problems
    assert problem.where.startswith("tool.agent-plugin.mcp.x.")
    assert "section 7.2.1" in problem.what
