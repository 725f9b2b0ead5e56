"""A second reader of JSON with comments, as plain as can be, to check the first one against."""

from __future__ import annotations

import json
from typing import Any


def split(text: str) -> tuple[str, list[str]]:
    """Return the text with its comments cut to a space, and the comments."""
    out: list[str] = []
    comments: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == '"':
            end = at + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            out.append(text[at : end + 1])
            at = end + 1
        elif text.startswith("//", at):
            end = at
            while end < len(text) and text[end] not in "\r\n":
                end += 1
            comments.append(text[at:end])
            out.append(" ")
            at = end
        elif text.startswith("/*", at):
            end = text.index("*/", at) + 2
            comments.append(text[at:end])
            out.append(" ")
            at = end
        else:
            out.append(text[at])
            at += 1
    return "".join(out), comments


def value_of(data: bytes) -> Any:
    """Return the document as a value; nothing counts as an empty object."""
    tokens: list[str] = []
    text = split(data.decode("utf-8-sig"))[0]
    at = 0
    while at < len(text):
        if text[at] == '"':
            end = at + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            tokens.append(text[at : end + 1])
            at = end + 1
            continue
        if text[at] in "]}":
            while tokens and not tokens[-1].strip():
                tokens.pop()
            if tokens and tokens[-1] == ",":
                tokens.pop()
        tokens.append(text[at])
        at += 1
    plain = "".join(tokens)
    return json.loads(plain) if plain.strip() else {}


def comments_of(data: bytes) -> list[str]:
    """Return the comments of a document in their order."""
    return split(data.decode("utf-8-sig"))[1]


def gaps_of(data: bytes) -> list[int]:
    """Return the places in the text where a comment may be put without a change of meaning."""
    text = data.decode()
    gaps, at = [], 0
    while at < len(text):
        if text[at] == '"':
            gaps.append(at)
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
            at += 1
            gaps.append(at)
        elif text.startswith(("//", "/*"), at):
            comment = split(text[at:])[1][0]
            at += len(comment)
        else:
            if text[at] in "{}[],:":
                gaps += [at, at + 1]
            at += 1
    return sorted(set(gaps))
