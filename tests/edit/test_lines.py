"""Lines, their ends and their indentation, in text with line ends of all kinds."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hatch_agentplugin.edit import lines

from ._documents import examples

NEWLINE = re.compile(r"\r\n|\n|\r")


@examples(200)
@given(st.text(st.sampled_from("\r\n\t ab\ufeff\x85"), max_size=10), st.integers(0, 10))
def test_lines_are_found_as_a_pattern_finds_them(text: str, offset: int) -> None:
    """That is plain to see, and slower to compile than to do without."""
    first, after = NEWLINE.search(text), NEWLINE.search(text, offset)
    assert lines.newline_of(text) == (first.group() if first else "\n")
    assert lines.line_end(text, offset) == (after.end() if after else len(text))
    blanks = re.compile(r"[ \t]*").match(text, lines.line_start(text, offset))
    assert blanks
    assert lines.indent_of(text, offset) == blanks.group()
    ends = [match.end() for match in NEWLINE.finditer(text, 0, offset)]
    error = lines.error_at(text, offset, "odd")
    begin = ends[-1] if ends else 0
    assert (error.line, error.column) == (len(ends) + 1, min(offset, len(text)) - begin + 1)
