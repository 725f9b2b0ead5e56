"""Finds the files that a tool call writes, whatever names the agent gives its parameters.

Does not import ``re`` and ``pathlib``: a hook runs at every tool call, and importing them takes
longer than everything else in this plugin.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Words in the names of parameters with a path: path, file_path, absoluteFilePath, uri, ...
_PATH_WORDS = ("path", "file", "uri")
#: Words in the names of parameters with the text to write: content, new_string, ...
_TEXT_WORDS = ("content", "string", "new_str", "old_str")
#: Starts of lines in a patch that name a written file.
_PATCH_PREFIXES = (
    "*** add file: ", "*** update file: ", "*** delete file: ", "*** move to: ",
    "+++ ", "--- ", "rename to ", "rename from ",
)  # fmt: skip
_HARMLESS = ("example", "sample", "template", "dist")


def is_secret(path: str) -> bool:
    """Return True for ``.env`` and ``.env.something`` in any spelling, but not for examples."""
    path = path.strip().strip("\"'").replace("\\", "/").replace("%2e", ".").replace("%2E", ".")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts:
        return False
    # Windows ignores trailing dots and spaces; the text after a colon names a stream of the file.
    name = parts[-1].lower().split(":")[0].rstrip(". ")
    return name == ".env" or (name.startswith(".env.") and name.split(".")[-1] not in _HARMLESS)


def written_files(value: Any) -> list[str]:
    """Return the paths in a tool's input: values of path parameters, and files named in patches."""
    return list(_found(value, ""))


def _found(value: Any, key: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _found(item, str(name).lower())
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _found(item, key)
    elif isinstance(value, str):
        if "\n" not in value and any(word in key for word in _PATH_WORDS):
            yield value
        elif "\n" in value and not any(word in key for word in _TEXT_WORDS):
            yield from _patched(value)


def _patched(text: str) -> Iterator[str]:
    """Yield the files that a patch names; nothing if the text is not a patch."""
    if not ("*** " in text or "+++ " in text or "rename to " in text):
        return
    for line in text.splitlines():
        folded = line.lstrip().lower()
        for prefix in _PATCH_PREFIXES:
            if folded.startswith(prefix):
                yield line.lstrip()[len(prefix) :].split("\t")[0]
