"""Runs the real host programs: `python -m tests.hosts [OPTION] [HOST ...] [-- PYTEST]`.

Without an option the pinned programs run and every failure is shown. `--record` writes what was
seen beside the adapters. `--latest` runs the newest versions, each in a cache folder of its own,
and prints where they differ from the records of the pinned ones. `--cells` runs nothing and prints
what each program was seen to do, and what it was not and why.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from hatch_agentplugin.hosts.adapters import built_in_hosts
from hatch_agentplugin.hosts.records import FILE, read_records
from tests.hosts import _cells, _records
from tests.hosts._cache import InstallError
from tests.hosts.drivers import DRIVERS
from tests.hosts.drivers._driver import Npm
from tests.hosts.scenes import UNREACHED

_TREE = Path(__file__).parents[2]
_TESTS = tuple(f"tests/hosts/test_{name}.py" for name in ("scenario", "probe", "scenes"))


def main() -> int:
    """Returns the exit status: 1 when something failed or drifted."""
    parser = argparse.ArgumentParser(prog="python -m tests.hosts", description=__doc__)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="(default: all)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--record", action="store_true", help="write the evidence of the adapters")
    how.add_argument("--latest", action="store_true", help="run the newest versions, print drift")
    how.add_argument("--cells", action="store_true", help="print what was seen, and what was not")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    extra = words[split + 1 :]  # pytest's own, which argparse would take for hosts
    options = parser.parse_args(words[:split])
    if strangers := set(options.hosts) - {driver.id for driver in DRIVERS}:
        parser.error(f"no such host is driven: {', '.join(sorted(strangers))}")
    if options.cells:
        print("\n".join(known(options.hosts)))
        return 0
    if not options.latest:
        variables = {"AGENT_PLUGIN_RECORD": str(_records.ADAPTERS)} if options.record else {}
        return _pytest(options.hosts, variables, extra)
    lines = latest(options.hosts or [driver.id for driver in DRIVERS], _records.ADAPTERS, extra)
    print("\n".join(lines) or "nothing drifted")
    return 1 if lines else 0


def latest(hosts: list[str], adapters: Path, extra: list[str]) -> list[str]:
    """Runs the newest releases; what differs from the pinned ones or could not be tried."""
    versions = newest(hosts)
    broken = {id_: "no newest version was found" for id_ in hosts if id_ not in versions}
    broken |= installable(versions)
    lines = [f"{id_}: {reason}" for id_, reason in broken.items()]
    able = [id_ for id_ in hosts if id_ not in broken]
    if not able:
        return lines
    with tempfile.TemporaryDirectory() as folder:
        chosen = json.dumps({id_: versions[id_] for id_ in able})
        variables = {"AGENT_PLUGIN_RECORD": folder, "AGENT_PLUGIN_TEST_VERSIONS": chosen}
        status = _pytest(able, variables, extra)
        lines += drift(adapters, Path(folder), able)
    return lines + ["the tests of the newest versions failed"] * bool(status)


def known(hosts: list[str]) -> list[str]:
    """A table of the cells of each program."""
    table = built_in_hosts()
    records = read_records(table)
    return [
        _cells.table(
            table[driver.id].name,
            records[driver.id].version,
            _cells.cells(table[driver.id], records[driver.id].seen, UNREACHED[driver.id]),
        )
        for driver in DRIVERS
        if not hosts or driver.id in hosts
    ]


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


def installable(versions: dict[str, str]) -> dict[str, str]:
    """Installs these versions; why some can't be had, by host."""
    broken = {}
    for driver in DRIVERS:
        if driver.id not in versions:
            continue
        version = versions[driver.id]
        try:
            driver.at(version).install.install()
        except (InstallError, subprocess.TimeoutExpired) as error:
            broken[driver.id] = f"{version} can't be installed: {_told(error)}"
            print(f"{driver.id}: {broken[driver.id]}", flush=True)
    return broken


def _told(error: Exception) -> str:
    """The line of an installer's complaint that says what is missing."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    missing = [line for line in lines if "no matching" in line.lower()]
    return (missing or [line for line in lines if "error" in line.lower()] or lines)[-1]


def drift(before: Path, now: Path, hosts: list[str]) -> list[str]:
    """What newer programs of these hosts did otherwise than the records say, a line each."""
    lines = []
    for file in sorted(before.glob(f"*/{FILE}")):
        host = file.parent.name.replace("_", "-")
        if hosts and host not in hosts:
            continue
        old = json.loads(file.read_text("utf-8"))
        other = _records.file_of(now, host)
        if not other.exists():
            lines.append(f"{host}: nothing seen (pinned: {old['version']})")
            continue
        new = json.loads(other.read_text("utf-8"))
        head = f"{host} {old['version']} -> {new['version']}"
        for event in {**old["seen"], **new["seen"]}:
            was, is_ = (set(one["seen"].get(event, ())) for one in (old, new))
            lines += [f"{head}: {event} {what} is gone" for what in sorted(was - is_)]
            lines += [f"{head}: {event} {what} is new" for what in sorted(is_ - was)]
    return lines


if __name__ == "__main__":
    sys.exit(main())
