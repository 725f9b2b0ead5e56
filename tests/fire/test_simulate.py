"""``simulate``, the pytest fixtures, and the commands simulate, inspect, disable and enable."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hatch_agentplugin.cli import main
from hatch_agentplugin.hosts import payloads
from hatch_agentplugin.plan import Cell, HostPlan, Plan, Plugin
from hatch_agentplugin.scripts import launcher
from hatch_agentplugin.simulate import Bundle, CannotSimulate, HookFailed, simulate
from hatch_agentplugin.simulate.payloads import payload, tool_name
from tests.fire.rig import RUNTIME, Rig, command, handler, start_table, table

GUARD = """
    from hatch_agentplugin import deny
    def handle(e):
        print("noise")
        if "rm" in str(e.input): return deny("no rm")
"""


def with_plan(rig: Rig, *tables: dict[str, Any]) -> Bundle:
    """Write a plan for the rig's slots and return the bundle."""
    rig.slot(*tables)
    hosts: dict[str, list[str]] = {}
    for made in tables:
        hosts.setdefault(made["host"], []).append(made["event"])
    plan = Plan(
        Plugin("acme", "acme", "1.0"),
        "",
        {
            host: HostPlan(host.title(), (), (), tuple(slots), {"user": ()})
            for host, slots in hosts.items()
        },
        (
            *(Cell(m["host"], m["event"], m["native"], "native") for m in tables),
            Cell("codex", "session-end", "", "skipped", "Codex CLI has no such event"),
        ),
    )
    (rig.bundle / "plan.json").write_bytes(plan.to_bytes())
    return Bundle.read(rig.bundle)


@pytest.fixture
def bundle(rig: Rig) -> Bundle:
    """A plugin with a guard on two hosts."""
    rig.handlers(GUARD)
    made = [table(hooks=[handler()], host=host) for host in ("claude-code", "codex")]
    return with_plan(rig, *made, start_table(hooks=[command("true")]))


