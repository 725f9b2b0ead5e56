"""The command ``agent-plugin``: read the line, call the library, show. Each command is one module.

Only what the command at hand needs is imported, and here nothing at all, so that starting is light.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

#: Command -> module below this package, in the order of the help.
COMMANDS = {
    "activate": "activate",
    "deactivate": "deactivate",
    "status": "status",
    "hosts": "hosts",
    "matrix": "matrix",
    "diff": "activate",
    "doctor": "doctor",
    "simulate": "simulate",
    "inspect": "inspect",
    "disable": "switch",
    "enable": "switch",
    "prune": "deactivate",
    "restore": "restore",
    "bundle": "bundle",
}
#: Set to anything to see the traceback of an unexpected error.
DEBUG = "AGENT_PLUGIN_DEBUG"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit status: 0 done, 1 something failed, 2 wrong usage."""
    _open_streams()
    if argv is not None:
        return _main(list(argv), None)
    if sys.implementation.name != "cpython":
        return _main(sys.argv[1:], sys.argv[0])
    # The process is ours and ends soon: looking for memory to give back costs more than it brings,
    # above all at the end, when Python goes through everything there is.
    import gc

    gc.disable()
    status = _main(sys.argv[1:], sys.argv[0])
    gc.freeze()
    return status


def _main(arguments: list[str], started: str | None) -> int:
    """`main`; ``started`` is the program's own name, where we were started as one."""
    try:
        status = _run(arguments, started)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        status = 1  # The reader of our output has gone.
    except (OSError, KeyboardInterrupt) as error:  # It cannot be written, such as to a full disk.
        status = _failed(error, False)
    if started is not None:
        # Nothing may be written at exit either. Inside of another program the stream is not ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return status


def _run(arguments: list[str], started: str | None) -> int:
    """Run one command; the rest as in `_main`."""
    options: Any = None
    try:
        from hatch_agentplugin import invocation
        from hatch_agentplugin.cli import parser, ui

        ui.printed_json = False
        if started is not None:
            invocation.started_as(started)
        options = parser.read(arguments)
        if options is None:
            return 0
        options.arguments = arguments
        status: int = options.run(options)
    except (Exception, KeyboardInterrupt) as error:
        return _failed(error, _wants_json(arguments, options))
    return status


def _wants_json(arguments: list[str], options: Any) -> bool:
    """Whether a document was asked for. Of a line that could not be read, what looks like it."""
    if options is not None:
        return getattr(options, "json", False)
    return any(len(word) > 2 and "--json".startswith(word) for word in arguments)


def _failed(error: BaseException, as_json: bool) -> int:
    """Tell what went wrong, with ``as_json`` as a document too. Returns the exit status."""
    from hatch_agentplugin.cli import ui

    status, text = _told(error)
    ui.say_error(text)
    if as_json and not ui.printed_json:
        ui.out_json({"ok": False, "error": text})
    return status


def _told(error: BaseException) -> tuple[int, str]:
    """Exit status and words for an error. A broken pipe, and with DEBUG an unexpected one, go on."""
    from hatch_agentplugin.cli.ui import Failure
    from hatch_agentplugin.transaction.problem import FileProblem

    if isinstance(error, Failure):
        return error.status, str(error)
    if isinstance(error, FileProblem):
        return 1, str(error)
    if isinstance(error, KeyboardInterrupt):
        return 130, "interrupted"
    if isinstance(error, BrokenPipeError) or os.environ.get(DEBUG):
        raise error
    if isinstance(error, FileNotFoundError) and error.filename is None:
        return 1, "the working folder is gone; run the command in one that is there"
    if isinstance(error, OSError) and error.strerror:
        where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
        return 1, f"{where}{error.strerror}"
    return 1, (
        f"this is a bug of ours: {type(error).__name__}: {error}\n"
        f"  please report it with the traceback that {DEBUG}=1 shows"
    )


def _open_streams() -> None:
    """Put nothing where the caller has closed a stream; else a file of ours would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(main())
