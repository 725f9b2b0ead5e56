"""The parser of the command line, with one subparser for each command."""

from __future__ import annotations

import argparse
import sys
from importlib import metadata
from typing import NoReturn

from hatch_agentplugin import invocation
from hatch_agentplugin.cli import (
    activate,
    deactivate,
    diff,
    disable,
    doctor,
    enable,
    hosts,
    inspect,
    matrix,
    package,
    prune,
    restore,
    simulate,
    status,
)
from hatch_agentplugin.cli.errors import UsageError

#: The modules of the commands, in the order of the help.
COMMANDS = (
    activate,
    diff,
    deactivate,
    prune,
    status,
    hosts,
    matrix,
    doctor,
    simulate,
    inspect,
    disable,
    enable,
    restore,
    package,
)


class _Parser(argparse.ArgumentParser):
    """Reports wrong usage like every other error."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise UsageError(message)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser. Its options have ``run``, the function of the command.

    Parsing raises UsageError, and SystemExit after it has printed the help or the version.
    """
    parser = _Parser(
        prog=invocation.name(),
        description="Add the hooks of installed plugins to your coding agents, and remove them "
        "again.",
    )
    parser.add_argument("--version", action="version", version=_version())
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    return parser


def _version() -> str:
    """Return the installed version, and the name of this program if it is another one."""
    try:
        version = metadata.version("hatch-agentplugin")
    except metadata.PackageNotFoundError:
        version = "from a source tree"
    name = invocation.name()
    return f"{invocation.NAME} {version}" + (f", as {name}" if name != invocation.NAME else "")
