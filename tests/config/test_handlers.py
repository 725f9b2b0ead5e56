"""Handler references are checked by reading the author's code, never by importing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hatch_agentplugin.config.handlers import check_handler
from hatch_agentplugin.problems import Mistake
from tests.config.conftest import SAMPLE

SOURCES = {
    file.relative_to(SAMPLE / "src").as_posix(): file
    for file in (SAMPLE / "src").rglob("*")
    if file.is_file()
}


@pytest.mark.parametrize(
    "reference",
    [
        "acme.hooks:guard",
        "acme.hooks:greet",
        "acme.hooks:anything",
        "acme.hooks:decorated",
        "acme.hooks:Guard",
        "acme.hooks:assigned",
        "acme.hooks:annotated",
        "acme.hooks:second",
        "acme.hooks:imported",
        "acme.hooks:tried",
        "acme.hooks:fallback",
        "acme.hooks:nested",
        "acme:at_top",
        "acme.sub.more:deep",
        "single:alone",
        "acme.star:guard",
        "acme.lazy:whatever",
        "acme.native:compiled",
    ],
)
def test_right_reference(reference: str) -> None:
    """A handler may be a function, class, assignment or import, also inside if, try and else."""
    assert check_handler(reference, SOURCES) == reference


@pytest.mark.parametrize(
    ("reference", "what", "advice"),
    [
        ("acme.hooks.guard", "is not a handler reference", 'did you mean "acme.hooks:guard"?'),
        ("acme.hooks:guard()", "is not a handler reference", 'did you mean "acme.hooks:guard"?'),
        ("acme/hooks.py:guard", "is not a handler reference", 'did you mean "acme.hooks:guard"?'),
        ("./acme/hooks.py:guard", "is not a handler reference", 'did you mean "acme.hooks:guard"?'),
        ("acme.hooks:", "is not a handler reference", 'write "package.module:callable"'),
        (":guard", "is not a handler reference", 'write "package.module:callable"'),
        ("", "is not a handler reference", 'write "package.module:callable"'),
        ("acme.hooks:Guard.check", "is not a handler reference", "write"),
        ("acme.hook:guard", 'contains no module "acme.hook"', 'did you mean "acme.hooks:guard"?'),
        ("src.acme.hooks:guard", "contains no module", 'did you mean "acme.hooks:guard"?'),
        (
            "requests:get",
            'contains no module "requests"',
            "in a module of the project: acme, acme.broken, acme.hooks",
        ),
        ("acme.hooks:gard", 'defines no "gard"', 'did you mean "acme.hooks:guard"?'),
        ("acme.hooks:zzz", 'defines no "zzz"', "functions of the module: anything, "),
        ("acme.other:guard", 'defines no "guard"', "write it: def guard(event): ..."),
        ("acme.hooks:only_annotated", "defines no", "did you mean"),
        ("acme.hooks:later", "is an async function", "def later(event): return asyncio.run(...)"),
        ("acme.hooks:two", "cannot be called with one argument", "def two(event): ..."),
        ("acme.hooks:nothing", "cannot be called with one argument", "def nothing(event): ..."),
        ("acme.hooks:keyword", "cannot be called with one argument", "def keyword(event): ..."),
        ("acme.hooks:number", "is not callable", "write the name of a function"),
        ("acme.hooks:table", "is not callable", "write the name of a function"),
        ("acme.hooks:module", "is not callable", "write the name of a function"),
        ("acme.broken:guard", "is not valid Python", "broken.py, line 1: expected ':'"),
    ],
)
def test_wrong_reference(reference: str, what: str, advice: str) -> None:
    with pytest.raises(Mistake) as caught:
        check_handler(reference, SOURCES)
    assert what in caught.value.what
    assert advice in caught.value.advice


def test_wheel_without_any_module(tmp_path: Path) -> None:
    with pytest.raises(Mistake) as caught:
        check_handler("acme:guard", {})
    assert "contains no Python module" in caught.value.advice


def test_author_code_is_not_run(tmp_path: Path) -> None:
    """The build environment lacks the author's dependencies."""
    module = tmp_path / "acme.py"
    module.write_text("import not_installed\nraise SystemExit\ndef guard(event): ...\n")
    assert check_handler("acme:guard", {"acme.py": module})


def test_module_in_another_encoding(tmp_path: Path) -> None:
    module = tmp_path / "acme.py"
    module.write_bytes("# coding: latin-1\nNAME = 'Grüße'\ndef guard(e): ...\n".encode("latin-1"))
    assert check_handler("acme:guard", {"acme.py": module})


def test_warnings_about_author_code_are_not_ours(tmp_path: Path) -> None:
    """An invalid escape prints no warning, which would interrupt the report."""
    module = tmp_path / "acme.py"
    module.write_text('PATTERN = "\\d"\ndef guard(event): ...\n')
    assert check_handler("acme:guard", {"acme.py": module})
