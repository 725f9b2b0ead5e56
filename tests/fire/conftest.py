"""Rigs for every shell and interpreter on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fire.rig import Rig


def _shells() -> list[str]:
    """Return /bin/sh and the other shells that are /bin/sh on some systems."""
    found = ["/bin/sh"]
    for name in ("dash", "bash"):
        path = shutil.which(name)
        if path and not os.path.samefile(path, "/bin/sh"):
            found.append(path)
    return found


def _pythons() -> list[str]:
    """Return one interpreter per supported version, the running one first."""
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    versions = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    candidates = [str(path / "bin" / "python") for path in sorted(versions.glob("3.*"))]
    candidates += [shutil.which(f"python3.{minor}") or "" for minor in range(10, 15)]
    for candidate in filter(os.path.exists, candidates):
        code = "import sys; print('%d.%d' % sys.version_info[:2], sys.version_info >= (3, 10))"
        said = subprocess.run([candidate, "-I", "-S", "-c", code], capture_output=True, text=True)
        version, _, good = said.stdout.strip().partition(" ")
        if good == "True":
            found.setdefault(version, candidate)
    return list(found.values())


SHELLS = _shells()


@pytest.fixture(params=SHELLS, ids=[Path(shell).name for shell in SHELLS])
def shell(request: pytest.FixtureRequest) -> str:
    """Every shell that may run the launcher."""
    return str(request.param)


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    """A plugin under the usual shell and this interpreter."""
    return Rig(tmp_path)


@pytest.fixture
def shell_rig(tmp_path: Path, shell: str) -> Rig:
    """A plugin under every shell."""
    return Rig(tmp_path, shell)


@pytest.fixture(scope="session")
def pythons() -> list[str]:
    """Every interpreter of a supported version on this machine."""
    return _pythons()
