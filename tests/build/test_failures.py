"""Errors of a build: the mistakes, and no traceback."""

from __future__ import annotations

from tests.build.conftest import DECLARATION, PROJECT, Project


def test_every_mistake_at_once(project: Project) -> None:
    text = PROJECT.replace('dependencies = ["hatch-agentplugin"]', "")
    project.write(
        text + '[tool.agent-plugin.hooks]\nsesion-start = [{ handler = "acme.hooks:gret" }]\n'
    )
    lines = project.failure().splitlines()
    assert [line for line in lines if line.startswith("pyproject.toml")] == [
        (
            'pyproject.toml: project.dependencies: "hatch-agentplugin" is missing; '
            "installed hooks need it"
        ),
        'pyproject.toml: tool.agent-plugin.hooks.sesion-start: unknown event "sesion-start"',
        (
            "pyproject.toml: tool.agent-plugin.hooks.sesion-start[1].handler: "
            '"acme.hooks:gret": the module defines no "gret"'
        ),
    ]
    assert '  did you mean "acme.hooks:greet"?' in lines
    assert not list(project.scratch.glob("agent-plugin*"))


def test_missing_dependency_names_the_line(project: Project) -> None:
    text = PROJECT.replace('dependencies = ["hatch-agentplugin"]', "")
    project.write(text + DECLARATION)
    assert 'add it: dependencies = ["hatch-agentplugin"]' in project.failure()


def test_dependency_in_any_spelling_counts(project: Project) -> None:
    text = PROJECT.replace(
        '["hatch-agentplugin"]', '["Hatch_AgentPlugin[x] >= 0 ; python_version"]'
    )
    project.write(text.replace("python_version", "python_version > '3'") + DECLARATION)
    assert project.wheel("--wheel").is_plugin


def test_missing_console_script_is_a_warning(project: Project) -> None:
    """The wheel is built anyway, because pip needs no script."""
    start, _, rest = PROJECT.partition("[project.scripts]")
    project.write(start + rest.partition("\n\n")[2] + DECLARATION)
    output = project.build("--wheel").output
    assert "pyproject.toml: project.scripts: no console script" in output
    assert 'add the line: acme-tools = "hatch_agentplugin.cli:main"' in output


def test_dependencies_that_another_hook_adds_count(project: Project) -> None:
    """Dynamic fields are read as hatchling resolves them."""
    text = PROJECT.replace('dependencies = ["hatch-agentplugin"]', 'dynamic = ["dependencies"]')
    project.write(text + "[tool.hatch.metadata.hooks.custom]\n" + DECLARATION)
    project.write(
        "from hatchling.metadata.plugin.interface import MetadataHookInterface\n"
        "class Hook(MetadataHookInterface):\n"
        "    def update(self, metadata):\n"
        "        metadata['dependencies'] = ['hatch-agentplugin']\n",
        "hatch_build.py",
    )
    assert project.wheel("--wheel").is_plugin


def test_sources_that_move_everything(project: Project) -> None:
    """The bundle must stay a top-level folder, or it is not found."""
    text = PROJECT.replace('["src/acme"]', '["src/acme"]\nsources = { "" = "lib" }')
    project.write(text + "[tool.agent-plugin]\n")
    text = project.failure()
    assert f'sources: moves the plugin\'s bundle to "lib/{"acme_tools_agent_plugin"}"' in text


def test_name_that_is_too_long(project: Project) -> None:
    project.write((PROJECT + DECLARATION).replace("Acme.Tools", "a" * 70))
    assert (
        "project.name: is too long for a plugin\n  use a name of at most 64 characters"
        in project.failure()
    )


def test_unknown_option_of_the_hook(project: Project) -> None:
    """It is reported with the other mistakes; Hatchling's own options are allowed."""
    head = "[tool.hatch.build.hooks.agent-plugin]\n"
    options = 'hosts = ["codex"]\nrequire-runtime-dependencies = false\n'
    text = PROJECT.replace(head, head + options) + DECLARATION.replace("greet", "gret")
    project.write(text)
    lines = project.failure().splitlines()
    assert lines[0] == "pyproject.toml: tool.hatch.build.hooks.agent-plugin.hosts: unknown key"
    assert "hooks are declared in [tool.agent-plugin]" in lines[1]
    assert 'the module defines no "gret"' in lines[2]
    assert "require-runtime-dependencies" not in "\n".join(lines)
