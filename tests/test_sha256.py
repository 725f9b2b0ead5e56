"""Digests are those of the standard library, however often and for however many bytes asked."""

from __future__ import annotations

import hashlib

from hatch_agentplugin import _sha256


def test_digest() -> None:
    """Of what is known, what is new, what is large; and what is known stays bounded."""
    contents = [b"", b"a", b"x" * (_sha256._LARGE + 1), *(b"%d" % n for n in range(600))]
    for data in (*contents, *contents):
        assert _sha256.digest(data) == hashlib.sha256(data).hexdigest()
    assert len(_sha256._known) <= _sha256._MOST
    assert max(map(len, _sha256._known)) <= _sha256._LARGE
