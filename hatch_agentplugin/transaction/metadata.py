"""Mode, owner and extended attributes: read them, check them, copy them to a new file."""

from __future__ import annotations

import errno
import os
from typing import TypeAlias

StrPath: TypeAlias = "str | os.PathLike[str]"

NOT_SUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}
"""Errors of a file system that does not support a request."""
_CHOWN_REFUSED = {errno.EPERM, errno.EACCES, errno.EINVAL}
"""The process may not give a file to this owner, or the owner has no number here."""


def carry_over(fd: int, path: StrPath, model: StrPath, mode: int) -> None:
    """Give a new file, open as `fd`, the owner and extended attributes of `model`, and `mode`.

    Owner first: until then nobody else can read the file.
    """
    if hasattr(os, "fchown"):
        mode = _carry_owner(fd, os.stat(model), mode)
    if hasattr(os, "fchmod"):
        os.fchmod(fd, mode)
    else:
        os.chmod(path, mode)
    if hasattr(os, "setxattr"):  # After the mode: an access control list is an attribute too.
        _carry_attributes(fd, model)


def _carry_owner(fd: int, status: os.stat_result, mode: int) -> int:
    """Set owner and group as far as allowed; return the mode that is safe with them."""
    new = os.fstat(fd)
    for user in (status.st_uid, -1):
        if (new.st_uid if user != -1 else -1, new.st_gid) == (user, status.st_gid):
            return mode
        try:
            os.fchown(fd, user, status.st_gid)
        except OSError as error:
            if error.errno not in _CHOWN_REFUSED:
                raise
        else:
            return mode
    # The file has another group now, which gets no more than everybody else.
    return mode & ~0o070 | (mode & 0o007) << 3


def _carry_attributes(fd: int, model: StrPath) -> None:
    """Copy extended attributes, except those that only the system may set."""
    try:
        names = os.listxattr(model)
    except OSError as error:
        if error.errno in NOT_SUPPORTED:
            return
        raise
    for name in names:
        try:
            os.setxattr(fd, name, os.getxattr(model, name))
        except OSError as error:
            # A missing attribute means that another program has replaced the file meanwhile; the
            # check before the rename will see it.
            missing = error.errno == getattr(errno, "ENODATA", None)
            if not missing and not name.startswith(("security.", "trusted.")):
                raise


def with_execution(mode: int) -> int:
    """Return `mode` with execute permission for everybody who has read permission."""
    return mode | (mode & 0o444) >> 2


def owner(path: StrPath) -> int:
    """Return the numeric id of the owner."""
    return os.stat(path).st_uid


def may_write(path: StrPath) -> bool:
    """Return True if this process may write to a file, or create files in a folder."""
    wanted = os.W_OK | (os.X_OK if os.path.isdir(path) else 0)
    effective = os.access in getattr(os, "supports_effective_ids", ())
    return os.access(path, wanted, effective_ids=effective)


def on_read_only_system(path: StrPath) -> bool:
    """Return True if the file system of an existing path is mounted read-only."""
    statvfs = getattr(os, "statvfs", None)
    return statvfs is not None and bool(statvfs(path).f_flag & getattr(os, "ST_RDONLY", 1))
