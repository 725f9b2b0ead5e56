"""Handlers: what they receive, how their outcomes combine, and how they fail."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.fire import text
from tests.fire.rig import (
    CLAUDE_ANSWERS,
    TOOL_CALL,
    Rig,
    command,
    handler,
    start_table,
    stop_table,
    table,
)


def test_what_a_handler_sees(rig: Rig) -> None:
    """Every attribute of the event."""
    rig.slot(table(hooks=[handler()])).handlers(
        """
        def handle(e):
            return {"context": "|".join(map(str, (
                e.host, e.event, e.native, e.session_id, e.cwd, e.tool, e.selector, e.input,
                e.call_id, e.output, e.prompt, e.raw["hook_event_name"], e.root, e.data)))}
        """
    )
    context = rig.fire().reply["hookSpecificOutput"]["additionalContext"]
    assert context == "|".join(
        [
            *("claude-code", "pre-tool-use", "PreToolUse", "s-1", "/", "Bash", "shell"),
            *("{'command': 'ls'}", "t-1", "None", "None", "PreToolUse"),
            *(str(rig.bundle), str(rig.state / "data")),
        ]
    )


@pytest.mark.parametrize(
    ("tool", "selector"),
    [("Bash", "shell"), ("mcp__a__b", "mcp"), ("Other", None), (None, None), (5, None)],
)
def test_selector(rig: Rig, tool: object, selector: str | None) -> None:
    """The event's selector comes from the table."""
    rig.slot(table(hooks=[handler()])).handlers(
        "def handle(e): return {'context': repr((e.tool, e.selector))}"
    )
    said = rig.fire({**TOOL_CALL, "tool_name": tool}).reply["hookSpecificOutput"]
    name = None if tool is None else str(tool)
    assert said["additionalContext"] == repr((name, selector))


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ('{"command": "ls"}', {"command": "ls"}),
        ("plain", "plain"),
        ({"a": 1}, {"a": 1}),
        (None, None),
    ],
)
def test_input_as_json_text(rig: Rig, given: object, seen: object) -> None:
    """Some hosts send the tool's input as JSON in a string."""
    rig.slot(table(hooks=[handler()], input_is_text=True)).handlers(
        "import json\ndef handle(e): return {'context': json.dumps(e.input)}"
    )
    said = rig.fire({**TOOL_CALL, "tool_input": given}).reply["hookSpecificOutput"]
    assert json.loads(said["additionalContext"]) == seen


