"""The network of a host under test: loopback, and a name server that knows no name.

Without a name server, some resolvers (musl's, in static programs) wait five seconds per name before
they give up. An immediate answer saves most of the time of a run.
"""

from __future__ import annotations

import fcntl
import socket
import struct
import subprocess
import threading
from pathlib import Path

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
_NO_SUCH_NAME = 0x8183  # a response, recursion was wanted and is available, NXDOMAIN


def set_up(scratch: Path) -> None:
    """Start loopback and the name server. Call it only in new network and mount namespaces."""
    _bring_loopback_up()
    _serve_names()
    resolv = scratch / "resolv.conf"
    resolv.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    target = Path("/etc/resolv.conf").resolve()
    if target.exists():
        subprocess.run(["mount", "--bind", resolv, target], capture_output=True, check=False)


def _bring_loopback_up() -> None:
    """Do `ip link set lo up` without `ip`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(sock, _GET_FLAGS, request))[1]
        fcntl.ioctl(sock, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))


def _serve_names() -> None:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", 53))

    def serve() -> None:
        while True:
            query, sender = sock.recvfrom(4096)
            sock.sendto(no_such_name(query), sender)

    threading.Thread(target=serve, daemon=True).start()


def no_such_name(query: bytes) -> bytes:
    """Return the answer to a DNS query: its id and question, and NXDOMAIN."""
    question = query[12 : query.index(b"\0", 12) + 5]
    return query[:2] + struct.pack(">5H", _NO_SUCH_NAME, 1, 0, 0, 0) + question
