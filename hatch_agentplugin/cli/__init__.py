"""The command ``agent-plugin``: `main` parses the command line and runs one command.

Each command is one module with two functions: ``add_parser`` declares its arguments, ``run`` calls
the library, prints the result and returns the exit status.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from hatch_agentplugin import invocation
from hatch_agentplugin.cli import terminal
from hatch_agentplugin.cli.errors import describe
from hatch_agentplugin.cli.parser import build_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 something failed, 2 wrong usage.

    Without ``argv``, runs the command line of this process.
    """
    terminal.replace_closed_streams()
    if argv is None:
        invocation.started_as(sys.argv[0])
    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        terminal.flush()
        return status
    except terminal.OutputError as error:
        status = 1
        if not error.is_broken_pipe:
            terminal.say_error(str(error))
    except KeyboardInterrupt as error:
        status, message = describe(error)
        terminal.say_error(message)
    if argv is None:  # The streams of a program that calls us are not ours to change.
        terminal.discard_output()
    return status


def _run(arguments: list[str]) -> int:
    """Run one command. Reports every error except OutputError, which it raises."""
    options = None
    try:
        options = build_parser().parse_args(arguments)
        status: int = options.run(options)
        return status
    except SystemExit:  # argparse has printed the help or the version.
        return 0
    except terminal.OutputError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        status, message = describe(error)
        terminal.say_error(message)
        if _wants_json(arguments, options):
            terminal.out_json({"ok": False, "error": message})
        return status


def _wants_json(arguments: list[str], options: argparse.Namespace | None) -> bool:
    """Return whether ``--json`` was given, also in a command line that cannot be parsed."""
    if options is not None:
        return getattr(options, "json", False)
    return any(len(word) > 2 and "--json".startswith(word) for word in arguments)
