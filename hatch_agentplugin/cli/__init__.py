"""The command ``agent-plugin``: parse, call the library, show. Each command is one module.

Only the module of the command at hand is imported, so that starting stays light.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from hatch_agentplugin.place import program

#: Command -> module below this package, in the order of the help.
COMMANDS = {
    "activate": "activate",
    "deactivate": "deactivate",
    "status": "status",
    "hosts": "hosts",
    "matrix": "matrix",
    "diff": "activate",
    "doctor": "doctor",
    "simulate": "fire",
    "inspect": "fire",
    "disable": "fire",
    "enable": "fire",
    "prune": "deactivate",
    "restore": "restore",
    "bundle": "bundle",
}
#: Set to anything to see the traceback of an unexpected error.
DEBUG = "AGENT_PLUGIN_DEBUG"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit status: 0 done, 1 something failed, 2 wrong usage."""
    _open_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    from hatch_agentplugin.cli import _ui

    _ui.printed_json = False
    if argv is None:
        program.started_as(sys.argv[0])
    try:
        try:
            options = _parser(arguments).parse_args(arguments)
            status: int = options.run(options)
        except (Exception, KeyboardInterrupt) as error:
            status = _failed(error, "--json" in arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of our output has gone; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def _failed(error: BaseException, as_json: bool) -> int:
    """Tell what went wrong, with ``as_json`` as a document too. Returns the exit status."""
    from hatch_agentplugin.cli import _ui

    status, text = _told(error)
    _ui.say_error(text)
    if as_json and not _ui.printed_json:
        _ui.out_json({"ok": False, "error": text})
    return status


def _told(error: BaseException) -> tuple[int, str]:
    """Exit status and words for an error. A broken pipe, and with DEBUG an unexpected one, go on."""
    from hatch_agentplugin.cli._ui import Failure
    from hatch_agentplugin.place._problem import FileProblem

    if isinstance(error, Failure):
        return error.status, str(error)
    if isinstance(error, FileProblem):
        return 1, str(error)
    if isinstance(error, KeyboardInterrupt):
        return 130, "interrupted"
    if isinstance(error, BrokenPipeError) or os.environ.get(DEBUG):
        raise error
    if isinstance(error, FileNotFoundError) and error.filename is None:
        return 1, "the working folder is gone; run the command in one that is there"
    if isinstance(error, OSError) and error.strerror:
        where = f"{os.fsdecode(error.filename)}: " if error.filename is not None else ""
        return 1, f"{where}{error.strerror}"
    return 1, (
        f"this is a bug of ours: {type(error).__name__}: {error}\n"
        f"  please report it with the traceback that {DEBUG}=1 shows"
    )


def _open_streams() -> None:
    """Put nothing where the caller has closed a stream; else a file of ours would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _parser(arguments: Sequence[str]):  # type: ignore[no-untyped-def]  # argparse comes late
    import argparse
    import importlib

    from hatch_agentplugin.cli._ui import UsageFailure

    class Parser(argparse.ArgumentParser):
        """Wrong usage is told like every other error."""

        def error(self, message: str):  # type: ignore[no-untyped-def]  # it never returns
            self.print_usage(sys.stderr)
            raise UsageFailure(message)

    parser = Parser(
        prog=program.name(),
        description="Place the hooks of installed plugins into your coding agents, and take them "
        "back.",
    )
    parser.add_argument("--version", action="version", version=_version())
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    named = next((word for word in arguments if not word.startswith("-")), None)
    modules = [COMMANDS[named]] if named in COMMANDS else list(dict.fromkeys(COMMANDS.values()))
    for name in modules:
        try:
            module = importlib.import_module(f"hatch_agentplugin.cli.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"hatch_agentplugin.cli.{name}":
                raise
            continue
        module.register(subparsers)
    return parser


def _version() -> str:
    """The version, by the name of the metadata folder beside the package: nothing is imported."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        names = [name for name in os.listdir(here) if name.startswith("hatch_agentplugin-")]
    except OSError:
        names = []
    found = names[0].removesuffix(".dist-info").partition("-")[2] if names else "from a source tree"
    called = program.name()
    return f"{program.NAME} {found}" + (f", as {called}" if called != program.NAME else "")


if __name__ == "__main__":
    sys.exit(main())
