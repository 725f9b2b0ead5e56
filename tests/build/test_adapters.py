"""Adapters of third parties are loaded if installed, and named if they fail."""

from __future__ import annotations

from pathlib import Path

from hatch_agentplugin.plan import Plan
from tests.build.conftest import ADAPTERS, DECLARATION, PROJECT, Project, install


def broken(folder: Path, body: str, name: str = "acme-broken") -> Path:
    """Return a copy of the adapter's distribution with another module."""
    source = folder / name
    (source / "acme_adapter").mkdir(parents=True)
    text = (ADAPTERS / "acme-adapter/pyproject.toml").read_text("utf-8")
    (source / "pyproject.toml").write_text(
        text.replace("acme-adapter", name).replace('"acme_adapter"', f'"{name.replace("-", "_")}"')
    )
    module = source / name.replace("-", "_")
    module.mkdir(exist_ok=True)
    (module / "__init__.py").write_text(body, "utf-8")
    return source


def test_host_of_a_third_party_is_in_the_build(project: Project, adapters: Path) -> None:
    """The report has its rows, the bundle its files, and ``hosts`` accepts its id."""
    install(ADAPTERS / "acme-adapter", adapters)
    project.env = {"PYTHONPATH": str(adapters)}
    project.write(
        PROJECT + DECLARATION + 'Stop = [{ command = "git", hosts = ["acme-code"] }]\n'
        '[tool.agent-plugin.native.acme-code]\nBored = [{ run = "yawn" }]\n'
    )
    wheel = project.wheel("--wheel")
    bundle = wheel.bundle()
    plan = Plan.from_bytes(bundle["plan.json"])
    assert plan.hosts["acme-code"].name == "Acme Code"
    assert {"fire/acme-code/pre-tool-use.json", "fire/acme-code/turn-end.sh"} <= set(bundle)
    states = {cell.event: cell.state for cell in plan.report if cell.host == "acme-code"}
    assert states == {"session-start": "skipped", "pre-tool-use": "native", "turn-end": "native"}
    assert b'"yawn"' in bundle["plan.json"]


def test_host_is_unknown_without_its_adapter(project: Project) -> None:
    project.write(PROJECT + DECLARATION + 'Stop = [{ command = "git", hosts = ["acme-code"] }]\n')
    assert 'hooks.Stop[1].hosts[1]: unknown agent "acme-code"' in project.failure()


def test_broken_adapter_is_named_with_its_distribution(
    project: Project, adapters: Path, tmp_path: Path
) -> None:
    install(broken(tmp_path, "import not_there\n"), adapters)
    project.env = {"PYTHONPATH": str(adapters)}
    assert project.failure().startswith(
        'host adapter "acme-code" of acme-broken 0.3: fails: ModuleNotFoundError: '
        "No module named 'not_there'\n"
        "  update or uninstall that distribution, or report this to its authors\n"
    )


def test_two_adapters_of_one_host_are_both_named(
    project: Project, adapters: Path, tmp_path: Path
) -> None:
    install(ADAPTERS / "acme-adapter", adapters)
    body = (ADAPTERS / "acme-adapter/acme_adapter/__init__.py").read_text("utf-8")
    install(broken(tmp_path, body, "other-adapter"), adapters)
    project.env = {"PYTHONPATH": str(adapters)}
    text = project.failure()
    assert 'describes "acme-code", as does ' in text
    assert "acme-adapter 0.3" in text
    assert "other-adapter 0.3" in text
