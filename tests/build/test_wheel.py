"""What the build hook adds to a wheel, and what it does not touch."""

from __future__ import annotations

import os
import stat
import sys
import tarfile
from pathlib import Path

import pytest

from hatch_agentplugin.plan import Plan
from hatch_agentplugin.sources import is_stale
from tests.build.conftest import BUNDLE, DECLARATION, PROJECT, SAMPLE, Project, Wheel

posix = pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        file.relative_to(folder).as_posix(): (file.stat().st_mtime_ns, file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_wheel_from_sdist_has_the_bundle(sample_wheel: Wheel) -> None:
    """It contains the plan, fire tables and the author's files at their own paths."""
    bundle = sample_wheel.bundle()
    plan = Plan.from_bytes(bundle["plan.json"])
    assert (plan.plugin.id, plan.plugin.name) == ("acme-tools", "Acme.Tools")
    assert (plan.plugin.version, plan.plugin.summary) == ("1.2", "Does things.")
    assert plan.hosts
    for host, host_plan in plan.hosts.items():
        for slot in host_plan.slots:
            assert {f"fire/{host}/{slot}.json", f"fire/{host}/{slot}.sh"} <= set(bundle)
    assert bundle["scripts/turn-end.sh"] == (SAMPLE / "scripts/turn-end.sh").read_bytes()
    assert bundle["data/rules.json"] == b"{}\n"


@posix
def test_exec_bits_are_the_author_s(sample_wheel: Wheel) -> None:
    modes = sample_wheel.modes
    assert modes[f"{BUNDLE}/scripts/turn-end.sh"] == 0o755
    assert modes[f"{BUNDLE}/data/rules.json"] == 0o644


def test_mark_says_where_the_bundle_is(sample_wheel: Wheel) -> None:
    assert sample_wheel.metadata("plugin.json") == {
        "format": 1,
        "id": "acme-tools",
        "name": "Acme.Tools",
        "version": "1.2",
        "bundle": BUNDLE,
    }


def test_report_is_stored_as_it_is_printed(project: Project) -> None:
    """It has every declared event for every host."""
    output = project.build("--wheel").output
    (path,) = (project.root / "dist").glob("*.whl")
    wheel = Wheel.open(path)
    report = wheel.metadata("report.json")
    plan = Plan.from_bytes(wheel.bundle()["plan.json"])
    assert [(cell["host"], cell["event"], cell["state"]) for cell in report["cells"]] == [
        (cell.host, cell.event, cell.state) for cell in plan.report
    ]
    hosts = {cell.host for cell in plan.report}
    assert {cell.event for cell in plan.report} == {"session-start", "pre-tool-use", "turn-end"}
    assert f"agent-plugin: Acme.Tools 1.2: 3 events for {len(hosts)} hosts" in output
    assert all(f"\n  {host} " in output for host in hosts)


def test_build_leaves_nothing_behind(project: Project) -> None:
    """It leaves no file in the source tree, beside the wheel, or in the temporary folder."""
    before = snapshot(project.root)
    project.build()
    after = snapshot(project.root)
    names = {"dist/acme_tools-1.2.tar.gz", "dist/acme_tools-1.2-py3-none-any.whl"}
    assert set(after) - set(before) <= names | {"dist/acme_tools-1.2-py2.py3-none-any.whl"}
    assert {name: after[name] for name in before} == before
    assert not list(project.scratch.glob("agent-plugin*"))


def test_sdist_is_left_alone(project: Project) -> None:
    project.build("--sdist")
    (path,) = (project.root / "dist").iterdir()
    with tarfile.open(path) as archive:
        names = archive.getnames()
    assert "acme_tools-1.2/scripts/turn-end.sh" in names
    assert not [name for name in names if "agent_plugin" in name or "plan.json" in name]


def test_project_without_the_table_is_left_alone(project: Project) -> None:
    """The wheel has the same bytes as without the hook."""
    project.write(PROJECT)
    with_hook = project.wheel("--wheel")
    assert not with_hook.is_plugin
    with_hook_bytes = with_hook.path.read_bytes()
    with_hook.path.unlink()
    project.write(PROJECT.replace("[tool.hatch.build.hooks.agent-plugin]", ""))
    assert project.wheel("--wheel").path.read_bytes() == with_hook_bytes


def test_empty_table_is_a_plugin_without_hooks(project: Project) -> None:
    project.write(PROJECT + "\n[tool.agent-plugin]\n")
    output = project.build("--wheel").output
    assert "agent-plugin: Acme.Tools 1.2: no hooks" in output


def test_script_inside_the_package_stays_there_too(project: Project) -> None:
    """Hatchling would move the file if it were included by its path in the project."""
    script = project.root / "src/acme/run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    project.write(f'{PROJECT}[tool.agent-plugin]\nhooks.Stop = {{ command = "./src/acme/run.sh" }}')
    files = project.wheel("--wheel").files
    assert {"acme/run.sh", f"{BUNDLE}/src/acme/run.sh"} <= set(files)


def test_name_that_begins_with_a_digit(project: Project) -> None:
    """The bundle folder is still an identifier."""
    project.write((PROJECT + DECLARATION).replace("Acme.Tools", "2fa"))
    assert project.wheel("--wheel").metadata("plugin.json")["bundle"] == "_2fa_agent_plugin"


@pytest.mark.parametrize(
    ("options", "handler"),
    [
        ('packages = ["src/acme"]', "acme.hooks:guard"),
        ('only-include = ["src"]\nsources = ["src"]', "single:alone"),
        ('only-include = ["src"]', "src.acme.hooks:guard"),
        (
            'only-include = ["src/acme"]\nsources = { "src/acme" = "renamed" }',
            "renamed.hooks:guard",
        ),
        (
            'packages = ["src/acme"]\nforce-include = { "src/single.py" = "extra.py" }',
            "extra:alone",
        ),
    ],
    ids=["src-layout", "module", "no-sources", "renamed", "forced"],
)
def test_handler_is_looked_for_where_it_will_be(
    project: Project, options: str, handler: str
) -> None:
    """Handlers are looked up among the files that hatchling selects, whatever the layout."""
    text = PROJECT.replace('packages = ["src/acme"]', options)
    project.write(f'{text}[tool.agent-plugin]\nhooks.Stop = {{ handler = "{handler}" }}')
    assert project.wheel("--wheel").is_plugin


def test_handler_in_the_default_layout(project: Project) -> None:
    """By default hatchling selects the package with the project's name."""
    text = PROJECT.replace('packages = ["src/acme"]', "").replace("Acme.Tools", "acme")
    project.write(f'{text}[tool.agent-plugin]\nhooks.Stop = {{ handler = "acme.hooks:guard" }}')
    assert project.wheel("--wheel").is_plugin


def test_handler_that_the_wheel_leaves_out_is_missing(project: Project) -> None:
    project.write(f'{PROJECT}[tool.agent-plugin]\nhooks.Stop = {{ handler = "single:alone" }}')
    assert 'hooks.Stop.handler: the wheel contains no module "single"' in project.failure()


@posix
def test_staleness_of_the_inputs(sample_wheel: Wheel, project: Project, tmp_path: Path) -> None:
    """A change of the declaration or of a script is noticed; other changes are not."""
    bundle = tmp_path / "site"
    for name, data in sample_wheel.bundle().items():
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_bytes(data)
    inputs = Plan.read(bundle).inputs
    assert is_stale(inputs, bundle, project.root) is False
    project.write(PROJECT.replace("1.2", "1.3") + DECLARATION)
    assert is_stale(inputs, bundle, project.root) is False
    script = project.root / "scripts/turn-end.sh"
    text = script.read_bytes()
    script.write_bytes(text + b"# more\n")
    assert is_stale(inputs, bundle, project.root) is True
    script.unlink()
    assert is_stale(inputs, bundle, project.root) is True
    script.write_bytes(text)
    project.write(PROJECT + DECLARATION.replace("turn-end =", "session-end ="))
    assert is_stale(inputs, bundle, project.root) is True
    assert is_stale(inputs, bundle, tmp_path / "nowhere") is None


@posix
def test_same_bytes_whatever_the_circumstances(sample_wheel: Wheel, project: Project) -> None:
    """The source may be the tree or the sdist, with other times, modes and umask."""
    for file in project.root.rglob("*"):
        os.utime(file, (1, 1))
        if file.is_file():
            file.chmod(stat.S_IMODE(file.stat().st_mode) & 0o700)
    command = f"umask 077; exec '{sys.executable}' -m build --no-isolation --wheel"
    result = project.run("sh", "-c", command)
    assert result.status == 0, result.output
    (path,) = (project.root / "dist").iterdir()
    assert Wheel.open(path).files == sample_wheel.files
    assert path.read_bytes() == sample_wheel.path.read_bytes()
