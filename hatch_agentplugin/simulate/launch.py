"""The launcher for a simulated call: the placed one, or one for this call alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hatch_agentplugin.simulate.compiled import Bundle


@contextmanager
def launching(bundle: Bundle, placed: Path | None, scratch: Path, mark: str) -> Iterator[Path]:
    """The launcher to run. A placed one's record of the last call is put back afterwards."""
    if placed is None:
        yield temporary_launcher(bundle, scratch)
        return
    path = placed.parent / "fired" / mark
    before = path.stat() if path.exists() else None
    try:
        yield placed
    finally:
        if before is None:
            path.unlink(missing_ok=True)
        elif path.exists():
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def temporary_launcher(bundle: Bundle, scratch: Path) -> Path:
    """Write a launcher with a state folder of its own below ``scratch``."""
    from hatch_agentplugin.scripts import launcher as template

    windows = sys.platform == "win32"
    render = template.render_windows if windows else template.render
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