class TestLibrary:
    """The function ``simulate``."""

    def test_reason_with_line_ends_of_all_kinds(self, rig: Rig) -> None:
        """A record may hold Unicode line ends."""
        reason = "one\u2028two\u0085three\nfour"
        rig.handlers(f"""
            from hatch_agentplugin import deny
            def handle(e):
                return deny({reason!a})
        """)
        result = simulate(with_plan(rig, table(hooks=[handler()])), "claude-code", "pre-tool-use")
        assert result.reason == reason

    def test_command_that_does_not_end(self, rig: Rig) -> None:
        bundle = with_plan(rig, start_table(hooks=[command("sleep", "5")]))
        with pytest.raises(HookFailed, match="session-start on claude-code did not end within 1 s"):
            simulate(bundle, "claude-code", "session-start", timeout=1)

    def test_result(self, bundle: Bundle) -> None:
        """The result holds what the host sees, and the hooks that ran."""
        result = simulate(bundle, "claude-code", "pre-tool-use", input={"command": "rm x"})
        assert (result.outcome, result.reason, result.status) == ("deny", "no rm", 0)
        assert result.document["hookSpecificOutput"]["permissionDecision"] == "deny"
        assert result.stderr == "noise\n"
        assert 0 < result.seconds < 10
        assert result.payload["tool_input"] == {"command": "rm x"}
        assert result.hooks == [{"key": "hooks.x[handle]", "did": ["deny"]}]

    def test_nothing_said(self, bundle: Bundle) -> None:
        """Without outcomes the outcome is ``none``."""
        result = simulate(bundle, "claude-code", "pre-tool-use")
        assert (result.outcome, result.reply, result.document) == ("none", "", None)

    def test_payload_is_the_hosts_own(self, bundle: Bundle, tmp_path: Path) -> None:
        """The payload is a recorded one, with the given values in it."""
        given = {"tool": "shell", "input": {"command": "ls"}, "call_id": None}
        result = simulate(bundle, "claude-code", "pre-tool-use", cwd=tmp_path, **given)
        assert result.payload["permission_mode"]  # nothing of ours reads it
        assert result.payload["hook_event_name"] == "PreToolUse"
        assert result.payload["session_id"] == "simulated"
        assert result.payload["cwd"] == str(tmp_path)
        assert result.payload["tool_name"] == "Bash"
        assert result.payload["tool_input"] == {"command": "ls"}
        assert result.payload["tool_use_id"] is None

    def test_payload_for_a_tool_that_was_not_recorded(self, bundle: Bundle) -> None:
        """The payload is made from the fire table."""
        result = simulate(bundle, "claude-code", "pre-tool-use", tool="file.write")
        assert result.payload["tool_name"] == "Write"
        assert "content" in result.payload["tool_input"]

    def test_nothing_of_the_users_is_touched(self, bundle: Bundle, home: Path) -> None:
        """Nothing is written into the home folder."""
        simulate(bundle, "claude-code", "pre-tool-use")
        assert list(home.iterdir()) == []

    def test_portable_commands(self, bundle: Bundle) -> None:
        """They run without Python, and the note says so."""
        result = simulate(bundle, "claude-code", "session-start")
        assert result.note == "portable commands only, run without Python"

    def test_event_that_the_host_lacks(self, bundle: Bundle) -> None:
        """The error gives the reason of the build report."""
        with pytest.raises(CannotSimulate, match="codex: Codex CLI has no such event"):
            simulate(bundle, "codex", "session-end")
        with pytest.raises(CannotSimulate, match="does not fire on nobody"):
            simulate(bundle, "nobody", "session-end")

    def test_failed_hook(self, rig: Rig) -> None:
        """``check`` raises with the author's traceback."""
        bundle = with_plan(rig.handlers("def handle(e): return 1 / 0"), table(hooks=[handler()]))
        result = simulate(bundle, "claude-code", "pre-tool-use")
        assert result.outcome == "none"
        with pytest.raises(HookFailed, match=r"(?s)hooks\.x.*pre-tool-use.*ZeroDivisionError"):
            result.check()

    def test_illegal_outcome_names_event_and_outcome(self, rig: Rig) -> None:
        """For the host it is a failed hook; here it is an error."""
        rig.handlers("def handle(e): return {'output': 'x'}")
        result = simulate(with_plan(rig, table(hooks=[handler()])), "claude-code", "pre-tool-use")
        with pytest.raises(HookFailed, match="pre-tool-use does not allow modify-output"):
            result.check()

    def test_matcher_of_the_host_is_minded(self, rig: Rig) -> None:
        """If the host would not call the launcher, it is not started."""
        rig.handlers("def handle(e): return {'decision': 'deny', 'reason': e.tool}")
        bundle = with_plan(rig, table(hooks=[handler(tools=["Bash"])]))
        assert simulate(bundle, "claude-code", "pre-tool-use", tool="shell").outcome == "deny"
        result = simulate(bundle, "claude-code", "pre-tool-use", tool="Write")
        assert result.outcome == "none"
        assert result.note == "not called for Write: the host's matcher only lets Bash through"

    def test_filter_at_run_time(self, rig: Rig) -> None:
        """If the launcher filters, it is started."""
        bundle = with_plan(rig, table(hooks=[handler(tools=["Bash"])], exact=False))
        result = simulate(bundle, "claude-code", "pre-tool-use", tool="file.write")
        assert result.note.startswith("no hook runs for this payload")

    def test_payload_is_sent_as_it_is(self, bundle: Bundle) -> None:
        """The payload may be a dict, or bytes, even broken ones."""
        broken = simulate(bundle, "claude-code", "pre-tool-use", payload=b"{")
        assert (broken.outcome, broken.status) == ("none", 0)
        sent = {"tool_name": "Bash", "tool_input": "rm"}
        assert simulate(bundle, "claude-code", "pre-tool-use", payload=sent).outcome == "deny"

    def test_detached_handler_is_waited_for(self, rig: Rig) -> None:
        """Its answer is lost, and the result says so."""
        rig.handlers("import time\ndef handle(e):\n time.sleep(0.3)\n return {'context': 'c'}")
        bundle = with_plan(rig, start_table(hooks=[handler()], detached=True))
        result = simulate(bundle, "claude-code", "session-start")
        assert result.said == {"context": "c"}
        assert result.outcome == "none"
        assert result.degraded[0]["why"] == "the host does not wait for the answer"

    def test_host_is_not_taken_for_one_of_its_readers(
        self, rig: Rig, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Neither made payloads nor variables of an agent that runs the test have a signature."""
        rig.handlers(GUARD)
        marks = [{"field": ["hook_event_name"]}, {"env": "CURSOR_VERSION"}]
        made = [
            table(hooks=[handler()], readers={"cursor": marks}),
            table(hooks=[handler()], host="cursor"),
        ]
        bundle = with_plan(rig, *made)
        monkeypatch.setenv("CURSOR_VERSION", "3.0")
        values = {"input": {"command": "rm x"}}
        assert simulate(bundle, "claude-code", "pre-tool-use", **values).host == "claude-code"
        given = {"CURSOR_VERSION": "3.0"}
        result = simulate(bundle, "claude-code", "pre-tool-use", env=given, **values)
        assert (result.host, result.outcome) == ("cursor", "deny")

    @pytest.mark.parametrize("given", ["values", "payload", "bytes"])
    def test_host_that_sends_no_payload(
        self, rig: Rig, given: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The payload is put into variables and files, as the host does."""
        rig.handlers(
            "def handle(e): return {'decision': 'deny', 'reason': repr((e.tool, e.input))}"
        )
        variables = {"tool_name": "HOST_TOOL", "tool_input": "@HOST_INPUT"}
        bundle = with_plan(rig, table(hooks=[handler()], environment=variables))
        sent = {"tool_name": "Bash", "tool_input": {"command": "rm"}}
        values: dict[str, Any] = {
            "values": {"tool": "shell", "input": {"command": "rm"}},
            "payload": {"payload": sent},
            "bytes": {"payload": json.dumps(sent).encode()},
        }[given]
        monkeypatch.setenv("HOST_TOOL", "Other")
        result = simulate(bundle, "claude-code", "pre-tool-use", **values)
        assert result.reason == "('Bash', {'command': 'rm'})"


@pytest.mark.parametrize(
    ("event", "tool", "found"),
    [
        pytest.param(True, "Bash", True, id="the-tool"),
        pytest.param(True, "PowerShell", True, id="of-its-kind"),
        pytest.param(True, "Write", False, id="of-another-kind"),
        pytest.param(True, "Other", False, id="of-no-known-kind"),
        pytest.param(True, None, False, id="no-tool"),
        pytest.param(False, None, True, id="event-without-a-tool"),
    ],
)
def test_example_for_a_tool(event: bool, tool: str | None, found: bool) -> None:
    """A payload recorded with one tool serves for tools of the same kind."""
    rows = [["Bash", "shell"], ["PowerShell", "shell"], ["Write", "file.write"]]
    sent = {"tool_name": "Bash", "more": 1}
    known = {"turn-end": {"payload": {}}, "pre-tool-use (again)": {"payload": sent}}
    made = table(tools=rows, tool_event=event)
    assert payloads.example(known, "pre-tool-use", made, tool) == (sent if found else None)


class TestPayloads:
    """Payloads made from a table."""

    def test_paths_with_lists_and_preset_values(self) -> None:
        """Each value goes to the first path of the table's field."""
        fields = {"cwd": [["roots", 1]], "tool": [["a", "name"]], "input": [["a", "in"]]}
        made = payload(
            table(fields=fields, only=[[["kind"], ["x", "y"]]], input_is_text=True),
            cwd="/p", tool="mcp", input={"q": 1},
        )  # fmt: skip
        assert made == {
            "hook_event_name": "PreToolUse",
            "kind": "x",
            "roots": [None, "/p"],
            "a": {"name": "mcp__example", "in": '{"q": 1}'},
        }

    @pytest.mark.parametrize(
        ("tool", "name"),
        [
            ("shell", "Bash"),
            ("Odd", "Odd"),
            ("web", None),
            (None, "Write"),
            ("mcp", "mcp__example"),
        ],
    )
    def test_tool_name(self, tool: str | None, name: str | None) -> None:
        """A selector gives the host's name, a native name is kept, None gives a tool of the hooks."""
        assert tool_name(table(hooks=[handler(tools=["Write"])]), tool) == name


@pytest.fixture
def installed(rig: Rig, bundle: Bundle, monkeypatch: pytest.MonkeyPatch, home: Path) -> Rig:
    """The plugin as if installed and active for this user."""
    mark = rig.site / "acme-1.0.dist-info" / "extra_metadata" / "agent-plugin"
    mark.mkdir(parents=True)
    text = {"format": 1, "id": "acme", "name": "acme", "version": "1.0", "bundle": rig.bundle.name}
    (mark / "plugin.json").write_text(json.dumps(text))
    monkeypatch.syspath_prepend(str(rig.site))
    monkeypatch.setenv("AGENT_PLUGIN_HOME", str(rig.state.parent))
    return rig


class TestCommands:
    """``agent-plugin simulate | inspect | disable | enable``."""

    def test_simulate(self, installed: Rig, capsys: pytest.CaptureFixture[str]) -> None:
        """The text shows outcome, reply, status and time for every host."""
        status = main(["simulate", "acme", "--event", "PreToolUse", "--input", '{"command": "rm"}'])
        out = capsys.readouterr().out
        assert status == 0
        assert out.count("deny: no rm") == 2
        assert "claude-code  PreToolUse  deny  (exit 0, " in out
        assert '"permissionDecision": "deny"' in out

    def test_simulate_json(self, installed: Rig, capsys: pytest.CaptureFixture[str]) -> None:
        """``--json`` gives the same for programs."""
        arguments = ["simulate", "acme", "--host", "codex", "--event", "pre-tool-use", "--json"]
        assert main(arguments) == 0
        (row,) = json.loads(capsys.readouterr().out)
        assert (row["host"], row["outcome"], row["status"]) == ("codex", "none", 0)
        assert row["payload"]["tool_name"] == "Bash"

    @pytest.mark.parametrize("form", [[], ["--json"]])
    def test_simulate_what_fires_nowhere(
        self, installed: Rig, form: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The status is 1, with and without ``--json``."""
        assert main(["simulate", "acme", "--event", "session-end", *form]) == 1
        assert "session-end fires on no agent" in capsys.readouterr().err

    @pytest.mark.parametrize("source", ["file", "stdin"])
    def test_simulate_with_a_payload(
        self, installed: Rig, source: str, tmp_path: Path,
        capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        """The payload comes from a file or from standard input."""
        data = b'{"tool_name": "Bash", "tool_input": "rm"}'
        (tmp_path / "p.json").write_bytes(data)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        name = "-" if source == "stdin" else str(tmp_path / "p.json")
        assert main(["simulate", "acme", "--event", "pre-tool-use", "--payload", name]) == 0
        assert "no rm" in capsys.readouterr().out

    def test_simulate_says_when_a_hook_fails(
        self, installed: Rig, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The status is 1, and the traceback is shown."""
        installed.handlers("def handle(e): return 1 / 0")
        assert main(["simulate", "acme", "--event", "pre-tool-use"]) == 1
        assert "ZeroDivisionError" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "status", "says"),
        [
            (["simulate", "acme", "--event", "PreToolUze"], 2, 'did you mean "pre-tool-use"?'),
            (["simulate", "acmee", "--event", "Stop"], 2, 'did you mean "acme"?'),
            (["simulate", "acme", "--event", "Stop"], 1, "fires on no agent"),
            (["simulate", "acme", "--host", "codex", "--event", "SessionEnd"], 1, "no such event"),
            (["simulate", "acme", "--event", "Stop", "--input", "{"], 2, "--input is not JSON"),
            (["simulate", "acme", "--event", "Stop", "--payload", "/no"], 1, "No such file"),
            (["disable", "nobody"], 2, 'unknown plugin "nobody"'),
            (["disable", "acme", "PreToolUze"], 2, 'did you mean "pre-tool-use"?'),
        ],
    )
    def test_mistakes(
        self, installed: Rig, capsys: pytest.CaptureFixture[str],
        arguments: list[str], status: int, says: str,
    ) -> None:  # fmt: skip
        """One line says what is wrong and what is allowed."""
        assert main(arguments) == status
        assert says in capsys.readouterr().err

    def test_simulate_runs_the_placed_launcher(
        self, installed: Rig, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The user's switches apply, and the fired stamp does not change."""
        mark = installed.state / "fired" / "claude-code.pre-tool-use"
        assert main(["simulate", "acme", "--host", "claude-code", "--event", "pre-tool-use"]) == 0
        assert not mark.exists()
        mark.touch()
        os.utime(mark, (1, 1))
        main(["simulate", "acme", "--host", "claude-code", "--event", "pre-tool-use"])
        assert mark.stat().st_mtime == 1
        assert main(["disable", "acme"]) == 0
        main(["simulate", "acme", "--host", "claude-code", "--event", "pre-tool-use"])
        assert "switched off; `agent-plugin enable acme` switches it on" in capsys.readouterr().out

    def test_disable_and_enable(self, installed: Rig, capsys: pytest.CaptureFixture[str]) -> None:
        """Switches take effect at the next call."""
        rm = {"tool_name": "Bash", "tool_input": "rm"}
        fires: Callable[[], bool] = lambda: installed.fire(rm).decision == "deny"  # noqa: E731
        assert fires()
        assert main(["disable", "ACME", "PreToolUse"]) == 0
        assert not fires()
        assert main(["enable", "acme", "pre-tool-use"]) == 0
        assert fires()
        assert main(["disable", "acme"]) == 0
        assert main(["enable", "acme", "pre-tool-use"]) == 0
        assert "as a whole is off" in capsys.readouterr().err
        assert not fires()
        main(["disable", "acme", "pre-tool-use"])
        assert main(["enable", "acme"]) == 0
        assert fires()

    def test_disabling_what_is_not_active(
        self, installed: Rig, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:  # fmt: skip
        """The error says how to activate it."""
        monkeypatch.setenv("AGENT_PLUGIN_HOME", str(tmp_path / "none"))
        assert main(["disable", "acme"]) == 1
        assert "agent-plugin activate acme" in capsys.readouterr().err

    def test_inspect(self, installed: Rig, capsys: pytest.CaptureFixture[str]) -> None:
        """The text shows events with reasons, and hooks with their handlers."""
        assert main(["inspect", "acme"]) == 0
        out = capsys.readouterr().out
        assert "pre-tool-use: hooks.x[handle]  acme_hooks:handle  10 s" in out
        assert "Codex CLI has no such event" in out
        assert main(["inspect", "acme", "--host", "claude-code", "--json"]) == 0
        (host,) = json.loads(capsys.readouterr().out)["hosts"]
        assert [slot["slot"] for slot in host["slots"]] == ["pre-tool-use", "session-start"]


AUTHORS_TEST = """
def test_rm_is_refused(agent_plugin, agent_plugin_host):
    result = agent_plugin.fire(
        agent_plugin_host, "PreToolUse", tool="shell", input={"command": "rm"}
    )
    assert result.outcome == "deny"

def test_skipped_where_there_is_no_such_event(agent_plugin, agent_plugin_host):
    agent_plugin.fire(agent_plugin_host, "session-end")
"""


class TestFixtures:
    """The pytest plugin, run as authors run it."""

    def run(self, rig: Rig, project: Path, *arguments: str) -> str:
        """Run pytest on the author's test and return its output."""
        (project / "test_hooks.py").write_text(AUTHORS_TEST)
        paths = os.pathsep.join([str(rig.site), str(RUNTIME)])
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "hatch_agentplugin.testing.pytest_plugin", "-rs",
             "-p", "no:cacheprovider", "--rootdir", str(project), *arguments, str(project)],
            env={**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            cwd=project, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout + done.stderr

    def test_one_test_for_every_host(self, installed: Rig) -> None:
        """The test runs for each host and is skipped if the host lacks the event."""
        out = self.run(installed, installed.project)
        assert "2 passed, 2 skipped" in out
        assert "Codex CLI has no such event" in out

    def test_failing_hook_fails_the_test(self, installed: Rig) -> None:
        """The output shows the handler's traceback."""
        installed.handlers("def handle(e): return 1 / 0")
        out = self.run(installed, installed.project)
        assert "2 failed, 2 skipped" in out
        assert "ZeroDivisionError: division by zero" in out

    def test_plugin_that_is_not_installed(self, installed: Rig) -> None:
        """The error says what to do."""
        out = self.run(installed, installed.project, "--agent-plugin", "other")
        assert "the plugin other is not installed" in out
        assert "pip install -e ." in out

    def test_several_plugins(self, installed: Rig) -> None:
        """The project's own plugin is used."""
        second = installed.site / "b-1.0.dist-info" / "extra_metadata" / "agent-plugin"
        second.mkdir(parents=True)
        text = {"format": 1, "id": "b", "name": "b", "version": "1", "bundle": "acme_agent_plugin"}
        (second / "plugin.json").write_text(json.dumps(text))
        (installed.project / "pyproject.toml").write_text('[project]\nname = "Acme"\n')
        assert "2 passed" in self.run(installed, installed.project)


def test_launcher_module_is_the_one_that_placing_uses(rig: Rig) -> None:
    """Simulated and installed launchers come from the same function."""
    assert launcher.render(
        plugin="acme", state=str(rig.state), bundle=str(rig.bundle), python=rig.python,
        runtime=str(RUNTIME),
    ) == rig.launcher.read_text("utf-8")  # fmt: skip
