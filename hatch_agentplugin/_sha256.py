"""SHA-256 without the import of OpenSSL, which costs more than all that is hashed in a run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256 as new
else:
    try:
        from _sha2 import sha256 as new
    except ImportError:
        try:
            from _sha256 import sha256 as new
        except ImportError:
            from hashlib import sha256 as new

__all__ = ["digest", "new"]


#: What was asked for in this process: the same bytes are asked for three times in a run.
_known: dict[bytes, str] = {}
_LARGE = 1 << 20
_MOST = 256


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    if len(data) > _LARGE:  # not to hold on to it
        return new(data).hexdigest()
    found = _known.get(data)
    if found is None:
        if len(_known) == _MOST:
            _known.clear()
        found = _known[data] = new(data).hexdigest()
    return found
