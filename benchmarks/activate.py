"""Measures activate, status and deactivate in all agents: the cost, and how it grows.

The first table compares one plugin with ``python -c pass`` in the same run. No ratio
is demanded. Each round runs every case once, so a busy machine affects all cases alike.

The second table shows CPU seconds for more and more plugins, without the agents that run one file
per event and so have room for a few plugins only. The last column is the slope: the
exponent s with which time grows as plugins ** s. The exit status is 1 if a slope exceeds 1.1.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "adapters")]

from _measure import Cost, describe, median, run  # noqa: E402

from hatch_agentplugin.adapter import Executables  # noqa: E402
from hatch_agentplugin.compiler import compile_bundle  # noqa: E402
from hatch_agentplugin.compiler.code_modules import render  # noqa: E402
from hatch_agentplugin.config import load  # noqa: E402
from hatch_agentplugin.hosts.adapters import built_in_hosts  # noqa: E402
from hatch_agentplugin.plan import Plugin  # noqa: E402

#: The console script as pip writes it.
SCRIPT = """\
import re
import sys
from hatch_agentplugin.cli import main
if __name__ == "__main__":
    sys.argv[0] = re.sub(r"(-script\\.pyw|\\.exe)?$", "", sys.argv[0])
    sys.exit(main())
"""
EXAMPLE = ROOT / "example-plugin"
BARE = "python -c pass"
CASES = ("activate", "activate again", "deactivate")
STEPS = ("activate", "status", "deactivate one", "deactivate all")
PLUGINS = (10, 20, 40, 100)
LARGEST_SLOPE = 1.1


def compiled(number: int) -> dict[str, bytes]:
    """Compile the example plugin under a name of its own; path in site-packages -> content."""
    hosts = built_in_hosts()
    name = f"plugin-{number}"
    plugin = Plugin(name, name, "1.0")
    sources = {
        path.relative_to(EXAMPLE).as_posix(): path
        for path in (EXAMPLE / "example_plugin").glob("*.py")
    }
    declaration = load(EXAMPLE, hosts, plugin, sources)
    bundle = Path(f"plugin_{number}_agent_plugin")
    marker = f"plugin_{number}-1.0.dist-info/extra_metadata/agent-plugin/plugin.json"
    row = {"format": 1, "id": name, "name": name, "version": "1.0", "bundle": str(bundle)}
    files = compile_bundle(declaration, hosts.values(), render).files
    return {
        marker: json.dumps(row).encode(),
        **{f"{bundle}/{path}": data for path, data in files.items()},
    }


class Machine:
    """An environment with some plugins, a home folder, and agents."""

    def __init__(self, folder: Path, python: str, hosts: Sequence[str]) -> None:
        self.site, self.home, self.python = folder / "site", folder / "home", python
        self.hosts = [word for host in hosts for word in ("--host", host)]
        self.plugins = 0
        folder.mkdir(exist_ok=True)
        self.script = folder / "agent-plugin"
        self.script.write_text(SCRIPT)
        self.home.mkdir()

    def install(self, count: int) -> None:
        """Install plugins until there are ``count``."""
        for number in range(self.plugins, count):
            for name, data in compiled(number).items():
                path = self.site / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        self.plugins = max(self.plugins, count)

    def run(self, case: str) -> Cost:
        """Run one case. Raises SystemExit if it fails."""
        commands = {
            "activate": ["activate", *self.hosts, "--yes"],
            "activate again": ["activate", *self.hosts, "--yes"],
            "status": ["status"],
            "deactivate one": ["deactivate", "plugin-0", "--yes"],
            "deactivate all": ["deactivate", "--yes"],
            "deactivate": ["deactivate", "--yes"],
        }
        path = os.pathsep.join([str(ROOT), str(ROOT / "adapters"), str(self.site)])
        env = {"HOME": str(self.home), "PATH": os.defpath, "PYTHONPATH": path}
        if case == BARE:
            return run([self.python, "-c", "pass"], env)
        cost = run([self.python, str(self.script), *commands[case]], env)
        if case in ("deactivate", "deactivate all") and (left := list(self.home.iterdir())):
            sys.exit(f"{case} has left {left}")
        return cost


def ratios(folder: Path, python: str, rounds: int) -> None:
    """Print the cost of one plugin in all agents."""
    machine = Machine(folder, python, ["*"])
    machine.install(1)
    for case in CASES:  # Python compiles the modules
        machine.run(case)
    costs: dict[str, list[Cost]] = {case: [] for case in (BARE, *CASES)}
    for _ in range(rounds):
        for case, found in costs.items():
            found.append(machine.run(case))
    print(describe(python, rounds))
    print(f"{'1 plugin, all agents':22}{'wall ms':>9}{'ratio':>7}{'cpu ms':>9}{'ratio':>7}")
    bare = median(costs[BARE])
    for case, found in costs.items():
        cost = median(found)
        print(
            f"{case:22}{cost.wall * 1e3:9.1f}{cost.wall / bare.wall:7.2f}"
            f"{cost.cpu * 1e3:9.1f}{cost.cpu / bare.cpu:7.2f}"
        )


def growth(folder: Path, python: str, plugins: Sequence[int], rounds: int) -> bool:
    """Print the cost of many plugins in all agents. Return True if all slopes are small enough."""
    roomy = [
        one.id for one in built_in_hosts().values() if not isinstance(one.delivery, Executables)
    ]
    machine = Machine(folder, python, roomy)
    seconds: dict[str, dict[int, float]] = {step: {} for step in STEPS}
    for count in plugins:
        machine.install(count)
        costs: dict[str, list[Cost]] = {step: [] for step in STEPS}
        for _ in range(rounds):
            for step in STEPS:
                costs[step].append(machine.run(step))
        for step, found in costs.items():
            seconds[step][count] = median(found).cpu
    counts = "".join(f"{count:>9}" for count in plugins)
    print(f"\n{'CPU s, plugins:':22}{counts}{'slope':>8}{'goal':>7}")
    good = True
    for step, points in seconds.items():
        steep = slope(points)
        late = steep > LARGEST_SLOPE
        good = good and not late
        figures = "".join(f"{points[count]:9.2f}" for count in plugins)
        print(f"{step:22}{figures}{steep:8.2f}{LARGEST_SLOPE:>6}{'!' if late else ' '}")
    return good


def slope(points: Mapping[int, float]) -> float:
    """Return the slope of the line through the logarithms, by least squares."""
    xs, ys = [math.log(count) for count in points], [math.log(value) for value in points.values()]
    return statistics.linear_regression(xs, ys).slope


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds, few plugins")
    parser.add_argument("--rounds", type=int, help="rounds of the first table (default 15)")
    parser.add_argument(
        "--plugins",
        type=lambda text: [int(one) for one in text.split(",")],
        help=f"numbers of plugins (default {','.join(map(str, PLUGINS))})",
    )
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    rounds = options.rounds or (3 if options.quick else 15)
    plugins = options.plugins or ((2, 4, 8) if options.quick else PLUGINS)
    scratch = Path(tempfile.mkdtemp())
    try:
        ratios(scratch / "one", options.python, rounds)
        good = growth(scratch / "many", options.python, plugins, 1 if options.quick else 3)
    finally:
        shutil.rmtree(scratch)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
