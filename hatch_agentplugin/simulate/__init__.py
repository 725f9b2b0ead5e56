"""Fire one event of one host as the host would, and see what comes of it.

Runs the launcher, real shell and real interpreter, with a payload in the host's form::

    bundle = Bundle(folder)
    result = simulate(bundle, "claude-code", "pre-tool-use", tool="shell")
    assert result.outcome == "deny"
"""

from hatch_agentplugin.simulate._bundle import Bundle
from hatch_agentplugin.simulate._launch import temporary_launcher
from hatch_agentplugin.simulate._result import CannotSimulate, HookFailed, Result
from hatch_agentplugin.simulate._run import simulate

__all__ = ["Bundle", "CannotSimulate", "HookFailed", "Result", "simulate", "temporary_launcher"]
