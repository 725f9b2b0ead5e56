"""The content in a real wheel, and the output of its build."""

from __future__ import annotations

import json

from hatch_agentplugin.sources import is_stale
from tests.build.conftest import BUNDLE, DECLARATION, PROJECT, Project, Wheel, project
from tests.content.rig import EVERYTHING, FILES

__all__ = ["project"]


def opened(project: Project) -> Wheel:
    """Open the wheel that was built."""
    (path,) = (project.root / "dist").glob("*.whl")
    return Wheel.open(path)


def prepare(project: Project) -> None:
    """Give the sample project content, the skills in another folder."""
    for name, text in FILES.items():
        path = name.replace("skills/", "agent/skills/")
        project.write(text, path)
        if name.endswith(".sh"):
            (project.root / path).chmod(0o755)
    toml = EVERYTHING.replace('"skills"', '"./agent/skills"')
    secret = 'env = { TOKEN = "ghp_0123456789abcdefXYZ" }'
    toml = toml.replace('"no-such-program"', f'"no-such-program"\n{secret}')
    project.write(PROJECT + DECLARATION + toml)


def test_wheel_carries_content(project: Project) -> None:
    """Skills, commands and rules have fixed paths in the bundle; exec bits stay."""
    prepare(project)
    result = project.build("--wheel")
    wheel = opened(project)
    files = wheel.bundle()
    assert files["skills/greet/SKILL.md"].decode() == FILES["skills/greet/SKILL.md"]
    assert files["commands/acme-check.md"].decode() == FILES["commands/acme-check.md"]
    assert files["rules/RULES.md"].decode() == FILES["RULES.md"]
    assert wheel.modes[f"{BUNDLE}/skills/greet/scripts/run.sh"] & 0o100
    assert not any("agent/skills" in name for name in files)
    plan = json.loads(files["plan.json"])
    assert {"mcp:acme", "skills", "commands", "rules"} <= {c["event"] for c in plan["report"]}
    assert "3 events, 3 servers, skills, commands, rules for" in result.output
    assert "mcp.plain.env.TOKEN: looks like a secret" in result.output


def test_changed_skill_makes_an_editable_install_stale(project: Project) -> None:
    """The digest includes a file at its path in the project."""
    prepare(project)
    project.build("--wheel")
    bundle = project.scratch.parent / "unpacked"
    for name, data in opened(project).bundle().items():
        path = bundle / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    inputs = json.loads((bundle / "plan.json").read_bytes())["inputs"]
    assert is_stale(inputs, bundle, project.root) is False
    project.write("---\nname: greet\ndescription: New.\n---\n", "agent/skills/greet/SKILL.md")
    assert is_stale(inputs, bundle, project.root) is True
