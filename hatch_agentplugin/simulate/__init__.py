"""Fire one event of one host as the host would, and see what comes of it.

Runs the launcher, real shell and real interpreter, with a payload in the host's form::

    bundle = Bundle(folder)
    result = simulate(bundle, "claude-code", "pre-tool-use", tool="shell")
    assert result.outcome == "deny"
"""

from hatch_agentplugin.simulate.compiled import Bundle
from hatch_agentplugin.simulate.launch import temporary_launcher
from hatch_agentplugin.simulate.result import CannotSimulate, HookFailed, Result
from hatch_agentplugin.simulate.run import simulate

__all__ = ["Bundle", "CannotSimulate", "HookFailed", "Result", "simulate", "temporary_launcher"]
