"""The arguments that several commands share: their declarations and the use of their values."""

from __future__ import annotations

import argparse
import os
from typing import TypeAlias

from hatch_agentplugin.activate.context import Context
from hatch_agentplugin.activate.locate import LocateError, Machine, Scope
from hatch_agentplugin.cli.errors import UsageError
from hatch_agentplugin.cli.terminal import is_interactive
from hatch_agentplugin.words import SCOPES, ScopeName

#: The object that a command adds its parser to.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Parser: TypeAlias = argparse.ArgumentParser
Options: TypeAlias = argparse.Namespace

# --- declarations ---


def add_plugins(parser: Parser, default: str) -> None:
    """Add the names of plugins as positional arguments; ``default`` describes the default."""
    parser.add_argument("plugins", nargs="*", metavar="PLUGIN", help=f"(default: {default})")


def add_hosts(parser: Parser, default: str) -> None:
    """Add ``--host``; `lookup.host_names` reads its value."""
    parser.add_argument(
        "--host",
        action="append",
        metavar="NAME",
        help="an agent, or several separated by commas; '*' means every agent "
        f"(default: {default})",
    )


def add_scope(parser: Parser, default: str) -> None:
    """Add ``--scope``, ``--project`` and ``--root``, for commands that work in one scope."""
    parser.add_argument("--scope", choices=SCOPES, help=f"scope of the files (default: {default})")
    parser.add_argument(
        "--project",
        metavar="DIR",
        help="project folder, for the project and local scopes (default: the current folder)",
    )
    _add_root(parser)


def add_ledger_scope(parser: Parser, default: str) -> None:
    """Add ``--scope`` and ``--root``, for commands that read a whole ledger."""
    parser.add_argument(
        "--scope",
        choices=("user", "managed"),
        help=f"user: your own hooks; managed: the hooks for all users (default: {default})",
    )
    _add_root(parser)


def _add_root(parser: Parser) -> None:
    parser.add_argument(
        "--root",
        metavar="DIR",
        help="with --scope managed: root folder of an image to prepare (default: this machine)",
    )


def add_change_options(parser: Parser) -> None:
    """Add the options of every command that changes files."""
    parser.add_argument("--dry-run", action="store_true", help="show a diff and write nothing")
    add_full(parser)
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask for confirmation")
    add_json(parser)


def add_full(parser: Parser) -> None:
    """Add ``--full``."""
    parser.add_argument(
        "--full", action="store_true", help="also show the content of our own files"
    )


def add_json(parser: argparse._ActionsContainer) -> None:
    """Add ``--json`` to a parser or to a group of one."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


# --- meanings ---


def context_of(options: Options) -> Context:
    """Return the context of this process for ``--scope`` and ``--root``. Raises UsageError.

    The managed scope has the administrator's state folder, in the image if there is one.
    """
    root: str | None = getattr(options, "root", None)
    if getattr(options, "scope", None) != "managed":
        if root is not None:
            raise UsageError("--root requires --scope managed")
        return Context.here()
    # All users must be able to read the files for all users, whatever root's umask is.
    os.umask(0o022)
    try:
        return Context.here(Machine.here(image=_image(root))).managed()
    except LocateError as error:
        raise UsageError(str(error)) from None


def _image(root: str | None) -> str:
    """Return the real path of the image, empty for this machine. Raises UsageError."""
    if root is None:
        return ""
    if not os.path.isabs(root):
        raise UsageError(f"--root must be an absolute path, got {root}")
    real = os.path.realpath(root)
    if not os.path.isdir(real):
        wrong = "is not a folder" if os.path.lexists(root) else "does not exist"
        raise UsageError(f"--root {root} {wrong}; give the root folder of the image")
    return "" if os.path.dirname(real) == real else real


def scope_of(options: Options) -> Scope | None:
    """Return the scope and project that ``--scope`` and ``--project`` name, None without both.

    ``--project`` alone means the project scope. Raises UsageError.
    """
    scope: ScopeName | None = options.scope or ("project" if options.project else None)
    if scope is None:
        return None
    if scope in ("project", "local"):
        return Scope(scope, _project(options.project))
    if options.project:
        raise UsageError(f"--project cannot be combined with --scope {scope}")
    return Scope(scope)


def _project(named: str | None) -> str:
    """Return the absolute path of the project folder. Raises UsageError."""
    try:
        folder = os.path.abspath(named or os.getcwd())
    except OSError:
        raise UsageError(
            "the current folder no longer exists; name a project folder with --project"
        ) from None
    if not os.path.isdir(folder):
        raise UsageError(f"--project {folder} is not a folder")
    if os.path.realpath(folder) == os.path.realpath(Context.here().machine.home):
        raise UsageError("the home folder is not a project; name a project folder with --project")
    return folder


def need_consent(options: Options) -> None:
    """Raise UsageError if the command can neither ask nor go on without asking."""
    if not (options.yes or options.dry_run or is_interactive()):
        raise UsageError("cannot ask for confirmation without a terminal; add --yes")
