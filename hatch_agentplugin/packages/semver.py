"""Converts Python versions to semantic versions. Standard library only."""

from __future__ import annotations

import re

_PEP_440 = re.compile(
    r"(?:\d+!)?(\d+(?:\.\d+)*)(?:(a|b|rc)(\d+))?(?:\.post(\d+))?(?:\.dev(\d+))?(?:\+([A-Za-z0-9.]+))?"
)


def semver(version: str) -> str | None:
    """Return a PEP 440 version as a semantic version, None if that is impossible."""
    found = _PEP_440.fullmatch(version)
    if found is None:
        return None
    release, pre, number, post, dev, local = found.groups()
    numbers = [str(int(part)) for part in release.split(".")]
    if len(numbers) > 3:
        return None
    names = [{"a": "alpha", "b": "beta", "rc": "rc"}[pre], number] if pre else []
    names += ["dev", dev] if dev else []
    build = ".".join([*(["post", post] if post else []), *([local] if local else [])])
    text = ".".join([*numbers, "0", "0"][:3])
    return text + (f"-{'.'.join(names)}" if names else "") + (f"+{build}" if build else "")
