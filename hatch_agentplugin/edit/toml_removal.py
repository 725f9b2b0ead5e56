"""Take statements and elements out of TOML text."""

from __future__ import annotations

from hatch_agentplugin.edit.lines import line_start
from hatch_agentplugin.edit.toml_reader import Statement, elements


def cut_statements(text: str, group: list[Statement]) -> str:
    """Return the text without whole statements, but with all comments.

    Of the blank lines around a header that goes, one stays.
    """
    for statement in reversed(group):
        start, end = line_start(text, statement.start), statement.line_end
        comment = text[statement.end : end]
        if comment.strip():
            end -= len(comment.lstrip())
        if statement.kind != "pair":
            for blank in ("\r\n\r\n", "\n\n"):
                if text.endswith(blank, 0, start):
                    start -= len(blank) // 2
                    break
        text = text[:start] + text[end:]
    return text


def cut_element(text: str, start: int, index: int) -> str:
    """Return the text without one element of the array at `start`, and one comma less."""
    spans, comma, _ = elements(text, start)
    left, right = spans[index]
    if index + 1 < len(spans):
        following = spans[index + 1][0]
        if "#" in text[right:following]:
            at = text.index(",", right, following)
            return text[:left] + text[right:at] + text[at + 1 :]
        return text[:left] + text[following:]
    if comma is not None:
        lead = len(text[:left].rstrip(" \t\r\n"))
        safe = "#" not in text[line_start(text, lead) : lead]
        return text[: lead if safe else left] + text[right:comma] + text[comma + 1 :]
    if index == 0:
        return text[:left] + text[right:]
    previous = spans[index - 1][1]
    if "#" in text[previous:left]:
        at = text.index(",", previous)
        return text[:at] + text[at + 1 : left] + text[right:]
    return text[:previous] + text[right:]
