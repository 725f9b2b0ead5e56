"""Pinned host programs, installed once into a folder outside the tree.

`AGENT_PLUGIN_TEST_CACHE` names the folder; without it, `~/.cache/hatch-agentplugin-tests`. An
installation is complete if its marker file exists. The marker is written last and under a lock, so
an interrupted installation is repeated. (For npm a rename would do, but a virtual environment can't
be moved: its scripts name their interpreter by full path.)
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_MARKER = "installed"
_UNBROTLI = """
const fs = require("fs"), zlib = require("zlib"), [from, to] = process.argv.slice(1)
fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)))
"""


class InstallError(Exception):
    """A package could not be installed from its registry."""


# Read when imported: tests have a home of their own later.
ROOT = Path(
    os.environ.get("AGENT_PLUGIN_TEST_CACHE") or Path.home() / ".cache/hatch-agentplugin-tests"
)
_PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")


def npm(packages: Sequence[str], brotli: str = "") -> Path:
    """Return a folder whose `node_modules` contains these packages (`name@version`).

    `brotli` names a compressed program below it, which is unpacked beside itself.
    """

    def install(folder: Path) -> None:
        # Post-install scripts download more than the package has; the drivers name the platform
        # package instead. A host may also declare a newer Node than npm itself runs on.
        flags = [
            "--ignore-scripts",
            "--omit=optional",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--force",
        ]
        _run(["npm", "install", *flags, "--prefix", str(folder), *packages], folder)
        if brotli:
            packed = folder / "node_modules" / brotli
            _run(["node", "-e", _UNBROTLI, str(packed), str(packed.with_suffix(""))], folder)

    return installed("npm", packages, install)


def venv(requirements: Sequence[str], python: str = "") -> Path:
    """Return a virtual environment with these requirements; `python` as in "3.12"."""

    def install(folder: Path) -> None:
        interpreter = find_python(python)
        if interpreter is None:
            raise InstallError(f"no python{python} here")
        _run([interpreter, "-m", "venv", str(folder)], folder)
        _run([str(folder / "bin/python"), "-m", "pip", "install", "-q", *requirements], folder)

    return installed("pypi", [*requirements, f"python{python}"], install)


def find_python(version: str) -> str | None:
    """Return an interpreter of a version, or the running one if any version will do."""
    if not version or version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    # pyenv's shims answer to every name but run only what is switched on; ask the real ones.
    for found in sorted((_PYENV / "versions").glob(f"{version}.*/bin/python{version}")):
        return str(found)
    found_on_path = shutil.which(f"python{version}")
    return None if found_on_path and "shims" in found_on_path else found_on_path


def installed(kind: str, what: Sequence[str], install: Callable[[Path], None]) -> Path:
    """Return the folder of a name; `install` fills it on first use."""
    name = "+".join(what).replace("/", "_").replace("@", "-").strip("-")
    folder = ROOT / kind / name
    marker = folder / _MARKER
    if marker.exists():
        return folder
    with lock("lock"):
        if marker.exists():
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        start = time.monotonic()
        install(folder)
        shutil.rmtree(
            ROOT / "installer-home", ignore_errors=True
        )  # the installers' own caches are as big again
        marker.write_text(f"{time.monotonic() - start:.0f} s\n")
    return folder


@contextmanager
def lock(name: str) -> Iterator[None]:
    """Hold a lock file in the cache, against other test workers."""
    file = ROOT / name
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    if done.returncode:
        tail = (done.stderr or done.stdout)[-2000:]
        raise InstallError(f"{' '.join(command)}: exit status {done.returncode}\n{tail}")


def _environment() -> Mapping[str, str]:
    """Return the network settings of the machine, with a separate home folder for installers."""
    home = ROOT / "installer-home"
    home.mkdir(parents=True, exist_ok=True)
    own = {
        "HOME": str(home),
        "npm_config_cache": str(home / "npm"),
        "npm_config_update_notifier": "false",
    }
    if "PYENV_ROOT" not in os.environ:
        own["PYENV_ROOT"] = str(Path.home() / ".pyenv")
    return {**os.environ, **own}
