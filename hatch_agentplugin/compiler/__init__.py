"""Compile: a declaration and the adapters' tables become a bundle. Pure, no I/O."""

from hatch_agentplugin.compiler.bundle import Bundle, Render, compile_bundle

__all__ = ["Bundle", "Render", "compile_bundle"]
