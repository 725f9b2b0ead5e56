"""Short functions that make evidence."""

from __future__ import annotations

from hatch_agentplugin.adapter import Evidence

CHECKED = "2026-11-30"


def witnessed(version: str, source: str = "run offline against a scripted model") -> Evidence:
    """Seen in a run of the real program."""
    return Evidence(basis="witnessed", version=version, date=CHECKED, source=source)


def program(version: str, source: str = "installed program") -> Evidence:
    """Read in the program or its repository."""
    return Evidence(basis="program", version=version, date=CHECKED, source=source)


def documented(version: str = "2026", source: str = "vendor's hooks page") -> Evidence:
    """Read on a page of the vendor."""
    return Evidence(basis="documented", version=version, date=CHECKED, source=source)


def claimed(version: str, source: str) -> Evidence:
    """Claimed by others only."""
    return Evidence(basis="claimed", version=version, date=CHECKED, source=source)


#: For content whose files and folders are known from public tools, not from the host itself.
BY_OTHER_TOOLS = claimed("2026-08", "public tools that write these files")
