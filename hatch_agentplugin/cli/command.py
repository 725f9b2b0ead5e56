"""What a command understands, as data: `_line` reads by it, `_parser` makes argparse's parser of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

SCOPES = ("user", "project", "local", "managed")


class Option:
    """An option, or without dashes what stands by its place: its names, and argparse's keywords.

    Of several names a long one is the first. Of what ``add_argument`` takes, these are understood:
    ``action`` ("store_true" or "append"), ``nargs`` ("?" or "*", without dashes), ``choices``,
    ``default``, ``required`` (with dashes), ``metavar``, ``help``; with dashes or without, where it
    does not say so.
    """

    def __init__(self, *names: str, **how: Any) -> None:
        self.names = names
        self.how = how
        self.is_positional = not names[0].startswith("-")
        self.is_flag = how.get("action") == "store_true"
        #: Its attribute among the options that were read.
        self.dest = names[0].lstrip("-").replace("-", "_")


class Command:
    """A command: what runs it, its options in the order of the help, and what is set beside them.

    A tuple among the options holds those of which only one may be given.
    """

    def __init__(
        self,
        name: str,
        summary: str,
        run: Callable[[Any], int],
        options: tuple[Option | tuple[Option, ...], ...],
        also: Mapping[str, object] | None = None,
    ) -> None:
        self.name = name
        self.help = summary
        self.options = options
        self.also = {"run": run, **(also or {})}


# --- what several commands share ---

ROOT = Option(
    "--root",
    metavar="DIR",
    help="with --scope managed: the root folder of an image to prepare (default: this machine)",
)
FULL = Option(
    "--full", action="store_true", help="show the content of files that are ours alone, too"
)
JSON = Option("--json", action="store_true", help="print one JSON document")
#: Of commands that change files.
CHANGE = (
    Option("--dry-run", action="store_true", help="show a diff and write nothing"),
    FULL,
    Option("--yes", "-y", action="store_true", help="do not ask"),
    JSON,
)


def plugins(default: str) -> Option:
    """The names of plugins, without an option."""
    return Option("plugins", nargs="*", metavar="PLUGIN", help=f"(default: {default})")


def hosts(default: str) -> Option:
    """``--host``."""
    return Option(
        "--host",
        action="append",
        metavar="NAME",
        help=f"agents, also several with commas; '*' is every one (default: {default})",
    )


def scope(default: str) -> tuple[Option, Option]:
    """``--scope`` and ``--project``, to be put among the options one by one."""
    return (
        Option("--scope", choices=SCOPES, help=f"whose files (default: {default})"),
        Option(
            "--project", metavar="DIR", help="the project, for its scopes (default: this folder)"
        ),
    )


def whose(default: str) -> tuple[Option, Option]:
    """``--scope`` of commands that look at one ledger as a whole, and ``--root``."""
    return (
        Option(
            "--scope",
            choices=("user", "managed"),
            help=f"yours, or the administrator's for all users (default: {default})",
        ),
        ROOT,
    )
