"""``diff``: show what ``activate`` would change."""

from __future__ import annotations

from hatch_agentplugin.cli import activate
from hatch_agentplugin.cli.arguments import Subparsers, add_full, add_json


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments. It runs ``activate --dry-run``."""
    parser = subparsers.add_parser("diff", help="show what activate would change")
    activate.add_selection(parser)
    add_full(parser)
    add_json(parser)
    parser.set_defaults(run=activate.run, dry_run=True, yes=False, replace=False)
