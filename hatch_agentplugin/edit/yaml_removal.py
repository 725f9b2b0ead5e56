"""Take one entry out of YAML text."""

from __future__ import annotations

from hatch_agentplugin.edit.lines import line_start, newline_of
from hatch_agentplugin.edit.model import DocumentError
from hatch_agentplugin.edit.yaml_reader import Node, end_of_entry, has_comment, is_flow


def cut_entry(text: str, parent: Node, index: int) -> str:
    """Return the text without entry `index` of a mapping or list.

    The last entry of a block leaves an empty pair of brackets. Raises DocumentError if the entry
    holds a comment or does not stand on lines of its own.
    """
    pairs = [entry if isinstance(entry, tuple) else (entry, entry) for entry in parent.value]
    spans = [(first.start_mark.index, last) for first, last in pairs]
    start, node = spans[index]
    if is_flow(parent):
        end = node.end_mark.index
        if index + 1 < len(spans):
            return text[:start] + text[spans[index + 1][0] :]
        if index > 0:
            start = spans[index - 1][1].end_mark.index
        return text[:start] + text[end:]
    begin, end = line_start(text, start), end_of_entry(text, node)
    if has_comment(text, start, end, node):
        raise DocumentError("the entry holds a comment that we did not write; remove it by hand")
    if len(spans) > 1:
        return _cut_lines(text, parent, begin, start, end)
    newline = newline_of(text) if text.endswith(("\n", "\r"), 0, end) else ""
    empty = "{}" if isinstance(parent.value[0], tuple) else "[]"
    above = text[:begin].rstrip(" \t\r\n")
    if not above:
        return text[:begin] + empty + newline + text[end:]
    return f"{above} {empty}{newline}{text[end:]}"


def _cut_lines(text: str, parent: Node, begin: int, start: int, end: int) -> str:
    if text[begin:start].strip(" -"):
        raise DocumentError("the entry does not begin a line of its own")
    if text[begin:start].count("-") != (0 if isinstance(parent.value[0], tuple) else 1):
        raise DocumentError("the entry shares its line with a list item")
    if end == len(text) and not text.endswith(("\n", "\r")):
        begin = len(text[:begin].rstrip("\r\n"))
    return text[:begin] + text[end:]
