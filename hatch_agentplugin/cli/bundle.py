"""``bundle``: the author's own command, which needs what a build needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatch_agentplugin.cli import options as _options
from hatch_agentplugin.cli.command import Command, Option
from hatch_agentplugin.cli.ui import Failure, UsageFailure, out, say

DEFAULT = "dist/agent-plugin"


def commands() -> tuple[Command, ...]:
    """The command of this module."""
    return (
        Command(
            "bundle",
            "make the agents' own plugin packages of a project, for their marketplaces",
            run_bundle,
            (
                Option("project", nargs="?", default=".", metavar="DIR", help="(default: here)"),
                Option(
                    "--host",
                    action="append",
                    metavar="NAME",
                    help="agents, also several with commas; mcpb: a file per local MCP server "
                    "(default: all there can be)",
                ),
                Option(
                    "--runner",
                    choices=("python", "uvx"),
                    help="how handlers run: carried, by python3, or from the index, by uvx "
                    "(default: as pyproject.toml says)",
                ),
                Option(
                    "--output",
                    "-o",
                    metavar="DIR",
                    help=f"folder to write (default: {DEFAULT} of the project)",
                ),
            ),
        ),
    )


def run_bundle(options: Any) -> int:
    """Run the command. Returns the exit status."""
    root = Path(options.project).resolve()
    if not (root / "pyproject.toml").is_file():
        raise UsageFailure(f"{root} has no pyproject.toml")
    try:
        from hatch_agentplugin import config, packages
        from hatch_agentplugin.hatch import packages_of
    except ImportError as error:
        raise Failure(
            f"{error.name} is missing; install it with: pip install 'hatch-agentplugin[build]'"
        ) from None
    named = [name.strip() for text in options.host or () for name in text.split(",")]
    wanted = [] if _options.EVERY in named else named
    try:
        made = packages_of(root, wanted or None, options.runner)
    except (config.ConfigError, ValueError) as error:
        raise Failure(str(error)) from None
    folder = Path(options.output) if options.output else root / DEFAULT
    try:
        packages.write(made.files, folder)
        others = packages.foreign_files(made.files, folder)
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}") from None
    for name in dict.fromkeys(path.partition("/")[0] for path in made.files):
        out(str(folder / name))
    for note in made.notes:
        say(f"note: {note}")
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        say(f"note: {folder} has files that are not of this build: {others[0]}{more}")
        say("  an earlier build or an agent has left them; remove them before you publish")
    return 0
