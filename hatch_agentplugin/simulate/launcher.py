"""The launcher for a simulated call: the one in the user's home, or a temporary one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hatch_agentplugin.scripts import launcher
from hatch_agentplugin.simulate.bundle import Bundle


@contextmanager
def launcher_for(
    bundle: Bundle, existing: Path | None, scratch: Path, host: str, event: str
) -> Iterator[Path]:
    """Yield the launcher to start: ``existing``, or a temporary one below ``scratch``.

    An existing launcher's fired stamp for the event is restored afterwards.
    """
    if existing is None:
        yield temporary_launcher(bundle, scratch)
        return
    stamp = existing.parent / "fired" / f"{host}.{event}"
    before = stamp.stat() if stamp.exists() else None
    try:
        yield existing
    finally:
        if before is None:
            stamp.unlink(missing_ok=True)
        elif stamp.exists():
            os.utime(stamp, ns=(before.st_atime_ns, before.st_mtime_ns))


def temporary_launcher(bundle: Bundle, scratch: Path) -> Path:
    """Write a launcher, and a state folder for it, below ``scratch``. Return the launcher's path."""
    windows = sys.platform == "win32"
    render = launcher.render_windows if windows else launcher.render
    state = scratch / "state"
    for name in ("fired", "data"):
        (state / name).mkdir(parents=True, mode=0o700)
    program = state / ("launch.cmd" if windows else "launch")
    text = render(
        plugin=bundle.plan.plugin.id,
        state=str(state),
        bundle=str(bundle.folder.resolve()),
        python=sys.executable,
        runtime=str(Path(__file__).resolve().parents[2]),
    )
    program.write_bytes(os.fsencode(text))
    program.chmod(0o700)
    return program
