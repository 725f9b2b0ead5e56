"""Runs a host program headless, without network and without the user's settings.

There are three processes: the test, the keeper and the host. The keeper (this module as a program)
runs in new network, process and mount namespaces. It brings up loopback, serves the scripted model
there and starts the host. Nothing else uses the network namespace, so the server's port is fixed,
and settings files can name it in advance. When the keeper exits, the kernel kills everything that
the host left behind, daemons too.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from tests.hosts import _offline
from tests.hosts.model import Log, Model, Script

PORT = 4711
URL = f"http://127.0.0.1:{PORT}"

_TREE = Path(__file__).parents[2]
_NAMESPACES = ("--net", "--pid", "--fork", "--kill-child", "--mount-proc")


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run of a host."""

    rc: int
    """Its exit status; -9 when the time limit ended it."""
    out: str
    err: str
    requests: Log
    """What reached the model server."""
    seconds: float
    timed_out: bool


@dataclass(frozen=True, slots=True)
class Job:
    """The keeper's task, passed to it as JSON."""

    command: list[str]
    env: dict[str, str]
    cwd: str
    script: str
    log: str
    timeout: float
    service: str = ""
    """`module:function` of a stand-in for the host's own service."""
    stdin: str = os.devnull
    """File that the host reads as its standard input."""
    uid: int = 0
    gid: int = 0


@cache
def skip_reason() -> str:
    """Return why no host can be run here; empty if one can."""
    if sys.platform != "linux":
        return "needs Linux network namespaces"
    if shutil.which("unshare") is None:
        return "needs unshare of util-linux"
    if not _unshare():
        return "may not make a network namespace, neither as root, nor as user, nor by sudo"
    return ""


@cache
def _unshare() -> tuple[str, ...]:
    """Return the command that creates the namespaces; empty if none works."""
    candidates: list[tuple[str, ...]] = [
        ("unshare", "--map-root-user", *_NAMESPACES),
        ("sudo", "-n", "unshare", *_NAMESPACES),
    ]
    if os.geteuid() == 0:
        candidates = [("unshare", *_NAMESPACES)]
    for candidate in candidates:
        if shutil.which(candidate[0]) and _succeeds([*candidate, "true"]):
            return candidate
    return ()


def _succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def run(
    command: Sequence[str],
    *,
    home: Path,
    cwd: Path,
    script: Script,
    scratch: Path,
    env: Mapping[str, str],
    timeout: float = 120,
    service: str = "",
    stdin: str = "",
) -> Run:
    """Run the command against the scripted model; `scratch` keeps the files of this run."""
    scratch.mkdir(parents=True, exist_ok=True)
    log = scratch / "requests.jsonl"
    log.write_text("")
    (scratch / "in").write_text(stdin, encoding="utf-8")
    job = Job(
        list(command),
        environment(home, env),
        str(cwd),
        script.dumps(),
        str(log),
        timeout,
        service,
        str(scratch / "in"),
        *((os.getuid(), os.getgid()) if _unshare()[0] == "sudo" else (0, 0)),
    )
    file = scratch / "job.json"
    file.write_text(json.dumps(asdict(job)), encoding="utf-8")
    start = time.monotonic()
    keeper = [*_unshare(), sys.executable, "-m", "tests.hosts._sandbox", str(file)]
    with (scratch / "out").open("wb") as out, (scratch / "err").open("wb") as err:
        # The keeper minds the limit; ours is for a keeper that hangs itself.
        rc = subprocess.run(
            keeper,
            cwd=_TREE,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            timeout=timeout + 30,
            check=False,
        ).returncode
    seconds = time.monotonic() - start
    timed_out = rc == _TIMED_OUT
    return Run(
        rc=-9 if timed_out else rc,
        out=(scratch / "out").read_text("utf-8", "replace"),
        err=(scratch / "err").read_text("utf-8", "replace"),
        requests=Log.read(log),
        seconds=seconds,
        timed_out=timed_out,
    )


def environment(home: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """Return all environment variables of a host."""
    tmp = home / "tmp"
    tmp.mkdir(parents=True, exist_ok=True)
    own = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "TMPDIR": str(tmp),
        "PATH": os.pathsep.join(["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
    }
    return {**own, **extra}


_TIMED_OUT = 124


def _keep(job: Job) -> int:
    _offline.set_up(Path(job.log).parent)
    if job.uid:
        os.setgid(job.gid)
        os.setuid(job.uid)
    service = None
    if job.service:
        module, _, name = job.service.partition(":")
        service = getattr(importlib.import_module(module), name)
    model = Model(Script.loads(job.script), PORT, service, Path(job.log))
    with model, open(job.stdin, "rb") as stdin:
        host = subprocess.Popen(
            job.command,
            cwd=job.cwd,
            env=job.env,
            stdin=stdin,
            start_new_session=True,
        )
        try:
            rc = host.wait(job.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(host.pid, signal.SIGKILL)
            return _TIMED_OUT
        _await_orphans()
    # A status by signal as the shell would tell it.
    return rc if rc >= 0 else 128 - rc


def _await_orphans(seconds: float = 3) -> None:
    """Wait for hooks that the host started without waiting for them.

    The keeper is the first process of its namespace, so they are its children by now.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.05)
        except ChildProcessError:
            return


if __name__ == "__main__":
    sys.exit(_keep(Job(**json.loads(Path(sys.argv[1]).read_text("utf-8")))))
