"""Mode, owner and extended attributes: what they allow, and how a new file takes them over."""

from __future__ import annotations

import errno
import os
from typing import TypeAlias

StrPath: TypeAlias = "str | os.PathLike[str]"

NONE_HERE = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}
"""What file systems say to a request that they do not know."""
_NOT_ALLOWED = {errno.EPERM, errno.EACCES, errno.EINVAL}
"""What they say to an owner that a process may not give, or that has no number here."""


def carry_over(fd: int, path: StrPath, model: StrPath, mode: int) -> None:
    """Give the new file what belongs to the old one. Open to others only at the very end."""
    if hasattr(os, "fchown"):
        mode = _carry_owner(fd, os.stat(model), mode)
    if hasattr(os, "fchmod"):
        os.fchmod(fd, mode)
    else:
        os.chmod(path, mode)
    if hasattr(os, "setxattr"):  # After the mode: an access list is one of them.
        _carry_attributes(fd, model)


def _carry_owner(fd: int, status: os.stat_result, mode: int) -> int:
    """Give the file its owner and group, as far as allowed; return the mode that is right then."""
    new = os.fstat(fd)
    for user in (status.st_uid, -1):
        if (new.st_uid if user != -1 else -1, new.st_gid) == (user, status.st_gid):
            return mode
        try:
            os.fchown(fd, user, status.st_gid)
        except OSError as error:
            if error.errno not in _NOT_ALLOWED:
                raise
        else:
            return mode
    # What the old group was allowed is not for another group.
    return mode & ~0o070 | (mode & 0o007) << 3


def _carry_attributes(fd: int, model: StrPath) -> None:
    """Copy extended attributes, except those which the system sets itself and lets nobody set."""
    try:
        names = os.listxattr(model)
    except OSError as error:
        if error.errno in NONE_HERE:
            return
        raise
    for name in names:
        try:
            os.setxattr(fd, name, os.getxattr(model, name))
        except OSError as error:
            # One that is gone has gone with the old file, which is then not replaced.
            gone = error.errno == getattr(errno, "ENODATA", None)
            if not gone and not name.startswith(("security.", "trusted.")):
                raise


def with_execution(mode: int) -> int:
    """Return `mode` with execution allowed to everybody who may read."""
    return mode | (mode & 0o444) >> 2


def owner(path: StrPath) -> int:
    """Return the owner's number."""
    return os.stat(path).st_uid


def may_write(path: StrPath) -> bool:
    """Whether the system says that this process may write to a file, or add names to a folder."""
    wanted = os.W_OK | (os.X_OK if os.path.isdir(path) else 0)
    effective = os.access in getattr(os, "supports_effective_ids", ())
    return os.access(path, wanted, effective_ids=effective)


def on_read_only_system(path: StrPath) -> bool:
    """Whether the file system of an existing path is mounted read-only."""
    statvfs = getattr(os, "statvfs", None)
    return statvfs is not None and bool(statvfs(path).f_flag & getattr(os, "ST_RDONLY", 1))
