"""The same ``activate`` once more, answered without making it, where nothing has changed since.

A run that places something leaves a note: everything that it has looked at on the machine, with
what was to be seen there, and what it would say if it ran again. A second run of the very same
command line looks at all of that again, contents of files included, and when nothing is different
it says that. Else it runs, as it does where the note is missing, damaged or of another version.

Imports next to nothing: the looks cost a tenth of what the run costs, its imports most of the rest.
"""

from __future__ import annotations

import os
import sys

from hatch_agentplugin._sha256 import digest
from hatch_agentplugin.place._root import root_of
from hatch_agentplugin.place.looks import look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

FORMAT = 1
#: Name of the note in the folder of the bookkeeping.
NAME = ("_place", "again")


def answer(arguments: Sequence[str]) -> int | None:
    """Say what the same command line would say now. Returns the exit status; None to run it."""
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home) or os.name != "posix":
        return None
    try:
        with open(os.path.join(root_of(os.environ, home), *NAME), "rb") as file:
            found = unpacked(file.read(), key(arguments))
    except (OSError, ValueError):
        return None  # The run says what is wrong.
    if found is None:
        return None
    out, err, looks = found
    if any(look(kind, what) != seen for kind, what, seen in looks):
        return None
    for stream, text in ((sys.stdout, out), (sys.stderr, err)):
        if text:
            stream.write(text)
    return 0


def key(arguments: Sequence[str]) -> str:
    """All that decides what a command line says, but for what it looks at."""
    started = sys.argv[0]
    streams = (sys.stdin, sys.stdout, sys.stderr)
    program = (sys.executable, sys.prefix, sys.version, sys.path, sys.flags)
    # A relative name of ours is told as an absolute one.
    ours = (__file__, started, "" if os.path.isabs(started) else os.getcwd())
    return repr((FORMAT, program, ours, list(arguments), os.geteuid(), [*map(_kind, streams)]))


def _kind(stream: TextIO) -> tuple[bool, str]:
    """What kind of stream it is: what is said, and whether it is asked, depends on that."""
    return stream.isatty(), stream.encoding


def packed(key: str, out: str, err: str, looks: dict[tuple[str, str], str]) -> bytes | None:
    """A note as bytes; None where something in it holds the character that keeps all apart."""
    fields = [key, out, err]
    for (kind, what), seen in looks.items():
        fields += [kind, what, seen]
    text = "\0".join(fields)
    if text.count("\0") >= len(fields):
        return None
    body = text.encode("utf-8", "surrogateescape")
    return digest(body).encode() + b"\0" + body


def unpacked(data: bytes, key: str) -> tuple[str, str, list[tuple[str, str, str]]] | None:
    """Output and looks of a note; None where it is damaged or of another key."""
    mark, _, body = data.partition(b"\0")
    if digest(body).encode() != mark:
        return None
    was, out, err, *rest = body.decode("utf-8", "surrogateescape").split("\0")
    if was != key:
        return None
    return out, err, list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))
