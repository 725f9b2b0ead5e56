"""Finds Agent Plugins folders in wheels built by the PyPI tool ``agent-plugins``.

Its marker is ``<dist-info>/agent_plugins.json``: ``{"root": ..., "files": [...]}``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from hatch_agentplugin.names import is_safe_relative, normalize

MARKER = "agent_plugins.json"


def find(name: str, paths: Iterable[str] | None = None) -> Path | None:
    """Return the folder in the distribution of a name, None if there is none."""
    wanted = normalize(name)
    for site in dict.fromkeys(sys.path if paths is None else paths):
        try:
            names = sorted(os.listdir(site)) if site else []
        except OSError:
            continue
        for info in names:
            stem, dot, _ = info.partition(".dist-info")
            if not dot or normalize(stem.rpartition("-")[0]) != wanted:
                continue
            if (root := _root(Path(site), Path(site, info, MARKER))) is not None:
                return root
    return None


def _root(site: Path, marker: Path) -> Path | None:
    try:
        raw = json.loads(marker.read_bytes()[: 1024 * 1024])
        root = raw["root"]
        # An editable install names its folder by an absolute path; a wheel's is relative.
        found = Path(root) if os.path.isabs(root) else site / root
        safe = os.path.isabs(root) or is_safe_relative(root)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if safe and found.is_dir() else None
