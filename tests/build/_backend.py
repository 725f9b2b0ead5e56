"""Builds wheels, one process each, forked from one that has imported what building needs.

Reads a JSON object a line: ``cwd``, ``env``, and ``out``, the file for what the build prints. Answers
each with a line, the exit status. Without this the imports are two thirds of all building in tests.
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
    """What a front end does for a wheel, as a process of its own would."""
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
