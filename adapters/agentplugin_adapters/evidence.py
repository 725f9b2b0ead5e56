"""Short names for what a fact rests on."""

from __future__ import annotations

from hatch_agentplugin.adapter import Evidence

CHECKED = "2026-11-30"


def witnessed(version: str, source: str = "run offline against a scripted model") -> Evidence:
    """Seen to happen when the real program ran."""
    return Evidence(basis="witnessed", version=version, date=CHECKED, source=source)


def program(version: str, source: str = "installed program") -> Evidence:
    """Read in the program or its repository."""
    return Evidence(basis="program", version=version, date=CHECKED, source=source)


def documented(version: str = "2026", source: str = "vendor's hooks page") -> Evidence:
    """Read on a page of the vendor's."""
    return Evidence(basis="documented", version=version, date=CHECKED, source=source)


def claimed(version: str, source: str) -> Evidence:
    """Said by others only."""
    return Evidence(basis="claimed", version=version, date=CHECKED, source=source)


#: For places of content that were learnt from public tools, not from the host itself.
BY_OTHER_TOOLS = claimed("2026-08", "public tools that write these files")
