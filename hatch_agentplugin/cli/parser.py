"""The parser for help and for faults in the command line; `_line` reads the ordinary ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import NoReturn

from hatch_agentplugin import invocation
from hatch_agentplugin.cli import COMMANDS
from hatch_agentplugin.cli.command import Command
from hatch_agentplugin.cli.ui import UsageFailure


class Parser(argparse.ArgumentParser):
    """Wrong usage is told like every other error."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise UsageFailure(message)


def read(words: Sequence[str]) -> argparse.Namespace | None:
    """The options in a command line, None where help or the version has been printed instead.

    Raises UsageFailure.
    """
    try:
        return build(words).parse_args(words)
    except SystemExit:  # Whether it could be written is known when the stream is flushed.
        return None


def build(words: Sequence[str]) -> Parser:
    """The parser for a command line: of one that names a command only that is imported."""
    parser = Parser(
        prog=invocation.name(),
        description="Place the hooks of installed plugins into your coding agents, and take them "
        "back.",
    )
    parser.add_argument("--version", action="version", version=_version())
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    named = next((word for word in words if not word.startswith("-")), None)
    for module in [COMMANDS[named]] if named in COMMANDS else dict.fromkeys(COMMANDS.values()):
        for command in import_module(f"hatch_agentplugin.cli.{module}").commands():
            one = subparsers.add_parser(command.name, help=command.help)
            one.set_defaults(**command.also)
            fill(one, command)
    return parser


def fill(parser: argparse.ArgumentParser, command: Command) -> None:
    """Give a parser what a command understands."""
    for option in command.options:
        if isinstance(option, tuple):
            group = parser.add_mutually_exclusive_group()
            for each in option:
                group.add_argument(*each.names, **each.how)
        else:
            parser.add_argument(*option.names, **option.how)


def _version() -> str:
    """The installed version, and the name that this program was called by."""
    try:
        found = metadata.version("hatch-agentplugin")
    except metadata.PackageNotFoundError:
        found = "from a source tree"
    called = invocation.name()
    return f"{invocation.NAME} {found}" + (f", as {called}" if called != invocation.NAME else "")
