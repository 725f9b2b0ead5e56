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


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return new(data).hexdigest()
