"""Taking an entry out keeps every comment of the user's, or refuses and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from hatch_agentplugin.edit import MISSING, DocumentError, Entry, insert, read, rewrite

ENTRY = {"command": "x", "timeout": 1}


def removed(format: str, before: str, changes: dict[str, str]) -> bytes:
    """Insert an entry, let the user change the text, and take the entry out."""
    entry = Entry("item", ("hooks", "Stop"), ENTRY)
    document, batch = insert(read(before.encode(), format), [entry])
    text = document.text
    for old, new in changes.items():
        assert text.count(old) == 1, (old, text)
        text = text.replace(old, new)
    rest = rewrite(read(text.encode(), format), [batch], {(0, 0): MISSING})
    return rest.document.text.encode()


@pytest.mark.parametrize(
    ("format", "before", "changes", "after"),
    [
        pytest.param(
            *("jsonc", "{}\n", {'"timeout"': '/* mine */ "timeout"'}),
            *("/* mine */",),
            id="jsonc-inside-the-entry",
        ),
        pytest.param(
            *("jsonc", "// mine\n", {'"x"': '"x" '}, "// mine\n"),
            id="jsonc-a-document-of-ours-behind-a-comment",
        ),
        pytest.param(
            *("toml", "a = 1\n", {"timeout = 1": "timeout = 1 # mine"}, "a = 1\n# mine\n"),
            id="toml-behind-a-value",
        ),
        pytest.param(
            *("toml", "a = 1\n", {"timeout": "# mine\ntimeout"}, "a = 1\n# mine\n"),
            id="toml-between-two-keys",
        ),
        pytest.param(
            *("yaml", "a: 1\n", {"hooks:": "# mine\nhooks:"}, "a: 1\n# mine\n"),
            id="yaml-above",
        ),
    ],
)
def test_kept(format: str, before: str, changes: dict[str, str], after: str) -> None:
    """The entry goes, the comment stays."""
    assert after.encode() in removed(format, before, changes)


@pytest.mark.parametrize(
    ("format", "before", "changes"),
    [
        pytest.param(
            *("jsonc", "/* a  b */\n", {"a  b": "a b", ': "x"': ':"x"'}),
            id="jsonc-comment-with-other-blanks",
        ),
        pytest.param(
            *("jsonc", "// a\n// b\n", {"a\n": "a ", ': "x"': ':"x"'}),
            id="jsonc-two-comments-become-one",
        ),
        pytest.param(
            *("yaml", "a: 1\n", {"timeout: 1": "timeout: 1 # mine"}),
            id="yaml-inside-the-entry",
        ),
    ],
)
def test_refused(format: str, before: str, changes: dict[str, Any]) -> None:
    """Where the comment could not be kept as it is, the document stays as it is."""
    with pytest.raises(DocumentError):
        removed(format, before, changes)
