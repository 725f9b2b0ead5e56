"""``prune``: remove the hooks of plugins that are no longer installed."""

from __future__ import annotations

from hatch_agentplugin.activate import operations
from hatch_agentplugin.cli import deactivate
from hatch_agentplugin.cli.arguments import (
    Options,
    Subparsers,
    add_change_options,
    add_ledger_scope,
    context_of,
    need_consent,
)


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "prune", help="remove the hooks of plugins that are no longer installed"
    )
    deactivate.add_keep_data(parser)
    add_ledger_scope(parser, "user")
    add_change_options(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    need_consent(options)
    return deactivate.remove(options, context_of(options), operations.orphans)
