"""The same ``activate`` once more, answered without making it, where nothing has changed since.

A run in which nothing failed and nothing was kept leaves a note: everything that it has looked at on
the machine, with what was to be seen there, and what it would say if it ran again. A second run of the very same
command line looks at all of that again, contents of files included, and when nothing is different
it says that. Else it runs, as it does where the note is missing, damaged or of another version.

Imports next to nothing: the looks cost a tenth of what the run costs, its imports most of the rest.
"""

from __future__ import annotations

import os
import stat
import sys

from hatch_agentplugin._sha256 import digest
from hatch_agentplugin.place._root import AGAIN, OWN, root_of
from hatch_agentplugin.place.looks import look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO, TypeAlias

    #: What is said in order: 0 for the output and 1 for the errors, and the text.
    Said: TypeAlias = list[tuple[int, str]]

FORMAT = 1


def answer(arguments: Sequence[str]) -> Said | None:
    """What the same command line would say now; None to run it."""
    try:
        return _found(arguments)
    except Exception:  # The run says what is wrong, if it matters to it.
        return None


def say(said: Said) -> None:
    """Say it. Raises OSError where that can't be written."""
    for number, text in said:
        (sys.stdout, sys.stderr)[number].write(text)


def _found(arguments: Sequence[str]) -> Said | None:
    """What there is to say; None where the note does not fit. Raises whatever goes wrong."""
    home = os.environ.get("HOME", "")
    root = root_of(os.environ, home)
    if os.name != "posix" or not (os.path.isabs(home) and os.path.isabs(root)):
        return None
    found = unpacked(_ours(os.path.join(root, OWN, AGAIN)), key(arguments))
    if found is None or any(look(kind, what) != seen for kind, what, seen in found[1]):
        return None
    return found[0]


def _ours(path: str) -> bytes:
    """The content of a file that nobody else can have written. Raises OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    with open(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o022:
            raise OSError("not a file that is the user's alone")
        if status.st_uid != os.geteuid():
            raise OSError("somebody else's file")
        return file.read()


def key(arguments: Sequence[str]) -> str:
    """All that decides what a command line says, but for what it looks at."""
    started = sys.argv[0]
    streams = (sys.stdin, sys.stdout, sys.stderr)
    program = (sys.executable, sys.prefix, sys.version, sys.path, sys.flags)
    # A relative name of ours is told as an absolute one.
    ours = (__file__, started, "" if os.path.isabs(started) else os.getcwd())
    names = sys.getfilesystemencoding()
    return repr((FORMAT, program, ours, names, [*arguments], os.geteuid(), [*map(_kind, streams)]))


def _kind(stream: TextIO) -> tuple[bool, str]:
    """What kind of stream it is: what is said, and whether it is asked, depends on that."""
    return stream.isatty(), stream.encoding


def packed(key: str, said: Said, looks: dict[tuple[str, str], str]) -> bytes | None:
    """A note as bytes; None where something in it holds the characters that keep all apart."""
    fields = [key, "\1".join(f"{number}{text}" for number, text in said)]
    for (kind, what), seen in looks.items():
        fields += [kind, what, seen]
    text = "\0".join(fields)
    if text.count("\0") >= len(fields) or fields[1].count("\1") >= max(1, len(said)):
        return None
    body = text.encode("utf-8", "surrogateescape")
    return digest(body).encode() + b"\0" + body


def unpacked(data: bytes, key: str) -> tuple[Said, list[tuple[str, str, str]]] | None:
    """What a note says, in order, and its looks; None where it is damaged or of another key."""
    mark, _, body = data.partition(b"\0")
    if digest(body).encode() != mark:
        return None
    was, said, *rest = body.decode("utf-8", "surrogateescape").split("\0")
    if was != key:
        return None
    looks = list(zip(rest[::3], rest[1::3], rest[2::3], strict=True))
    return [(int(one[0]), one[1:]) for one in said.split("\1") if one], looks
