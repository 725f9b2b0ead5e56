"""Fire an event as a host would, and return what the host would see.

Starts the real launcher, with a payload in the host's form::

    bundle = Bundle.read(folder)
    result = simulate(bundle, "claude-code", "pre-tool-use", tool="shell")
    assert result.outcome == "deny"
"""

from hatch_agentplugin.simulate.bundle import Bundle
from hatch_agentplugin.simulate.result import CannotSimulate, HookFailed, Result
from hatch_agentplugin.simulate.run import simulate, temporary_launcher

__all__ = ["Bundle", "CannotSimulate", "HookFailed", "Result", "simulate", "temporary_launcher"]
