"""An image: a root folder that an administrator prepares for other machines."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cases._machine import HOSTS, TREE, install
from tests.cli._world import Ran

MANAGED = sorted(
    name
    for name, host in HOSTS.items()
    if host.delivery and "managed" in getattr(host.delivery, "files", {})
)
HANDLERS = """
from hatch_agentplugin import deny

def guard(event):
    if "rm -rf /" in event.input.get("command", ""):
        return deny("not here")
"""
DECLARED = """
[tool.agent-plugin.hooks]
session-start = [{ command = "./scripts/hook.sh" }]
pre-tool-use = [{ handler = "acme_hooks:guard", tools = ["shell"] }]
"""
#: The folders of this machine that a shell and the interpreter need in the running image.
_SYSTEM = ("bin", "lib", "lib32", "lib64", "sbin", "usr", "dev")


@dataclass(frozen=True)
class Image:
    """The root folder, with an environment that has a plugin."""

    root: Path
    outside: Path
    """The administrator's home folder, outside of the image."""

    @classmethod
    def make(cls, folder: Path) -> Image:
        made = cls(folder / "image", folder / "admin")
        made.outside.mkdir(parents=True)
        (made.root / "home/user").mkdir(parents=True)
        (made.root / "tmp").mkdir()
        (made.root / "var/lib").mkdir(parents=True)
        environment = made.root / "opt/acme"
        command = [sys.executable, "-m", "venv", "--without-pip", str(environment)]
        subprocess.run(command, check=True)
        site = made.site
        shutil.copytree(TREE / "hatch_agentplugin", site / "hatch_agentplugin",
                        ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
        install(site, declared=DECLARED, modules={"acme_hooks.py": HANDLERS})
        for one in _SYSTEM:
            if os.path.islink(f"/{one}"):
                (made.root / one).symlink_to(os.readlink(f"/{one}"))
            elif os.path.isdir(f"/{one}"):
                (made.root / one).mkdir()
        return made

    @property
    def site(self) -> Path:
        """The site-packages folder of the environment."""
        (found,) = (self.root / "opt/acme").glob("lib/python*/site-packages")
        return found

    def run(self, *arguments: str, root: str | None = None, umask: int = 0o022) -> Ran:
        """Run the ``agent-plugin`` of the environment on this machine, in the managed scope."""
        python = str(self.root / "opt/acme/bin/python")
        command = [python, "-m", "hatch_agentplugin.cli", *arguments]
        done = subprocess.run(
            [*command, "--scope", "managed", "--root", str(self.root) if root is None else root],
            env={
                "HOME": str(self.outside),
                "PATH": "/usr/bin:/bin",
                "LC_ALL": "C.UTF-8",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            cwd=self.outside,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            umask=umask,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Ran(done.returncode, done.stdout, done.stderr)

    def within(self, command: str, payload: object = None, **environ: str) -> Ran:
        """Run a command line in the running image, as a user whose home folder is in it."""
        base = sys.base_prefix
        binds = [f"/{one}" for one in _SYSTEM if os.path.isdir(f"/{one}")]
        binds = [one for one in binds if not os.path.islink(one)]
        if not base.startswith("/usr"):
            binds.append(base)
        root = shlex.quote(str(self.root))
        lines = [
            f"mkdir -p {root}{shlex.quote(one)} && mount --rbind {shlex.quote(one)} "
            f"{root}{shlex.quote(one)} || exit 99"
            for one in binds
        ]
        variables = {"HOME": "/home/user", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **environ}
        words = ["env", "-i", *(f"{name}={value}" for name, value in variables.items()),
                 "sh", "-c", f"cd /home/user && {command}"]  # fmt: skip
        lines.append(f"exec chroot {root} {shlex.join(words)}")
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", "\n".join(lines)],
            input=json.dumps(payload or {}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode != 99, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return Ran(done.returncode, done.stdout, done.stderr)

    def agent_plugin(self, *arguments: str) -> Ran:
        """Run ``agent-plugin`` in the running image."""
        words = ["/opt/acme/bin/python", "-m", "hatch_agentplugin.cli", *arguments]
        return self.within(shlex.join(words))

    def json(self, path: str) -> Any:
        """Return a JSON file of the image."""
        return json.loads((self.root / path.lstrip("/")).read_bytes())


def can_change_root() -> bool:
    """Return whether this machine lets us run a command with another root folder."""
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    script = "mount --rbind /usr /mnt && chroot / true"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, check=False)
    return done.returncode == 0


needs_root_change = pytest.mark.skipif(not can_change_root(), reason="needs user namespaces")
