"""Names and paths that come from elsewhere and may be used: of plugins, hosts, slots and files."""

from __future__ import annotations

import functools

# Sets, because compiling expressions for them costs a tenth of reading a plan.
_JOINS = frozenset("._-")
_IN_ID = _JOINS | frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_IN_SLOT = _IN_ID | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_CONTROL = frozenset(map(chr, range(32)))
_UNSAFE = _CONTROL | frozenset('\\:*?"<>|')


def is_id(text: str) -> bool:
    """Whether a text is a normalised name, of a plugin or of a host."""
    return (
        0 < len(text) <= 64 and _IN_ID.issuperset(text) and _JOINS.isdisjoint((text[0], text[-1]))
    )


def is_slot(text: str) -> bool:
    """Whether a text may name a slot."""
    return 0 < len(text) <= 121 and _IN_SLOT.issuperset(text) and text[0] not in _JOINS


@functools.lru_cache(1024)
def is_safe_relative(path: str) -> bool:
    """Whether a path stays below the folder it is relative to, on every system."""
    if not path or path[0] == "/" or not _UNSAFE.isdisjoint(path):
        return False
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return ".." not in parts and "~" not in parts[:1]


@functools.lru_cache(1024)
def is_plain_folder(folder: str) -> bool:
    """Whether a folder of a plan has no way up in it; an empty one has none."""
    return ".." not in folder.split("/") and _CONTROL.isdisjoint(folder)
