"""Which files a tool call writes, whatever the agent calls its parameters.

Without ``re`` and ``pathlib``: a hook runs at every tool call, and importing them costs more than
all the rest of this plugin.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Words in the names of parameters that hold a path: path, file_path, absoluteFilePath, uri, ...
_PATH_WORDS = ("path", "file", "uri")
#: Words in the names of parameters that hold what is written: content, new_string, ...
_TEXT_WORDS = ("content", "string", "new_str", "old_str")
#: How a line of a patch names the file it writes.
_PATCH_MARKS = (
    "*** add file: ", "*** update file: ", "*** delete file: ", "*** move to: ",
    "+++ ", "--- ", "rename to ", "rename from ",
)  # fmt: skip
_HARMLESS = ("example", "sample", "template", "dist")


def is_secret(path: str) -> bool:
    """Whether a path names ``.env`` or ``.env.something``, in any spelling; no examples."""
    path = path.strip().strip("\"'").replace("\\", "/").replace("%2e", ".").replace("%2E", ".")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts:
        return False
    # Windows ignores trailing dots and spaces, and what follows a colon is a stream of the file.
    name = parts[-1].lower().split(":")[0].rstrip(". ")
    return name == ".env" or (name.startswith(".env.") and name.split(".")[-1] not in _HARMLESS)


def written_files(value: Any) -> list[str]:
    """The paths in a tool's input: values of path parameters, and files that patches name."""
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
    """The files that a patch names; text that is no patch names none."""
    if not ("*** " in text or "+++ " in text or "rename to " in text):
        return
    for line in text.splitlines():
        folded = line.lstrip().lower()
        for mark in _PATCH_MARKS:
            if folded.startswith(mark):
                yield line.lstrip()[len(mark) :].split("\t")[0]
