"""What activating the example plugin in every host costs, as a ratio to ``python -c pass``.

Run it as ``python benchmarks/activate_all.py [--rounds 15]``. Each round runs the bare interpreter, a
first activate in an empty home folder and a second one, one after the other, so that a busy machine is
busy for all alike; then the same with deactivate. Figures are medians. Exit status 1 where a goal is
missed by processor time, which noise of other programs touches least.

It does touch it where other programs delete many files: ext4 passes over each inode that has been
freed within the last minutes when it gives out a new one, which has been 40 percent of a run. Then set
``TMPDIR`` to a file system of its own, such as a new one mounted with ``-o loop``.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "adapters")]

from hatch_agentplugin.compiler import compile_bundle  # noqa: E402
from hatch_agentplugin.compiler.code_modules import render  # noqa: E402
from hatch_agentplugin.config import load  # noqa: E402
from hatch_agentplugin.hosts.adapters import built_in_hosts  # noqa: E402
from hatch_agentplugin.plan import Plugin  # noqa: E402
from hatch_agentplugin.testing.adapter_kit.sample import mark  # noqa: E402

#: What pip writes for a console script.
SCRIPT = """\
import re
import sys
from hatch_agentplugin.cli import main
if __name__ == "__main__":
    sys.argv[0] = re.sub(r"(-script\\.pyw|\\.exe)?$", "", sys.argv[0])
    sys.exit(main())
"""
EXAMPLE = ROOT / "example-plugin"
#: What is run -> most times the bare interpreter's cost, by processor time.
BARE = "python -c pass"
GOALS = {BARE: None, "activate": 7.0, "activate again": 3.0, "deactivate": None}


@dataclass(frozen=True)
class Cost:
    """What one run took: seconds and processor seconds."""

    wall: float
    cpu: float


def install(site: Path) -> None:
    """Lay out the example plugin as a wheel does."""
    hosts = built_in_hosts()
    plugin = Plugin("example-plugin", "example-plugin", "1.0")
    sources = {
        path.relative_to(EXAMPLE).as_posix(): path
        for path in (EXAMPLE / "example_plugin").glob("*.py")
    }
    declaration = load(EXAMPLE, hosts, plugin, sources)
    bundle = site / "example_plugin_agent_plugin"
    files = dict(compile_bundle(declaration, hosts.values(), render).files)
    info = site / "example_plugin-1.0.dist-info/extra_metadata/agent-plugin/plugin.json"
    for path, data in {
        **{bundle / name: data for name, data in files.items()},
        info: mark(plugin, bundle).encode(),
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def measure(argv: Sequence[str], env: dict[str, str]) -> Cost:
    """Run once. Raises SystemExit where it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise SystemExit(f"{argv}: status {process.returncode}: {error.decode()}")
    return Cost(wall, usage.ru_utime + usage.ru_stime)


class Bench:
    """The example plugin, its command, and a home of its own for every round.

    No home is removed before the end: what has just been deleted makes some file systems search
    long for a free place, and nobody's first activation comes after a hundred others.
    """

    def __init__(self, folder: Path, python: str) -> None:
        self.folder, self.python = folder, python
        install(folder / "site")
        (folder / "agent-plugin").write_text(SCRIPT)

    def home(self, number: int) -> Path:
        """The home of a round."""
        return self.folder / f"home{number}"

    def run(self, case: str, home: Path) -> Cost:
        """Run one case. Raises SystemExit where it fails."""
        command = [self.python, str(self.folder / "agent-plugin")]
        every = [*command, "activate", "example-plugin", "--host", "*", "--yes"]
        lines = {
            "activate": every,
            "activate again": every,
            "deactivate": [*command, "deactivate", "--yes"],
        }
        path = os.pathsep.join([str(ROOT), str(self.folder / "site")])
        env = {"HOME": str(home), "PATH": os.defpath, "PYTHONPATH": path}
        return measure(lines.get(case, [self.python, "-c", "pass"]), env)

    def round(self, number: int, cases: Sequence[str]) -> dict[str, Cost]:
        """Some cases one after the other in a home."""
        home = self.home(number)
        home.mkdir(exist_ok=True)
        costs = {case: self.run(case, home) for case in cases}
        if "deactivate" in cases and list(home.iterdir()):
            raise SystemExit(f"deactivate has left {list(home.iterdir())}")
        return costs


def ratios(rounds: Sequence[dict[str, Cost]], case: str) -> tuple[float, float, float, float]:
    """Wall and processor time in ms, and their ratios to the bare interpreter's: medians."""

    def middle(name: str, what: str) -> float:
        return statistics.median(getattr(one[name], what) for one in rounds)

    wall, cpu = middle(case, "wall"), middle(case, "cpu")
    return wall * 1e3, wall / middle(BARE, "wall"), cpu * 1e3, cpu / middle(BARE, "cpu")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    numbers = range(1, options.rounds + 1)
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), options.python)
        bench.round(0, list(GOALS))  # compile what Python caches
        there = [bench.round(number, [BARE, "activate", "activate again"]) for number in numbers]
        back = [bench.round(number, [BARE, "deactivate"]) for number in numbers]
    version = subprocess.run([options.python, "-V"], capture_output=True, text=True).stdout.strip()
    print(
        f"{version}, median of {options.rounds} interleaved rounds, load {os.getloadavg()[0]:.1f}"
    )
    print(f"{'':20}{'wall ms':>9}{'ratio':>7}{'cpu ms':>9}{'ratio':>7}{'goal':>7}")
    missed = False
    for case, goal in GOALS.items():
        wall, wall_ratio, cpu, ratio = ratios(back if case == "deactivate" else there, case)
        late = goal is not None and ratio > goal
        missed = missed or late
        shown = "" if goal is None else f"{goal:g}{'!' if late else ' '}"
        print(f"{case:20}{wall:9.1f}{wall_ratio:7.2f}{cpu:9.1f}{ratio:7.2f}{shown:>7}")
    return int(missed)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    raise SystemExit(main())
