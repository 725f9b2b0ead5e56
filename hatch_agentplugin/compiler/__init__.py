"""Compiles a declaration and the adapters' tables into a bundle. Pure: no input or output."""

from hatch_agentplugin.compiler.bundle import Bundle, compile_bundle
from hatch_agentplugin.compiler.hook_placements import Render

__all__ = ["Bundle", "Render", "compile_bundle"]