class TestTogether:
    """Several handlers of one event."""

    def test_in_declared_order_with_changed_input(self, rig: Rig) -> None:
        """Each handler sees the input as changed by the handlers before it."""
        rig.slot(table(hooks=[handler("one"), handler("two"), handler("three")])).handlers(
            """
            def one(e): return {"input": {"n": e.input["command"] + "1"}}
            def two(e): return {"input": {"n": e.input["n"] + "2"}, "context": "two"}
            def three(e): return {"context": e.input["n"]}
            """
        )
        said = rig.fire().reply["hookSpecificOutput"]
        assert said["updatedInput"] == {"n": "ls12"}
        assert said["additionalContext"] == "two\n\nls12"

    def test_deny_does_not_keep_later_handlers_from_running(self, rig: Rig) -> None:
        """Later handlers may record or add something."""
        rig.slot(table(hooks=[handler("one"), handler("two")])).handlers(
            """
            def one(e): return {"decision": "deny", "reason": "no"}
            def two(e): return {"decision": "allow", "context": "seen"}
            """
        )
        said = rig.fire().reply["hookSpecificOutput"]
        assert (said["permissionDecision"], said["additionalContext"]) == ("deny", "seen")

    def test_commands_between_run_in_order(self, rig: Rig) -> None:
        """Commands and handlers run in declared order."""
        script = rig.script("x.sh", 'printf %s "$1" >>"$PLUGIN_DATA/out"')
        hooks = [command(script, "1"), handler("mark"), command(script, "3")]
        rig.slot(table(hooks=hooks)).handlers(
            "def mark(e):\n with open(e.data + '/out', 'a') as f: f.write('2')"
        )
        assert rig.fire().silent
        assert (rig.state / "data/out").read_text() == "123"

    def test_each_has_its_own_filter(self, rig: Rig) -> None:
        """A handler for another tool does not run."""
        hooks = [handler("one", tools=["Write"]), handler("two", tools=["Ba*"])]
        rig.slot(table(hooks=hooks, exact=False)).handlers(
            "def one(e): return {'context': 'one'}\ndef two(e): return {'context': 'two'}"
        )
        assert rig.fire().reply["hookSpecificOutput"]["additionalContext"] == "two"

    @pytest.mark.parametrize(
        "sent",
        [b'{"tool_name":null,"tool_input":{}}', b'{ "tool_name" : null }', b'{"tool_input": {}}'],
        ids=["null", "spaced", "missing"],
    )
    @pytest.mark.parametrize(
        ("hook", "says"),
        [
            pytest.param({}, "deny", id="for-every-tool"),
            pytest.param({"tools": ["Bash"]}, None, id="for-some"),
            pytest.param({"tools": ["Bash"], "on_error": "deny"}, "refusal", id="fails-closed"),
        ],
    )
    def test_call_of_no_named_tool(
        self, rig: Rig, sent: bytes, hook: dict[str, Any], says: str | None
    ) -> None:
        """A handler for all tools runs; one for some tools does not, but denies if it fails closed."""
        rig.slot(table(hooks=[handler(**hook)], exact=False)).handlers(
            "def handle(e): return {'decision': 'deny', 'reason': 'deny: ' + str(e.tool)}"
        )
        fired = rig.fire(sent)
        if says is None:
            assert fired.silent
        else:
            assert fired.decision == "deny"
            reason = fired.reply["hookSpecificOutput"]["permissionDecisionReason"]
            assert ("deny: None" if says == "deny" else "failed (payload)") in reason

    def test_a_failed_one_does_not_silence_the_others(self, rig: Rig) -> None:
        """The next handler still runs."""
        rig.slot(table(hooks=[handler("one"), handler("two")])).handlers(
            "def one(e): 1 / 0\ndef two(e): return {'decision': 'deny', 'reason': 'no'}"
        )
        assert rig.fire().decision == "deny"

    def test_a_hung_one_does_not_silence_the_others(self, rig: Rig) -> None:
        """The next handler also runs after a timeout."""
        rig.slot(table(hooks=[handler("one", timeout=0.3), handler("two")])).handlers(
            """
            import time
            def one(e): time.sleep(30)
            def two(e): return {'decision': 'deny', 'reason': 'no'}
            """
        )
        assert rig.fire().decision == "deny"
        assert "\ttimeout\t" in rig.log


