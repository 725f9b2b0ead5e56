"""Where our own folder is, by the environment alone."""

from __future__ import annotations

import os
from collections.abc import Mapping

VARIABLE = "AGENT_PLUGIN_HOME"
#: Name of the folder of the bookkeeping.
OWN = "_place"


def root_of(environ: Mapping[str, str], home: str) -> str:
    """``$AGENT_PLUGIN_HOME``, which may begin with a tilde, or ``~/.agent-plugin``."""
    named = environ.get(VARIABLE, "")
    if not named:
        return os.path.join(home, ".agent-plugin")
    return os.path.join(home, named[2:]) if named.startswith(("~/", "~\\")) else named
