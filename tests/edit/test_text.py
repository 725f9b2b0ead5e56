"""How blocks are appended to text and taken back."""

from __future__ import annotations

import pytest

from hatch_agentplugin.edit import MISSING, DocumentError, Found, read

from ._editing import Editing

TEXT = Editing("text")
BLOCK = "## acme\n\nRun acme."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "## acme\n\nRun acme.\n", id="no bytes"),
        pytest.param("# Mine\n", "# Mine\n\n## acme\n\nRun acme.\n", id="one blank line"),
        pytest.param("# Mine\n\n", "# Mine\n\n## acme\n\nRun acme.\n", id="blank line there"),
        pytest.param("# Mine", "# Mine\n\n## acme\n\nRun acme.", id="no last line end"),
        pytest.param("a\r\nb\r\n", "a\r\nb\r\n\r\n## acme\r\n\r\nRun acme.\r\n", id="CRLF"),
        pytest.param("\ufeffé\n", "\ufeffé\n\n## acme\n\nRun acme.\n", id="byte order mark"),
    ],
)
def test_new_text(before: str, after: str) -> None:
    """A block is set off by one blank line, and goes without a trace."""
    edit = TEXT.key(before.encode(), ("acme",), BLOCK)
    assert edit.data.decode() == after
    assert TEXT.find(edit.data, edit.batch) is Found.PRESENT
    assert TEXT.remove(edit.data, edit.batch) == before.encode()
    assert TEXT.find(before.encode(), edit.batch) is Found.ABSENT


def test_text_written_later_stays() -> None:
    """Before, behind, and with other line ends."""
    edit = TEXT.key(b"a\n", ("acme",), BLOCK)
    assert TEXT.remove(b"new\n" + edit.data + b"\nz\n", edit.batch) == b"new\na\n\nz\n"
    crlf = edit.data.replace(b"\n", b"\r\n") + b"\r\nz\r\n"
    assert TEXT.find(crlf, edit.batch) is Found.PRESENT
    assert TEXT.remove(crlf, edit.batch) == b"a\r\n\r\nz\r\n"


def test_a_changed_block_stays() -> None:
    """The user's edit wins."""
    edit = TEXT.key(b"a\n", ("acme",), BLOCK)
    edited = edit.data.replace(b"Run", b"Do not run")
    assert TEXT.find(edited, edit.batch) is Found.CHANGED
    assert TEXT.remove(edited, edit.batch) == edited


def test_the_middle_of_a_longer_line_is_not_ours() -> None:
    """A block is whole lines."""
    edit = TEXT.key(b"", ("acme",), "run")
    assert TEXT.find(b"please run it\n", edit.batch) is Found.ABSENT


def test_plugins_leave_in_any_order() -> None:
    """What stays is what the other alone would have given."""
    first = TEXT.key(b"a", ("one",), "one")
    second = TEXT.key(first.data, ("two",), "two")
    data, batches = TEXT.take_out(second.data, [first.batch, second.batch], [0])
    assert data == TEXT.key(b"a", ("two",), "two").data
    assert TEXT.take_out(data, batches, [0]) == (b"a", [])


def test_refused() -> None:
    """Text has no arrays, a block is text, and bytes are UTF-8."""
    with pytest.raises(DocumentError):
        TEXT.item(b"", ("a",), "x")
    with pytest.raises(DocumentError):
        TEXT.key(b"", ("a",), " \n")
    with pytest.raises(DocumentError, match="line 2"):
        TEXT.key(b"a\n\xff", ("a",), "x")
    assert TEXT.get(b"a", ("a",)) is MISSING


def test_an_unknown_format_is_named() -> None:
    """With those that there are."""
    with pytest.raises(ValueError, match="no editor for 'ini'; the formats are json"):
        read(b"", "ini")
