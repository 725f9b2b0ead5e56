"""Agent Plugins folders in wheels that the PyPI tool ``agent-plugins`` has built.

Its mark is ``<dist-info>/agent_plugins.json``: ``{"root": ..., "files": [...]}``.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from hatch_agentplugin.names import is_safe_relative

MARK = "agent_plugins.json"


def find(name: str, paths: Iterable[str] | None = None) -> Path | None:
    """The folder that the distribution of this name carries, None where there is no such."""
    wanted = re.sub(r"[-_.]+", "_", name).lower()
    for site in dict.fromkeys(sys.path if paths is None else paths):
        try:
            names = sorted(os.listdir(site)) if site else []
        except OSError:
            continue
        for info in names:
            stem, dot, _ = info.partition(".dist-info")
            if not dot or re.sub(r"[-_.]+", "_", stem.rpartition("-")[0]).lower() != wanted:
                continue
            if (root := _root(Path(site), Path(site, info, MARK))) is not None:
                return root
    return None


def _root(site: Path, mark: Path) -> Path | None:
    try:
        raw = json.loads(mark.read_bytes()[: 1024 * 1024])
        root = raw["root"]
        # An editable install names its folder by an absolute path; a wheel's is relative.
        found = Path(root) if os.path.isabs(root) else site / root
        safe = os.path.isabs(root) or is_safe_relative(root)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if safe and found.is_dir() else None
