"""Reads ``[tool.agent-plugin]`` of a project into a checked declaration; the door of the package.

All mistakes are reported together, in one :class:`ConfigError`. The author's code is not imported.
"""

from hatch_agentplugin.config.handlers import Sources
from hatch_agentplugin.config.loader import load, read_table
from hatch_agentplugin.problems import ConfigError, Problem

__all__ = ["ConfigError", "Problem", "Sources", "load", "read_table"]
