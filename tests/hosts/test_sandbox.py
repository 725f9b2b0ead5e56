"""A host program finds loopback, a home folder of its own, and nothing else."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from tests.hosts import _offline, _sandbox
from tests.hosts.model import Script

pytestmark = pytest.mark.skipif(bool(_sandbox.skip_reason()), reason=_sandbox.skip_reason())


def python(tmp_path: Path, code: str, timeout: float = 30) -> _sandbox.Run:
    """Run this code as if it were a host."""
    return _sandbox.run(
        [sys.executable, "-c", code],
        home=tmp_path / "home",
        cwd=tmp_path,
        script=Script(final="from the model"),
        scratch=tmp_path / "scratch",
        env={"OWN": "value"},
        timeout=timeout,
    )


def test_the_model_is_served_at_a_known_address(tmp_path: Path) -> None:
    """Settings files can name the server before it runs."""
    code = f"""
import urllib.request
body = b'{{"messages": [{{"role": "user", "content": "hello"}}]}}'
print(urllib.request.urlopen("{_sandbox.URL}/v1/chat/completions", body).read().decode())
"""
    result = python(tmp_path, code)
    assert result.rc == 0, result.err
    assert "from the model" in result.out
    assert "hello" in result.requests


def test_there_is_no_other_network(tmp_path: Path) -> None:
    """No address and no name leads out; both fail at once."""
    code = """
import socket
for where in (("192.0.2.1", 80), ("example.com", 80)):
    try:
        socket.create_connection(where, timeout=20)
        print("reached", where)
    except OSError as error:
        print(type(error).__name__)
"""
    start = time.monotonic()
    result = python(tmp_path, code)
    assert result.out.splitlines() == ["OSError", "gaierror"]
    assert time.monotonic() - start < 20


def test_the_environment_is_emptied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the test's environment reaches the host."""
    monkeypatch.setenv("SECRET_OF_THE_USER", "1")
    result = python(tmp_path, "import json, os; print(json.dumps(dict(os.environ)))")
    environment = json.loads(result.out)
    assert "SECRET_OF_THE_USER" not in environment
    assert environment["HOME"] == str(tmp_path / "home")
    assert environment["OWN"] == "value"


def test_a_hanging_host_is_ended_with_its_children(tmp_path: Path) -> None:
    """The time limit ends every process, also one in a session of its own."""
    beat = tmp_path / "beat"
    child = f"import time\nwhile True: open({str(beat)!r}, 'a').write('.'); time.sleep(0.1)"
    code = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {child!r}], start_new_session=True)
time.sleep(100)
"""
    result = python(tmp_path, code, timeout=3)
    assert result.timed_out
    size = beat.stat().st_size
    time.sleep(0.5)
    assert beat.stat().st_size == size


def test_a_hook_that_outlives_its_host_may_end(tmp_path: Path) -> None:
    """Some hosts start hooks when they exit and do not wait for them."""
    child = f"import time; time.sleep(1); open({str(tmp_path / 'late')!r}, 'w')"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])"
    assert python(tmp_path, code).rc == 0
    assert (tmp_path / "late").exists()


def test_exit_status_and_both_streams_come_back(tmp_path: Path) -> None:
    result = python(tmp_path, "import sys; print('o'); print('e', file=sys.stderr); sys.exit(3)")
    assert (result.rc, result.out, result.err, result.timed_out) == (3, "o\n", "e\n", False)


def test_a_name_query_is_answered_with_no_such_name() -> None:
    """The answer repeats id and question, says NXDOMAIN and contains no records."""
    question = b"\x07example\x03com\x00\x00\x01\x00\x01"
    query = b"\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01" + question + b"extra"
    assert _offline.no_such_name(query) == b"\xab\xcd\x81\x83\x00\x01" + bytes(6) + question
