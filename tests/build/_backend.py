"""Builds wheels in forked processes, so that building imports its packages only once.

Reads one JSON object per line: ``cwd``, ``env``, and ``out``, the file for the output. Answers
each with a line, the exit status. The imports would take two thirds of the time of all builds.
"""

from __future__ import annotations

import json
import os
import sys
import traceback

import hatchling.build
import hatchling.builders.wheel

import hatch_agentplugin.build
import hatch_agentplugin.compiler.code_modules
import hatch_agentplugin.hatch  # noqa: F401


def main() -> None:
    """Serve until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            build(request["cwd"], request["env"], request["out"])
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def build(cwd: str, env: dict[str, str], out: str) -> None:
    """Build a wheel as a front end does, in this process."""
    status = 1
    try:
        file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for descriptor in (1, 2):
            os.dup2(file, descriptor)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        hatchling.build.get_requires_for_build_wheel()
        hatchling.build.build_wheel("dist")
        status = 0
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
