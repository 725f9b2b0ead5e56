"""``package``: build host packages of a project, for the agents' marketplaces."""

from __future__ import annotations

from pathlib import Path

from hatch_agentplugin.cli.arguments import Options, Subparsers
from hatch_agentplugin.cli.errors import CommandError, UsageError
from hatch_agentplugin.cli.lookup import EVERY, split_names
from hatch_agentplugin.cli.terminal import out, safe, say

#: The output folder, below the project.
_OUTPUT = "dist/agent-plugin"


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "package", help="build a project's plugin packages for the agents' own marketplaces"
    )
    parser.add_argument(
        "project", nargs="?", default=".", metavar="DIR", help="(default: the current folder)"
    )
    parser.add_argument(
        "--host",
        action="append",
        metavar="NAME",
        help="an agent, or several separated by commas; mcpb: a file for each local MCP server "
        "(default: every package that can be built)",
    )
    parser.add_argument(
        "--runner",
        choices=("python", "uvx"),
        help="what runs the handlers: python3, from a copy in the package, or uvx, from the "
        "package index (default: as in pyproject.toml)",
    )
    parser.add_argument(
        "--output",
        "-o",
        metavar="DIR",
        help=f"folder for the packages (default: {_OUTPUT} in the project)",
    )
    parser.set_defaults(run=run)


def run(options: Options) -> int:
    """Run the command and return its exit status."""
    root = Path(options.project).resolve()
    if not (root / "pyproject.toml").is_file():
        raise UsageError(f"{root} has no pyproject.toml")
    names = split_names("--host", options.host) if options.host else [EVERY]
    try:
        # Only the author's environment has the packages that these modules import: pydantic,
        # pluggy, jinja2 and hatchling.
        from hatch_agentplugin import packages
        from hatch_agentplugin.hatch import packages_of
    except ImportError as error:
        raise CommandError(
            f"{error.name} is missing; install it with: pip install 'hatch-agentplugin[build]'"
        ) from None
    folder = Path(options.output) if options.output else root / _OUTPUT
    try:
        made = packages_of(root, None if EVERY in names else names, options.runner)
    except ValueError as error:
        raise CommandError(str(error)) from None
    packages.write(made.files, folder)
    for name in dict.fromkeys(path.partition("/")[0] for path in made.files):
        out(folder / name)
    for note in made.notes:
        say(f"note: {safe(note)}")
    if foreign := packages.foreign_files(made.files, folder):
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        say(f"note: {folder} has files that are not from this build: {foreign[0]}{more}")
        say("  an earlier build or an agent left them there; remove them before you publish")
    return 0
