"""``enable``: switch a plugin or one of its events on again."""

from __future__ import annotations

from hatch_agentplugin.cli.arguments import Options, Subparsers
from hatch_agentplugin.cli.lookup import event_name
from hatch_agentplugin.cli.switches import ALL, add_switch, switch_folder
from hatch_agentplugin.cli.terminal import say
from hatch_agentplugin.words import EVENTS


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "enable",
        help="switch a plugin or one of its events on again, without changing any agent's files",
    )
    add_switch(parser)
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status. It takes effect at the next event."""
    folder = switch_folder(options.plugin)
    event = event_name(options.event) if options.event else None
    for name in [event] if event else [ALL, *EVENTS]:
        (folder / name).unlink(missing_ok=True)
    plugin = folder.parent.name
    if event and (folder / ALL).exists():
        say(f"{plugin}: {event} is on, but the plugin as a whole is off")
    else:
        say(f"{plugin}: {event or 'every event'} is on")
    return 0
