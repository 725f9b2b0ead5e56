"""The adapters that come with the product: one module of data per host."""

from __future__ import annotations

#: Modules of this package that describe hosts, for reading the tables without entry points.
BUILTIN = (
    "claude_code",
    "cline",
    "codex",
    "copilot_cli",
    "cursor",
    "gemini_cli",
    "opencode",
)
