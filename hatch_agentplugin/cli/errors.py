"""The errors that end a command, and how each error is reported."""

from __future__ import annotations

import os

from hatch_agentplugin.transaction.problem import FileProblem

#: Set this variable to see the traceback of an unexpected error.
DEBUG = "AGENT_PLUGIN_DEBUG"


class CommandError(Exception):
    """Ends a command; the message tells the user why."""

    status = 1
    """The exit status of the command."""


class UsageError(CommandError):
    """Ends a command because of wrong usage, before it has changed anything."""

    status = 2


def describe(error: BaseException) -> tuple[int, str]:
    """Return the exit status and the message for an error.

    Raises an unexpected error again if ``AGENT_PLUGIN_DEBUG`` is set.
    """
    if isinstance(error, CommandError):
        return error.status, str(error)
    if isinstance(error, FileProblem):
        return 1, str(error)
    if isinstance(error, KeyboardInterrupt):
        return 130, "interrupted"
    if os.environ.get(DEBUG):
        raise error
    if isinstance(error, FileNotFoundError) and error.filename is None:
        return 1, "the current folder no longer exists; run the command in another folder"
    if isinstance(error, OSError) and error.strerror:
        where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
        return 1, f"{where}{error.strerror}"
    return 1, (
        f"this is a bug in hatch-agentplugin: {type(error).__name__}: {error}\n"
        f"  please report it with the traceback that {DEBUG}=1 shows"
    )
