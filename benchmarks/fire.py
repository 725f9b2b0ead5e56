"""Measures the cost of a hook call, as a ratio to ``python -I -S -c pass`` in the same run.

Each round runs every case once, so a busy machine affects all cases alike. Figures are medians. CPU
time is that of the whole process tree. The exit status is 1 if a goal is missed by CPU time, which
other programs affect least.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from _measure import Cost, describe, median, run  # noqa: E402

from tests.fire.rig import TOOL_CALL, Rig, command, handler, table  # noqa: E402

GUARD = """
    from hatch_agentplugin import Event, deny

    def handle(event: Event):
        if event.selector == "shell" and "rm -rf" in event.input["command"]:
            return deny("That deletes too much.")
        return None
"""


@dataclass(frozen=True)
class Case:
    """One kind of call."""

    name: str
    argv: Sequence[str]
    payload: bytes
    goal: float | None
    check: Callable[[bytes], bool]
    env: dict[str, str]


def measure(case: Case) -> Cost:
    """Run a case once. Raises SystemExit if it does not do its work."""
    return run(case.argv, case.env, case.payload, case.check)


#: Runs a program and prints its peak memory in KiB. A forked child starts with the peak
#: of its parent, so the parent is a bare interpreter.
_PEAK = """
import posix, sys
if not (child := posix.fork()):
    posix.dup2(posix.open("/dev/null", posix.O_WRONLY), 1)
    posix.execv(sys.argv[1], sys.argv[1:])
print(posix.wait4(child, 0)[2].ru_maxrss)
"""


def peaks(folder: Path, python: str) -> tuple[float, float] | None:
    """Return the peak MiB of the bare interpreter and of an answered call; None off Linux."""
    if sys.platform != "linux":
        return None
    rig = Rig(folder / "peak", python=python).slot(table(hooks=[handler()])).handlers(GUARD)
    payload = json.dumps(TOOL_CALL).encode()

    def peak(*command: str) -> float:
        parent = [python, "-I", "-S", "-c", _PEAK, *command]
        done = subprocess.run(
            parent, input=payload, env=rig.environment(), capture_output=True, check=True
        )
        return int(done.stdout) / 1024

    call = (str(rig.launcher), "claude-code", "pre-tool-use")
    runs = [(peak(python, "-I", "-S", "-c", "pass"), peak(*call)) for _ in range(9)]
    return statistics.median(bare for bare, _ in runs), statistics.median(one for _, one in runs)


def cases(folder: Path, python: str) -> list[Case]:
    """Return the bare interpreter first, then every case for which the docs promise a cost."""

    def rig(name: str, *tables: dict[str, Any]) -> Rig:
        return Rig(folder / name, python=python).slot(*tables).handlers(GUARD)

    def case(name: str, rig: Rig, goal: float | None, says: bytes = b"", **call: Any) -> Case:
        return Case(
            name,
            [str(rig.launcher), "claude-code", "pre-tool-use"],
            json.dumps({**TOOL_CALL, **call}).encode(),
            goal,
            lambda out: (says in out) if says else not out,
            rig.environment(),
        )

    guard = rig("guard", table(hooks=[handler()]))
    many = rig("many", table(hooks=[handler() for _ in range(20)]))
    filtered = rig("filtered", table(hooks=[handler(tools=["Bash"])], exact=False))
    portable = Rig(folder / "portable", python=python)
    script = portable.script("log.sh", 'echo "$AGENT_PLUGIN_EVENT" >>"$PLUGIN_DATA/log"')
    portable.slot(table(hooks=[command(script)]))
    gone = rig("gone", table(hooks=[handler()]))
    for path in (gone.bundle / "fire" / "claude-code").iterdir():
        path.unlink()
    off = rig("off", table(hooks=[handler()]))
    (off.state / "disabled" / "all").touch()
    crowded = rig("crowded", table(hooks=[handler()]))
    for number in range(300):
        (crowded.site / f"dist_{number}-1.0.dist-info").mkdir()
        (crowded.site / f"dist_{number}").mkdir()
    bare = [python, "-I", "-S", "-c", "pass"]
    return [
        Case("python -I -S -c pass", bare, b"", None, lambda out: not out, guard.environment()),
        case("handler, allow", guard, 1.5),
        case("handler, deny", guard, 1.5, b'"deny"', tool_input={"command": "rm -rf /"}),
        case("handler, 20 KiB of input", guard, 1.5, tool_input={"command": "x" * 20_000}),
        case("20 handlers", many, None),
        case("handler among 300 distributions", crowded, 1.5),
        case("filtered at run time, hit", filtered, 1.5),
        case("filtered at run time, miss", filtered, 0.3, tool_name="Read"),
        case("portable command", portable, 0.3),
        case("switched off", off, 0.2),
        case("package gone", gone, 0.2),
    ]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds")
    parser.add_argument("--rounds", type=int, help="(default 25)")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    rounds = options.rounds or (7 if options.quick else 25)
    with tempfile.TemporaryDirectory() as folder:
        made = cases(Path(folder), os.path.realpath(options.python))
        for case in made:  # compile what Python caches
            measure(case)
        memory = peaks(Path(folder), made[0].argv[0])
        costs: dict[str, list[Cost]] = {case.name: [] for case in made}
        for _ in range(rounds):
            for case in made:
                costs[case.name].append(measure(case))
    print(describe(options.python, rounds))
    print(f"{'':34}{'wall ms':>9}{'ratio':>7}{'cpu ms':>9}{'ratio':>7}{'goal':>7}")
    missed = False
    base = median(costs[made[0].name])
    for case in made:
        cost = median(costs[case.name])
        ratio = cost.cpu / base.cpu
        late = case.goal is not None and ratio > case.goal
        missed = missed or late
        goal = f"{case.goal}{'!' if late else ' '}" if case.goal else ""
        print(
            f"{case.name:34}{cost.wall * 1e3:9.2f}{cost.wall / base.wall:7.2f}"
            f"{cost.cpu * 1e3:9.2f}{ratio:7.2f}{goal:>7}"
        )
    if memory:
        print(f"peak memory: {memory[1]:.1f} MiB, bare interpreter {memory[0]:.1f}")
    return int(missed)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    raise SystemExit(main())
