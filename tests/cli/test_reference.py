"""``docs/reference/commands.md`` is what the commands say of themselves.

``pytest tests/cli/test_reference.py --agent-plugin-update-golden`` writes it anew.
"""

from __future__ import annotations

import contextlib
import io
import sys

import pytest

from hatch_agentplugin import cli
from hatch_agentplugin.cli import parser
from hatch_agentplugin.testing.adapter_kit import UPDATE_OPTION
from tests.built import TREE

PAGE = TREE / "docs" / "reference" / "commands.md"
MARK = "<!-- From here on the output of --help, written by tests/cli/test_reference.py. -->\n"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eighty columns without colour."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def help_of(*words: str) -> str:
    """What a command prints for ``--help``."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit):
        parser.build(words).parse_args([*words, "--help"])
    return out.getvalue().rstrip()


def generated() -> str:
    """The generated part of the page."""
    parts = [("agent-plugin", help_of())]
    parts += [(f"agent-plugin {name}", help_of(name)) for name in sorted(cli.COMMANDS)]
    return "\n".join(f"## {title}\n\n```text\n{text}\n```\n" for title, text in parts)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse words its help otherwise there")
def test_page_is_what_the_commands_say(pytestconfig: pytest.Config) -> None:
    """Compared word for word; where lines are broken differs between versions of Python."""
    head, mark, rest = PAGE.read_text("utf-8").partition(MARK)
    assert mark
    now = generated()
    if pytestconfig.getoption(UPDATE_OPTION):
        PAGE.write_text(f"{head}{MARK}\n{now}", "utf-8")
        return
    assert rest.split() == now.split(), f"run pytest {UPDATE_OPTION} tests/cli/test_reference.py"
