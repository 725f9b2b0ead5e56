"""Runs the real host programs: `python -m tests.hosts [--record | --latest] [HOST ...] [-- PYTEST]`.

Without an option the pinned programs run and every failure is shown. `--record` writes what was
seen beside the adapters. `--latest` runs the newest versions, each in a cache folder of its own,
and prints where they differ from the records of the pinned ones.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from hatch_agentplugin.matrix import BUILTIN
from tests.hosts.drivers import DRIVERS
from tests.hosts.drivers._driver import Npm

_TREE = Path(__file__).parents[2]
_TESTS = ("tests/hosts/test_scenario.py", "tests/hosts/test_probe.py")


def main() -> int:
    """Returns the exit status: 1 when something failed or drifted."""
    parser = argparse.ArgumentParser(prog="python -m tests.hosts", description=__doc__)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="(default: all)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--record", action="store_true", help="write the evidence of the adapters")
    how.add_argument("--latest", action="store_true", help="run the newest versions, print drift")
    options, rest = parser.parse_known_args()
    extra = [argument for argument in rest if argument != "--"]
    evidence = Path(importlib.import_module(BUILTIN).__path__[0]) / "evidence"
    if not options.latest:
        variables = {"AGENT_PLUGIN_RECORD": str(evidence)} if options.record else {}
        return _pytest(options.hosts, variables, extra)
    with tempfile.TemporaryDirectory() as folder:
        versions = json.dumps(newest(options.hosts))
        variables = {"AGENT_PLUGIN_RECORD": folder, "AGENT_PLUGIN_TEST_VERSIONS": versions}
        status = _pytest(options.hosts, variables, extra)
        lines = drift(evidence, Path(folder), options.hosts)
    print("\n".join(lines) or "nothing drifted")
    return 1 if status or lines else 0


def _pytest(hosts: list[str], variables: dict[str, str], extra: list[str]) -> int:
    chosen = ["-k", " or ".join(f"[{host}]" for host in hosts)] if hosts else []
    command = [sys.executable, "-m", "pytest", "-m", "hosts", *_TESTS, *chosen, *extra]
    return subprocess.run(
        command, cwd=_TREE, env={**os.environ, **variables}, check=False
    ).returncode


def newest(hosts: list[str]) -> dict[str, str]:
    """The newest versions of the programs in their registries, by host."""
    found = {}
    for driver in DRIVERS:
        if hosts and driver.id not in hosts:
            continue
        if isinstance(driver.install, Npm):
            command = ["npm", "view", driver.program, "version"]
        else:
            wanted = ["--python-version", driver.install.python] if driver.install.python else []
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
            command = [*pip, "index", "versions", *wanted, driver.program]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        # npm prints the bare version, pip "name (version)" on its first line.
        match = re.match(r"(?:\S+ \()?(\d[^\s)]*)", done.stdout)
        if match is None:
            print(f"{driver.id}: no newest version found: {done.stderr.strip()[-200:]}")
            continue
        found[driver.id] = match[1].removesuffix("-linux-x64")
        print(f"{driver.id}: {driver.version} -> {found[driver.id]}", flush=True)
    return found


def drift(before: Path, now: Path, hosts: list[str]) -> list[str]:
    """What newer programs did otherwise than the records say, a line each."""
    lines = []
    for file in sorted(before.glob("*.json")):
        if hosts and file.stem not in hosts:
            continue
        old = json.loads(file.read_text("utf-8"))
        other = now / file.name
        if not other.exists():
            lines.append(f"{file.stem}: nothing seen (pinned: {old['version']})")
            continue
        new = json.loads(other.read_text("utf-8"))
        head = f"{file.stem} {old['version']} -> {new['version']}"
        for event in {**old["seen"], **new["seen"]}:
            was, is_ = (set(one["seen"].get(event, ())) for one in (old, new))
            lines += [f"{head}: {event} {what} is gone" for what in sorted(was - is_)]
            lines += [f"{head}: {event} {what} is new" for what in sorted(is_ - was)]
    return lines


if __name__ == "__main__":
    sys.exit(main())