FAULTS = {
    "raises": ("raised", "def handle(e): raise ValueError(e.input)"),
    "raises-base": ("raised", "def handle(e): raise BaseException('x')"),
    "raises-group": ("raised", "class Odd(Exception):\n def __str__(self): 1/0\ndef handle(e): raise Odd"),
    "recursion": ("raised", "def handle(e): return handle(e)"),
    "memory": ("raised", "def handle(e): return [0] * (1 << 62)"),
    "sys-exit": ("exited", "import sys\ndef handle(e): sys.exit(2)"),
    "interrupt": ("exited", "def handle(e): raise KeyboardInterrupt"),
    "generator-exit": ("raised", "def handle(e): raise GeneratorExit"),
    "returns-true": ("returned", "def handle(e): return True"),
    "returns-text": ("returned", "def handle(e): return 'deny'"),
    "returns-unknown-key": ("returned", "def handle(e): return {'deny': 'x'}"),
    "returns-coroutine": ("returned", "async def handle(e): return None"),
    "returns-odd-class": ("raised", "class D(dict):\n def items(self): 1/0\ndef handle(e): return D()"),
    "illegal": ("illegal", "def handle(e): return {'decision': 'keep-going', 'reason': 'x'}"),
    "no-function": ("raised", "x = 1"),
    "not-callable": ("raised", "handle = 5"),
    "wrong-signature": ("raised", "def handle(): pass"),
    "import-error": ("import", "import no_such_module_xyz\ndef handle(e): pass"),
    "syntax-error": ("raised", "def handle(e:"),
    "raises-at-import": ("raised", "1 / 0"),
    "exits-at-import": ("exited", "raise SystemExit(2)"),
    "sleeps": ("timeout", "import time\ndef handle(e): time.sleep(60)"),
    "spins": ("timeout", "def handle(e):\n while True: pass"),
    "sleeps-at-import": ("timeout", "import time\ntime.sleep(60)"),
    "waits-for-input": ("raised", "def handle(e): input()"),
    "waits-for-a-lock": ("timeout", "import _thread\ndef handle(e):\n l = _thread.allocate_lock()\n l.acquire()\n l.acquire()"),
    "swallows-the-deadline": (
        "hung",
        "import time\ndef handle(e):\n while True:\n  try: time.sleep(60)\n  except BaseException: pass",
    ),
    "regex": ("timeout", "import re\ndef handle(e): re.match('(a+)+$', 'a' * 60 + 'b')"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("on_error", ["allow", "deny"])
def test_every_fault_gives_the_declared_answer(rig: Rig, fault: str, on_error: str) -> None:
    """A failure is one line in the log, and no answer or a refusal for the host."""
    kind, source = FAULTS[fault]
    seconds = 0.6 if kind in ("timeout", "hung") else 20.0
    rig.slot(table(hooks=[handler(on_error=on_error, timeout=seconds)]))
    (rig.site / "acme_hooks.py").write_text(source)
    secret = {**TOOL_CALL, "tool_input": {"command": "SECRET"}}
    result = rig.fire(secret)
    assert result.status == 0
    assert b"Traceback" not in result.err
    if on_error == "allow":
        assert result.out == b""
    else:
        reason = result.reply["hookSpecificOutput"]["permissionDecisionReason"]
        assert result.decision == "deny"
        assert reason == f"acme: hooks.x[handle] failed ({kind}), which counts as a refusal"
    (line,) = rig.log.splitlines()
    moment, host, event, key, said, _ = line.split("\t")
    assert len(moment) == len("2026-11-30T10:00:00Z")
    assert (host, event, key, said) == ("claude-code", "pre-tool-use", "hooks.x[handle]", kind)
    assert "SECRET" not in line


def test_missing_handler_module(rig: Rig) -> None:
    """The plugin's package is gone while its bundle is still there."""
    rig.slot(table(hooks=[handler()]))
    assert rig.fire().silent
    assert "\timport\tModuleNotFoundError" in rig.log


def test_on_error_deny_where_the_event_has_no_deny(rig: Rig) -> None:
    """session-start has no deny."""
    rig.slot(start_table(hooks=[handler(on_error="deny")])).handlers("def handle(e): 1 / 0")
    assert rig.fire(slot="session-start").silent


def test_data_folder_is_there(rig: Rig) -> None:
    """A handler can write into it at once, and only the user can read it."""
    rig.slot(table(hooks=[handler()])).handlers("def handle(e): open(e.data + '/x', 'w').close()")
    assert rig.fire().silent
    assert rig.log == ""
    assert stat.S_IMODE((rig.state / "data").stat().st_mode) == 0o700


def test_table_of_an_older_build(rig: Rig) -> None:
    """Keys that later versions added may be missing."""
    made = table(hooks=[handler()])
    keys = ("plugin", "host", "event", "native", "tool_event", "hooks", "answers", "deadline")
    rig.slot(made).handlers("def handle(e): return {'decision': 'deny', 'reason': 'no'}")
    path = rig.bundle / "fire/claude-code/pre-tool-use.json"
    path.write_text(json.dumps({key: made[key] for key in keys}))
    assert rig.fire().decision == "deny"


def test_log_names_the_place_of_the_error(rig: Rig) -> None:
    """The log names file and line, but not the exception's text."""
    rig.slot(table(hooks=[handler()])).handlers("def handle(e):\n    raise KeyError('private')\n")
    rig.fire()
    assert rig.log.rstrip().endswith(f"KeyError {rig.site}/acme_hooks.py:2")
    assert "private" not in rig.log


def test_log_is_private_and_bounded(rig: Rig) -> None:
    """At its limit it becomes log.1, which it overwrites."""
    rig.slot(table(hooks=[handler()])).handlers("def handle(e): 1 / 0")
    log = rig.state / "log"
    log.write_bytes(b"x" * 70_000)
    rig.fire()
    assert (rig.state / "log.1").stat().st_size == 70_000
    assert len(rig.log.splitlines()) == 1
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_log_holds_no_control_characters(rig: Rig) -> None:
    """A class may have any name, but a log entry is one line."""
    rig.slot(table(hooks=[handler()])).handlers(
        "def handle(e): raise type('a\\nb\\x1b[31m' + 'c' * 1000, (Exception,), {})"
    )
    rig.fire()
    (line,) = rig.log.splitlines()
    assert "\x1b" not in line
    assert len(line) < 500


def test_log_that_cannot_be_written(rig: Rig) -> None:
    """The call does not fail because of its log."""
    (rig.state / "log").mkdir()
    rig.slot(table(hooks=[handler()])).handlers("def handle(e): 1 / 0")
    assert rig.fire().silent


def test_the_slots_deadline_holds_for_all_hooks_together(rig: Rig) -> None:
    """A hook without time left fails as its ``on_error`` says."""
    hooks = [handler("one", timeout=30.0), handler("two", timeout=30.0, on_error="deny")]
    rig.slot(table(hooks=hooks, deadline=0.7)).handlers(
        "import time\ndef one(e): time.sleep(30)\ndef two(e): return {'decision': 'allow'}"
    )
    result = rig.fire()
    assert result.seconds < 15
    assert result.decision == "deny"
    assert [line.split("\t")[4] for line in rig.log.splitlines()] == ["timeout", "timeout"]


def test_hung_handler_takes_the_rest_with_it(rig: Rig) -> None:
    """If a handler can't be stopped, the handlers after it count as failed."""
    hooks = [handler("one", timeout=0.3), handler("two", on_error="deny")]
    rig.slot(table(hooks=hooks)).handlers(
        "import time\n"
        "def one(e):\n"
        " while True:\n"
        "  try: time.sleep(60)\n"
        "  except BaseException: pass\n"
        "def two(e): return {'decision': 'allow'}"
    )
    result = rig.fire()
    assert result.seconds < 15
    assert result.decision == "deny"
    assert [line.split("\t")[4] for line in rig.log.splitlines()] == ["hung", "not run"]


class TestOutput:
    """One document on standard output, whatever a handler prints."""

    def test_prints_go_to_standard_error(self, rig: Rig) -> None:
        """So do prints of C code and child processes, and unflushed ones."""
        rig.slot(table(hooks=[handler()])).handlers(
            """
            import os, subprocess, sys
            def handle(e):
                print("python")
                os.write(1, b"descriptor\\n")
                subprocess.run(["echo", "child"])
                sys.__stdout__.write("late")
                return {"decision": "deny", "reason": "no"}
            """
        )
        result = rig.fire()
        assert result.out.count(b"\n") == 1
        assert result.decision == "deny"
        assert sorted(result.err.split()) == [b"child", b"descriptor", b"late", b"python"][::1]

    def test_large_reply_is_written_whole(self, rig: Rig) -> None:
        """A reply larger than a pipe is complete."""
        rig.slot(table(hooks=[handler()])).handlers(
            "def handle(e): return {'input': {'text': 'é😀' * 300_000}}"
        )
        said = rig.fire().reply["hookSpecificOutput"]
        assert said["updatedInput"]["text"] == "é😀" * 300_000

    @pytest.mark.parametrize("closed", ["0", "1", "2", "0 1 2"])
    def test_closed_descriptors(self, rig: Rig, closed: str) -> None:
        """Prints never end up in the reply, even if the host has closed a stream."""
        rig.slot(start_table(hooks=[handler()])).handlers(
            "import os\n"
            "def handle(e):\n"
            " print('noise')\n os.system('echo noise; echo noise >&2')\n"
            " return {'context': 'c'}"
        )
        shut = " ".join(f"{number}>&-" for number in closed.split())
        line = f'"{rig.launcher}" claude-code session-start {shut}'
        done = subprocess.run(["/bin/sh", "-c", line], input=b"{}", capture_output=True,
                              env=rig.environment(), cwd=rig.project, timeout=30)  # fmt: skip
        assert done.returncode == 0
        assert b"noise" not in done.stdout
        assert (b'"c"' in done.stdout) is ("1" not in closed)

    def test_host_that_reads_nothing(self, rig: Rig) -> None:
        """A closed pipe is not a failure."""
        rig.slot(table(hooks=[handler()])).handlers(
            "def handle(e):\n print('x' * 100_000)\n return {'decision': 'deny', 'reason': 'x' * 9000}"
        )
        reading, writing = os.pipe()
        os.close(reading)
        process = subprocess.Popen(
            [str(rig.launcher), "claude-code", "pre-tool-use"], stdin=subprocess.PIPE,
            stdout=writing, stderr=writing, env=rig.environment(), cwd=rig.project,
        )  # fmt: skip
        os.close(writing)
        process.communicate(json.dumps(TOOL_CALL).encode(), timeout=30)
        assert process.returncode == 0

    def test_threads_and_exit_hooks_hold_nothing(self, rig: Rig) -> None:
        """The process ends as soon as the reply is written."""
        rig.slot(table(hooks=[handler()])).handlers(
            """
            import atexit, threading, time
            def handle(e):
                atexit.register(time.sleep, 30)
                threading.Thread(target=time.sleep, args=(30,)).start()
                return {"decision": "deny", "reason": "no"}
            """
        )
        result = rig.fire()
        assert result.decision == "deny"
        assert result.seconds < 20

    def test_a_forked_child_has_nothing_to_say(self, rig: Rig) -> None:
        """A handler that forks and forgets to exit the child still gives one reply."""
        rig.slot(table(hooks=[handler()])).handlers(
            "import os\ndef handle(e):\n os.fork()\n return {'decision': 'deny', 'reason': 'no'}"
        )
        assert rig.fire().decision == "deny"

    def test_background_child_does_not_keep_the_reply_open(self, rig: Rig) -> None:
        """Standard output is closed when the dispatcher ends, although the child lives on."""
        rig.slot(table(hooks=[handler()])).handlers(
            """
            import subprocess
            def handle(e):
                subprocess.Popen(["sleep", "20"], stderr=subprocess.DEVNULL)
                return {"decision": "deny", "reason": "no"}
            """
        )
        process = subprocess.Popen(
            [str(rig.launcher), "claude-code", "pre-tool-use"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=rig.environment(), cwd=rig.project,
        )  # fmt: skip
        began = time.monotonic()
        assert process.stdout is not None
        process.stdout.read()
        process.wait()
        process.stdout.close()
        assert time.monotonic() - began < 15


BAD = {
    "empty": b"",
    "space": b" \n",
    "text": b"not json",
    "list": b"[1, 2]",
    "null": b"null",
    "cut": b'{"tool_name": "Bash", "tool_input": {"comm',
    "binary": bytes(range(256)),
    "utf-16": json.dumps(TOOL_CALL).encode("utf-16"),
    "deep": b'{"a":' * 200_000,
    "number": b'{"a": ' + b"9" * 10_000 + b"}",
}


class TestInput:
    """Payloads that are missing, broken, large or slow."""

    @pytest.mark.parametrize("bad", BAD)
    def test_tool_event(self, rig: Rig, bad: str) -> None:
        """The tool is unknown, so no handler runs; the log says so without quoting the payload."""
        rig.slot(table(hooks=[handler(), handler(tools=["Bash"])])).handlers(
            "def handle(e): return {'decision': 'deny', 'reason': 'no'}"
        )
        assert rig.fire(BAD[bad]).silent
        (line,) = rig.log.splitlines()
        assert line.split("\t")[3:5] == ["-", "payload"]

    @pytest.mark.parametrize("bad", BAD)
    def test_tool_event_fails_closed_where_asked(self, rig: Rig, bad: str) -> None:
        """A handler with ``on_error = "deny"`` denies a bad payload."""
        rig.slot(table(hooks=[handler(on_error="deny", tools=["Bash"])])).handlers("")
        assert rig.fire(BAD[bad]).decision == "deny"

    @pytest.mark.parametrize("bad", [bad for bad in BAD if bad != "number"])
    def test_the_shells_search_does_not_hide_it(self, rig: Rig, bad: str) -> None:
        """The same if the shell searches first: it only searches what looks like an object."""
        hook = handler(on_error="deny", tools=["Bash"])
        rig.slot(table(hooks=[hook], exact=False)).handlers("")
        assert rig.fire(BAD[bad]).decision == "deny"

    @pytest.mark.parametrize("bad", BAD)
    def test_other_event(self, rig: Rig, bad: str) -> None:
        """The event itself is known, so handlers run, with all attributes None."""
        rig.slot(start_table(hooks=[handler()])).handlers(
            "def handle(e): return {'context': repr((e.cwd, e.raw))}"
        )
        reply = rig.fire(BAD[bad], "session-start").reply
        assert reply["hookSpecificOutput"]["additionalContext"] == "(None, {})"

    def test_too_large(self, rig: Rig) -> None:
        """Memory and time are limited: no more than 16 MiB are read."""
        rig.slot(table(hooks=[handler()])).handlers("def handle(e): return {'decision': 'allow'}")
        payload = {**TOOL_CALL, "tool_input": {"x": "y" * (text.MAX_INPUT + 1)}}
        process = subprocess.Popen(
            [str(rig.launcher), "claude-code", "pre-tool-use"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=rig.environment(), cwd=rig.project,
        )  # fmt: skip
        out, err = process.communicate(json.dumps(payload).encode(), timeout=30)
        assert (process.returncode, out, err) == (0, b"", b"")
        assert "too large" in rig.log

    def test_large_but_fine(self, rig: Rig) -> None:
        """Ten megabytes are answered."""
        rig.slot(table(hooks=[handler()])).handlers(
            "def handle(e): return {'context': str(len(e.input['x']))}"
        )
        payload = {**TOOL_CALL, "tool_input": {"x": "}\n" * 5_000_000}}
        assert rig.fire(payload).reply["hookSpecificOutput"]["additionalContext"] == "10000000"

    def _open(self, rig: Rig, data: bytes, slot: str = "pre-tool-use") -> tuple[bytes, float, int]:
        """Fire with an input that stays open. Return output, seconds and status."""
        reading, writing = os.pipe()
        began = time.monotonic()
        process = subprocess.Popen(
            [str(rig.launcher), "claude-code", slot], stdin=reading, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=rig.environment(), cwd=rig.project,
        )  # fmt: skip
        os.close(reading)
        try:
            os.write(writing, data)
            out, _ = process.communicate(timeout=30)
        finally:
            os.close(writing)
        return out, time.monotonic() - began, process.returncode

    def test_input_stays_open_after_the_payload(self, rig: Rig) -> None:
        """The object is complete, so the dispatcher does not wait."""
        rig.slot(table(hooks=[handler()])).handlers(
            "def handle(e): return {'decision': 'deny', 'reason': 'no'}"
        )
        out, seconds, status = self._open(rig, json.dumps(TOOL_CALL).encode())
        assert b"deny" in out
        assert status == 0
        assert seconds < 4.5

    @pytest.mark.parametrize("data", [b"", b'{"tool_name": "Ba'])
    def test_input_stays_open_without_a_payload(self, rig: Rig, data: bytes) -> None:
        """The wait is limited."""
        made = start_table(hooks=[handler()], stdin_may_stay_open=True, deadline=2.0)
        rig.slot(made).handlers("def handle(e): return {'context': 'c'}")
        out, seconds, status = self._open(rig, data, "session-start")
        assert b'"c"' in out
        assert status == 0
        assert seconds < 15

    def test_payload_in_pieces(self, rig: Rig) -> None:
        """The dispatcher waits for a slow host."""
        rig.slot(table(hooks=[handler()])).handlers(
            "def handle(e): return {'context': e.input['command']}"
        )
        process = subprocess.Popen(
            [str(rig.launcher), "claude-code", "pre-tool-use"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env=rig.environment(), cwd=rig.project,
        )  # fmt: skip
        assert process.stdin is not None
        data = json.dumps({**TOOL_CALL, "tool_input": {"command": "}é}"}}, ensure_ascii=False)
        for byte in data.encode():
            process.stdin.write(bytes([byte]))
            process.stdin.flush()
            if byte == ord("}"):
                time.sleep(0.05)
        out, _ = process.communicate(timeout=30)
        assert json.loads(out)["hookSpecificOutput"]["additionalContext"] == "}é}"


class TestImport:
    """Where handlers are found."""

    def test_beside_the_bundle(self, rig: Rig) -> None:
        """A package in the same site-packages is imported."""
        (rig.site / "pkg").mkdir()
        (rig.site / "pkg" / "__init__.py").touch()
        (rig.site / "pkg" / "hooks.py").write_text(
            "from . import more\nclass A:\n @staticmethod\n def h(e): return more.said()"
        )
        (rig.site / "pkg" / "more.py").write_text("def said(): return {'context': 'c'}")
        rig.slot(table(hooks=[handler(handler="pkg.hooks:A.h")]))
        assert rig.fire().reply["hookSpecificOutput"]["additionalContext"] == "c"

    @pytest.mark.parametrize("where", ["site", "environment"])
    def test_through_pth_files(self, tmp_path: Path, where: str) -> None:
        """An editable install is a .pth file beside the bundle, or in the environment's own."""
        source = tmp_path / "src dir"
        source.mkdir()
        (source / "edited.py").write_text("def handle(e): return {'context': 'c'}")
        environment = tmp_path / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        rig = Rig(tmp_path / "x", python=str(environment / "bin" / "python"))
        folder = rig.site
        if where == "environment":
            (folder,) = environment.glob("lib/python3*/site-packages")
        (folder / "edited.pth").write_text(f"{source}\n")
        rig.slot(table(hooks=[handler(handler="edited:handle")]))
        assert rig.fire().reply["hookSpecificOutput"]["additionalContext"] == "c"
        assert rig.log == ""

    def test_does_not_take_the_place_of_standard_modules(self, rig: Rig) -> None:
        """A module in site-packages does not shadow a standard one."""
        (rig.site / "json.py").write_text("raise SystemExit(9)")
        rig.slot(table(hooks=[handler()])).handlers(
            "import json\ndef handle(e): return {'context': json.dumps(1)}"
        )
        assert rig.fire().reply["hookSpecificOutput"]["additionalContext"] == "1"


class TestTurnLimit:
    """The turn limit: no turn is kept going forever."""

    KEEP = "def handle(e): return {'decision': 'keep-going', 'reason': f'more {e.stop_active}'}"

    def goes_on(self, rig: Rig, payloads: list[dict[str, Any]]) -> list[bool]:
        """Return for each payload whether the turn went on."""
        return [rig.fire(payload, "turn-end").reply is not None for payload in payloads]

    def test_own_count(self, rig: Rig) -> None:
        """Without stop_active, turns are counted per session; at the limit the count starts again."""
        rig.slot(stop_table(hooks=[handler()], turn_limit=2)).handlers(self.KEEP)
        one, two = {"session_id": "a/../b"}, {"session_id": "c"}
        went = self.goes_on(rig, [one, one, two, one, one])
        assert went == [True, True, True, False, True]
        assert "\tturn limit\t" in rig.log

    def test_host_says_it_is_the_first_turn(self, rig: Rig) -> None:
        """The count starts again with a new turn."""
        rig.slot(stop_table(hooks=[handler()], turn_limit=2)).handlers(self.KEEP)
        first = {"session_id": "a", "stop_hook_active": False}
        later = {"session_id": "a", "stop_hook_active": True}
        assert self.goes_on(rig, [first, later, first, later, later]) == [True] * 4 + [False]

    def test_stopping_forgets_the_count(self, rig: Rig) -> None:
        """The count starts again after a turn that ended."""
        rig.slot(stop_table(hooks=[handler()], turn_limit=1)).handlers(
            "def handle(e):\n if 'go' in e.raw: return {'decision': 'keep-going', 'reason': 'x'}"
        )
        assert self.goes_on(rig, [{"go": 1}, {"a": 1}, {"go": 1}, {"go": 1}]) == [
            *(True, False, True, False)
        ]

    def test_count_that_cannot_be_kept(self, rig: Rig) -> None:
        """If the count can not be written, only a first turn is kept going."""
        (rig.state / "turns").touch()
        rig.slot(stop_table(hooks=[handler()], turn_limit=3)).handlers(self.KEEP)
        assert self.goes_on(rig, [{"session_id": "a"}, {"stop_hook_active": False}]) == [
            False,
            True,
        ]

    def test_stale_counts_are_swept(self, rig: Rig) -> None:
        """Counts of sessions that never came back are removed."""
        rig.slot(stop_table(hooks=[handler()])).handlers(self.KEEP)
        old = rig.state / "turns" / "old"
        old.parent.mkdir()
        old.touch()
        os.utime(old, (1, 1))
        self.goes_on(rig, [{"session_id": "a"}])
        assert not old.exists()


SIGNATURES = {"cursor": [{"field": ["cursor_version"]}, {"env": "CURSOR_SIGN"}]}
DENY = "def handle(e): return {'decision': 'deny', 'reason': f'{e.host} {e.native} {e.selector}'}"
FROM_CURSOR = {"cursor_version": "2", "tool": "Shell"}


class TestReaders:
    """An event fires once when another host runs this host's entries."""

    def lay(self, rig: Rig, *hooks: dict[str, Any]) -> Rig:
        """The same hook for two hosts, of which one reads the other's file."""
        answers = {**CLAUDE_ANSWERS, "deny": {"reply": {"permission": "deny", "why": "$reason"}}}
        return rig.slot(
            table(hooks=list(hooks), readers=SIGNATURES),
            table(
                hooks=list(hooks), host="cursor", native="preToolUse", answers=answers, silence={},
                tools=[["Shell", "shell"]], fields={"tool": [["tool"]]},
            ),
        )  # fmt: skip

    def test_the_host_itself(self, rig: Rig) -> None:
        """Without a signature the answer has this host's form."""
        self.lay(rig, handler()).handlers(DENY)
        assert rig.fire().decision == "deny"
        assert [path.name for path in (rig.state / "fired").iterdir()] == [
            "claude-code.pre-tool-use"
        ]

    @pytest.mark.parametrize("env", [{}, {"CURSOR_SIGN": ""}])
    def test_answered_in_the_real_hosts_form(self, rig: Rig, env: dict[str, str]) -> None:
        """The reader is recognised by a field of the payload or by a variable."""
        self.lay(rig, handler()).handlers(DENY)
        payload = {"tool": "Shell"} if env else FROM_CURSOR
        reply = rig.fire(payload, env=env).reply
        assert reply == {"permission": "deny", "why": "cursor preToolUse shell"}
        assert [path.name for path in (rig.state / "fired").iterdir()] == ["cursor.pre-tool-use"]

    @pytest.mark.parametrize("scope", ["user", "project"])
    def test_stands_down_where_the_real_host_has_its_own_entry(self, rig: Rig, scope: str) -> None:
        """The reader's own entry answers."""
        self.lay(rig, handler()).handlers(DENY)
        (rig.state / "placed").write_text(f"amp.user cursor.{scope}\n")
        assert rig.fire(FROM_CURSOR).silent
        assert rig.fire().decision == "deny"
        assert rig.fire(FROM_CURSOR, host="cursor").reply["permission"] == "deny"

    def test_nothing_declared_for_the_real_host(self, rig: Rig) -> None:
        """A hook for this host alone does not run in another host."""
        rig.slot(table(hooks=[handler()], readers=SIGNATURES)).handlers(DENY)
        assert rig.fire(FROM_CURSOR).silent

    def test_the_matcher_of_the_other_host_counts_for_nothing(self, rig: Rig) -> None:
        """The reader's own tool names decide."""
        self.lay(rig, handler(tools=["Other"])).handlers(DENY)
        assert rig.fire(FROM_CURSOR).reply == {}

    def test_commands_without_python(self, rig: Rig) -> None:
        """The shell is certain if no signature is found; one inside a string does not count."""
        script = rig.script("x.sh", 'echo "$AGENT_PLUGIN_HOST" >>"$PLUGIN_DATA/out"')
        self.lay(rig, command(script))
        quoted = {**TOOL_CALL, "tool_input": 'the "cursor_version" field'}
        assert rig.traced(quoted) is None
        assert rig.traced(FROM_CURSOR)["host"] == "cursor"
        assert rig.traced({}, env={"CURSOR_SIGN": "1"})["host"] == "cursor"
        assert (rig.state / "data/out").read_text().split() == ["claude-code", "cursor", "cursor"]


def test_detached_handler(rig: Rig) -> None:
    """The launcher returns as soon as the payload is read, and the handler continues."""
    made = start_table(event="session-end", native="SessionEnd", answers={}, detached=True)
    rig.slot({**made, "hooks": [handler()]}).handlers(
        """
        import os, time
        def handle(e):
            time.sleep(2.5)
            os.makedirs(e.data, exist_ok=True)
            with open(e.data + "/out", "w") as f:
                f.write(f"{e.session_id} {os.getsid(0) == os.getpid()}")
        """
    )
    result = rig.fire({"session_id": "s"}, "session-end")
    assert result.silent
    assert result.seconds < 2.4
    assert rig.wait_for(rig.state / "data/out") == "s True"


class TestTrace:
    """The record that ``simulate`` reads."""

    def test_tells_what_was_degraded(self, rig: Rig) -> None:
        """The record holds outcomes, notes and hooks."""
        answers = {**CLAUDE_ANSWERS, "ask": {"as": "deny", "why": "it can't"}}
        rig.slot(table(hooks=[handler()], answers=answers)).handlers(
            "def handle(e): return {'decision': 'ask', 'reason': 'sure?'}"
        )
        record = rig.traced()
        assert record["said"] == {"ask": "sure?"}
        assert record["outcome"] == {"deny": "sure?"}
        assert record["degraded"] == [{"outcome": "ask", "as": "deny", "why": "it can't"}]
        assert record["hooks"] == [{"key": "hooks.x[handle]", "did": ["ask"]}]

    def test_tells_the_traceback(self, rig: Rig) -> None:
        """The trace holds the whole error, for the author."""
        rig.slot(table(hooks=[handler()])).handlers("def handle(e): 1 / 0")
        (hook,) = rig.traced()["hooks"]
        assert hook["failed"] == "raised"
        assert "ZeroDivisionError: division by zero" in hook["traceback"]
