"""``docs/reference/commands.md`` quotes the help of every command.

``pytest --agent-plugin-update-golden`` writes the page again.
"""

from __future__ import annotations

import contextlib
import io
import sys

import pytest

from hatch_agentplugin.cli.parser import COMMANDS, build_parser
from hatch_agentplugin.testing.adapter_kit import UPDATE_OPTION
from tests.built import TREE

PAGE = TREE / "docs" / "reference" / "commands.md"
MARK = "<!-- tests/cli/test_reference.py writes the rest of this page. -->\n"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a width of eighty columns and no colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def help_of(*words: str) -> str:
    """Return what a command prints for ``--help``."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit):
        build_parser().parse_args([*words, "--help"])
    return out.getvalue().rstrip()


def generated() -> str:
    """Return the generated part of the page."""
    names = sorted(command.__name__.rpartition(".")[2] for command in COMMANDS)
    parts = [("agent-plugin", help_of())]
    parts += [(f"agent-plugin {name}", help_of(name)) for name in names]
    return "\n".join(f"## {title}\n\n```text\n{text}\n```\n" for title, text in parts)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse has other texts")
def test_page_quotes_the_help_of_every_command(agent_plugin_update_golden: bool) -> None:
    """Compares words only, because line breaks differ between versions of Python."""
    head, mark, rest = PAGE.read_text("utf-8").partition(MARK)
    assert mark
    now = generated()
    if agent_plugin_update_golden:
        PAGE.write_text(f"{head}{MARK}\n{now}", "utf-8")
        return
    assert rest.split() == now.split(), f"run pytest {UPDATE_OPTION}"
