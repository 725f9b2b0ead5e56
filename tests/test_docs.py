"""Links between the pages lead somewhere, and the tutorial quotes a real error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hatch_agentplugin.config import ConfigError, load
from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.plan import Plugin
from tests.built import TREE

PAGES = sorted(
    page.relative_to(TREE).as_posix()
    for folder, pattern in (
        (TREE, "*.md"),
        (TREE / "docs", "**/*.md"),
        (TREE / "example-plugin", "*.md"),
    )
    for page in folder.glob(pattern)
)
WITHOUT_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def links(page: Path) -> list[tuple[str, str]]:
    """Return (file, heading) for every link to another page or heading."""
    text = WITHOUT_CODE.sub("", page.read_text("utf-8"))
    found = re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", text)
    return [(file, heading) for file, heading in found if not re.match(r"\w+:", file)]


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for file, heading in links(TREE / page):
        target = (TREE / page).parent / file if file else TREE / page
        assert target.exists(), file
        assert not heading or heading in headings(target), f"{file}#{heading}"


def test_links_are_found() -> None:
    """The pattern matches: the README alone links to most pages."""
    assert len(links(TREE / "README.md")) >= 10
    assert any(heading for page in PAGES for _, heading in links(TREE / page))


def test_error_in_the_tutorial_is_real(tmp_path: Path) -> None:
    """The declaration of the tutorial, with one letter missing."""
    page = (TREE / "docs" / "tutorial.md").read_text("utf-8")
    declared, error = re.findall(r"^```(?:toml|text)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert '"shell"' in declared
    (tmp_path / "pyproject.toml").write_text(declared.replace('"shell"', '"shel"'), "utf-8")
    source = tmp_path / "no_force.py"
    source.write_text("def guard(event): ...\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        load(
            tmp_path, built_in_hosts(), Plugin("no-force", "no-force", "0.1"), {source.name: source}
        )
    assert f"{caught.value}\n" == error
